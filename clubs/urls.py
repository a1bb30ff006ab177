"""Addresses of the club's pages, room by room."""

from clubs.addresses import pages, tables

urlpatterns = [*pages.urlpatterns, *tables.urlpatterns]
