"""Addresses of the tournament's pages, room by room."""

from tournaments.addresses import (
    clock,
    hall,
    moved,
    pages,
    papers,
    people,
    prizes,
    repairs,
    results,
    rulings,
    seating,
    settings,
    steps,
    tables,
)

urlpatterns = [
    *pages.urlpatterns,
    *tables.urlpatterns,
    *clock.urlpatterns,
    *hall.urlpatterns,
    *papers.urlpatterns,
    *results.urlpatterns,
    *prizes.urlpatterns,
    *rulings.urlpatterns,
    *repairs.urlpatterns,
    *people.urlpatterns,
    *steps.urlpatterns,
    *seating.urlpatterns,
    *settings.urlpatterns,
    *moved.urlpatterns,
]
