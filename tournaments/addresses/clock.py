"""Where the clock is asked for and set, and where a table says that it has stopped."""

from django.urls import path

from tournaments.views import clock

ONE = "c/<slug:club>/tournaments/<int:pk>/clock/"
TABLE = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/tables/<int:number>/"

urlpatterns = [
    path(ONE, clock.of_round, name="clock"),
    path(f"{ONE}set/", clock.set_clock, name="clock-set"),
    path(f"{ONE}minutes/", clock.add_minutes, name="clock-minutes"),
    path(f"{TABLE}clock/", clock.at_desk, name="table-clock"),
    path(f"{TABLE}minutes/", clock.add_at_table, name="table-minutes"),
    path(f"{TABLE}stop/", clock.stop_by_desk, name="table-stop"),
    path("r/<slug:key>/clock/", clock.of_table, name="round-table-clock"),
    path("r/<slug:key>/stop/", clock.stop_by_phone, name="round-table-stop"),
]
