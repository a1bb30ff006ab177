"""The projector screen, and Find me on a player's own phone."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone

from clubs.core.access import secret_link_view
from clubs.core.replica import reads_from_replica
from clubs.evenings.views.wall import wall_worker
from clubs.language.words import whole_number
from tournaments.core import find_by_wall_key, is_current_version
from tournaments.models import Tournament
from tournaments.rounds.clock import clock_now
from tournaments.wall.selectors import MyTournament, find_names, my_tournament, wall_of

CLOCK_CLASSES = {"huge": "clock--huge", "corner": "clock--corner"}
ME_COOKIE = "me"
THREE_DAYS = 3 * 24 * 60 * 60
PUBLIC_PATH = "e/<slug:key>/"


@reads_from_replica
@secret_link_view
def show_wall(request: HttpRequest, key: str) -> HttpResponse:
    """The wall; with ``?v=``, only its pages, or 204 if nothing is newer."""
    if is_current_version(key, request.GET.get("v", "")):
        return HttpResponse(status=204)
    tournament = find_by_wall_key(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    wall_options = {name: request.GET.get(name, "") for name in ("show", "page")}
    wall = wall_of(tournament, now=timezone.now(), **wall_options)
    template = "tournaments/wall/_wall.html" if "v" in request.GET else "tournaments/wall/wall.html"
    find = reverse("find-me", args=[tournament.wall_key])
    extra_context = {
        "tournament": tournament,
        "find_address": request.build_absolute_uri(find),
        "clock_at": reverse("tournament-clock", args=[tournament.wall_key]),
    }
    return render(request, template, {"wall": wall, **extra_context})


@reads_from_replica
@secret_link_view
def wall_clock(request: HttpRequest, key: str) -> HttpResponse:
    """The clock of the current round, for a wall or phone to count down."""
    tournament = find_by_wall_key(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    context = {
        "clock": clock_now(tournament, now=timezone.now()),
        "clock_class": CLOCK_CLASSES.get(request.GET.get("as", ""), ""),
        "clock_at": request.get_full_path(),
    }
    return render(request, "tournaments/desk/_clock.html", context)


@reads_from_replica
@secret_link_view
def find_me(request: HttpRequest, key: str) -> HttpResponse:
    """The chosen or remembered player, else the list of names; with ``?v=``, changes or 204."""
    if is_current_version(key, request.GET.get("v", "")):
        return HttpResponse(status=204)
    tournament = find_by_wall_key(key)
    if tournament is None:
        return render(request, "tournaments/unknown.html", status=404)
    me = _chosen_player(request, tournament)
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
        search_text = request.GET.get("find", "")
        context |= {"typed": search_text, "names": find_names(tournament, search_text=search_text)}
        answer = render(request, "tournaments/wall/find_me.html", context)
    if "me" in request.GET:
        _remember_choice(request, answer, me)
    return answer


def _chosen_player(request: HttpRequest, tournament: Tournament) -> MyTournament | None:
    entrant_id = whole_number(request.GET.get("me", request.COOKIES.get(ME_COOKIE)))
    if "find" in request.GET or entrant_id is None:
        return None
    return my_tournament(tournament, entrant_id=entrant_id, now=timezone.now())


def _remember_choice(request: HttpRequest, answer: HttpResponse, me: MyTournament | None) -> None:
    """Remember the choice on this phone, for this tournament only; ``?me=0`` forgets it."""
    cookie_path = request.path
    if me is None:
        answer.delete_cookie(ME_COOKIE, path=cookie_path)
        return
    answer.set_cookie(
        ME_COOKIE,
        str(me.entrant.pk),
        max_age=THREE_DAYS,
        path=cookie_path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


urlpatterns = [
    path(PUBLIC_PATH, show_wall, name="tournament-wall"),
    path(f"{PUBLIC_PATH}clock/", wall_clock, name="tournament-clock"),
    path(f"{PUBLIC_PATH}find/", find_me, name="find-me"),
    path("e/wall-worker.js", wall_worker, name="tournament-wall-worker"),
]
