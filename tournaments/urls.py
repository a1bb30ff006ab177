"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import (
    hall,
    pages,
    papers,
    people,
    results,
    rulings,
    seating,
    steps,
    tables,
)

urlpatterns = [
    *pages.urlpatterns,
    *tables.urlpatterns,
    *hall.urlpatterns,
    *papers.urlpatterns,
    *results.urlpatterns,
    *rulings.urlpatterns,
    *people.urlpatterns,
    *steps.urlpatterns,
    *seating.urlpatterns,
]
