"""Where people come and go, and where their seats are changed."""

from django.urls import path

from tournaments.seating import views as seating_views
from tournaments.setup import views

ONE = "c/<slug:club>/tournaments/<int:pk>/"
ENTRANT = f"{ONE}entrants/<int:entrant>/"


urlpatterns = [
    path(f"{ONE}entrants/list/", views.read_in, name="entrants-import"),
    path(f"{ONE}entrants/list.csv", views.take_along, name="entrants-csv"),
    path(f"{ENTRANT}readmit/", views.readmit, name="entrant-readmit"),
    path(f"{ENTRANT}note/", views.note, name="entrant-note"),
    path(f"{ONE}seating/changes/", seating_views.changes, name="seating-changes"),
    path(f"{ONE}seating/changes/anew/", seating_views.reseat, name="seating-anew"),
    path(f"{ONE}seating/changes/ways/", seating_views.ways, name="seating-ways"),
    path(f"{ONE}seating/changes/takeover/", seating_views.take_over, name="seating-takeover"),
    path(f"{ONE}seating/standing/", seating_views.by_standing, name="round-by-standing"),
    path(f"{ONE}seating/changes/undo/", seating_views.undo, name="seating-undo"),
    path("c/<slug:club>/tournaments/<int:pk>/settings/", views.change, name="tournament-settings"),
]
