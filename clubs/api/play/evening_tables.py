"""The tables of an evening over the API: for organisers, and for whoever holds a link."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, LinkedAPIView, TablesAPIView
from clubs.api.commands import ActView
from clubs.api.play.evening_shapes import TableLinkShape
from clubs.api.play.receipts import ReceiptAPIView
from clubs.api.play.table_rooms import AT_EVERY_TABLE
from clubs.api.shapes import ResultShape
from clubs.core.permissions import CORRECT_HANDS, ENTER_HANDS, SEE_CLUB
from clubs.evenings.services import tables as services_tables
from clubs.evenings.services.tables import tell_hands
from clubs.models import Session, SessionTable
from clubs.models.names import AT_THE_TABLE, ORGANISER, Reader
from clubs.models.tenancy import by_key
from clubs.selectors import evenings as rows
from clubs.selectors.rankings import rankings_of
from clubs.table.api.hands import TableAPIView, linked, sender
from clubs.table.api.repairs import REPAIRING, RULING
from clubs.table.api.sheets import SHEET
from clubs.table.api.tables import AtTable, table_paths
from clubs.table.event import PlayedTable
from clubs.table.pages.linked import seat_key
from clubs.table.pages.repairs import Bench
from clubs.table.rows import TableView
from clubs.table.services import replace_link
from clubs.tablepages.evening import calls_at
from scoring.scorebook.models import Hand

DESK = "clubs/<slug:club>/evenings/<int:evening>/tables/<int:number>/"
LINK = "t/<slug:key>/"


def played_table(
    table: SessionTable, *, sent_by: str, reader: Reader = AT_THE_TABLE, seat: int | None = None
) -> PlayedTable:
    """A table of an evening, and the calls that change it."""
    links = partial(seat_key, table) if seat is None else None
    calls = calls_at(table, reader=reader, seat=seat)
    return PlayedTable(sent_by=sent_by, seat=seat, seat_key=links, **calls)


def linked_table(key: str) -> tuple[SessionTable, int | None]:
    """The table of a link, and the seat if it is a seat's; raises ``Replaced`` or ``Http404``."""
    return linked(rows.tables_with_games, key)


class EveningDesk(AtTable, ClubAPIView):
    """At a table of an evening, for those who may enter hands."""

    door = ENTER_HANDS
    page = "table"
    row: SessionTable

    def played(self) -> PlayedTable:
        """The evening's table of that number."""
        self.row = get_object_or_404(
            rows.tables_with_games(),
            session__club=self.club,
            session__pk=self.kwargs["evening"],
            number=self.kwargs["number"],
        )
        return played_table(self.row, sent_by=sender(self.request), reader=self.reader)


class EveningScorer(EveningDesk):
    """At a table of an evening, for those who may correct hands."""

    door = CORRECT_HANDS


class EveningSheets(EveningDesk):
    """A table's paper score sheet, for those who may enter hands."""

    @property
    def may_correct(self) -> bool:
        """Whether they may correct hands as well."""
        return self.may(CORRECT_HANDS)

    def tell(self) -> Callable[..., int]:
        """The evening's way to replace a game."""
        return partial(tell_hands, game_id=self.at.game.pk)


class EveningBench(EveningScorer):
    """Where several hands of an evening's table are corrected."""

    def bench(self) -> Bench:
        """The table with the evening's calls."""
        session = get_object_or_404(
            Session.objects.select_related("season"), club=self.club, pk=self.kwargs["evening"]
        )
        return Bench(
            page=self.at,
            read_tables=partial(_tables, session),
            repair=partial(services_tables.repair_hands, session=session),
            undo=partial(services_tables.undo_repair, session=session),
            rankings=partial(rankings_of, session),
        )


def _tables(session: Session) -> dict[int, TableView]:
    tables = rows.linked_tables(session, reader=ORGANISER)
    return {table.view.game.pk: table.view for table in tables}


class EveningLink(AtTable, LinkedAPIView):
    """At a table of an evening, for anyone with its link or a seat's link."""

    page = "table"

    def played(self) -> PlayedTable:
        """The table with that key."""
        table, seat = linked_table(self.kwargs["key"])
        who = f"table {table.pk}" if seat is None else f"table {table.pk} seat {seat}"
        return played_table(table, sent_by=who, seat=seat)


@extend_schema(tags=["tables"])
class NewLinkView(EveningDesk, ActView):
    """Another link for a table."""

    answers = TableLinkShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Replace the table card: the old card and its seat links stop working."""
        key = replace_link(table=self.row, club=self.club)
        address = self.request.build_absolute_uri(reverse(self.page, args=[key]))
        return {"number": self.row.number, "key": key, "address": address}


class EveningTableView(EveningDesk, TableAPIView):
    """A table of an evening, for organisers."""

    door = SEE_CLUB
    writing_door = ENTER_HANDS

    def found(self) -> PlayedTable:
        """The evening's table of that number."""
        return self.at


class LinkedTableView(EveningLink, TableAPIView):
    """A table of an evening, for anyone with its secret link."""

    def found(self) -> PlayedTable:
        """The table with that key."""
        return self.at


class EveningReceiptView(ReceiptAPIView):
    """The receipt of a hand of an evening."""

    def table_of(self, hand: Hand) -> TableView | None:
        """The evening's table of the hand's game."""
        table = by_key(rows.tables_with_games, game=hand.game_id)
        return None if table is None else rows.view_of(table)


class TableResultView(TablesAPIView, LinkedAPIView):
    """The evening's result so far."""

    @extend_schema(tags=["tables"], responses=ResultShape(many=True))
    def get(self, request: Request, key: str, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the evening's result so far, for the players at any of its tables."""
        table, _ = linked_table(key)
        return self.table_of(rows.result_of(table.session), ResultShape)


urlpatterns = [
    path(DESK, EveningTableView.as_view(), name="api-evening-table"),
    path(LINK, LinkedTableView.as_view(), name="api-table"),
    *table_paths(DESK, "api-evening-table", EveningDesk, AT_EVERY_TABLE),
    *table_paths(DESK, "api-evening-table", EveningScorer, RULING),
    *table_paths(DESK, "api-evening-table", EveningSheets, SHEET),
    *table_paths(DESK, "api-evening-table", EveningBench, REPAIRING),
    path(f"{DESK}new-link/", NewLinkView.as_view(), name="api-evening-table-new-link"),
    *table_paths(LINK, "api-table", EveningLink, AT_EVERY_TABLE),
    path(f"{LINK}standings/", TableResultView.as_view(), name="api-table-standings"),
    path("receipt/t/<slug:code>/", EveningReceiptView.as_view(), name="api-table-receipt-code"),
]
