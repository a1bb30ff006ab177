"""A tournament at a glance and whole, its clock, its settings, and kinds to begin with."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api import shapes
from tournaments.models import Tournament
from tournaments.selectors import desk
from tournaments.selectors.clock import Clock, clock_now
from tournaments.selectors.stages import results_state


class TournamentShape(serializers.Serializer[Tournament]):
    """A tournament at a glance."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    held_on = serializers.DateField()
    state = serializers.CharField(help_text="entering, playing or finished")
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
    record_by = serializers.CharField(help_text="how hands are told if a table chooses no other")
    agreement = serializers.CharField(help_text="who must say that a hand is right")
    by_standing_from = serializers.IntegerField(
        allow_null=True, help_text="this round and later ones are seated by standing"
    )
    bands = serializers.IntegerField(help_text="tables that mix when seated by standing")
    has_final = serializers.BooleanField(help_text="the first four meet in the last round")
    sitting_out_counts = serializers.CharField(
        help_text="what a round counts for whoever sits it out: average, fixed or nothing"
    )
    sitting_out_table_points = serializers.DecimalField(
        max_digits=4, decimal_places=2, help_text="for each round sat out, where it is fixed"
    )
    sitting_out_points = serializers.IntegerField(
        help_text="of gain, for each round sat out, where it is fixed"
    )
    hides_last_round = serializers.BooleanField(
        help_text="only officials see what the last round does, until released"
    )
    published_at = serializers.DateTimeField(
        allow_null=True, help_text="since when the results are published"
    )
    version = serializers.IntegerField(help_text="goes up with every change that is shown")
    shown = serializers.SerializerMethodField(
        help_text="how much of it is shown: send it back with results/hide, release and withdraw"
    )

    def get_shown(self, tournament: Tournament) -> str:
        """Finished or not, what is kept back, and since when it is published."""
        return results_state(tournament)


class ListedTournamentShape(TournamentShape):
    """A tournament in the club's list."""

    entered = serializers.IntegerField(help_text="players")
    rounds_closed = serializers.IntegerField(source="closed")


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


class ClockNowShape(serializers.Serializer[object]):
    """The clock that counts now; null where none runs."""

    clock = ClockShape(allow_null=True)


class TimedTableShape(shapes.TableShape):
    """A table of a round, with its clock while the round is played against one."""

    clock = ClockShape(allow_null=True)
    stopped_at = serializers.DateTimeField(
        allow_null=True, help_text="since when it plays no further hand in this round"
    )


class RoundShape(serializers.Serializer[object]):
    """A round with its tables."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="seated, playing or closed")
    tables = shapes.TableSummaryShape(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())


class TournamentWholeShape(TournamentShape):
    """A tournament with the seating of its rounds."""

    clock = serializers.SerializerMethodField(help_text="of the round being played, or null")
    rounds = serializers.SerializerMethodField()

    @extend_schema_field(ClockShape(allow_null=True))
    def get_clock(self, tournament: Tournament) -> dict[str, Any] | None:
        """The clock that the hall sees."""
        clock = clock_now(tournament, now=timezone.now())
        return None if clock is None else dict(ClockShape(clock).data)

    @extend_schema_field(RoundShape(many=True))
    def get_rounds(self, tournament: Tournament) -> list[dict[str, Any]]:
        """Every round; no points in one that is kept for the prize-giving."""
        rounds = desk.rounds_of(
            tournament, to_officials=self.context["sees_all"], reader=self.context["reader"]
        )
        return list(RoundShape(rounds, many=True).data)


class SettingsShape(serializers.Serializer[object]):
    """A tournament's settings, and which of them can no longer be changed."""

    name = serializers.CharField()
    held_on = serializers.DateField()
    rounds = serializers.IntegerField()
    hands_a_round = serializers.IntegerField(allow_null=True)
    minutes_a_round = serializers.IntegerField(allow_null=True)
    at_the_bell = serializers.CharField()
    start_stake = serializers.IntegerField()
    record_by = serializers.CharField()
    agreement = serializers.CharField()
    ranks_by = serializers.ListField(child=serializers.CharField())
    rules = serializers.CharField()
    by_standing_from = serializers.IntegerField(allow_null=True)
    bands = serializers.IntegerField()
    has_final = serializers.BooleanField()
    sitting_out_counts = serializers.CharField()
    sitting_out_table_points = serializers.DecimalField(max_digits=4, decimal_places=2)
    sitting_out_points = serializers.IntegerField()
    settled = serializers.DictField(
        child=serializers.CharField(),
        help_text="settings that cannot be changed now, each with the reason in a sentence",
    )


class ChangedShape(SettingsShape):
    """The settings after a change, and what became of the seats."""

    seated = serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds that were seated besides"
    )
    unseated = serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds that are no longer seated"
    )


class PresetShape(serializers.Serializer[object]):
    """A kind of tournament to begin with; its key goes into a new tournament as ``preset``."""

    key = serializers.CharField()
    name = serializers.CharField()
    words = serializers.CharField()
    rounds = serializers.IntegerField()
    hands_a_round = serializers.IntegerField(allow_null=True)
    minutes_a_round = serializers.IntegerField(allow_null=True)
    ranks_by = serializers.ListField(child=serializers.CharField())
    sitting_out_counts = serializers.CharField()
