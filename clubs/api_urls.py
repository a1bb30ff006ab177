"""The API's addresses for clubs, room by room."""

from django.urls import path

from clubs import audit
from clubs.accounts import api as accounts_api
from clubs.clubfile import api as clubfile_api
from clubs.evenings.api import calendar, evenings, papers, wall
from clubs.house import api as house_api
from clubs.league import api as league_api
from clubs.members import api as members_api
from clubs.messages import api as messages_api
from clubs.privacy import api as privacy_api
from clubs.table.api import corrections, entry, hands
from clubs.webhooks import api as webhooks_api

# Play comes first: what every hand requests is matched before what is requested once a year.
urlpatterns = [
    *hands.urlpatterns,
    *evenings.urlpatterns,
    *wall.urlpatterns,
    *league_api.urlpatterns,
    *papers.urlpatterns,
    *entry.urlpatterns,
    *corrections.urlpatterns,
    *accounts_api.urlpatterns,
    *webhooks_api.urlpatterns,
    path("rules/", house_api.RuleSetsView.as_view(), name="api-rules"),
    path("clubs/", house_api.ClubsView.as_view(), name="api-clubs"),
    path("clubs/<slug:club>/rules/", house_api.HouseRulesView.as_view(), name="api-house-rules"),
    *members_api.urlpatterns,
    *privacy_api.urlpatterns,
    *clubfile_api.urlpatterns,
    *audit.api_patterns,
    *calendar.urlpatterns,
    *messages_api.urlpatterns,
    *house_api.urlpatterns,
]
