"""Where a tournament's settings are changed."""

from django.urls import path

from tournaments.views import settings

urlpatterns = [
    path(
        "c/<slug:club>/tournaments/<int:pk>/settings/", settings.change, name="tournament-settings"
    )
]
