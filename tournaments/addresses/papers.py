"""Where a tournament's printed papers are."""

from django.urls import path

from tournaments.views import papers

PAPERS = "c/<slug:club>/tournaments/<int:pk>/papers/"

urlpatterns = [
    path(f"{PAPERS}sheets.pdf", papers.sheets, name="tournament-sheets-pdf"),
    path(f"{PAPERS}cards.pdf", papers.cards, name="tournament-cards-pdf"),
]
