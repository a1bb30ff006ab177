"""Where a secretary reads the activity log."""

from django.urls import path

from clubs.views import deeds

urlpatterns = [
    path("c/<slug:club>/settings/activity/", deeds.who_did_what, name="who-did-what"),
    path("c/<slug:club>/settings/activity.csv", deeds.as_csv, name="who-did-what-csv"),
]
