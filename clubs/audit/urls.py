"""Where a secretary reads the activity log."""

from django.urls import path

from clubs.audit import views

urlpatterns = [
    path("c/<slug:club>/settings/activity/", views.who_did_what, name="who-did-what"),
    path("c/<slug:club>/settings/activity.csv", views.as_csv, name="who-did-what-csv"),
]
