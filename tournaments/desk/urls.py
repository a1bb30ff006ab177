"""The director's desk: tournaments, clock, and finding a table."""

from django.urls import path

from tournaments.desk import views

LIST = "c/<slug:club>/tournaments/"
TOURNAMENT = f"{LIST}<int:pk>/"
CLOCK = f"{TOURNAMENT}clock/"
TABLE = f"{TOURNAMENT}rounds/<int:round>/tables/<int:number>/"

urlpatterns = [
    path(CLOCK, views.of_round, name="clock"),
    path(f"{CLOCK}set/", views.set_clock, name="clock-set"),
    path(f"{CLOCK}minutes/", views.add_minutes, name="clock-minutes"),
    path(f"{TABLE}clock/", views.at_desk, name="table-clock"),
    path(f"{TABLE}minutes/", views.add_at_table, name="table-minutes"),
    path(f"{TABLE}stop/", views.stop_by_desk, name="table-stop"),
    path("r/<slug:key>/clock/", views.of_table, name="round-table-clock"),
    path("r/<slug:key>/stop/", views.stop_by_phone, name="round-table-stop"),
    path(LIST, views.tournaments, name="tournaments"),
    path(f"{LIST}new/", views.add_tournament, name="tournament-add"),
    path(TOURNAMENT, views.desk, name="tournament"),
    path(f"{TOURNAMENT}tables/", views.jump, name="table-jump"),
    path(f"{TOURNAMENT}seating/", views.seating, name="seating"),
]
