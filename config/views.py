"""Pages that belong to no app: health, the living style guide, and what to read when it fails."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView

from clubs.doors import open_to_all
from clubs.showcase import showcase
from config.apidocs import operations


@open_to_all
def alive(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answers as long as the process does."""
    return HttpResponse("ok", content_type="text/plain")


@open_to_all
def style_guide(request: HttpRequest) -> HttpResponse:
    """Every component in every state, for whoever builds pages."""
    return render(request, "style_guide.html", showcase())


@open_to_all
def api(request: HttpRequest) -> HttpResponse:
    """The API's description, to be read."""
    return render(request, "api.html", {"operations": operations()})


def open_schema(view: type[APIView], **initial: Any) -> Callable[..., HttpResponse]:
    """The API's description, which anybody may read."""
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


def failed(request: HttpRequest) -> HttpResponse:
    """500: our mistake, said without a traceback."""
    return render(request, "500.html", status=500)
