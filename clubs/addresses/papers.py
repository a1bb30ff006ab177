"""Where a club's printed papers are."""

from django.urls import path

from clubs.views import papers

PAPERS = "c/<slug:club>/evenings/<int:pk>/papers/"

urlpatterns = [
    path(f"{PAPERS}sheets.pdf", papers.sheets, name="sheets-pdf"),
    path(f"{PAPERS}cards.pdf", papers.cards, name="cards-pdf"),
    path(f"{PAPERS}seating-cards.pdf", papers.tents, name="seating-cards-pdf"),
    path(PAPERS, papers.everything, name="papers"),
    path(f"{PAPERS}blank-sheets.pdf", papers.blanks, name="blank-sheets-pdf"),
    path(f"{PAPERS}crib.pdf", papers.crib, name="crib-pdf"),
    *(
        path(f"{PAPERS}{kind}.pdf", papers.listed, {"kind": kind}, name=f"{kind}-pdf")
        for kind in papers.LISTS
    ),
    path("c/<slug:club>/seasons/<int:pk>/table.pdf", papers.league, name="season-pdf"),
]
