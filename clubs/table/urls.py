"""The rules and the score calculator, for anyone."""

from django.urls import path

from clubs.table import views

urlpatterns = [
    path("rules/<path:key>/aid/", views.rules_aid, name="rules-aid"),
    path("rules/<path:key>/", views.rules, name="rules"),
    path("score/", views.score, name="score"),
    path("score/<path:key>/link/", views.link, name="score-link"),
    path("score/<path:key>/", views.score, name="score-rules"),
]
