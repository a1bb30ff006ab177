"""Where a player's seasons, the club's book of special hands and its ratings are."""

from django.urls import path

from clubs.views import players, ratings, special_hands

HANDS = "c/<slug:club>/special-hands"

urlpatterns = [
    path("c/<slug:club>/members/<int:pk>/", players.player, name="player"),
    path(f"{HANDS}/", special_hands.book, name="special-hands"),
    path(f"{HANDS}.pdf", special_hands.paper, name="special-hands-pdf"),
    path(f"{HANDS}.csv", special_hands.file, name="special-hands-csv"),
    path("c/<slug:club>/rating/", ratings.rating, name="rating"),
]
