"""The entry list and the settings of a tournament."""

from django.urls import path

from tournaments.setup import views

TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
ENTRANT = f"{TOURNAMENT}entrants/<int:entrant>/"


urlpatterns = [
    path(f"{TOURNAMENT}entrants/", views.entrants, name="entrants"),
    path(f"{ENTRANT}withdraw/", views.withdraw, name="entrant-withdraw"),
    path(f"{TOURNAMENT}entrants/list/", views.read_in, name="entrants-import"),
    path(f"{TOURNAMENT}entrants/list.csv", views.take_along, name="entrants-csv"),
    path(f"{ENTRANT}readmit/", views.readmit, name="entrant-readmit"),
    path(f"{ENTRANT}note/", views.note, name="entrant-note"),
    path(f"{TOURNAMENT}settings/", views.change, name="tournament-settings"),
]
