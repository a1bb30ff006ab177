"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import tables

urlpatterns = [*tables.urlpatterns]
