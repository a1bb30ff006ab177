"""Addresses of the tournament's pages, room by room, and their former addresses."""

from collections.abc import Mapping
from typing import Final

from clubs.house.views import leading_on
from tournaments import papers, printing
from tournaments.desk import views as desk_views
from tournaments.results import views as results_views
from tournaments.seating import views as seating_views
from tournaments.setup import views as setup_views
from tournaments.steps import views as steps_views
from tournaments.table import views as table_views
from tournaments.wall import views as wall_views

TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
PAPERS = f"{TOURNAMENT}papers/"
ROUND = f"{TOURNAMENT}rounds/<int:round>/"
TABLE = f"{ROUND}tables/<int:number>/"

MOVED: Final[Mapping[str, str]] = {
    PAPERS: "tournament-papers",
    f"{PAPERS}sheets.pdf": "tournament-sheets-pdf",
    f"{PAPERS}cards.pdf": "tournament-cards-pdf",
    f"{PAPERS}seating-cards.pdf": "tournament-seating-cards-pdf",
    f"{PAPERS}emergency.pdf": "tournament-emergency-pdf",
    f"{PAPERS}badges.pdf": "tournament-badges-pdf",
    f"{PAPERS}certificates.pdf": "tournament-certificates-pdf",
    f"{PAPERS}poster.pdf": "tournament-poster-pdf",
    **{f"{PAPERS}standings.{form}": f"standings-{form}" for form in ("pdf", "csv", "json", "xlsx")},
    f"{TOURNAMENT}repairs/": "tournament-repairs",
    f"{TABLE}repairs/": "tournament-repair",
    f"{TABLE}repairs/<int:repair>/back/": "tournament-repair-back",
    f"{ROUND}sheets/": "tournament-sheets",
    f"{TABLE}sheet/": "tournament-sheet",
}

urlpatterns = [
    *desk_views.urlpatterns,
    *table_views.urlpatterns,
    *wall_views.urlpatterns,
    *papers.urlpatterns,
    *printing.urlpatterns,
    *results_views.urlpatterns,
    *setup_views.urlpatterns,
    *steps_views.urlpatterns,
    *seating_views.urlpatterns,
    *leading_on(MOVED),
]
