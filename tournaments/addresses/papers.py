"""Where a tournament's printed papers are."""

from django.urls import path

from tournaments.views import papers

PAPERS = "c/<slug:club>/tournaments/<int:pk>/papers/"

urlpatterns = [
    path(PAPERS, papers.everything, name="tournament-papers"),
    path(f"{PAPERS}sheets.pdf", papers.sheets, name="tournament-sheets-pdf"),
    path(f"{PAPERS}cards.pdf", papers.cards, name="tournament-cards-pdf"),
    path(f"{PAPERS}seating-cards.pdf", papers.tents, name="tournament-seating-cards-pdf"),
    path(f"{PAPERS}emergency.pdf", papers.emergency, name="tournament-emergency-pdf"),
    path(f"{PAPERS}badges.pdf", papers.badges, name="tournament-badges-pdf"),
    path(f"{PAPERS}certificates.pdf", papers.certificates, name="tournament-certificates-pdf"),
    path(f"{PAPERS}poster.pdf", papers.poster, name="tournament-poster-pdf"),
]
