"""The API's addresses for clubs."""

from django.urls import path

from clubs.api import views
from clubs.api.access import addresses as access
from clubs.api.office import addresses as office
from clubs.api.play import addresses as play

# Play comes first: what is asked at every hand is found before what is asked once a year.
urlpatterns = [
    *play.urlpatterns,
    *access.urlpatterns,
    path("rules/", views.RuleSetsView.as_view(), name="api-rules"),
    path("clubs/", views.ClubsView.as_view(), name="api-clubs"),
    path("clubs/<slug:club>/rules/", views.HouseRulesView.as_view(), name="api-house-rules"),
    *office.urlpatterns,
]
