"""Tournaments over the API: the same reads as the pages, the same one way to submit a hand."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import shapes
from clubs.api.base import ClubAPIView, ClubListAPIView, LinkedAPIView
from clubs.api.hands import Post, TableAPIView, sender
from clubs.permissions import role_in
from clubs.rows import TableView
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded
from tournaments.models import Table, Tournament
from tournaments.permissions import ENTER_TABLE_HANDS, SEE_LAST_ROUND, SEE_TOURNAMENT
from tournaments.selectors import desk, standings
from tournaments.selectors.showing import is_hidden, shown_through
from tournaments.services import post_hand

AFTER = OpenApiParameter("after", int, description="the standings as they were after that round")


class TournamentShape(serializers.Serializer[Tournament]):
    """A tournament at a glance."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    state = serializers.CharField()
    rules = serializers.CharField()
    rounds_planned = serializers.IntegerField()
    hands_a_round = serializers.IntegerField(
        allow_null=True, help_text="at most; null: as many as the minutes give"
    )
    minutes_a_round = serializers.IntegerField(allow_null=True, help_text="null: no clock")
    at_the_bell = serializers.CharField(
        help_text="what happens to the hand in progress: finish, one_more or stop"
    )
    start_stake = serializers.IntegerField(
        help_text="points that lie before each player when a round begins; no part of any total"
    )
    ranks_by = serializers.ListField(child=serializers.CharField())
    version = serializers.IntegerField()


class RoundShape(serializers.Serializer[object]):
    """A round with its tables."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    tables = shapes.TableSummaryShape(many=True)


class TournamentWholeShape(TournamentShape):
    """A tournament with the seating of its rounds."""

    rounds = serializers.SerializerMethodField()

    @extend_schema(responses=RoundShape(many=True))
    def get_rounds(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Every round; no points in one that is kept for the prize-giving."""
        rounds = desk.rounds_of(tournament, to_officials=self.context["sees_all"])
        return list(RoundShape(rounds, many=True).data)


class StandingShape(serializers.Serializer[object]):
    """One entrant's place."""

    place = serializers.IntegerField()
    is_tied = serializers.BooleanField()
    name = serializers.CharField()
    from_club = serializers.CharField()
    team = serializers.CharField()
    rounds = serializers.IntegerField()
    table_points = serializers.CharField(help_text="an exact fraction, such as 7/3")
    total = serializers.IntegerField()
    mahjongs = serializers.IntegerField()
    best_hand = serializers.IntegerField()
    decided_by = serializers.CharField(allow_null=True)


class TournamentsView(ClubListAPIView):
    """A club's tournaments."""

    door = SEE_TOURNAMENT

    @extend_schema(responses=TournamentShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The tournaments of a club, newest first."""
        return self.page_of(self.club.tournaments.all(), TournamentShape)


class TournamentView(ClubAPIView):
    """One tournament."""

    door = SEE_TOURNAMENT

    @extend_schema(responses=TournamentWholeShape)
    def get(self, request: Request, tournament: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """A tournament with the seating of every round."""
        found = get_object_or_404(self.club.tournaments, pk=tournament)
        seen = {"sees_all": _sees_all(self, found)}
        return Response(TournamentWholeShape(found, context=seen).data)


class StandingsView(ClubAPIView):
    """A tournament's standings."""

    door = SEE_TOURNAMENT

    @extend_schema(responses=StandingShape(many=True), parameters=[AFTER])
    def get(self, request: Request, tournament: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """Every entrant, the best first; without the last round while it is kept back."""
        found = get_object_or_404(self.club.tournaments, pk=tournament)
        through = shown_through(
            found, asked=request.GET.get("after", ""), to_officials=_sees_all(self, found)
        )
        rows = standings.standings(found, through=through)
        return Response(StandingShape(rows, many=True).data)


def _sees_all(view: ClubAPIView, tournament: Tournament) -> bool:
    """Whether whoever asks sees the last round, which may be kept for the prize-giving."""
    if not tournament.hides_last_round:
        return True
    return SEE_LAST_ROUND.is_given(role_in(view.request.user, view.club), view.club)


def _kept(table: Table, sent_by: str) -> tuple[TableView, Post]:
    def keep(submission_id: UUID, number: int, report: Report) -> Recorded:
        return post_hand(
            table=table,
            submission_id=submission_id,
            number=number,
            report=report,
            sent_by=sent_by,
        )

    return desk.view_of(table), keep


class RoundTableView(TableAPIView, ClubAPIView):
    """A table of a round, for the organisers."""

    door = SEE_TOURNAMENT
    writing_door = ENTER_TABLE_HANDS

    def found(self) -> tuple[TableView, Post]:
        """The round's table of that number."""
        table = get_object_or_404(
            desk.tables_with_games(),
            round__tournament__club=self.club,
            round__tournament__pk=self.kwargs["tournament"],
            round__number=self.kwargs["round"],
            number=self.kwargs["number"],
        )
        tournament = table.round.tournament
        is_secret = is_hidden(tournament, number=table.round.number)
        if is_secret and not _sees_all(self, tournament):
            raise PermissionDenied(SEE_LAST_ROUND.refusal)
        return _kept(table, sender(self.request))


class LinkedTableView(TableAPIView, LinkedAPIView):
    """A table of a round, for whoever holds its secret link."""

    def found(self) -> tuple[TableView, Post]:
        """The table with that key."""
        table = get_object_or_404(desk.tables_with_games(), link_key=self.kwargs["key"])
        return _kept(table, f"round table {table.pk}")
