"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import pages, tables

urlpatterns = [*pages.urlpatterns, *tables.urlpatterns]
