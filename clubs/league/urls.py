"""Where a season's rules, what is given in it, and everyone's explanation are."""

from django.urls import path

from clubs.evenings.views import evenings
from clubs.league import views

SEASON = "c/<slug:club>/seasons/<int:pk>/"


PRINT = "c/<slug:club>/evenings/<int:pk>/print/"


HANDS = "c/<slug:club>/special-hands"


urlpatterns = [
    path(f"{SEASON}why/<int:player>/", views.why, name="season-why"),
    path(f"{SEASON}rules/", views.rules, name="season-rules"),
    path(f"{SEASON}rules/<int:number>/", views.trial, name="season-try"),
    path(f"{SEASON}rules/<int:number>/adopt/", views.adopt, name="season-adopt"),
    path(f"{SEASON}given/", views.given, name="season-given"),
    path(f"{SEASON}given/handicap/", views.handicap, name="season-handicap"),
    path(f"{SEASON}given/credit/", views.credit, name="season-credit"),
    path(f"{SEASON}given/credit/<int:credit>/back/", views.credit_back, name="season-credit-back"),
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
    path(f"{SEASON}print/", views.everything, name="season-papers"),
    path(f"{SEASON}book/", views.book, name="season-book"),
    path(f"{SEASON}poster.pdf", views.poster, name="season-poster-pdf"),
    path(f"{SEASON}table.pdf", evenings.league, name="season-pdf"),
    path("c/<slug:club>/members/<int:pk>/", views.player, name="player"),
    path(f"{HANDS}/", views.special_hands, name="special-hands"),
    path(f"{HANDS}.pdf", views.special_hands_paper, name="special-hands-pdf"),
    path(f"{HANDS}.csv", views.special_hands_file, name="special-hands-csv"),
    path("c/<slug:club>/rating/", views.rating, name="rating"),
]
