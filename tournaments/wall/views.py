"""The projector screen, and Find me on a player's own phone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone

from clubs.core.access import by_secret_link
from clubs.core.replica import may_be_a_second_old
from clubs.evenings.views.wall import worker
from clubs.language.words import whole_number
from tournaments.core import hung_as, is_newest
from tournaments.models import Tournament
from tournaments.rounds.clock import clock_now
from tournaments.wall.selectors import Me, me_in, names_in, wall_of

CLOCKS = {"huge": "clock--huge", "corner": "clock--corner"}


@may_be_a_second_old
@by_secret_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The wall; with ``?v=``, only its pages, or 204 if nothing is newer."""
    if is_newest(key, request.GET.get("v", "")):
        return HttpResponse(status=204)
    tournament = hung_as(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    wanted = {name: request.GET.get(name, "") for name in ("show", "page")}
    shown = wall_of(tournament, now=timezone.now(), **wanted)
    template = "tournaments/wall/_wall.html" if "v" in request.GET else "tournaments/wall/wall.html"
    find = reverse("find-me", args=[tournament.wall_key])
    about = {
        "tournament": tournament,
        "find_address": request.build_absolute_uri(find),
        "clock_at": reverse("tournament-clock", args=[tournament.wall_key]),
    }
    return render(request, template, {"wall": shown, **about})


@may_be_a_second_old
@by_secret_link
def clock(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of the current round, for a wall or phone to count down."""
    tournament = hung_as(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    context = {
        "clock": clock_now(tournament, now=timezone.now()),
        "clock_class": CLOCKS.get(request.GET.get("as", ""), ""),
        "clock_at": request.get_full_path(),
    }
    return render(request, "tournaments/desk/_clock.html", context)


REMEMBERED = "me"
THREE_DAYS = 3 * 24 * 60 * 60


@may_be_a_second_old
@by_secret_link
def find_me(request: HttpRequest, key: str) -> HttpResponse:
    """The chosen or remembered player, else the list of names; with ``?v=``, changes or 204."""
    if is_newest(key, request.GET.get("v", "")):
        return HttpResponse(status=204)
    tournament = hung_as(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    me = _me(request, tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "address": reverse("find-me", args=[tournament.wall_key]),
    }
    if me:
        context |= {"me": me, "clock_at": reverse("tournament-clock", args=[tournament.wall_key])}
        if "v" in request.GET:
            return render(request, "tournaments/wall/_me.html", context)
        answer = render(request, "tournaments/wall/me.html", context)
    else:
        typed = request.GET.get("find", "")
        context |= {"typed": typed, "names": names_in(tournament, typed=typed)}
        answer = render(request, "tournaments/wall/find_me.html", context)
    if "me" in request.GET:
        _remember(request, answer, me)
    return answer


def _me(request: HttpRequest, tournament: Tournament) -> Me | None:
    who = whole_number(request.GET.get("me", request.COOKIES.get(REMEMBERED)))
    if "find" in request.GET or who is None:
        return None
    return me_in(tournament, entrant_id=who, now=timezone.now())


def _remember(request: HttpRequest, answer: HttpResponse, me: Me | None) -> None:
    """Remember the choice on this phone, for this tournament only; ``?me=0`` forgets it."""
    where = request.path
    if me is None:
        answer.delete_cookie(REMEMBERED, path=where)
        return
    answer.set_cookie(
        REMEMBERED,
        str(me.entrant.pk),
        max_age=THREE_DAYS,
        path=where,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


OPEN = "e/<slug:key>/"

urlpatterns = [
    path(OPEN, wall, name="tournament-wall"),
    path(f"{OPEN}clock/", clock, name="tournament-clock"),
    path(f"{OPEN}find/", find_me, name="find-me"),
    path("e/wall-worker.js", worker, name="tournament-wall-worker"),
]
