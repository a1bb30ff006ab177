"""Where a tournament's tables are: for phones by a secret link, for organisers below the round."""

from django.urls import path

from clubs.table.pages.linked import phone_paths
from clubs.table.pages.offline import worker
from tournaments.views import calls, links, sheets, tables

ROUND = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/"
DESK = f"{ROUND}tables/<int:number>/"

urlpatterns = [
    *phone_paths("r/<slug:key>/", tables.ROOM),
    path("r/<slug:key>/standings/", tables.standings, name="round-table-standings"),
    path("r/table-worker.js", worker, name="round-table-worker"),
    path("r/<slug:key>/call/", calls.call, name="round-table-call"),
    path(f"{DESK}call/answered/", calls.answered, name="table-call-answered"),
    path(DESK, tables.desk, name="tournament-table"),
    path(f"{DESK}new-link/", links.new_link, name="tournament-new-link"),
    path(f"{DESK}tiles/", tables.tapped, name="tournament-tapped"),
    path(f"{DESK}tiles/<int:seat>/", tables.tiles, name="tournament-tiles"),
    path(f"{DESK}score-sheet/", sheets.sheet, name="tournament-sheet"),
    path(f"{ROUND}score-sheets/", sheets.stack, name="tournament-sheets"),
    path(f"{DESK}hands/<int:hand>/correct/", tables.correct, name="tournament-hand"),
]
