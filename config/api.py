"""The API's addresses, version 1."""

from django.urls import include, path

urlpatterns = [
    path("", include("clubs.api_urls")),
    path("", include("tournaments.api_urls")),
]
