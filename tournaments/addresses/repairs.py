"""Where several hands of a tournament's table are put right, and that is taken back."""

from django.urls import path

from tournaments.views import repairs

TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
TABLE = f"{TOURNAMENT}rounds/<int:round>/tables/<int:number>/"

urlpatterns = [
    path(f"{TOURNAMENT}corrections/", repairs.repairs, name="tournament-repairs"),
    path(f"{TABLE}corrections/new/", repairs.repair, name="tournament-repair"),
    path(f"{TABLE}corrections/<int:repair>/undo/", repairs.undo, name="tournament-repair-back"),
]
