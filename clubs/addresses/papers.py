"""Where a club's printed papers are."""

from django.urls import path

from clubs.views import papers

PAPERS = "c/<slug:club>/evenings/<int:pk>/papers/"

urlpatterns = [
    path(f"{PAPERS}sheets.pdf", papers.sheets, name="sheets-pdf"),
    path(f"{PAPERS}cards.pdf", papers.cards, name="cards-pdf"),
    path("c/<slug:club>/seasons/<int:pk>/table.pdf", papers.league, name="season-pdf"),
]
