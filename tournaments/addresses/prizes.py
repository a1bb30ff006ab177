"""Where a tournament's prizes are declared, and the sheet they are given by."""

from django.urls import path

from tournaments.views import prizes

HERE = "c/<slug:club>/tournaments/<int:pk>/prizes/"
ONE = f"{HERE}<int:prize>/"

urlpatterns = [
    path(HERE, prizes.prizes, name="prizes"),
    path(f"{HERE}usual/", prizes.usual, name="prizes-usual"),
    path(f"{HERE}rule/", prizes.rule, name="prizes-rule"),
    path(f"{HERE}sheet.pdf", prizes.sheet, name="prizes-pdf"),
    path(ONE, prizes.prize, name="prize"),
    path(f"{ONE}move/", prizes.move, name="prize-move"),
    path(f"{ONE}remove/", prizes.remove, name="prize-remove"),
]
