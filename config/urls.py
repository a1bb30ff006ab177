"""All addresses."""

from allauth.account.views import password_reset_from_key
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.cache import never_cache

from clubs.accounts import views as accounts_views
from clubs.api.base import NotFoundAPIView
from clubs.api.root import RootView
from clubs.evenings.views import evenings
from config import views
from scoring.scorebook.metrics import HAS_CLIENT
from tournaments.table import views as tournament_tables

if HAS_CLIENT:
    from config.metrics.exposition import metrics
else:
    from config.views import metrics_missing as metrics

API_URLS: list[URLPattern | URLResolver] = [
    path("", include("clubs.api_urls")),
    path("", include("tournaments.api_urls")),
    path("", RootView.as_view(), name="api-root"),
    path("<path:rest>", NotFoundAPIView.as_view(), name="api-nowhere"),
]
urlpatterns = [
    *evenings.phone_patterns,  # every hand comes this way
    *tournament_tables.phone_patterns,
    path("api/v1/", include(API_URLS)),
    path("", include("clubs.urls")),
    path("", include("tournaments.urls")),
    path("accounts/email/", accounts_views.change_address, name="account_email"),
    path(
        "accounts/confirm-email/<str:key>/",
        accounts_views.confirm_address,
        name="account_confirm_email",
    ),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        never_cache(password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path("accounts/", include("allauth.account.urls")),
    path(
        "accounts/second-step/totp/activate/",
        accounts_views.ActivateSecondStep.as_view(),
        name="mfa_activate_totp",
    ),
    path("accounts/second-step/", include("allauth.mfa.urls")),
    path("api/schema/", views.describe_api, name="schema"),
    path("api/", views.api_docs, name="api-docs"),
    path("api/<slug:area>/", views.api_docs_area, name="docs-area"),
    path("style/", views.style_guide, name="style"),
    path("healthz/", views.liveness_check, name="alive"),
    path("readyz/", views.readiness_check, name="ready"),
    path("metrics", metrics, name="metrics"),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler429 = "config.views.too_many_requests"
handler500 = "config.views.server_error"
