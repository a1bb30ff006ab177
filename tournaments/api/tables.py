"""The tables of a round over the API: for organisers, and behind the links on the cards."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import examples
from clubs.api.base import ClubListAPIView
from clubs.evenings.api.tables import AT_EVERY_TABLE, ReceiptAPIView
from clubs.evenings.selectors.floor import stack_of
from clubs.models.names import ORGANISER
from clubs.models.tenancy import by_key
from clubs.table.api.hands import TableAPIView, sender
from clubs.table.api.repairs import REPAIRING, RULING, repairs_told
from clubs.table.api.sheets import SHEET
from clubs.table.api.tables import AtTable, table_paths
from clubs.table.event import PlayedTable
from clubs.table.pages.repairs import Bench
from clubs.table.rows import TableView
from clubs.table.schemas import RepairShape, StackedSheetShape
from scoring.scorebook.models import Hand
from tournaments.api.base import CARD, ONE, TABLE, AtTableAPIView, CardAPIView, TournamentAPIView
from tournaments.api.shapes.tournament import ClockShape, TimedTableShape
from tournaments.attable import played_table
from tournaments.models import Table, Tournament
from tournaments.permissions import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
)
from tournaments.selectors import desk
from tournaments.selectors.clock import clock_of
from tournaments.selectors.paper import linked_tables
from tournaments.selectors.rankings import rankings_of
from tournaments.selectors.showing import is_hidden
from tournaments.services import repairs
from tournaments.services.sheets import tell_hands

TIMED = extend_schema(tags=["tables"], responses=TimedTableShape, examples=[examples.TABLE])


def _timed(answer: Response, table: Table) -> Response:
    """The answer that tells a table, with its clock."""
    clock = clock_of(table.round, now=timezone.now(), table=table)
    answer.data["clock"] = None if clock is None else ClockShape(clock).data
    answer.data["stopped_at"] = table.stopped_at
    return answer


class RoundTableView(AtTableAPIView, TableAPIView):
    """A table of a round, for organisers."""

    door = SEE_TOURNAMENT
    writing_door = ENTER_TABLE_HANDS

    @TIMED
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Get the seats, every hand, the next deal (null when the game is over) and the clock."""
        return _timed(super().get(request, **kwargs), self.round_table)

    def found(self) -> PlayedTable:
        """The round's table of that number; not while its round is kept for the prize-giving."""
        if is_hidden(self.tournament, number=self.round_table.round.number):
            self.presence.require(SEE_LAST_ROUND, self.club)
        return played_table(self.round_table, sent_by=sender(self.request), reader=self.reader)


class LinkedTableView(CardAPIView, TableAPIView):
    """A table of a round, for anyone with its secret link."""

    @TIMED
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Get the seats, every hand, the next deal (null when the game is over) and the clock."""
        return _timed(super().get(request, **kwargs), self.round_table)

    def found(self) -> PlayedTable:
        """The table with that key."""
        return played_table(self.round_table, sent_by=self.sent_by, by_players=True, seat=self.seat)


class RoundDesk(AtTable, AtTableAPIView):
    """At a table of a round, for those who may enter hands."""

    door = ENTER_TABLE_HANDS
    page = "round-table"

    def played(self) -> PlayedTable:
        """The round's table of that number."""
        return played_table(self.found_table(), sent_by=self.made_by, reader=self.reader)


class RoundScorer(RoundDesk):
    """At a table of a round, for those who may correct hands."""

    door = CORRECT_TABLE_HANDS


class RoundSheets(RoundDesk):
    """A table's paper score sheet, for those who may enter hands."""

    @property
    def may_correct(self) -> bool:
        """Whether they may correct hands as well."""
        return self.may(CORRECT_TABLE_HANDS)

    def tell(self) -> Callable[..., int]:
        """The round's way to replace a game."""
        return partial(tell_hands, game_id=self.round_table.game_id)


class RoundBench(RoundScorer):
    """Where several hands of a round's table are corrected."""

    def bench(self) -> Bench:
        """The table with the tournament's calls."""
        tournament = self.tournament
        return Bench(
            page=self.played(),
            read_tables=partial(_tables, tournament, self.round_table.round.number),
            repair=partial(repairs.repair_hands, tournament=tournament),
            undo=partial(repairs.undo_repair, tournament=tournament),
            rankings=partial(rankings_of, tournament),
        )


def _tables(tournament: Tournament, number: int) -> dict[int, TableView]:
    linked = linked_tables(tournament, round_number=number, reader=ORGANISER)
    return {table.view.game.pk: table.view for table in linked}


class StackView(ClubListAPIView, TournamentAPIView):
    """A round's paper score sheets."""

    door = ENTER_TABLE_HANDS

    @extend_schema(tags=["tables"], responses=StackedSheetShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the round's paper score sheets: which are saved, by whom and how far."""
        found = linked_tables(
            self.tournament, round_number=self.kwargs["round"], reader=self.reader
        )
        return self.page_of(stack_of([one.view for one in found]).sheets, StackedSheetShape)


class RepairsView(ClubListAPIView, TournamentAPIView):
    """Corrections at a tournament's tables."""

    door = CORRECT_TABLE_HANDS

    @extend_schema(tags=["tables"], responses=RepairShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the corrections at the tournament's tables, newest first."""
        return self.page_of(repairs_told(desk.table_titles(self.tournament)), RepairShape)


class RoundLink(AtTable, CardAPIView):
    """At a table of a round, for anyone with its link or a seat's link."""

    page = "round-table"

    def played(self) -> PlayedTable:
        """The table with that key."""
        table, seat = self.found_table()
        return played_table(table, sent_by=self.sent_by, seat=seat, by_players=True)


class RoundReceiptView(ReceiptAPIView):
    """The receipt of a hand of a round."""

    def table_of(self, hand: Hand) -> TableView | None:
        """The round's table of the hand's game."""
        table = by_key(desk.tables_with_games, game=hand.game_id)
        return None if table is None else desk.view_of(table)


urlpatterns = [
    path(TABLE, RoundTableView.as_view(), name="api-tournament-table"),
    path(CARD, LinkedTableView.as_view(), name="api-round-table"),
    *table_paths(TABLE, "api-tournament-table", RoundDesk, AT_EVERY_TABLE),
    *table_paths(TABLE, "api-tournament-table", RoundScorer, RULING),
    *table_paths(TABLE, "api-tournament-table", RoundSheets, SHEET),
    *table_paths(TABLE, "api-tournament-table", RoundBench, REPAIRING),
    *table_paths(CARD, "api-round-table", RoundLink, AT_EVERY_TABLE),
    path(f"{ONE}rounds/<int:round>/sheets/", StackView.as_view(), name="api-tournament-sheets"),
    path(f"{ONE}repairs/", RepairsView.as_view(), name="api-tournament-repairs"),
    path("receipt/r/<slug:code>/", RoundReceiptView.as_view(), name="api-round-table-receipt-code"),
]
