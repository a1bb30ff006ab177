"""Where a secretary reads who did what."""

from django.urls import path

from clubs.views import deeds

urlpatterns = [
    path("c/<slug:club>/who-did-what/", deeds.who_did_what, name="who-did-what"),
    path("c/<slug:club>/who-did-what.csv", deeds.as_csv, name="who-did-what-csv"),
]
