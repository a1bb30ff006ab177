"""Where a club's printed papers are."""

from django.urls import path

from clubs.evenings.views import evenings
from clubs.views import papers_season

PRINT = "c/<slug:club>/evenings/<int:pk>/print/"
SEASON = "c/<slug:club>/seasons/<int:pk>/"

urlpatterns = [
    path(f"{PRINT}sheets.pdf", evenings.sheets, name="sheets-pdf"),
    path(f"{PRINT}cards.pdf", evenings.cards, name="cards-pdf"),
    path(f"{PRINT}seating-cards.pdf", evenings.tents, name="seating-cards-pdf"),
    path(PRINT, evenings.everything, name="papers"),
    path(f"{PRINT}blank-sheets.pdf", evenings.blanks, name="blank-sheets-pdf"),
    path(f"{PRINT}crib.pdf", evenings.crib, name="crib-pdf"),
    *(
        path(f"{PRINT}{kind}.pdf", evenings.listed, {"kind": kind}, name=f"{kind}-pdf")
        for kind in evenings.LISTS
    ),
    path(f"{SEASON}print/", papers_season.everything, name="season-papers"),
    path(f"{SEASON}book/", papers_season.book, name="season-book"),
    path(f"{SEASON}poster.pdf", papers_season.poster, name="season-poster-pdf"),
    path(f"{SEASON}table.pdf", evenings.league, name="season-pdf"),
]
