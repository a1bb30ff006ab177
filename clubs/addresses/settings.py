"""Where a club's settings are."""

from django.urls import path

from clubs.views import settings

SETTINGS = "c/<slug:club>/settings/"

urlpatterns = [
    path(SETTINGS, settings.index, name="settings"),
    path(f"{SETTINGS}public/", settings.public, name="club-public"),
]
