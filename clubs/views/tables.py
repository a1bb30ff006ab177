"""A club table: the phone page behind its secret link, and the organisers' page."""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import evening_trail, framed
from clubs.core.permissions import CORRECT_HANDS, ENTER_HANDS
from clubs.models import Club, SessionTable
from clubs.models.names import AT_THE_TABLE, Reader
from clubs.selectors import evenings as rows
from clubs.table.pages import agreement, entering, linked, links, tile_entry
from clubs.table.pages.linked import Room
from clubs.table.pages.table import TablePage
from clubs.table.rows import table_title
from clubs.tablepages.evening import calls_at

with_table = linked.by_link(rows.tables_with_games)


@with_table
def standings(request: HttpRequest, table: SessionTable) -> HttpResponse:
    """The evening's result so far, for the players of any of its tables."""
    return links.show_standings(
        request,
        template="evening_standings",
        version=table.session.version,
        read=lambda: {
            "rows": rows.result_of(table.session),
            "session": table.session,
            "club": table.session.club,
            "club_url": reverse("table", args=[table.link_key]),
            "mine": table.at,
        },
    )


@door(ENTER_HANDS)
def desk(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """The same table for organisers: fast entry, every hand, what was corrected."""
    return entering.show(request, desk_page(request, club, pk, number))


@door(ENTER_HANDS)
def tiles(request: ClubRequest, club: Club, pk: int, number: int, seat: int) -> HttpResponse:
    """One seat's tiles of the next hand, tapped by an organiser."""
    return tile_entry.tiles(request, desk_page(request, club, pk, number), seat)


@door(ENTER_HANDS)
def tapped(request: ClubRequest, club: Club, pk: int, number: int) -> HttpResponse:
    """What has been tapped at the table, for the organisers' page of it."""
    return tile_entry.tapped(request, desk_page(request, club, pk, number))


@door(CORRECT_HANDS)
def correct(request: ClubRequest, club: Club, pk: int, number: int, hand: int) -> HttpResponse:
    """One hand of the table as the scorer decides it."""
    return agreement.correct(request, desk_page(request, club, pk, number), hand)


def _phone_page(table: SessionTable, key: str, seat: int | None) -> TablePage:
    address = reverse("table", args=[key])
    return _page(
        table,
        template="tables/phone.html",
        address=address,
        key=key,
        seat=seat,
        seat_key=partial(linked.seat_key, table),
        standings=reverse("table-standings", args=[key]),
        sent_by=f"table {table.pk}" if seat is None else f"table {table.pk} seat {seat}",
        extra={"club": table.session.club, "club_url": address},
    )


ROOM = Room("table", rows.tables_with_games, _phone_page)


def table_at(club: Club, pk: int, number: int) -> SessionTable:
    """The club's table of that number on the evening ``pk``, or 404."""
    tables = rows.tables_with_games()
    return get_object_or_404(tables, session__pk=pk, session__club=club, number=number)


def desk_page(request: ClubRequest, club: Club, pk: int, number: int) -> TablePage:
    """The page of a table for whoever may enter hands there; 404 where there is none."""
    return page_of(request, table_at(club, pk, number))


def page_of(request: ClubRequest, table: SessionTable) -> TablePage:
    """The same of a table that is at hand."""
    club, may_correct = table.session.club, request.may(CORRECT_HANDS)
    address = reverse("evening-table", args=[club.slug, table.session_id, table.number])
    at_table = {"label": table_title(table.number), "url": address}
    return _page(
        table,
        request.reader,
        template="tables/desk.html",
        address=address,
        standings=reverse("table-standings", args=[table.link_key]),
        sent_by=f"user {request.user.pk}",
        extra=framed(
            club,
            "evenings",
            breadcrumbs=evening_trail(club, table.session, at_table),
            may_correct=may_correct,
        ),
    )


def _page(table: SessionTable, reader: Reader = AT_THE_TABLE, **given: Any) -> TablePage:
    calls = calls_at(table, reader=reader, seat=given.get("seat"))
    return TablePage(room="table", **calls, **given)
