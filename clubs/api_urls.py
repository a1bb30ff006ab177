"""The API's addresses for clubs."""

from django.urls import path

from clubs.api import views

urlpatterns = [
    path("token/", views.TokenView.as_view(), name="api-token"),
    path("rules/", views.RuleSetsView.as_view(), name="api-rules"),
    path("clubs/", views.ClubsView.as_view(), name="api-clubs"),
    path("clubs/<slug:club>/rules/", views.HouseRulesView.as_view(), name="api-house-rules"),
    path("clubs/<slug:club>/players/", views.PlayersView.as_view(), name="api-players"),
    path("clubs/<slug:club>/evenings/", views.EveningsView.as_view(), name="api-evenings"),
    path(
        "clubs/<slug:club>/evenings/<int:evening>/",
        views.EveningView.as_view(),
        name="api-evening",
    ),
    path(
        "clubs/<slug:club>/evenings/<int:evening>/tables/<int:number>/",
        views.EveningTableView.as_view(),
        name="api-evening-table",
    ),
    path("clubs/<slug:club>/seasons/", views.SeasonsView.as_view(), name="api-seasons"),
    path("clubs/<slug:club>/seasons/<int:season>/", views.SeasonView.as_view(), name="api-season"),
    path("t/<slug:key>/", views.LinkedTableView.as_view(), name="api-table"),
]
