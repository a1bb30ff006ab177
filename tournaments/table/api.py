"""A round's tables over the API: their sheets, corrections, links and rulings."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from rest_framework import serializers

from clubs.api.base import detail_endpoint
from clubs.api.commands import CommandAPIView, cleaned_data, command_endpoint
from clubs.api.created import SAME_ROUTE, CreatedRoute
from clubs.api.fields import FlagField, NumberField, TextField
from clubs.api.lists import ClubListAPIView, TablesAPIView, list_endpoint, table_endpoint
from clubs.evenings.selectors.floor import stack_of
from clubs.evenings.serializers import StackedSheetSerializer
from clubs.table.api.corrections import repairs_data
from clubs.table.api.games import GAME_PATH, LINK_ACCESS, GameAPIView
from clubs.table.rows import LinkedTable
from clubs.table.serializers import ListedCorrectionSerializer, TableLinkSerializer
from scoring.scorebook.editions import rule_set
from scoring.table.settlement import scale
from tournaments.api import API_TOURNAMENT_PATH, MAX_REASON_LENGTH, ReasonIn, TournamentAPIView
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
from tournaments.rounds.selectors import last_shown_round, linked_tables
from tournaments.table import services
from tournaments.table.event import RoundTable
from tournaments.table.forms import RulingForm

API_RULINGS_PATH = f"{GAME_PATH}rulings/"


def _tables_of_round(view: TournamentAPIView) -> tuple[LinkedTable, ...]:
    """The tables of the round of the address."""
    return linked_tables(view.tournament, round_number=view.kwargs["round"], reader=view.reader)


class StackView(ClubListAPIView, TournamentAPIView):
    access = ENTER_TABLE_HANDS
    sheet = "Score sheets"

    @list_endpoint(StackedSheetSerializer)
    def get(self) -> Any:
        """List the round's paper score sheets: which are saved, by whom and how far."""
        return stack_of([table.view for table in _tables_of_round(self)]).sheets


class CorrectionsView(ClubListAPIView, TournamentAPIView):
    access = CORRECT_TABLE_HANDS
    sheet = "Corrections"

    @list_endpoint(ListedCorrectionSerializer)
    def get(self) -> list[dict[str, Any]]:
        """List the corrections at the tournament's tables, newest first."""
        return repairs_data(selectors.table_titles(self.tournament))


class LinksView(ClubListAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT
    sheet = "Links for scoring"

    @list_endpoint(TableLinkSerializer)
    def get(self) -> list[dict[str, Any]]:
        """Get the secret link of each table of a round. They work without an account."""
        return [
            {"number": table.view.number, "game_id": table.view.game.pk, "key": table.link_key}
            | {"address": self.request.build_absolute_uri(_phone_page(table.link_key))}
            for table in _tables_of_round(self)
        ]


def _phone_page(key: str) -> str:
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
    reason = TextField(
        max_length=MAX_REASON_LENGTH, help_text="everyone can read it in the results"
    )


class RulingAPIView(CommandAPIView, GameAPIView):
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
    @detail_endpoint(RulingsSerializer)
    def get(self) -> dict[str, Any]:
        """List the rulings on this game, in order, and the scale of penalties."""
        rules = rule_set(self.table.game.rules)
        scale_data = [
            {"key": key, "name": item.name, "costs": item.describe(rules.limit)}
            for key, item in scale(rules).items()
        ]
        is_open = not services.ruling_refusal(self.table.round)
        return {"rulings": rulings_at(self.table), "scale": scale_data, "may_rule": is_open}

    @command_endpoint(RulingIn, answers=RulingSerializer, creates=SAME_ROUTE)
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Add a ruling: a penalty from the scale, one player pays for all, or points adjusted."""
        rules, names = rule_set(self.table.game.rules), selectors.names_at(self.table)
        is_sure = validated.pop("as_written")
        data = {name: str(value) for name, value in validated.items() if value is not None}
        sure = {"sure": data.get("points", "")} if is_sure else {}
        form = RulingForm(data | sure, rules=rules, names=names)
        result = cleaned_data(form)
        case = services.RulingCase(
            table=self.table,
            seat=result["seat"],
            reason=result["reason"],
            ruled_by=self.played_table.sent_by,
            submission_id=result["submission_id"],
        )
        return self.row(services.make_ruling(case=case, **form.ruling))


class CancelRulingView(RulingAPIView):
    @command_endpoint(
        ReasonIn,
        answers=RulingSerializer,
        creates=CreatedRoute("api-game-rulings", shared_names="game"),
    )
    def post(self, validated: dict[str, Any]) -> RulingRow:
        """Cancel a ruling. Its points are returned, and both entries stay on the record."""
        ruling = get_object_or_404(self.table.rulings, pk=self.kwargs["ruling"])
        cancellation = services.cancel_ruling(
            ruling=ruling,
            reason=validated["reason"],
            ruled_by=self.played_table.sent_by,
            submission_id=uuid4(),
        )
        return self.row(cancellation)


class GameStandingsView(TablesAPIView, GameAPIView):
    access = LINK_ACCESS
    by_link = True
    of_kind = RoundTable.kind
    sheet = "Standings"

    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        return {"decided_by": standings.tie_breaks_of(self.event.row.round.tournament)}

    @table_endpoint(StandingSerializer)
    def get(self) -> Any:
        """List the standings, best first, without the last round while it is hidden."""
        tournament = self.event.row.round.tournament
        return standings.standings_of(tournament, last_round=last_shown_round(tournament))


urlpatterns = [
    path(
        f"{API_TOURNAMENT_PATH}rounds/<int:round>/score-sheets/",
        StackView.as_view(),
        name="api-tournament-sheets",
    ),
    path(
        f"{API_TOURNAMENT_PATH}corrections/",
        CorrectionsView.as_view(),
        name="api-tournament-repairs",
    ),
    path(
        f"{API_TOURNAMENT_PATH}rounds/<int:round>/links/",
        LinksView.as_view(),
        name="api-tournament-links",
    ),
    path(f"{GAME_PATH}standings/", GameStandingsView.as_view(), name="api-game-standings"),
    path(API_RULINGS_PATH, RulingsView.as_view(), name="api-game-rulings"),
    path(
        f"{API_RULINGS_PATH}<int:ruling>/cancel/",
        CancelRulingView.as_view(),
        name="api-game-ruling-cancel",
    ),
]
