"""The API's addresses of the secretary's desk, room by room."""

from clubs.api.office import (
    calendar,
    house,
    jobs,
    keeping,
    me,
    messages,
    money,
    rehearsal,
    results,
    sending,
    standby,
    wishes,
)
from clubs.audit import api
from clubs.members import api as members_api

urlpatterns = [
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *keeping.urlpatterns,
    *api.urlpatterns,
    *me.urlpatterns,
    *wishes.urlpatterns,
    *calendar.urlpatterns,
    *standby.urlpatterns,
    *money.urlpatterns,
    *messages.urlpatterns,
    *sending.urlpatterns,
    *results.urlpatterns,
    *jobs.urlpatterns,
    *house.urlpatterns,
    *rehearsal.urlpatterns,
]
