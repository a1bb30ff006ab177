"""The API's addresses, version 1."""

from django.urls import include, path

from clubs.api.base import Nowhere

urlpatterns = [
    path("", include("clubs.api_urls")),
    path("", include("tournaments.api_urls")),
    path("", Nowhere.as_view(), name="api-root"),
    path("<path:rest>", Nowhere.as_view(), name="api-nowhere"),
]
