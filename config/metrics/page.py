"""``/metrics``, for this machine and the networks in TONGBOX_WATCHERS; not there for others."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST

from clubs.core.access import open_to_all
from config.metrics import told
from config.readiness import is_watched_from


@open_to_all
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """What was counted and how it stands, for Prometheus."""
    if not is_watched_from(request):
        raise Http404
    return HttpResponse(told.text(), content_type=CONTENT_TYPE_LATEST)
