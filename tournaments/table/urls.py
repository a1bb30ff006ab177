"""Addresses of a tournament's tables: for phones by secret link, for organisers below the round."""

from django.urls import path

from clubs.table.pages.entering import worker
from clubs.table.pages.links import phone_paths
from tournaments.table import views

TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
ROUND = f"{TOURNAMENT}rounds/<int:round>/"
TABLE = f"{ROUND}tables/<int:number>/"
RULINGS = f"{TABLE}rulings/"

urlpatterns = [
    *phone_paths("r/<slug:key>/", views.ROOM),
    path("r/<slug:key>/standings/", views.standings, name="round-table-standings"),
    path("r/table-worker.js", worker, name="round-table-worker"),
    path("r/<slug:key>/call/", views.call, name="round-table-call"),
    path(f"{TABLE}call/answered/", views.answered, name="table-call-answered"),
    path(TABLE, views.desk, name="tournament-table"),
    path(f"{TABLE}new-link/", views.new_link, name="tournament-new-link"),
    path(f"{TABLE}tiles/", views.tapped, name="tournament-tapped"),
    path(f"{TABLE}tiles/<int:seat>/", views.tiles, name="tournament-tiles"),
    path(f"{TABLE}score-sheet/", views.sheet, name="tournament-sheet"),
    path(f"{ROUND}score-sheets/", views.stack, name="tournament-sheets"),
    path(f"{TABLE}hands/<int:hand>/correct/", views.correct, name="tournament-hand"),
    path(f"{TOURNAMENT}corrections/", views.repairs, name="tournament-repairs"),
    path(f"{TABLE}corrections/new/", views.repair, name="tournament-repair"),
    path(f"{TABLE}corrections/<int:repair>/undo/", views.undo, name="tournament-repair-back"),
    path(RULINGS, views.rulings, name="table-rulings"),
    path(f"{RULINGS}<int:ruling>/back/", views.take_back, name="ruling-back"),
]
