"""Former addresses of a tournament's pages: permanent redirects to the new ones."""

from collections.abc import Mapping
from typing import Final

from clubs.house.urls import leading_on
from tournaments.results import views

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
    **{f"{PAPERS}standings.{form}": f"standings-{form}" for form in views.FORMS},
    f"{TOURNAMENT}repairs/": "tournament-repairs",
    f"{TABLE}repairs/": "tournament-repair",
    f"{TABLE}repairs/<int:repair>/back/": "tournament-repair-back",
    f"{ROUND}sheets/": "tournament-sheets",
    f"{TABLE}sheet/": "tournament-sheet",
}

urlpatterns = leading_on(MOVED)
