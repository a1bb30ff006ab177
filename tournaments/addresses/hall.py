"""What hangs in the hall: the wall, its clock, and where everyone finds their own name."""

from django.urls import path

from clubs.evenings.views.evenings import worker
from tournaments.views import finding, wall

OPEN = "e/<slug:key>/"

urlpatterns = [
    path(OPEN, wall.wall, name="tournament-wall"),
    path(f"{OPEN}clock/", wall.clock, name="tournament-clock"),
    path(f"{OPEN}find/", finding.find_me, name="find-me"),
    path("e/wall-worker.js", worker, name="tournament-wall-worker"),
]
