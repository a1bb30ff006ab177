"""Where a tournament is found: its desk, entries and seating."""

from django.urls import path

from tournaments.views import entrants, pages

LIST = "c/<slug:club>/tournaments/"
ONE = f"{LIST}<int:pk>/"

urlpatterns = [
    path(LIST, pages.tournaments, name="tournaments"),
    path(f"{LIST}new/", pages.add, name="tournament-add"),
    path(ONE, pages.desk, name="tournament"),
    path(f"{ONE}entrants/", entrants.entrants, name="entrants"),
    path(f"{ONE}entrants/<int:entrant>/withdraw/", entrants.withdraw, name="entrant-withdraw"),
    path(f"{ONE}tables/", pages.jump, name="table-jump"),
    path(f"{ONE}seating/", pages.seating, name="seating"),
]
