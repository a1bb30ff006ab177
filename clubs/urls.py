"""Addresses of the club's pages, room by room."""

from clubs.addresses import (
    calendar,
    keeping,
    leagues,
    members,
    messages,
    pages,
    papers,
    players,
    rehearsal,
    repairs,
    score,
    seating,
    sheets,
    tables,
    wishes,
)

urlpatterns = [
    *pages.urlpatterns,
    *members.urlpatterns,
    *calendar.urlpatterns,
    *leagues.urlpatterns,
    *score.urlpatterns,
    *tables.urlpatterns,
    *papers.urlpatterns,
    *repairs.urlpatterns,
    *seating.urlpatterns,
    *rehearsal.urlpatterns,
    *wishes.urlpatterns,
    *players.urlpatterns,
    *messages.urlpatterns,
    *keeping.urlpatterns,
    *sheets.urlpatterns,
]
