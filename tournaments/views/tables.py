"""A tournament's table: the phone page behind its secret link, and the organisers' page."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import Crumbs, framed
from clubs.models import Club
from clubs.models.names import AT_THE_TABLE, Reader
from clubs.table.pages import agreement, entering, linked, tile_entry
from clubs.table.pages.linked import Room
from clubs.table.pages.table import TablePage
from tournaments.attable import calls_at
from tournaments.forms.steps import CALLS
from tournaments.models import RoundState, Table
from tournaments.permissions import CORRECT_TABLE_HANDS, ENTER_TABLE_HANDS, RUN_TOURNAMENT
from tournaments.sections import tournament_trail
from tournaments.selectors import desk as rows
from tournaments.selectors.bell import timing_of
from tournaments.selectors.rulings import rulings_at
from tournaments.selectors.watch import open_call
from tournaments.views.drawn_standings import drawn_standings

with_table = linked.by_link(rows.tables_with_games)
with_news = linked.by_link(rows.tables_with_tournaments, version="round__tournament__version")


@with_news
def standings(request: HttpRequest, table: Table) -> HttpResponse:
    """The standings so far, for the players of any table; asked with ``?v=``, their rows alone."""
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
    return render(request, "tables/tournament_standings.html", context)


@door(ENTER_TABLE_HANDS)
def desk(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """The same table for organisers: fast entry, every hand, what was corrected."""
    table = table_at(club, **where)
    return entering.show(request, page_of(request, table, **_called(table)))


@door(ENTER_TABLE_HANDS)
def tiles(request: ClubRequest, club: Club, seat: int, **where: int) -> HttpResponse:
    """One seat's tiles of the next hand, tapped by an organiser."""
    return tile_entry.tiles(request, desk_page(request, club, **where), seat)


@door(ENTER_TABLE_HANDS)
def tapped(request: ClubRequest, club: Club, **where: int) -> HttpResponse:
    """What has been tapped at the table, for the organisers' page of it."""
    return tile_entry.tapped(request, desk_page(request, club, **where))


@door(CORRECT_TABLE_HANDS)
def correct(request: ClubRequest, club: Club, hand: int, **where: int) -> HttpResponse:
    """One hand of the table as the scorer decides it."""
    return agreement.correct(request, desk_page(request, club, **where), hand)


def _phone_page(table: Table, key: str, seat: int | None) -> TablePage:
    address = reverse("round-table", args=[key])
    sent_by = f"round table {table.pk}"
    return _page(
        table,
        by_players=True,
        template="tables/phone.html",
        address=address,
        key=key,
        seat=seat,
        seat_key=partial(linked.seat_key, table),
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
    """What the part of a page shows that calls the director: where to look once it is closed."""
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
    """The page of a table for whoever may enter hands there; 404 where there is none."""
    return page_of(request, table_at(club, **where))


def page_of(request: ClubRequest, table: Table, **told: Any) -> TablePage:
    """The same of a table that is at hand; ``told`` is what its page says besides."""
    club, here = table.round.tournament.club, place_of(table)
    return _page(
        table,
        reader=request.reader,
        template="tables/desk.html",
        address=reverse("tournament-table", args=here),
        standings=reverse("standings", args=here[:2]),
        sent_by=f"user {request.user.pk}",
        extra=framed(
            club,
            "tournaments",
            breadcrumbs=table_trail(table),
            may_correct=request.may(CORRECT_TABLE_HANDS),
            may_run=request.may(RUN_TOURNAMENT),
            **told,
        ),
    )


def _called(table: Table) -> dict[str, Any]:
    """Whether the table calls the director, where one says that one has come; what was ruled."""
    there = reverse("table-call-answered", args=place_of(table))
    call = open_call(table, now=timezone.now())
    return {"call": call, "there_url": there, "rulings": rulings_at(table)}


def place_of(table: Table) -> list[Any]:
    """Where the table is, as its addresses have it: club, tournament, round, number."""
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
