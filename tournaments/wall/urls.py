"""Addresses of the hall's pages: the wall, its clock, and finding one's own name."""

from django.urls import path

from clubs.evenings.views.evenings import worker
from tournaments.wall import views

OPEN = "e/<slug:key>/"

urlpatterns = [
    path(OPEN, views.wall, name="tournament-wall"),
    path(f"{OPEN}clock/", views.clock, name="tournament-clock"),
    path(f"{OPEN}find/", views.find_me, name="find-me"),
    path("e/wall-worker.js", worker, name="tournament-wall-worker"),
]
