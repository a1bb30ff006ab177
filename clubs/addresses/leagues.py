"""Where a season's rules, what is given in it, and everyone's explanation are."""

from django.urls import path

from clubs.views import leagues_rules as views

SEASON = "c/<slug:club>/seasons/<int:pk>/"

urlpatterns = [
    path(f"{SEASON}why/<int:player>/", views.why, name="season-why"),
    path(f"{SEASON}rules/", views.rules, name="season-rules"),
    path(f"{SEASON}rules/<int:number>/", views.trial, name="season-try"),
    path(f"{SEASON}rules/<int:number>/adopt/", views.adopt, name="season-adopt"),
    path(f"{SEASON}given/", views.given, name="season-given"),
    path(f"{SEASON}given/handicap/", views.handicap, name="season-handicap"),
    path(f"{SEASON}given/credit/", views.credit, name="season-credit"),
    path(f"{SEASON}given/credit/<int:credit>/back/", views.credit_back, name="season-credit-back"),
]
