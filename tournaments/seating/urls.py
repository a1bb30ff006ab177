"""Addresses for explaining a seating and for seating by hand."""

from django.urls import path

from tournaments.seating import views

SEATING = "c/<slug:club>/tournaments/<int:pk>/seating/"

urlpatterns = [
    path(f"{SEATING}changes/", views.changes, name="seating-changes"),
    path(f"{SEATING}changes/anew/", views.reseat, name="seating-anew"),
    path(f"{SEATING}changes/ways/", views.ways, name="seating-ways"),
    path(f"{SEATING}changes/takeover/", views.take_over, name="seating-takeover"),
    path(f"{SEATING}standing/", views.by_standing, name="round-by-standing"),
    path(f"{SEATING}changes/undo/", views.undo, name="seating-undo"),
    path(f"{SEATING}why/", views.why, name="seating-why"),
    path("e/<slug:key>/why/", views.why_open, name="why-open"),
    path(f"{SEATING}why.pdf", views.paper, name="seating-why-pdf"),
    path(f"{SEATING}draws/<int:drawing>.json", views.draw, name="seating-draw-json"),
    path(f"{SEATING}by-hand/<int:round>/", views.by_hand, name="seating-by-hand"),
    path(f"{SEATING}list/", views.from_list, name="seating-list"),
    path(f"{SEATING}list.csv", views.take_along, name="seating-csv"),
]
