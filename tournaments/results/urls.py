"""Addresses of a tournament's standings and results, for the club and for everyone."""

from django.urls import path

from tournaments.results import views

TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
PRIZES = f"{TOURNAMENT}prizes/"
PRIZE = f"{PRIZES}<int:prize>/"
OPEN = "e/<slug:key>/results/"

urlpatterns = [
    path(f"{TOURNAMENT}standings/", views.standings, name="standings"),
    *(
        path(
            f"{TOURNAMENT}standings.{form}",
            views.export,
            {"form": form},
            name=f"standings-{form}",
        )
        for form in views.FORMS
    ),
    *(
        path(f"{TOURNAMENT}results/{what}/", views.show, {"what": what}, name=f"results-{what}")
        for what in views.SHOWING
    ),
    path(OPEN, views.results, name="results"),
    *(
        path(f"{OPEN}results.{form}", views.results_file, {"form": form}, name=f"results-{form}")
        for form in views.FORMS
    ),
    path(PRIZES, views.prizes, name="prizes"),
    path(f"{PRIZES}usual/", views.usual, name="prizes-usual"),
    path(f"{PRIZES}rule/", views.rule, name="prizes-rule"),
    path(f"{PRIZES}sheet.pdf", views.sheet, name="prizes-pdf"),
    path(PRIZE, views.prize, name="prize"),
    path(f"{PRIZE}move/", views.move, name="prize-move"),
    path(f"{PRIZE}remove/", views.remove, name="prize-remove"),
]
