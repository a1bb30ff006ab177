"""Pages that belong to no app: health, the living style guide, and what to read when it fails."""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView

from clubs.core import authentication
from clubs.core.access import open_to_all
from clubs.house.showcase import showcase
from config.apidocs import areas
from config.logs import number_now
from config.readiness import SECONDS_TO_WAIT, is_watched_from, outage_now, readiness

OUR_FAULT: Final = ("error", "Something went wrong. That is our fault.")


@open_to_all
def alive(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answers as long as the process does."""
    return HttpResponse("ok", content_type="text/plain")


@open_to_all
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """For whoever watches the machine: 200, or 503 where hands cannot be recorded; and why."""
    checks = readiness()
    is_ready = all(check.mark != "stops" for check in checks)
    status = 200 if is_ready else 503
    if not is_watched_from(request):
        word = "ready" if is_ready else "not ready"
        return HttpResponse(word, content_type="text/plain", status=status)
    if request.get_preferred_type(["application/json", "text/html"]) == "text/html":
        context = {"checks": checks, "is_ready": is_ready}
        return render(request, "ready.html", context, status=status)
    return JsonResponse({check.name: check.words for check in checks}, status=status)


@open_to_all
def style_guide(request: HttpRequest) -> HttpResponse:
    """Every component in every state, for whoever builds pages."""
    return render(request, "style_guide.html", showcase())


@open_to_all
def api(request: HttpRequest) -> HttpResponse:
    """The API's description, to be read: what it is about, area by area."""
    return render(request, "api.html", {"areas": areas()})


@open_to_all
def api_area(request: HttpRequest, area: str) -> HttpResponse:
    """Everything that a program can ask of one area."""
    result = next((item for item in areas() if item.slug == area), None)
    if result is None:
        raise Http404
    crumbs = [{"label": "API documentation", "url": reverse("api-docs")}, {"label": result.title}]
    return render(request, "api_area.html", {"area": result, "breadcrumbs": crumbs})


def open_schema(view: type[APIView], **initial: Any) -> Callable[..., HttpResponse]:
    """The API's description, which anyone may read."""
    opened: Callable[..., HttpResponse] = view.as_view(
        permission_classes=[AllowAny], authentication_classes=[], **initial
    )
    return open_to_all(opened)


def forbidden(request: HttpRequest, exception: PermissionDenied) -> HttpResponse:
    """403 with the sentence that the door gave."""
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """404: nothing here, or nothing of yours."""
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """400: what was sent could not be read."""
    return render(request, "400.html", status=400)


def too_many(request: HttpRequest) -> HttpResponse:
    """429: tried too often, and how long to wait."""
    wait = authentication.seconds_to_wait(request)
    answer = render(request, "429.html", {"sentence": authentication.sentence(request)}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def failed(request: HttpRequest) -> HttpResponse:
    """503 while the database is away or full; else 500: our mistake, without a traceback."""
    outage = outage_now()
    context = {"outage": outage, "request_id": number_now()}
    if request.path.startswith("/api/v"):
        code, message = (outage.code, outage.sentence) if outage else OUR_FAULT
        problem = {"code": code, "where": "", "message": message}
        answer: HttpResponse = JsonResponse({"problems": [problem], "request_id": number_now()})
    else:
        answer = render(request, "503.html" if outage else "500.html", context)
    answer.status_code = 503 if outage else 500
    if outage:
        answer["Retry-After"] = str(SECONDS_TO_WAIT)
    return answer
