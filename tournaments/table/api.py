"""A round's tables over the API: hands, links and rulings."""

from typing import Any
from uuid import uuid4

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import openapi
from clubs.api.base import ClubListAPIView, lists, reads
from clubs.api.commands import cleaned_data, does
from clubs.api.created import SAME_ADDRESS, Place
from clubs.api.fields import NumberField, TextField
from clubs.evenings.api.evenings import AT_EVERY_TABLE, ReceiptAPIView
from clubs.evenings.schemas import StackedSheetShape, TableLinkShape
from clubs.evenings.selectors.floor import stack_of
from clubs.table.api.entry import SHEET
from clubs.table.api.repairs import REPAIRING, RULING, repairs_data
from clubs.table.api.tables import AtLink, AtTable, TableAPIView, table_paths
from clubs.table.event import PlayedTable
from clubs.table.rows import LinkedTable, TableView
from clubs.table.schemas import RepairShape
from clubs.table.services import replace_links
from clubs.tenancy import by_key
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.table.settlement import scale
from tournaments.api import (
    A_REASON,
    CARD,
    ONE,
    TABLE,
    AtTableAPIView,
    ClockShape,
    ReasonIn,
    RunAPIView,
    TimedTableShape,
    TournamentAPIView,
)
from tournaments.core import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
)
from tournaments.models import Ruling, Table
from tournaments.results.api import RulingShape, RulingsShape
from tournaments.results.selectors.results import RulingRow, rulings_at
from tournaments.rounds import selectors
from tournaments.rounds.clock import clock_of
from tournaments.rounds.selectors import is_hidden, linked_tables
from tournaments.table import services
from tournaments.table.event import RoundTable
from tournaments.table.forms import RulingForm

TIMED = extend_schema(responses=TimedTableShape, examples=[openapi.TABLE])


def _timed(answer: Response, table: Table) -> Response:
    """The response with a table and its clock."""
    clock = clock_of(table.round, now=timezone.now(), table=table)
    answer.data["clock"] = None if clock is None else ClockShape(clock).data
    answer.data["stopped_at"] = table.stopped_at
    return answer


class RoundLink(AtLink):
    """At a table of a round, for anyone with its link or a seat's link."""

    event = RoundTable


class LinkedTableView(RoundLink, TableAPIView):
    @TIMED
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Get the seats, every hand, the next deal (null when the game is over) and the clock."""
        return _timed(super().get(request, **kwargs), self.at.event.row)


class RoundDesk(AtTable, AtTableAPIView):
    """At a table of a round, for those who may enter hands."""

    access = ENTER_TABLE_HANDS
    event = RoundTable

    def played(self) -> PlayedTable:
        table = RoundTable(self.found_table())
        return PlayedTable(event=table, sent_by=self.made_by, reader=self.reader)


class RoundTableView(RoundDesk, TableAPIView):
    access = SEE_TOURNAMENT
    writing_access = ENTER_TABLE_HANDS

    @TIMED
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Get the seats, every hand, the next deal (null when the game is over) and the clock."""
        return _timed(super().get(request, **kwargs), self.at.event.row)

    def played(self) -> PlayedTable:
        """The round's table of that number; not while its round is hidden."""
        table = super().played()
        if is_hidden(self.tournament, number=table.event.row.round.number):
            self.presence.require(SEE_LAST_ROUND, self.club)
        return table


class RoundScorer(RoundDesk):
    """At a table of a round, for those who may correct hands."""

    access = CORRECT_TABLE_HANDS


def _linked(view: TournamentAPIView) -> tuple[LinkedTable, ...]:
    """The tables of the round of the address."""
    return linked_tables(view.tournament, round_number=view.kwargs["round"], reader=view.reader)


class StackView(ClubListAPIView, TournamentAPIView):
    access = ENTER_TABLE_HANDS
    sheet = "Score sheets"

    @lists(StackedSheetShape)
    def get(self) -> Any:
        """List the round's paper score sheets: which are saved, by whom and how far."""
        return stack_of([table.view for table in _linked(self)]).sheets


class RepairsView(ClubListAPIView, TournamentAPIView):
    access = CORRECT_TABLE_HANDS
    sheet = "Corrections"

    @lists(RepairShape)
    def get(self) -> list[dict[str, Any]]:
        """List the corrections at the tournament's tables, newest first."""
        return repairs_data(selectors.table_titles(self.tournament))


class RoundReceiptView(ReceiptAPIView):
    def table_of(self, hand: Hand) -> TableView | None:
        table = by_key(selectors.tables_with_games, game=hand.game_id)
        return None if table is None else selectors.view_of(table)


def _link(request: Request, number: int, key: str) -> dict[str, Any]:
    """A table's link as printed on its card."""
    address = request.build_absolute_uri(reverse("round-table", args=[key]))
    return {"number": number, "key": key, "address": address}


class LinksView(ClubListAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT
    sheet = "Links for scoring"

    @lists(TableLinkShape)
    def get(self) -> list[dict[str, Any]]:
        """Get the secret link of each table of a round. They work without an account."""
        return [_link(self.request, table.view.number, table.link_key) for table in _linked(self)]


class NewLinkView(AtTableAPIView, RunAPIView):
    access = ENTER_TABLE_HANDS

    @does(
        answers=TableLinkShape,
        creates=Place("api-tournament-links", shared="club tournament round"),
    )
    def post(self) -> dict[str, Any]:
        """Replace a table card: the old card and its seat links stop working."""
        key = replace_links(table=RoundTable(self.round_table))
        return _link(self.request, self.round_table.number, key)


class RulingIn(serializers.Serializer[Any]):
    """A ruling at a table."""

    submission_id = serializers.UUIDField(
        help_text="client-generated; the same id is always one ruling"
    )
    what = TextField(
        max_length=40, help_text="key of the scale, pays_for_all, or adjustment (with points)"
    )
    seat = NumberField(min_value=1, max_value=5, help_text="whose mistake it is")
    claimant = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=5,
        help_text="the seat that claimed the discard, only if the claimant is paid",
    )
    number = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=10_000,
        help_text="of the hand that it is about; needed if one player pays for all",
    )
    points = NumberField(
        required=False,
        allow_null=True,
        min_value=-1_000_000,
        max_value=1_000_000,
        help_text="only for an adjustment; negative to take points",
    )
    reason = TextField(max_length=A_REASON, help_text="everyone can read it in the results")


class RulingAPIView(AtTableAPIView, RunAPIView):
    access = RUN_TOURNAMENT

    def row(self, ruling: Ruling) -> RulingRow:
        """A ruling with the names of the table."""
        return next(row for row in rulings_at(self.round_table) if row.pk == ruling.pk)


class RulingsView(RulingAPIView):
    @reads(RulingsShape)
    def get(self) -> dict[str, Any]:
        """List the rulings at this table, in order, and the scale of penalties."""
        rules = rule_set(self.round_table.game.rules)
        known = [
            {"key": key, "name": item.name, "costs": item.words(rules.limit)}
            for key, item in scale(rules).items()
        ]
        is_open = not services.why_no_ruling(self.round_table.round)
        return {"rulings": rulings_at(self.round_table), "scale": known, "may_rule": is_open}

    @does(RulingIn, answers=RulingShape, creates=SAME_ADDRESS)
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Add a ruling: a penalty from the scale, one player pays for all, or points adjusted."""
        rules, names = rule_set(self.round_table.game.rules), selectors.names_at(self.round_table)
        data = {name: str(value) for name, value in validated.items() if value is not None}
        form = RulingForm(data, scale=scale(rules), names=names, pays=rules.zero_sum)
        result = cleaned_data(form)
        case = services.Case(
            table=self.round_table,
            seat=result["seat"],
            reason=result["reason"],
            ruled_by=self.made_by,
            submission_id=result["submission_id"],
        )
        return self.row(services.rule_at_table(case=case, **form.ruling))


class TakeBackView(RulingAPIView):
    @does(
        ReasonIn,
        answers=RulingShape,
        creates=Place("api-table-rulings", shared="club tournament round number"),
    )
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Cancel a ruling. Its points are returned, and both entries stay on the record."""
        ruling = get_object_or_404(self.round_table.rulings, pk=self.kwargs["ruling"])
        taken = services.take_back_ruling(
            ruling=ruling, reason=validated["reason"], ruled_by=self.made_by, submission_id=uuid4()
        )
        return self.row(taken)


HERE = f"{TABLE}rulings/"


urlpatterns = [
    path(TABLE, RoundTableView.as_view(), name="api-tournament-table"),
    path(CARD, LinkedTableView.as_view(), name="api-round-table"),
    *table_paths(TABLE, "api-tournament-table", RoundDesk, {**AT_EVERY_TABLE, **SHEET}),
    *table_paths(TABLE, "api-tournament-table", RoundScorer, {**RULING, **REPAIRING}),
    *table_paths(CARD, "api-round-table", RoundLink, AT_EVERY_TABLE),
    path(f"{ONE}rounds/<int:round>/sheets/", StackView.as_view(), name="api-tournament-sheets"),
    path(f"{ONE}repairs/", RepairsView.as_view(), name="api-tournament-repairs"),
    path("receipt/r/<slug:code>/", RoundReceiptView.as_view(), name="api-round-table-receipt-code"),
    path(f"{ONE}rounds/<int:round>/links/", LinksView.as_view(), name="api-tournament-links"),
    path(f"{TABLE}new-link/", NewLinkView.as_view(), name="api-tournament-table-new-link"),
    path(HERE, RulingsView.as_view(), name="api-table-rulings"),
    path(f"{HERE}<int:ruling>/back/", TakeBackView.as_view(), name="api-ruling-back"),
]
