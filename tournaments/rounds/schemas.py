"""A tournament in brief and in full, its clock, its settings and the presets."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.rows import schema_of
from clubs.evenings import schemas as evenings_schemas
from clubs.table import schemas
from tournaments.models import Tournament
from tournaments.rounds import selectors
from tournaments.rounds.clock import Clock, clock_now
from tournaments.rounds.selectors import RoundView
from tournaments.rounds.steps import results_state


class TournamentShape(serializers.Serializer[Tournament]):
    """A tournament at a glance."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    state = serializers.CharField(help_text="entering, playing or finished")
    rules = serializers.CharField()
    rounds_planned = serializers.IntegerField()
    hands_a_round = serializers.IntegerField(
        allow_null=True, help_text="hands at most; null: as many as the minutes allow"
    )
    minutes_a_round = serializers.IntegerField(allow_null=True, help_text="null: no clock")
    at_the_bell = serializers.CharField(
        help_text="what happens to the hand in progress: finish, one_more or stop"
    )
    start_stake = serializers.IntegerField(
        help_text="starting points of each player in a round; not part of any total"
    )
    ranks_by = serializers.ListField(child=serializers.CharField())
    record_by = serializers.CharField(
        help_text="how hands are entered unless a table chooses otherwise"
    )
    agreement = serializers.CharField(help_text="who must agree that a hand is right")
    by_standing_from = serializers.IntegerField(
        allow_null=True, help_text="this round and later ones are seated by standings"
    )
    bands = serializers.IntegerField(help_text="tables in a group when seated by standings")
    has_final = serializers.BooleanField(help_text="whether the top four meet in the last round")
    sitting_out_counts = serializers.CharField(
        help_text="what a round counts for a player who sits out: average, fixed or nothing"
    )
    sitting_out_table_points = serializers.DecimalField(
        max_digits=4, decimal_places=2, help_text="table points for each round sat out, if fixed"
    )
    sitting_out_points = serializers.IntegerField(
        help_text="points of gain for each round sat out, if fixed"
    )
    hides_last_round = serializers.BooleanField(
        help_text="the last round is hidden from all but officials until you show it"
    )
    published_at = serializers.DateTimeField(
        allow_null=True, help_text="when the results were published"
    )
    version = serializers.IntegerField(help_text="increases with every change that is shown")
    shown = serializers.SerializerMethodField(
        help_text="what is shown now: send it back with results/hide, release and withdraw"
    )

    def get_shown(self, tournament: Tournament) -> str:
        """Whether it is finished, what is hidden, and when it was published."""
        return results_state(tournament)


class ListedTournamentShape(TournamentShape):
    """A tournament in the club's list."""

    entered = serializers.IntegerField(help_text="players")
    rounds_closed = serializers.IntegerField(source="closed")


ClockShape = schema_of(
    "ClockShape",
    Clock,
    "round_number minutes minutes_added seconds_left ends_at has_begun is_paused has_rung words",
)


class ClockNowShape(serializers.Serializer[object]):
    """The clock in use; null if there is none."""

    clock = ClockShape(allow_null=True)


class TimedTableShape(schemas.TableShape):
    """A table of a round, with its clock if the round has one."""

    clock = ClockShape(allow_null=True)
    stopped_at = serializers.DateTimeField(
        allow_null=True, help_text="when it stopped play in this round"
    )


RoundShape = schema_of(
    "RoundShape",
    RoundView,
    "number state tables sitting_out",
    tables=evenings_schemas.TableSummaryShape,
)


class TournamentWholeShape(TournamentShape):
    """A tournament with the seating of its rounds."""

    clock = serializers.SerializerMethodField(help_text="of the current round, or null")
    rounds = serializers.SerializerMethodField()

    @extend_schema_field(ClockShape(allow_null=True))
    def get_clock(self, tournament: Tournament) -> dict[str, Any] | None:
        """The clock that the hall sees."""
        clock = clock_now(tournament, now=timezone.now())
        return None if clock is None else dict(ClockShape(clock).data)

    @extend_schema_field(RoundShape(many=True))
    def get_rounds(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Every round. A hidden round has no points."""
        rounds = selectors.rounds_of(
            tournament, to_officials=self.context["sees_all"], reader=self.context["reader"]
        )
        return list(RoundShape(rounds, many=True).data)
