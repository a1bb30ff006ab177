"""Addresses of the club's pages, room by room."""

from clubs.addresses import pages, papers, score, seating, tables

urlpatterns = [
    *pages.urlpatterns,
    *score.urlpatterns,
    *tables.urlpatterns,
    *papers.urlpatterns,
    *seating.urlpatterns,
]
