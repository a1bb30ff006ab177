"""Where a tournament's tables are: for phones by a secret link, for organisers below the round."""

from django.urls import path

from tournaments.views import calls, tables

DESK = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/tables/<int:number>/"

urlpatterns = [
    path("r/<slug:key>/", tables.phone, name="round-table"),
    path("r/<slug:key>/standings/", tables.standings, name="round-table-standings"),
    path("r/<slug:key>/hands/<int:hand>/agree/", tables.agree, name="round-table-agree"),
    path("r/<slug:key>/hands/<int:hand>/dispute/", tables.dispute, name="round-table-dispute"),
    path("r/<slug:key>/call/", calls.call, name="round-table-call"),
    path(f"{DESK}call/answered/", calls.answered, name="table-call-answered"),
    path(DESK, tables.desk, name="tournament-table"),
    path(f"{DESK}sheet/", tables.sheet, name="tournament-sheet"),
    path(f"{DESK}hands/<int:hand>/correct/", tables.correct, name="tournament-hand"),
]
