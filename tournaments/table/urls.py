"""Where a tournament's tables are: for phones by a secret link, for organisers below the round."""

from django.urls import path

from clubs.table.pages.entering import worker
from clubs.table.pages.links import phone_paths
from tournaments.table import views

ROUND = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/"
DESK = f"{ROUND}tables/<int:number>/"


TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
TABLE = f"{TOURNAMENT}rounds/<int:round>/tables/<int:number>/"


HERE = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/tables/<int:number>/rulings/"


urlpatterns = [
    *phone_paths("r/<slug:key>/", views.ROOM),
    path("r/<slug:key>/standings/", views.standings, name="round-table-standings"),
    path("r/table-worker.js", worker, name="round-table-worker"),
    path("r/<slug:key>/call/", views.call, name="round-table-call"),
    path(f"{DESK}call/answered/", views.answered, name="table-call-answered"),
    path(DESK, views.desk, name="tournament-table"),
    path(f"{DESK}new-link/", views.new_link, name="tournament-new-link"),
    path(f"{DESK}tiles/", views.tapped, name="tournament-tapped"),
    path(f"{DESK}tiles/<int:seat>/", views.tiles, name="tournament-tiles"),
    path(f"{DESK}score-sheet/", views.sheet, name="tournament-sheet"),
    path(f"{ROUND}score-sheets/", views.stack, name="tournament-sheets"),
    path(f"{DESK}hands/<int:hand>/correct/", views.correct, name="tournament-hand"),
    path(f"{TOURNAMENT}corrections/", views.repairs, name="tournament-repairs"),
    path(f"{TABLE}corrections/new/", views.repair, name="tournament-repair"),
    path(f"{TABLE}corrections/<int:repair>/undo/", views.undo, name="tournament-repair-back"),
    path(HERE, views.rulings, name="table-rulings"),
    path(f"{HERE}<int:ruling>/back/", views.take_back, name="ruling-back"),
]
