"""Where several hands of an evening's table are put right, and that is taken back."""

from django.urls import path

from clubs.views import repairs

EVENING = "c/<slug:club>/evenings/<int:pk>/"
TABLE = f"{EVENING}tables/<int:number>/"

urlpatterns = [
    path(f"{EVENING}corrections/", repairs.repairs, name="evening-repairs"),
    path(f"{TABLE}corrections/new/", repairs.repair, name="evening-repair"),
    path(f"{TABLE}corrections/<int:repair>/undo/", repairs.undo, name="evening-repair-back"),
]
