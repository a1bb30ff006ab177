"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import pages, papers, people, results, rulings, seating, tables

urlpatterns = [
    *pages.urlpatterns,
    *tables.urlpatterns,
    *papers.urlpatterns,
    *results.urlpatterns,
    *rulings.urlpatterns,
    *people.urlpatterns,
    *seating.urlpatterns,
]
