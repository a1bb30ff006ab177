"""Addresses of the club's pages, room by room."""

from clubs.addresses import (
    calendar,
    leagues,
    members,
    pages,
    papers,
    repairs,
    score,
    seating,
    tables,
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
]
