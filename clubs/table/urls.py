"""Where anyone reckons a hand, with no account: the calculator and the link to one hand."""

from django.urls import path

from clubs.table import views

urlpatterns = [
    path("score/", views.score, name="score"),
    path("score/<path:key>/link/", views.link, name="score-link"),
    path("score/<path:key>/", views.score, name="score-rules"),
]
