"""All addresses."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from config import views

urlpatterns = [
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("config.api")),
    path("api/schema/", views.open_schema(SpectacularAPIView), name="schema"),
    path(
        "api/",
        views.open_schema(SpectacularSwaggerSplitView, template_name="api.html"),
        name="api-docs",
    ),
    path("style/", views.style_guide, name="style"),
    path("healthz/", views.alive, name="alive"),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.failed"
