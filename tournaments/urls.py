"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import pages, papers, tables

urlpatterns = [*pages.urlpatterns, *tables.urlpatterns, *papers.urlpatterns]
