"""Addresses of a tournament's printouts."""

from django.urls import path

from tournaments.papers import views

PRINT = "c/<slug:club>/tournaments/<int:pk>/print/"

urlpatterns = [
    path(PRINT, views.everything, name="tournament-papers"),
    path(f"{PRINT}sheets.pdf", views.sheets, name="tournament-sheets-pdf"),
    path(f"{PRINT}cards.pdf", views.cards, name="tournament-cards-pdf"),
    path(f"{PRINT}seating-cards.pdf", views.tents, name="tournament-seating-cards-pdf"),
    path(f"{PRINT}emergency.pdf", views.emergency, name="tournament-emergency-pdf"),
    path(f"{PRINT}badges.pdf", views.badges, name="tournament-badges-pdf"),
    path(f"{PRINT}certificates.pdf", views.certificates, name="tournament-certificates-pdf"),
    path(f"{PRINT}poster.pdf", views.poster, name="tournament-poster-pdf"),
]
