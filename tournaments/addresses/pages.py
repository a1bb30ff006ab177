"""Where a tournament is found: its desk, entries, seating, standings and wall."""

from django.urls import path

from tournaments.views import entrants, pages, wall

LIST = "c/<slug:club>/tournaments/"
ONE = f"{LIST}<int:pk>/"

urlpatterns = [
    path(LIST, pages.tournaments, name="tournaments"),
    path(f"{LIST}new/", pages.add, name="tournament-add"),
    path(ONE, pages.desk, name="tournament"),
    path(f"{ONE}entrants/", entrants.entrants, name="entrants"),
    path(f"{ONE}entrants/<int:entrant>/withdraw/", entrants.withdraw, name="entrant-withdraw"),
    path(f"{ONE}seating/", pages.seating, name="seating"),
    path(f"{ONE}seat/", pages.seat, name="tournament-seat"),
    path(f"{ONE}clear/", pages.clear, name="tournament-clear"),
    path(f"{ONE}start/", pages.start, name="round-start"),
    path(f"{ONE}close/", pages.close, name="round-close"),
    path(f"{ONE}finish/", pages.finish, name="tournament-finish"),
    path("e/<slug:key>/", wall.wall, name="tournament-wall"),
]
