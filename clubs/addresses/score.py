"""Where anyone reckons a hand, with no account: the calculator and the link to one hand."""

from django.urls import path

from clubs.views import score

urlpatterns = [
    path("score/", score.score, name="score"),
    path("score/<path:key>/link/", score.link, name="score-link"),
    path("score/<path:key>/", score.score, name="score-rules"),
]
