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
from clubs.core.forms import Overtaken, shown_state
from clubs.core.pages import breadcrumbs, club_context, render_form, save_if_valid
from clubs.core.replica import reads_from_replica
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments.core import (
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
    TOURNAMENT_PATH,
    get_tournament_or_404,
    tournament_context,
    tournaments_of,
)
from tournaments.desk.selectors import desk_state, find_current_table
from tournaments.models import Table, Tournament, TournamentState
from tournaments.rounds import selectors as rows
from tournaments.rounds.clock import Clock, clock_now, clock_of
from tournaments.rounds.selectors import disputes_of
from tournaments.rounds.watch import is_outdated
from tournaments.seating.selectors import fairness_report, players_named, seats_by_player
from tournaments.setup import services as setup_services
from tournaments.setup.forms import TournamentForm, settings_form_data
from tournaments.setup.selectors import PRESETS, preset_of
from tournaments.steps import services
from tournaments.steps.selectors import undone_steps
from tournaments.table.event import RoundTable
from tournaments.table.forms import MinutesForm
from tournaments.table.views import with_table

PAGE_SIZE = 20
LIST_STEP = ("Tournaments", "tournaments")
UNPRESET_FIELDS = ("name", "held_on", "rules")

CLOCK_ACTIONS: dict[str, tuple[Callable[..., None], str]] = {
    "pause": (services.pause_clock, "Clock paused."),
    "resume": (services.resume_clock, "Clock running."),
    "ring": (services.ring_bell, "Bell rung."),
    "unring": (services.undo_bell, "Bell undone. The clock is back as it was."),
}
STOP_ACTIONS: dict[str, tuple[Callable[..., None], str]] = {
    "stop": (services.stop_table, "Table {number} has stopped. Its points count as they are."),
    "play_on": (services.play_on, "Table {number} is playing again."),
}

TOURNAMENTS_PATH = "c/<slug:club>/tournaments/"
CLOCK_PATH = f"{TOURNAMENT_PATH}clock/"
TABLE_PATH = f"{TOURNAMENT_PATH}rounds/<int:round>/tables/<int:number>/"


@reads_from_replica
@requires(SEE_TOURNAMENT)
def tournament_list(request: ClubRequest, club: Club) -> HttpResponse:
    page = Paginator(tournaments_of(club), PAGE_SIZE).get_page(request.GET.get("page"))
    context = club_context(
        club, "tournaments", page_obj=page, may_run=request.has_permission(RUN_TOURNAMENT)
    )
    return render(request, "tournaments/desk/list.html", context)


@requires(RUN_TOURNAMENT, "added a tournament", log_for="POST api-tournament-list")
def add_tournament(request: ClubRequest, club: Club) -> HttpResponse:
    """Add a tournament; redirects to its entry list. Another preset keeps what was typed."""
    preset_key = request.POST.get("choose", "")
    preset = preset_of(preset_key or request.POST.get("preset") or request.GET.get("preset", ""))
    data = request.POST if request.method == "POST" and not preset_key else None
    form = TournamentForm(data, club=club, initial=settings_form_data(preset.settings))
    if preset_key:
        kept_fields = {name: request.POST[name] for name in UNPRESET_FIELDS if name in request.POST}
        form.initial.update(kept_fields)
    if tournament := save_if_valid(
        form, lambda: setup_services.make_tournament(club=club, **form.settings)
    ):
        return redirect("entrants", club.slug, tournament.pk)
    crumbs = breadcrumbs(club, LIST_STEP, title="New tournament")
    context = club_context(
        club, "tournaments", form=form, breadcrumbs=crumbs, preset=preset, presets=PRESETS
    )
    return render_form(request, "tournaments/desk/add.html", context, form)


@reads_from_replica
@requires(SEE_TOURNAMENT)
def tournament_desk(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The current play and the next step; with ``?v=``, only that, or 204 if nothing is newer."""
    tournament, now = get_tournament_or_404(club, pk), timezone.now()
    is_same = request.GET.get("v") == str(tournament.version)
    if is_same and not is_outdated(request.GET.get("until", ""), now=now):
        return HttpResponse(status=204)
    watches = request.has_permission(ENTER_TABLE_HANDS)
    sees = request.has_permission(SEE_LAST_ROUND)
    watched_at = now if watches else None
    is_finished = tournament.state == TournamentState.FINISHED
    floor = desk_state(tournament, to_officials=sees, watched_at=watched_at, reader=request.reader)
    context = tournament_context(
        request,
        tournament,
        "tournament",
        floor=floor,
        only=watches and "only" in request.GET,
        disputes=disputes_of(tournament) if watches and not is_finished else (),
        back=undone_steps(tournament) if request.has_permission(RUN_TOURNAMENT) else (),
    )
    template = "_news" if "v" in request.GET else "desk"
    return render(request, f"tournaments/desk/{template}.html", context)


@requires(ENTER_TABLE_HANDS)
def go_to_table(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Redirect to a table of the current round by number, or to its paper sheet."""
    tournament, number_text = get_tournament_or_404(club, pk), request.GET.get("number", "").strip()
    table = find_current_table(tournament, number_text)
    if table is None:
        messages.error(request, f"There is no table “{number_text[:6]}” in this round.")
        return redirect("tournament", club.slug, pk)
    page = "tournament-sheet" if "sheet" in request.GET else "tournament-table"
    return redirect(page, club.slug, pk, table.round.number, table.number)


@reads_from_replica
@requires(SEE_TOURNAMENT)
def show_seating(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who sits where: round by round, player by player, and how fair it is."""
    tournament = get_tournament_or_404(club, pk)
    rounds = rows.rounds_of(tournament, reader=request.reader)
    players, name = seats_by_player(rounds), request.GET.get("find", "")
    extra_context = {
        "rounds": rounds,
        "players": players,
        "report": fairness_report(rounds),
        "find": name,
        "found": players_named(players, name),
    }
    context = tournament_context(request, tournament, "seating", **extra_context)
    return render(request, "tournaments/desk/seating.html", context)


@with_table
def table_clock(request: HttpRequest, table: Table) -> HttpResponse:
    """The clock of a table, for a phone to count down."""
    return _render_clock(request, clock_of(table.round, now=timezone.now(), table=table))


@requires(ENTER_TABLE_HANDS)
def table_clock_at_desk(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """The same for the organisers' page of the table."""
    table = RoundTable.find(club, **url_kwargs).row
    return _render_clock(request, clock_of(table.round, now=timezone.now(), table=table))


@reads_from_replica
@requires(SEE_TOURNAMENT)
def round_clock(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The clock of the current round, for a desk to count down."""
    return _render_clock(request, clock_now(get_tournament_or_404(club, pk), now=timezone.now()))


def _render_clock(request: HttpRequest, clock: Clock | None) -> HttpResponse:
    context = {"clock": clock, "clock_at": request.path}
    return render(request, "tournaments/desk/_clock.html", context)


@with_table
@require_POST
def stop_by_phone(request: HttpRequest, table: Table) -> HttpResponse:
    """The players report that they have stopped, or that they are playing on."""
    return _set_stopped(request, table, redirect("round-table", table.link_key))


@requires(
    ENTER_TABLE_HANDS,
    "stopped play at {table} of {tournament}",
    log_for="POST api-game-stop",
    drawer="tournaments",
)
@require_POST
def stop_by_desk(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """An official reports it for them."""
    table = RoundTable.find(club, **url_kwargs).row
    return _set_stopped(request, table, _redirect_to_table(club, table))


def _set_stopped(request: HttpRequest, table: Table, response: HttpResponse) -> HttpResponse:
    act, message = _chosen_action(STOP_ACTIONS, request)
    return _run_and_redirect(
        request, partial(act, table=table), message.format(number=table.number), response
    )


@requires(RUN_TOURNAMENT, "set the clock of {tournament}", log_for="POST api-clock-set")
@require_POST
def set_clock(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop, resume or ring the clock of every table."""
    act, message = _chosen_action(CLOCK_ACTIONS, request)
    response = redirect("tournament", club.slug, pk)
    page_state = shown_state("clock-set", request.POST)
    return _run_and_redirect(
        request,
        partial(act, tournament=get_tournament_or_404(club, pk), page_state=page_state),
        message,
        response,
    )


@requires(RUN_TOURNAMENT, "changed the clock of {tournament}", log_for="POST api-clock-minutes")
@require_POST
def add_minutes(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Add or remove minutes for every table."""
    return _add_minutes(
        request, get_tournament_or_404(club, pk), redirect("tournament", club.slug, pk)
    )


@requires(
    RUN_TOURNAMENT,
    "changed the minutes for {table} of {tournament}",
    log_for="POST api-game-minutes",
)
@require_POST
def add_table_minutes(request: ClubRequest, club: Club, **url_kwargs: int) -> HttpResponse:
    """Add or remove minutes for one table."""
    table = RoundTable.find(club, **url_kwargs).row
    return _add_minutes(
        request, table.round.tournament, _redirect_to_table(club, table), table=table
    )


def _add_minutes(
    request: HttpRequest, tournament: Tournament, response: HttpResponse, table: Table | None = None
) -> HttpResponse:
    form = MinutesForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter a number of minutes, such as 5 or -5.")
        return response
    fields = {**form.cleaned_data, "page_state": shown_state("clock-minutes", request.POST)}
    act = partial(services.add_minutes, tournament=tournament, table=table, **fields)
    target_text = "everybody" if table is None else f"table {table.number}"
    return _run_and_redirect(request, act, f"Clock updated for {target_text}.", response)


def _redirect_to_table(club: Club, table: Table) -> HttpResponse:
    url_args = (table.round.tournament_id, table.round.number, table.number)
    return redirect("tournament-table", club.slug, *url_args)


def _chosen_action(
    actions: dict[str, tuple[Callable[..., None], str]], request: HttpRequest
) -> tuple[Callable[..., None], str]:
    """The button's action; other values are ignored."""
    try:
        return actions[request.POST.get("do", "")]
    except KeyError as unknown:
        raise Http404 from unknown


def _run_and_redirect(
    request: HttpRequest, act: Callable[[], object], message: str, response: HttpResponse
) -> HttpResponse:
    try:
        act()
    except Overtaken as refused:
        messages.warning(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, message)
    return response


urlpatterns = [
    path(CLOCK_PATH, round_clock, name="clock"),
    path(f"{CLOCK_PATH}set/", set_clock, name="clock-set"),
    path(f"{CLOCK_PATH}minutes/", add_minutes, name="clock-minutes"),
    path(f"{TABLE_PATH}clock/", table_clock_at_desk, name="table-clock"),
    path(f"{TABLE_PATH}minutes/", add_table_minutes, name="table-minutes"),
    path(f"{TABLE_PATH}stop/", stop_by_desk, name="table-stop"),
    path("r/<slug:key>/clock/", table_clock, name="round-table-clock"),
    path("r/<slug:key>/stop/", stop_by_phone, name="round-table-stop"),
    path(TOURNAMENTS_PATH, tournament_list, name="tournaments"),
    path(f"{TOURNAMENTS_PATH}new/", add_tournament, name="tournament-add"),
    path(TOURNAMENT_PATH, tournament_desk, name="tournament"),
    path(f"{TOURNAMENT_PATH}tables/", go_to_table, name="table-jump"),
    path(f"{TOURNAMENT_PATH}seating/", show_seating, name="seating"),
]
