"""Where a club's printed papers are."""

from django.urls import path

from clubs.views import papers, papers_season

PRINT = "c/<slug:club>/evenings/<int:pk>/print/"
SEASON = "c/<slug:club>/seasons/<int:pk>/"

urlpatterns = [
    path(f"{PRINT}sheets.pdf", papers.sheets, name="sheets-pdf"),
    path(f"{PRINT}cards.pdf", papers.cards, name="cards-pdf"),
    path(f"{PRINT}seating-cards.pdf", papers.tents, name="seating-cards-pdf"),
    path(PRINT, papers.everything, name="papers"),
    path(f"{PRINT}blank-sheets.pdf", papers.blanks, name="blank-sheets-pdf"),
    path(f"{PRINT}crib.pdf", papers.crib, name="crib-pdf"),
    *(
        path(f"{PRINT}{kind}.pdf", papers.listed, {"kind": kind}, name=f"{kind}-pdf")
        for kind in papers.LISTS
    ),
    path(f"{SEASON}print/", papers_season.everything, name="season-papers"),
    path(f"{SEASON}book/", papers_season.book, name="season-book"),
    path(f"{SEASON}poster.pdf", papers_season.poster, name="season-poster-pdf"),
    path(f"{SEASON}table.pdf", papers.league, name="season-pdf"),
]
