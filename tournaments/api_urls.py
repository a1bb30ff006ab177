"""The API's addresses for tournaments, room by room."""

from tournaments.api import (
    calls,
    cards,
    clock,
    entrants,
    hall,
    pages,
    papers,
    prizes,
    reseating,
    results,
    rulings,
    seating,
    steps,
    tables,
)

urlpatterns = [
    *tables.urlpatterns,
    *pages.urlpatterns,
    *entrants.urlpatterns,
    *seating.urlpatterns,
    *reseating.urlpatterns,
    *steps.urlpatterns,
    *clock.urlpatterns,
    *calls.urlpatterns,
    *cards.urlpatterns,
    *rulings.urlpatterns,
    *prizes.urlpatterns,
    *papers.urlpatterns,
    *results.urlpatterns,
    *hall.urlpatterns,
]
