"""The API's addresses of the secretary's desk, room by room."""

from clubs.api.office import house, jobs, keeping, me, messages, rehearsal, results, sending
from clubs.audit import api
from clubs.evenings.api import calendar
from clubs.members import api as members_api

urlpatterns = [
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *keeping.urlpatterns,
    *api.urlpatterns,
    *me.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *messages.urlpatterns,
    *sending.urlpatterns,
    *results.urlpatterns,
    *jobs.urlpatterns,
    *house.urlpatterns,
    *rehearsal.urlpatterns,
]
