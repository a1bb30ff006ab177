"""The director's desk: every tournament and its clock."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.forms import Overtaken, as_shown
from clubs.core.pages import accepted, form_page, framed, trail
from clubs.core.replica import may_be_a_second_old
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments.core import (
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
    about,
    find,
    tournaments_of,
)
from tournaments.desk.selectors import floor_of, table_now
from tournaments.models import Table, Tournament, TournamentState
from tournaments.rounds import selectors as rows
from tournaments.rounds.clock import Clock, clock_now, clock_of
from tournaments.rounds.selectors import disputes_of
from tournaments.rounds.watch import is_due
from tournaments.seating.selectors import by_player, named, report_on
from tournaments.setup import services as setup_services
from tournaments.setup.forms import TournamentForm, as_form
from tournaments.setup.selectors import PRESETS, preset_of
from tournaments.steps import services
from tournaments.steps.selectors import steps_back
from tournaments.table.event import RoundTable
from tournaments.table.forms import MinutesForm
from tournaments.table.views import with_table

A_PAGE = 20
LIST = ("Tournaments", "tournaments")
OF_NO_PRESET = ("name", "held_on", "rules")


@may_be_a_second_old
@requires(SEE_TOURNAMENT)
def tournaments(request: ClubRequest, club: Club) -> HttpResponse:
    page = Paginator(tournaments_of(club), A_PAGE).get_page(request.GET.get("page"))
    context = framed(club, "tournaments", page_obj=page, may_run=request.may(RUN_TOURNAMENT))
    return render(request, "tournaments/desk/list.html", context)


@requires(RUN_TOURNAMENT, "added a tournament", log_for="POST api-tournament-list")
def add_tournament(request: ClubRequest, club: Club) -> HttpResponse:
    """Add a tournament; redirects to its entry list. Another preset keeps what was typed."""
    chosen = request.POST.get("choose", "")
    preset = preset_of(chosen or request.POST.get("preset") or request.GET.get("preset", ""))
    sent = request.POST if request.method == "POST" and not chosen else None
    form = TournamentForm(sent, club=club, initial=as_form(preset.settings))
    if chosen:
        kept = {name: request.POST[name] for name in OF_NO_PRESET if name in request.POST}
        form.initial.update(kept)
    if made := accepted(form, lambda: setup_services.make_tournament(club=club, **form.settings)):
        return redirect("entrants", club.slug, made.pk)
    crumbs = trail(club, LIST, here="New tournament")
    context = framed(
        club, "tournaments", form=form, breadcrumbs=crumbs, preset=preset, presets=PRESETS
    )
    return form_page(request, "tournaments/desk/add.html", context, form)


@may_be_a_second_old
@requires(SEE_TOURNAMENT)
def desk(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The current play and the next step; with ``?v=``, only that, or 204 if nothing is newer."""
    tournament, now = find(club, pk), timezone.now()
    is_same = request.GET.get("v") == str(tournament.version)
    if is_same and not is_due(request.GET.get("until", ""), now=now):
        return HttpResponse(status=204)
    watches, sees = request.may(ENTER_TABLE_HANDS), request.may(SEE_LAST_ROUND)
    at = now if watches else None
    is_finished = tournament.state == TournamentState.FINISHED
    floor = floor_of(tournament, to_officials=sees, at=at, reader=request.reader)
    context = about(
        request,
        tournament,
        "tournament",
        floor=floor,
        only=watches and "only" in request.GET,
        disputes=disputes_of(tournament) if watches and not is_finished else (),
        back=steps_back(tournament) if request.may(RUN_TOURNAMENT) else (),
    )
    template = "_news" if "v" in request.GET else "desk"
    return render(request, f"tournaments/desk/{template}.html", context)


@requires(ENTER_TABLE_HANDS)
def jump(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Redirect to a table of the current round by number, or to its paper sheet."""
    tournament, typed = find(club, pk), request.GET.get("number", "").strip()
    table = table_now(tournament, typed)
    if table is None:
        messages.error(request, f"There is no table “{typed[:6]}” in this round.")
        return redirect("tournament", club.slug, pk)
    page = "tournament-sheet" if "sheet" in request.GET else "tournament-table"
    return redirect(page, club.slug, pk, table.round.number, table.number)


@may_be_a_second_old
@requires(SEE_TOURNAMENT)
def seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits where: round by round, player by player, and how fair it is."""
    tournament = find(club, pk)
    rounds = rows.rounds_of(tournament, reader=request.reader)
    players, name = by_player(rounds), request.GET.get("find", "")
    shown = {
        "rounds": rounds,
        "players": players,
        "report": report_on(rounds),
        "find": name,
        "found": named(players, name),
    }
    context = about(request, tournament, "seating", **shown)
    return render(request, "tournaments/desk/seating.html", context)


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
    """The clock of a table, for a phone to count down."""
    return _shown(request, clock_of(table.round, now=timezone.now(), table=table))


@requires(ENTER_TABLE_HANDS)
def at_desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The same for the organisers' page of the table."""
    table = RoundTable.find(club, **where).row
    return _shown(request, clock_of(table.round, now=timezone.now(), table=table))


@may_be_a_second_old
@requires(SEE_TOURNAMENT)
def of_round(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The clock of the current round, for a desk to count down."""
    return _shown(request, clock_now(find(club, pk), now=timezone.now()))


def _shown(request: HttpRequest, clock: Clock | None) -> HttpResponse:
    shown = {"clock": clock, "clock_at": request.path}
    return render(request, "tournaments/desk/_clock.html", shown)


@with_table
@require_POST
def stop_by_phone(request: HttpRequest, table: Table) -> HttpResponse:
    """The players report that they have stopped, or that they are playing on."""
    return _stop(request, table, redirect("round-table", table.link_key))


@requires(
    ENTER_TABLE_HANDS,
    "stopped play at {table} of {tournament}",
    log_for="POST api-game-stop",
    drawer="tournaments",
)
@require_POST
def stop_by_desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """An official reports it for them."""
    table = RoundTable.find(club, **where).row
    return _stop(request, table, _to_table(club, table))


def _stop(request: HttpRequest, table: Table, then: HttpResponse) -> HttpResponse:
    act, said = _chosen_way(STOPS, request)
    return _done(request, partial(act, table=table), said.format(number=table.number), then)


@requires(RUN_TOURNAMENT, "set the clock of {tournament}", log_for="POST api-clock-set")
@require_POST
def set_clock(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop, resume or ring the clock of every table."""
    act, said = _chosen_way(SET, request)
    then = redirect("tournament", club.slug, pk)
    shown = as_shown("clock-set", request.POST)
    return _done(request, partial(act, tournament=find(club, pk), shown=shown), said, then)


@requires(RUN_TOURNAMENT, "changed the clock of {tournament}", log_for="POST api-clock-minutes")
@require_POST
def add_minutes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Add or remove minutes for every table."""
    return _add(request, find(club, pk), redirect("tournament", club.slug, pk))


@requires(
    RUN_TOURNAMENT,
    "changed the minutes for {table} of {tournament}",
    log_for="POST api-game-minutes",
)
@require_POST
def add_at_table(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """Add or remove minutes for one table."""
    table = RoundTable.find(club, **where).row
    return _add(request, table.round.tournament, _to_table(club, table), table=table)


def _add(
    request: HttpRequest, tournament: Tournament, then: HttpResponse, table: Table | None = None
) -> HttpResponse:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter a number of minutes, such as 5 or -5.")
        return then
    fields = {**form.cleaned_data, "shown": as_shown("clock-minutes", request.POST)}
    act = partial(services.add_minutes, tournament=tournament, table=table, **fields)
    who = "everybody" if table is None else f"table {table.number}"
    return _done(request, act, f"Clock updated for {who}.", then)


def _to_table(club: Club, table: Table) -> HttpResponse:
    where = (table.round.tournament_id, table.round.number, table.number)
    return redirect("tournament-table", club.slug, *where)


def _chosen_way(
    ways: dict[str, tuple[Callable[..., None], str]], request: HttpRequest
) -> tuple[Callable[..., None], str]:
    """The button's action; other values are ignored."""
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


TOURNAMENTS = "c/<slug:club>/tournaments/"
TOURNAMENT = f"{TOURNAMENTS}<int:pk>/"
CLOCK = f"{TOURNAMENT}clock/"
TABLE = f"{TOURNAMENT}rounds/<int:round>/tables/<int:number>/"

urlpatterns = [
    path(CLOCK, of_round, name="clock"),
    path(f"{CLOCK}set/", set_clock, name="clock-set"),
    path(f"{CLOCK}minutes/", add_minutes, name="clock-minutes"),
    path(f"{TABLE}clock/", at_desk, name="table-clock"),
    path(f"{TABLE}minutes/", add_at_table, name="table-minutes"),
    path(f"{TABLE}stop/", stop_by_desk, name="table-stop"),
    path("r/<slug:key>/clock/", of_table, name="round-table-clock"),
    path("r/<slug:key>/stop/", stop_by_phone, name="round-table-stop"),
    path(TOURNAMENTS, tournaments, name="tournaments"),
    path(f"{TOURNAMENTS}new/", add_tournament, name="tournament-add"),
    path(TOURNAMENT, desk, name="tournament"),
    path(f"{TOURNAMENT}tables/", jump, name="table-jump"),
    path(f"{TOURNAMENT}seating/", seating, name="seating"),
]
