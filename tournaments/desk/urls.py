"""Where the clock is asked for and set, and where a table says that it has stopped."""

from django.urls import path

from tournaments.desk import views
from tournaments.setup import views as setup_views

ONE = "c/<slug:club>/tournaments/<int:pk>/clock/"
TABLE = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/tables/<int:number>/"


LIST = "c/<slug:club>/tournaments/"
PAGES_ONE = f"{LIST}<int:pk>/"


urlpatterns = [
    path(ONE, views.of_round, name="clock"),
    path(f"{ONE}set/", views.set_clock, name="clock-set"),
    path(f"{ONE}minutes/", views.add_minutes, name="clock-minutes"),
    path(f"{TABLE}clock/", views.at_desk, name="table-clock"),
    path(f"{TABLE}minutes/", views.add_at_table, name="table-minutes"),
    path(f"{TABLE}stop/", views.stop_by_desk, name="table-stop"),
    path("r/<slug:key>/clock/", views.of_table, name="round-table-clock"),
    path("r/<slug:key>/stop/", views.stop_by_phone, name="round-table-stop"),
    path(LIST, views.tournaments, name="tournaments"),
    path(f"{LIST}new/", views.add_tournament, name="tournament-add"),
    path(PAGES_ONE, views.desk, name="tournament"),
    path(f"{PAGES_ONE}entrants/", setup_views.entrants, name="entrants"),
    path(
        f"{PAGES_ONE}entrants/<int:entrant>/withdraw/",
        setup_views.withdraw,
        name="entrant-withdraw",
    ),
    path(f"{PAGES_ONE}tables/", views.jump, name="table-jump"),
    path(f"{PAGES_ONE}seating/", views.seating, name="seating"),
]
