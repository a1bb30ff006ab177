"""All addresses."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from config import views

urlpatterns = [
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("config.api")),
    path("api/schema/", views.open_schema(SpectacularAPIView), name="schema"),
    path("api/", views.api, name="api-docs"),
    path("style/", views.style_guide, name="style"),
    path("healthz/", views.alive, name="alive"),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.failed"
