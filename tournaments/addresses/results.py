"""Where a tournament's standings and results are, for the club and for everyone."""

from django.urls import path

from tournaments.views import results

ONE = "c/<slug:club>/tournaments/<int:pk>/"
OPEN = "e/<slug:key>/results/"

urlpatterns = [
    path(f"{ONE}standings/", results.standings, name="standings"),
    *(
        path(
            f"{ONE}standings.{form}",
            results.export,
            {"form": form},
            name=f"standings-{form}",
        )
        for form in results.FORMS
    ),
    *(
        path(f"{ONE}results/{what}/", results.show, {"what": what}, name=f"results-{what}")
        for what in results.SHOWING
    ),
    path(OPEN, results.results, name="results"),
    *(
        path(f"{OPEN}results.{form}", results.results_file, {"form": form}, name=f"results-{form}")
        for form in results.FORMS
    ),
]
