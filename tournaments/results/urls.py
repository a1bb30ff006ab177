"""Where a tournament's standings and results are, for the club and for everyone."""

from django.urls import path

from tournaments.results import views

ONE = "c/<slug:club>/tournaments/<int:pk>/"
OPEN = "e/<slug:key>/results/"


HERE = "c/<slug:club>/tournaments/<int:pk>/prizes/"
PRIZES_ONE = f"{HERE}<int:prize>/"


urlpatterns = [
    path(f"{ONE}standings/", views.standings, name="standings"),
    *(
        path(
            f"{ONE}standings.{form}",
            views.export,
            {"form": form},
            name=f"standings-{form}",
        )
        for form in views.FORMS
    ),
    *(
        path(f"{ONE}results/{what}/", views.show, {"what": what}, name=f"results-{what}")
        for what in views.SHOWING
    ),
    path(OPEN, views.results, name="results"),
    *(
        path(f"{OPEN}results.{form}", views.results_file, {"form": form}, name=f"results-{form}")
        for form in views.FORMS
    ),
    path(HERE, views.prizes, name="prizes"),
    path(f"{HERE}usual/", views.usual, name="prizes-usual"),
    path(f"{HERE}rule/", views.rule, name="prizes-rule"),
    path(f"{HERE}sheet.pdf", views.sheet, name="prizes-pdf"),
    path(PRIZES_ONE, views.prize, name="prize"),
    path(f"{PRIZES_ONE}move/", views.move, name="prize-move"),
    path(f"{PRIZES_ONE}remove/", views.remove, name="prize-remove"),
]
