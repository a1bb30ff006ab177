"""The API's addresses of the secretary's desk, room by room."""

from clubs.api.office import (
    calendar,
    due,
    house,
    jobs,
    keeping,
    lists,
    me,
    messages,
    money,
    people,
    rehearsal,
    results,
    sending,
    standby,
    twins,
    wishes,
)
from clubs.audit import api

urlpatterns = [
    *people.urlpatterns,
    *due.urlpatterns,
    *twins.urlpatterns,
    *lists.urlpatterns,
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
