"""Tournaments over the API: the same reads as the pages, the same one way to submit a hand."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import examples, shapes
from clubs.api.base import ClubAPIView, ClubListAPIView, LinkedAPIView
from clubs.api.hands import Post, TableAPIView, sender
from clubs.names import AT_THE_TABLE, Reader
from clubs.permissions import role_in
from clubs.rows import TableView
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded
from tournaments.models import Table, Tournament
from tournaments.permissions import ENTER_TABLE_HANDS, SEE_LAST_ROUND, SEE_TOURNAMENT
from tournaments.selectors import desk, standings
from tournaments.selectors.clock import Clock, clock_now, clock_of
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


class ClockShape(serializers.Serializer[Clock]):
    """A clock as it was read; ``words`` say it for people."""

    round_number = serializers.IntegerField()
    minutes = serializers.IntegerField(help_text="as planned")
    minutes_added = serializers.IntegerField(help_text="below nothing: taken away")
    seconds_left = serializers.IntegerField(help_text="nothing or below once the bell has rung")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null while it stands")
    has_begun = serializers.BooleanField()
    is_paused = serializers.BooleanField()
    has_rung = serializers.BooleanField()
    words = serializers.CharField()


class TimedTableShape(shapes.TableShape):
    """A table of a round, with its clock while the round is played against one."""

    clock = ClockShape(allow_null=True)
    stopped_at = serializers.DateTimeField(
        allow_null=True, help_text="since when it plays no further hand in this round"
    )


class RoundShape(serializers.Serializer[object]):
    """A round with its tables."""

    number = serializers.IntegerField()
    state = serializers.CharField()
    tables = shapes.TableSummaryShape(many=True)


class TournamentWholeShape(TournamentShape):
    """A tournament with the seating of its rounds."""

    clock = serializers.SerializerMethodField(help_text="of the round being played, or null")
    rounds = serializers.SerializerMethodField()

    @extend_schema_field(ClockShape(allow_null=True))
    def get_clock(self, tournament: Tournament) -> dict[str, Any] | None:
        """The clock that the hall sees."""
        clock = clock_now(tournament, now=timezone.now())
        return None if clock is None else dict(ClockShape(clock).data)

    @extend_schema(responses=RoundShape(many=True))
    def get_rounds(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Every round; no points in one that is kept for the prize-giving."""
        rounds = desk.rounds_of(
            tournament, to_officials=self.context["sees_all"], reader=self.context["reader"]
        )
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
        seen = {"sees_all": _sees_all(self, found), "reader": self.reader}
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
        rows = standings.standings(found, through=through, reader=self.reader)
        return Response(StandingShape(rows, many=True).data)


def _sees_all(view: ClubAPIView, tournament: Tournament) -> bool:
    """Whether whoever asks sees the last round, which may be kept for the prize-giving."""
    if not tournament.hides_last_round:
        return True
    return SEE_LAST_ROUND.is_given(role_in(view.request.user, view.club), view.club)


def _kept(
    table: Table, sent_by: str, reader: Reader = AT_THE_TABLE, *, by_players: bool = False
) -> tuple[TableView, Post]:
    def keep(submission_id: UUID, number: int, report: Report) -> Recorded:
        return post_hand(
            table=table,
            submission_id=submission_id,
            number=number,
            report=report,
            sent_by=sent_by,
            by_players=by_players,
        )

    return desk.view_of(table, reader=reader), keep


class TimedTableAPIView(TableAPIView):
    """A table that may be played against the clock; ``found`` keeps it as ``table``."""

    table: Table

    @extend_schema(tags=["tables"], responses=TimedTableShape, examples=[examples.TABLE])
    def get(self, request: Request, **kwargs: Any) -> Response:
        """Who sits where, every hand, the next deal (null when the game is over), the clock."""
        answer = super().get(request, **kwargs)
        clock = clock_of(self.table.round, now=timezone.now(), table=self.table)
        answer.data["clock"] = None if clock is None else ClockShape(clock).data
        answer.data["stopped_at"] = self.table.stopped_at
        return answer


class RoundTableView(TimedTableAPIView, ClubAPIView):
    """A table of a round, for the organisers."""

    door = SEE_TOURNAMENT
    writing_door = ENTER_TABLE_HANDS

    def found(self) -> tuple[TableView, Post]:
        """The round's table of that number."""
        self.table = table = get_object_or_404(
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
        return _kept(table, sender(self.request), self.reader)


class LinkedTableView(TimedTableAPIView, LinkedAPIView):
    """A table of a round, for whoever holds its secret link."""

    def found(self) -> tuple[TableView, Post]:
        """The table with that key."""
        key = self.kwargs["key"]
        self.table = table = get_object_or_404(desk.tables_with_games(), link_key=key)
        return _kept(table, f"round table {table.pk}", by_players=True)
