"""Addresses of the club's pages, room by room."""

from clubs.addresses import pages, papers, seating, tables

urlpatterns = [*pages.urlpatterns, *tables.urlpatterns, *papers.urlpatterns, *seating.urlpatterns]
