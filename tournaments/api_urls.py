"""The API's addresses for tournaments."""

from django.urls import path

from tournaments import api

_TOURNAMENT = "clubs/<slug:club>/tournaments/<int:tournament>/"

urlpatterns = [
    path("clubs/<slug:club>/tournaments/", api.TournamentsView.as_view(), name="api-tournaments"),
    path(_TOURNAMENT, api.TournamentView.as_view(), name="api-tournament"),
    path(f"{_TOURNAMENT}standings/", api.StandingsView.as_view(), name="api-standings"),
    path(
        f"{_TOURNAMENT}rounds/<int:round>/tables/<int:number>/",
        api.RoundTableView.as_view(),
        name="api-tournament-table",
    ),
    path("r/<slug:key>/", api.LinkedTableView.as_view(), name="api-round-table"),
]
