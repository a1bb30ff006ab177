"""The API's addresses of the secretary's desk, room by room."""

from clubs.api.office import house, jobs, rehearsal
from clubs.audit import api
from clubs.evenings.api import calendar
from clubs.league.api import results
from clubs.members import api as members_api
from clubs.messages import api as messages_api
from clubs.privacy import api as privacy_api

urlpatterns = [
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *members_api.urlpatterns,
    *privacy_api.urlpatterns,
    *api.urlpatterns,
    *privacy_api.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *calendar.urlpatterns,
    *messages_api.urlpatterns,
    *messages_api.urlpatterns,
    *results.urlpatterns,
    *jobs.urlpatterns,
    *house.urlpatterns,
    *rehearsal.urlpatterns,
]
