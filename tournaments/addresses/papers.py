"""Where a tournament's printed papers are."""

from django.urls import path

from tournaments.views import papers

PRINT = "c/<slug:club>/tournaments/<int:pk>/print/"

urlpatterns = [
    path(PRINT, papers.everything, name="tournament-papers"),
    path(f"{PRINT}sheets.pdf", papers.sheets, name="tournament-sheets-pdf"),
    path(f"{PRINT}cards.pdf", papers.cards, name="tournament-cards-pdf"),
    path(f"{PRINT}seating-cards.pdf", papers.tents, name="tournament-seating-cards-pdf"),
    path(f"{PRINT}emergency.pdf", papers.emergency, name="tournament-emergency-pdf"),
    path(f"{PRINT}badges.pdf", papers.badges, name="tournament-badges-pdf"),
    path(f"{PRINT}certificates.pdf", papers.certificates, name="tournament-certificates-pdf"),
    path(f"{PRINT}poster.pdf", papers.poster, name="tournament-poster-pdf"),
]
