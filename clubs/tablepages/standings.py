"""The live result, for the players of any table."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def show_standings(
    request: HttpRequest, *, template: str, version: int, read: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """The live result; asked with ``?v=``, its rows alone, or 204 when there is nothing newer."""
    if "v" not in request.GET:
        return render(request, f"tables/{template}.html", {"version": str(version), **read()})
    if request.GET["v"] == str(version):
        return HttpResponse(status=204)
    return render(request, f"tables/_{template}.html", {"version": str(version), **read()})
