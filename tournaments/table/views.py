"""A round's tables: phones, the organisers' pages, repairs and rulings."""

from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.audit_log import last_entry
from clubs.core.page_context import Crumbs, framed
from clubs.core.pages import accepted, form_page, pressed
from clubs.evenings.selectors.floor import stack_of
from clubs.language.moments import moment
from clubs.models import Club
from clubs.models.names import AT_THE_TABLE, ORGANISER, Reader
from clubs.table.pages import agreement, entering, links, repairs as pages_repairs, tile_entry
from clubs.table.pages.entering import SheetPage, Stack, show_sheet, worker
from clubs.table.pages.links import Room, phone_paths, renew
from clubs.table.pages.repairs import Workshop
from clubs.table.pages.table import TablePage
from clubs.table.rows import TableAt, TableView, repair_list
from clubs.table.services import games_begun
from scoring.scorebook.editions import rule_set
from scoring.table.settlement import scale
from tournaments.core import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    about,
    find,
    tournament_trail,
)
from tournaments.models import RoundState, Ruling, Table, Tournament, TournamentState
from tournaments.results.selectors.prizes import rulings_at, scale_rows
from tournaments.results.selectors.standings import rankings_of
from tournaments.results.views import drawn_standings
from tournaments.rounds import selectors as rows
from tournaments.rounds.clock import timing_of
from tournaments.rounds.selectors import linked_tables, open_call, table_numbers
from tournaments.steps import services as steps_services
from tournaments.steps.forms import CALLS, AnsweredForm, CallForm
from tournaments.table import services
from tournaments.table.event import calls_at
from tournaments.table.forms import RulingForm
from tournaments.table.services import tell_hands

with_table = links.by_link(rows.tables_with_games)
with_news = links.by_link(rows.tables_with_tournaments, version="round__tournament__version")


@with_news
def standings(request: HttpRequest, table: Table) -> HttpResponse:
    """The standings so far, for the players of any table; with ``?v=``, only the rows."""
    tournament = table.round.tournament
    drawn = drawn_standings(tournament).marked(rows.entrants_at(table))
    if "v" in request.GET:
        return HttpResponse(drawn)
    context = {
        "standings": drawn,
        "tournament": tournament,
        "club": tournament.club,
        "club_url": reverse("round-table", args=[table.link_key]),
    }
    return render(request, "clubs/table/tournament_standings.html", context)


@requires(ENTER_TABLE_HANDS)
def desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The same table for organisers: fast entry, every hand, what was corrected."""
    table = table_at(club, **where)
    # Whether the table calls the director, the button to answer, and the rulings.
    there = reverse("table-call-answered", args=place_of(table))
    call = open_call(table, now=timezone.now())
    page = page_of(request, table, call=call, there_url=there, rulings=rulings_at(table))
    return entering.show(request, page)


@requires(ENTER_TABLE_HANDS)
def tiles(request: ClubRequest, club: Club, seat: int, **where: int) -> HttpResponse:
    """Enter one seat's tiles of the next hand, for an organiser."""
    return tile_entry.tiles(request, desk_page(request, club, **where), seat)


@requires(ENTER_TABLE_HANDS)
def tapped(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The tiles entered at the table so far, for the organisers' page."""
    return tile_entry.tapped(request, desk_page(request, club, **where))


@requires(CORRECT_TABLE_HANDS)
def correct(request: ClubRequest, club: Club, hand: int, **where: int) -> HttpResponse:
    return agreement.correct(request, desk_page(request, club, **where), hand)


def _phone_page(table: Table, key: str, seat: int | None) -> TablePage:
    address = reverse("round-table", args=[key])
    sent_by = f"round table {table.pk}"
    return _page(
        table,
        by_players=True,
        template="clubs/table/phone.html",
        address=address,
        key=key,
        seat=seat,
        seat_key=partial(links.seat_key, table),
        standings=reverse("round-table-standings", args=[key]),
        sent_by=sent_by if seat is None else f"{sent_by} seat {seat}",
        extra={
            "club": table.round.tournament.club,
            "club_url": address,
            "link": key,
            **call_part(table),
        },
    )


ROOM = Room("round-table", rows.tables_with_games, _phone_page)


def call_part(table: Table) -> dict[str, Any]:
    """The context of the part that calls the director: what it shows once the call is closed."""
    if table.round.state == RoundState.CLOSED:
        return {"find_url": reverse("find-me", args=[table.round.tournament.wall_key])}
    call = open_call(table, now=timezone.now())
    return {
        "calls": CALLS,
        "call": call,
        "call_url": reverse("round-table-call", args=[table.link_key]),
    }


def table_at(club: Club, **where: int) -> Table:
    """The club's table at ``pk`` (tournament), ``round`` and ``number``, or 404."""
    return get_object_or_404(
        rows.tables_with_games(),
        round__tournament__pk=where["pk"],
        round__tournament__club=club,
        round__number=where["round"],
        number=where["number"],
    )


def desk_page(request: ClubRequest, club: Club, **where: int) -> TablePage:
    """The page of a table for organisers who may enter hands there; 404 if there is none."""
    return page_of(request, table_at(club, **where))


def page_of(request: ClubRequest, table: Table, **fields: Any) -> TablePage:
    """The same for a loaded table; ``told`` is extra context."""
    club, here = table.round.tournament.club, place_of(table)
    return _page(
        table,
        reader=request.reader,
        template="clubs/table/desk.html",
        address=reverse("tournament-table", args=here),
        standings=reverse("standings", args=here[:2]),
        sent_by=f"user {request.user.pk}",
        extra=framed(
            club,
            "tournaments",
            breadcrumbs=table_trail(table),
            may_correct=request.may(CORRECT_TABLE_HANDS),
            may_run=request.may(RUN_TOURNAMENT),
            **fields,
        ),
    )


def place_of(table: Table) -> list[Any]:
    """The parts of the table's address: club, tournament, round, number."""
    tournament = table.round.tournament
    return [tournament.club.slug, tournament.pk, table.round.number, table.number]


def table_trail(table: Table, *, here: str = "") -> Crumbs:
    """The breadcrumbs to the table, or to a page below it."""
    at_table = {
        "label": f"Round {table.round.number}, table {table.number}",
        "url": reverse("tournament-table", args=place_of(table)),
    }
    below = [{"label": here}] if here else []
    return tournament_trail(table.round.tournament, at_table, *below)


def _page(
    table: Table,
    *,
    extra: dict[str, Any],
    reader: Reader = AT_THE_TABLE,
    by_players: bool = False,
    seat: int | None = None,
    **given: Any,
) -> TablePage:
    timing = timing_of(table, now=timezone.now())
    return TablePage(
        room="round-table",
        seat=seat,
        extra={**extra, "timing": timing},
        **calls_at(table, timing=timing, reader=reader, seat=seat, by_players=by_players),
        **given,
    )


@requires(ENTER_TABLE_HANDS)
def new_link(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """Explain and create a new link, and show the new card."""
    table = table_at(club, **where)
    here = place_of(table)
    context = framed(
        club,
        "tournaments",
        title=f"Round {where['round']}, table {where['number']}",
        back=reverse("tournament-table", args=here),
        breadcrumbs=table_trail(table, here="Replace table card"),
    )
    papers = reverse("tournament-cards-pdf", args=here[:2])
    card = f"{papers}?round={where['round']}&table={where['number']}"
    return renew(request, club, table, phone="round-table", card=card, context=context)


@requires(CORRECT_TABLE_HANDS)
def repair(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    return pages_repairs.repair(request, _workshop(request, club, **where))


@requires(CORRECT_TABLE_HANDS)
def undo(request: ClubRequest, club: Club, repair: int, **where: int) -> HttpResponse:
    return pages_repairs.restore(request, _workshop(request, club, **where), repair)


@requires(CORRECT_TABLE_HANDS)
def repairs(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    tournament = get_object_or_404(Tournament, club=club, pk=pk)
    tables = Table.objects.filter(round__tournament=tournament)
    places = {
        game: TableAt(
            f"Round {at_round}, table {number}",
            reverse("tournament-table", args=[club.slug, tournament.pk, at_round, number]),
        )
        for game, at_round, number in tables.values_list("game", "round__number", "number")
    }
    context = framed(
        club,
        "tournaments",
        event=tournament.name,
        event_url=reverse("tournament", args=[club.slug, pk]),
        repairs=repair_list(places),
        may_change=tournament.state != TournamentState.FINISHED,
        breadcrumbs=tournament_trail(tournament, {"label": "Corrections"}),
    )
    return render(request, "clubs/table/repairs.html", context)


def _workshop(request: ClubRequest, club: Club, **where: int) -> Workshop:
    table = table_at(club, **where)
    tournament = table.round.tournament

    def tables() -> dict[int, TableView]:
        linked = linked_tables(tournament, round_number=where["round"], reader=ORGANISER)
        return {row.view.game.pk: row.view for row in linked}

    return Workshop(
        page=page_of(request, table),
        read_tables=tables,
        repair=partial(services.repair_hands, tournament=tournament),
        undo=partial(services.undo_repair, tournament=tournament),
        rankings=partial(rankings_of, tournament),
        done_so_far=reverse("tournament-repairs", args=[club.slug, tournament.pk]),
    )


@requires(ENTER_TABLE_HANDS)
def stack(request: ClubRequest, club: Club, pk: int, **where: int) -> HttpResponse:
    """The round's paper sheets: which are in the book, and the next one to type."""
    tournament, number = find(club, pk), where["round"]
    tables = [table.view for table in linked_tables(tournament, round_number=number)]
    here = [club.slug, pk]
    shown = about(request, tournament, "tournament") | {
        "stack": stack_of(tables, begun=games_begun(request)),
        "event": f"{tournament.name}, round {number}",
        "tables_at": f"{reverse('tournament', args=here)}rounds/{number}/tables/",
        "breadcrumbs": tournament_trail(tournament, {"label": "Paper score sheets"}),
    }
    return render(request, "clubs/table/sheets.html", shown)


@requires(ENTER_TABLE_HANDS)
def sheet(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """Type in the table's whole paper sheet and compare it with the book."""
    page = desk_page(request, club, **where)
    at_round = [club.slug, where["pk"], where["round"]]
    stacked = Stack(
        reverse("tournament-sheets", args=at_round),
        {
            other: reverse("tournament-sheet", args=[*at_round, other])
            for other in table_numbers(where["pk"], where["round"])
        },
    )
    tell = partial(tell_hands, game_id=page.game.pk)
    return show_sheet(request, SheetPage(page, stacked, tell))


@requires(RUN_TOURNAMENT)
def rulings(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The rules' scale, a form for a ruling, and every ruling at this table."""
    table = table_at(club, **where)
    rules = rule_set(table.game.rules)
    form = RulingForm(
        request.POST if request.method == "POST" else None,
        scale=scale(rules),
        names=rows.names_at(table),
        pays=rules.zero_sum,
    )

    def rule() -> Ruling:
        case = services.Case(
            table=table,
            seat=form.cleaned_data["seat"],
            reason=form.cleaned_data["reason"],
            ruled_by=f"user {request.user.pk}",
            submission_id=form.cleaned_data["submission_id"],
        )
        return services.rule_at_table(case=case, **form.ruling)

    if accepted(form, rule):
        messages.success(request, "Ruling saved.")
        return redirect(request.path)
    context = framed(
        club,
        "tournaments",
        breadcrumbs=table_trail(table, here="Penalties and rulings"),
        table=table,
        form=form,
        scale=scale_rows(table),
        rulings=rulings_at(table),
        may_rule=table.round.tournament.state != TournamentState.FINISHED,
        rulings_url=request.path,
    )
    return form_page(request, "tournaments/table/rulings.html", context, form)


@requires(RUN_TOURNAMENT)
@require_POST
def take_back(request: ClubRequest, club: Club, ruling: int, **where: int) -> HttpResponse:
    current = get_object_or_404(table_at(club, **where).rulings, pk=ruling)
    pressed(
        request,
        lambda: services.take_back_ruling(
            ruling=current,
            reason=request.POST.get("reason", ""),
            ruled_by=f"user {request.user.pk}",
            submission_id=uuid4(),
        ),
        "Ruling cancelled and its points reversed.",
    )
    return redirect(reverse("table-rulings", kwargs={"club": club.slug, **where}))


@with_table
def call(request: HttpRequest, table: Table) -> HttpResponse:
    """Call the director, or cancel; for the page's polling, the current state."""
    if request.method != "POST":
        return render(request, "clubs/table/_call.html", call_part(table))
    if request.POST.get("step") == "cancel":
        steps_services.answer_call(table=table, answered_by=f"round table {table.pk}")
    else:
        form = CallForm(request.POST)
        what = form.cleaned_data["what"] if form.is_valid() else ""
        pressed(request, lambda: steps_services.call_director(table=table, what=what))
    return redirect("round-table", table.link_key)


@requires(ENTER_TABLE_HANDS)
@require_POST
def answered(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """Record that someone has been to the table that called."""
    table = table_at(club, **where)
    form = AnsweredForm(request.POST)
    call = form.cleaned_data["call"] if form.is_valid() else None
    if steps_services.answer_call(table=table, answered_by=f"user {request.user.pk}", call=call):
        messages.success(request, f"Call from table {table.number} dealt with.")
    else:
        at = {"round": where["round"], "number": where["number"]}
        last = last_entry(club, "tournament", where["pk"], ["table-call-answered"], **at)
        who, when = (last.who, f", at {moment(last.at)}") if last else ("Someone", "")
        messages.info(request, f"{who} has already dealt with table {table.number}{when}.")
    return redirect("tournament", club.slug, where["pk"])


TOURNAMENT = "c/<slug:club>/tournaments/<int:pk>/"
ROUND = f"{TOURNAMENT}rounds/<int:round>/"
TABLE = f"{ROUND}tables/<int:number>/"
RULINGS = f"{TABLE}rulings/"

urlpatterns = [
    *phone_paths("r/<slug:key>/", ROOM),
    path("r/<slug:key>/standings/", standings, name="round-table-standings"),
    path("r/table-worker.js", worker, name="round-table-worker"),
    path("r/<slug:key>/call/", call, name="round-table-call"),
    path(f"{TABLE}call/answered/", answered, name="table-call-answered"),
    path(TABLE, desk, name="tournament-table"),
    path(f"{TABLE}new-link/", new_link, name="tournament-new-link"),
    path(f"{TABLE}tiles/", tapped, name="tournament-tapped"),
    path(f"{TABLE}tiles/<int:seat>/", tiles, name="tournament-tiles"),
    path(f"{TABLE}score-sheet/", sheet, name="tournament-sheet"),
    path(f"{ROUND}score-sheets/", stack, name="tournament-sheets"),
    path(f"{TABLE}hands/<int:hand>/correct/", correct, name="tournament-hand"),
    path(f"{TOURNAMENT}corrections/", repairs, name="tournament-repairs"),
    path(f"{TABLE}corrections/new/", repair, name="tournament-repair"),
    path(f"{TABLE}corrections/<int:repair>/undo/", undo, name="tournament-repair-back"),
    path(RULINGS, rulings, name="table-rulings"),
    path(f"{RULINGS}<int:ruling>/back/", take_back, name="ruling-back"),
]
