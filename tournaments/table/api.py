"""A round's tables over the API: their sheets, corrections, links and rulings."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from rest_framework import serializers

from clubs.api.base import reads
from clubs.api.commands import ActView, cleaned_data, does
from clubs.api.created import SAME_ADDRESS, Place
from clubs.api.fields import FlagField, NumberField, TextField
from clubs.api.lists import ClubListAPIView, TablesAPIView, lists, tables
from clubs.evenings.selectors.floor import stack_of
from clubs.evenings.serializers import StackedSheetSerializer
from clubs.table.api.corrections import repairs_data
from clubs.table.api.games import GAME, WITH_THE_LINK, GameAPIView
from clubs.table.rows import LinkedTable
from clubs.table.serializers import ListedCorrectionSerializer, TableLinkSerializer
from scoring.scorebook.editions import rule_set
from scoring.table.settlement import scale
from tournaments.api import A_REASON, ONE, ReasonIn, TournamentAPIView
from tournaments.core import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
)
from tournaments.models import Ruling, Table
from tournaments.results.api import RulingSerializer, RulingsSerializer, StandingSerializer
from tournaments.results.selectors import standings
from tournaments.results.selectors.results import RulingRow, rulings_at
from tournaments.rounds import selectors
from tournaments.rounds.selectors import linked_tables, shown_through
from tournaments.table import services
from tournaments.table.event import RoundTable
from tournaments.table.forms import RulingForm


def _linked(view: TournamentAPIView) -> tuple[LinkedTable, ...]:
    """The tables of the round of the address."""
    return linked_tables(view.tournament, round_number=view.kwargs["round"], reader=view.reader)


class StackView(ClubListAPIView, TournamentAPIView):
    access = ENTER_TABLE_HANDS
    sheet = "Score sheets"

    @lists(StackedSheetSerializer)
    def get(self) -> Any:
        """List the round's paper score sheets: which are saved, by whom and how far."""
        return stack_of([table.view for table in _linked(self)]).sheets


class CorrectionsView(ClubListAPIView, TournamentAPIView):
    access = CORRECT_TABLE_HANDS
    sheet = "Corrections"

    @lists(ListedCorrectionSerializer)
    def get(self) -> list[dict[str, Any]]:
        """List the corrections at the tournament's tables, newest first."""
        return repairs_data(selectors.table_titles(self.tournament))


class LinksView(ClubListAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT
    sheet = "Links for scoring"

    @lists(TableLinkSerializer)
    def get(self) -> list[dict[str, Any]]:
        """Get the secret link of each table of a round. They work without an account."""
        return [
            {"number": table.view.number, "game_id": table.view.game.pk, "key": table.link_key}
            | {"address": self.request.build_absolute_uri(_page_of(table.link_key))}
            for table in _linked(self)
        ]


def _page_of(key: str) -> str:
    return reverse(RoundTable.phone, args=[key])


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
    as_written = FlagField(default=False, help_text="accept far more points than a hand pays")
    reason = TextField(max_length=A_REASON, help_text="everyone can read it in the results")


class RulingAPIView(ActView, GameAPIView):
    access = RUN_TOURNAMENT
    of_kind = RoundTable.kind

    @property
    def table(self) -> Table:
        """The table of the round at which the game is played."""
        table: Table = self.event.row
        return table

    def row(self, ruling: Ruling) -> RulingRow:
        """A ruling with the names of the table."""
        return next(row for row in rulings_at(self.table) if row.pk == ruling.pk)


class RulingsView(RulingAPIView):
    @reads(RulingsSerializer)
    def get(self) -> dict[str, Any]:
        """List the rulings on this game, in order, and the scale of penalties."""
        rules = rule_set(self.table.game.rules)
        known = [
            {"key": key, "name": item.name, "costs": item.words(rules.limit)}
            for key, item in scale(rules).items()
        ]
        is_open = not services.why_no_ruling(self.table.round)
        return {"rulings": rulings_at(self.table), "scale": known, "may_rule": is_open}

    @does(RulingIn, answers=RulingSerializer, creates=SAME_ADDRESS)
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Add a ruling: a penalty from the scale, one player pays for all, or points adjusted."""
        rules, names = rule_set(self.table.game.rules), selectors.names_at(self.table)
        is_sure = validated.pop("as_written")
        data = {name: str(value) for name, value in validated.items() if value is not None}
        sure = {"sure": data.get("points", "")} if is_sure else {}
        form = RulingForm(data | sure, rules=rules, names=names)
        result = cleaned_data(form)
        case = services.Case(
            table=self.table,
            seat=result["seat"],
            reason=result["reason"],
            ruled_by=self.at.sent_by,
            submission_id=result["submission_id"],
        )
        return self.row(services.rule_at_table(case=case, **form.ruling))


class CancelRulingView(RulingAPIView):
    @does(ReasonIn, answers=RulingSerializer, creates=Place("api-game-rulings", shared="game"))
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Cancel a ruling. Its points are returned, and both entries stay on the record."""
        ruling = get_object_or_404(self.table.rulings, pk=self.kwargs["ruling"])
        taken = services.take_back_ruling(
            ruling=ruling,
            reason=validated["reason"],
            ruled_by=self.at.sent_by,
            submission_id=uuid4(),
        )
        return self.row(taken)


class GameStandingsView(TablesAPIView, GameAPIView):
    access = WITH_THE_LINK
    by_link = True
    of_kind = RoundTable.kind
    sheet = "Standings"

    def words(self) -> Mapping[str, Mapping[str, str]]:
        return {"decided_by": standings.ties_of(self.event.row.round.tournament)}

    @tables(StandingSerializer)
    def get(self) -> Any:
        """List the standings, best first, without the last round while it is hidden."""
        tournament = self.event.row.round.tournament
        return standings.standings(tournament, through=shown_through(tournament))


RULINGS = f"{GAME}rulings/"
urlpatterns = [
    path(
        f"{ONE}rounds/<int:round>/score-sheets/", StackView.as_view(), name="api-tournament-sheets"
    ),
    path(f"{ONE}corrections/", CorrectionsView.as_view(), name="api-tournament-repairs"),
    path(f"{ONE}rounds/<int:round>/links/", LinksView.as_view(), name="api-tournament-links"),
    path(f"{GAME}standings/", GameStandingsView.as_view(), name="api-game-standings"),
    path(RULINGS, RulingsView.as_view(), name="api-game-rulings"),
    path(
        f"{RULINGS}<int:ruling>/cancel/", CancelRulingView.as_view(), name="api-game-ruling-cancel"
    ),
]
