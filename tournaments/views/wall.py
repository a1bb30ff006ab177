"""The pictures on the wall of a tournament: seats, clock and standings, turning by themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from clubs.core.access import by_secret_link
from tournaments.models import Tournament
from tournaments.selectors.clock import clock_now
from tournaments.selectors.overview import hung_as, is_newest
from tournaments.selectors.walls import wall_of

CLOCKS = {"huge": "clock--huge", "corner": "clock--corner"}


@by_secret_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The whole picture; asked with ``?v=``, its pages alone, or 204 when nothing is newer."""
    if is_newest(key, request.GET.get("v", "")):
        return HttpResponse(status=204)
    found = hung_as(key)
    if found is None:
        return render(request, "tournaments/unknown.html", status=404)
    asked = {name: request.GET.get(name, "") for name in ("show", "page")}
    shown = wall_of(found, now=timezone.now(), **asked)
    template = "tournaments/_wall.html" if "v" in request.GET else "tournaments/wall.html"
    return render(request, template, {"wall": shown, **_about(request, found)})


@by_secret_link
def clock(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of the round that is played, for a wall or phone that counts by itself."""
    found = hung_as(key)
    if found is None:
        return render(request, "tournaments/unknown.html", status=404)
    context = {
        "clock": clock_now(found, now=timezone.now()),
        "clock_class": CLOCKS.get(request.GET.get("as", ""), ""),
        "clock_at": request.get_full_path(),
    }
    return render(request, "tournaments/_clock.html", context)


def _about(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    find = reverse("find-me", args=[tournament.wall_key])
    return {
        "tournament": tournament,
        "find_address": request.build_absolute_uri(find),
        "clock_at": reverse("tournament-clock", args=[tournament.wall_key]),
    }
