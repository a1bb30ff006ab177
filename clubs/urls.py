"""Addresses of the club's pages, room by room."""

from clubs.addresses import (
    calendar,
    keeping,
    leagues,
    members,
    messages,
    names,
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
    *names.urlpatterns,
    *keeping.urlpatterns,
    *sheets.urlpatterns,
]
