"""Seasons, their rules and printouts; players, special hands and ratings."""

from django.urls import path

from clubs.evenings.views.evenings import league
from clubs.league import views

SEASONS = "c/<slug:club>/seasons/"
SEASON = f"{SEASONS}<int:pk>/"
HANDS = "c/<slug:club>/special-hands"

urlpatterns = [
    path(SEASONS, views.seasons, name="seasons"),
    path(f"{SEASONS}new/", views.add_season, name="season-add"),
    path(f"{SEASONS}current/", views.current, name="season-now"),
    path(SEASON, views.season, name="season"),
    path(f"{SEASON}change/", views.change_season, name="season-change"),
    path(f"{SEASON}pack/", views.pack, name="season-pack"),
    path(f"{SEASON}why/<int:player>/", views.why, name="season-why"),
    path(f"{SEASON}rules/", views.rules, name="season-rules"),
    path(f"{SEASON}rules/<int:number>/", views.trial, name="season-try"),
    path(f"{SEASON}rules/<int:number>/adopt/", views.adopt, name="season-adopt"),
    path(f"{SEASON}given/", views.given, name="season-given"),
    path(f"{SEASON}given/handicap/", views.handicap, name="season-handicap"),
    path(f"{SEASON}given/credit/", views.credit, name="season-credit"),
    path(f"{SEASON}given/credit/<int:credit>/back/", views.credit_back, name="season-credit-back"),
    path(f"{SEASON}print/", views.everything, name="season-papers"),
    path(f"{SEASON}book/", views.book, name="season-book"),
    path(f"{SEASON}poster.pdf", views.poster, name="season-poster-pdf"),
    path(f"{SEASON}table.pdf", league, name="season-pdf"),
    path("c/<slug:club>/members/<int:pk>/", views.player, name="player"),
    path(f"{HANDS}/", views.special_hands, name="special-hands"),
    path(f"{HANDS}.pdf", views.special_hands_paper, name="special-hands-pdf"),
    path(f"{HANDS}.csv", views.special_hands_file, name="special-hands-csv"),
    path("c/<slug:club>/rating/", views.rating, name="rating"),
]
