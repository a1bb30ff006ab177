"""The clock: asked for by phones and desks, set by the director; tables that stop."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.stale_forms import Overtaken, as_shown
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.clock import MinutesForm
from tournaments.models import Table, Tournament
from tournaments.permissions import ENTER_TABLE_HANDS, RUN_TOURNAMENT, SEE_TOURNAMENT
from tournaments.selectors.clock import Clock, clock_now, clock_of
from tournaments.views.pages import find
from tournaments.views.tables import table_at, with_table

SET: dict[str, tuple[Callable[..., None], str]] = {
    "pause": (services.pause_clock, "Clock paused."),
    "resume": (services.resume_clock, "Clock running."),
    "ring": (services.ring_bell, "Bell rung."),
    "unring": (services.take_bell_back, "Bell undone. The clock is back as it was."),
}
STOPS: dict[str, tuple[Callable[..., None], str]] = {
    "stop": (services.stop_table, "Table {number} has stopped. Its points count as they are."),
    "play_on": (services.play_on, "Table {number} is playing again."),
}


@with_table
def of_table(request: HttpRequest, table: Table) -> HttpResponse:
    """The clock of a table, for a phone that counts by itself."""
    return _shown(request, clock_of(table.round, now=timezone.now(), table=table))


@door(ENTER_TABLE_HANDS)
def at_desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The same for the organisers' page of the table."""
    table = table_at(club, **where)
    return _shown(request, clock_of(table.round, now=timezone.now(), table=table))


@door(SEE_TOURNAMENT)
def of_round(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The clock of the round that is played, for a desk that counts by itself."""
    return _shown(request, clock_now(find(club, pk), now=timezone.now()))


def _shown(request: HttpRequest, clock: Clock | None) -> HttpResponse:
    shown = {"clock": clock, "clock_at": request.path}
    return render(request, "tournaments/_clock.html", shown)


@with_table
@require_POST
def stop_by_phone(request: HttpRequest, table: Table) -> HttpResponse:
    """The players say that they have stopped, or that they play on after all."""
    return _stop(request, table, redirect("round-table", table.link_key))


@door(ENTER_TABLE_HANDS)
@require_POST
def stop_by_desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """An official says it for them."""
    table = table_at(club, **where)
    return _stop(request, table, _to_table(club, table))


def _stop(request: HttpRequest, table: Table, then: HttpResponse) -> HttpResponse:
    act, said = _asked(STOPS, request)
    return _done(request, partial(act, table=table), said.format(number=table.number), then)


@door(RUN_TOURNAMENT)
@require_POST
def set_clock(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The clock of every table stands, goes on or rings."""
    act, said = _asked(SET, request)
    then = redirect("tournament", club.slug, pk)
    shown = as_shown("clock-set", request.POST)
    return _done(request, partial(act, tournament=find(club, pk), shown=shown), said, then)


@door(RUN_TOURNAMENT)
@require_POST
def add_minutes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """More minutes, or fewer, for every table."""
    return _add(request, find(club, pk), redirect("tournament", club.slug, pk))


@door(RUN_TOURNAMENT)
@require_POST
def add_at_table(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """More minutes, or fewer, for one table."""
    table = table_at(club, **where)
    return _add(request, table.round.tournament, _to_table(club, table), table=table)


def _add(
    request: HttpRequest, tournament: Tournament, then: HttpResponse, table: Table | None = None
) -> HttpResponse:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter a number of minutes, such as 5 or -5.")
        return then
    told = {**form.cleaned_data, "shown": as_shown("clock-minutes", request.POST)}
    act = partial(services.add_minutes, tournament=tournament, table=table, **told)
    who = "everybody" if table is None else f"table {table.number}"
    return _done(request, act, f"Clock updated for {who}.", then)


def _to_table(club: Club, table: Table) -> HttpResponse:
    where = (table.round.tournament_id, table.round.number, table.number)
    return redirect("tournament-table", club.slug, *where)


def _asked(
    ways: dict[str, tuple[Callable[..., None], str]], request: HttpRequest
) -> tuple[Callable[..., None], str]:
    """What the button asks for; nothing else is known here."""
    try:
        return ways[request.POST.get("do", "")]
    except KeyError as unknown:
        raise Http404 from unknown


def _done(
    request: HttpRequest, act: Callable[[], object], said: str, then: HttpResponse
) -> HttpResponse:
    try:
        act()
    except Overtaken as refused:
        messages.warning(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return then
