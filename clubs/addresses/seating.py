"""Where an evening's tables are explained, and moved by hand."""

from django.urls import path

from clubs.views import changing, moving, why

EVENING = "c/<slug:club>/evenings/<int:pk>/"

urlpatterns = [
    path(f"{EVENING}why/", why.why, name="evening-why"),
    path(f"{EVENING}why.pdf", why.paper, name="evening-why-pdf"),
    path(f"{EVENING}arrivals/", changing.change, name="evening-change"),
    path(f"{EVENING}arrivals/<int:number>/undo/", changing.undo, name="evening-change-undo"),
    path(f"{EVENING}move/", moving.move, name="evening-move"),
]
