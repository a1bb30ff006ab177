"""Where people come and go, and where their seats are changed."""

from django.urls import path

from tournaments.views import bystanding, changes, entrants, entrylist

ONE = "c/<slug:club>/tournaments/<int:pk>/"
ENTRANT = f"{ONE}entrants/<int:entrant>/"

urlpatterns = [
    path(f"{ONE}entrants/list/", entrylist.read_in, name="entrants-import"),
    path(f"{ONE}entrants/list.csv", entrylist.take_along, name="entrants-csv"),
    path(f"{ENTRANT}readmit/", entrants.readmit, name="entrant-readmit"),
    path(f"{ENTRANT}note/", entrants.note, name="entrant-note"),
    path(f"{ONE}seating/changes/", changes.changes, name="seating-changes"),
    path(f"{ONE}seating/changes/anew/", changes.reseat, name="seating-anew"),
    path(f"{ONE}seating/changes/ways/", changes.ways, name="seating-ways"),
    path(f"{ONE}seating/changes/takeover/", changes.take_over, name="seating-takeover"),
    path(f"{ONE}seating/standing/", bystanding.by_standing, name="round-by-standing"),
    path(f"{ONE}seating/changes/undo/", changes.undo, name="seating-undo"),
]
