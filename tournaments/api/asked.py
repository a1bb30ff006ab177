"""What is sent about tournaments: the shapes of all that no form of a page tells as it is."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from clubs.api.commands import ShownIn
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField
from clubs.models.names import MAX_NAME
from scoring.scorebook.models import AgreementPolicy, Recording
from tournaments.forms.prizes import FOR
from tournaments.forms.steps import CALLS
from tournaments.models import AtTheBell, OddNumber, SittingOut, ranking_default
from tournaments.presets import PRESETS
from tournaments.services.making import (
    MOST_HANDS,
    MOST_MINUTES,
    MOST_ROUNDS,
    MOST_STAKE,
    MOST_TABLE_POINTS,
    MOST_TABLES,
)

MOST_LIST = 90_000
MOST_NAMES = 400
A_REASON = 200
PRIZES_FOR = [key for key, _ in FOR]


class SettingsChangeIn(serializers.Serializer[Any]):
    """Settings of a tournament. Fields you omit stay as they are."""

    name = TextField(required=False, max_length=MAX_NAME)
    held_on = serializers.DateField(required=False)
    rounds = NumberField(required=False, min_value=1, max_value=MOST_ROUNDS)
    hands_a_round = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_HANDS,
        help_text="null: as many as the minutes allow",
    )
    minutes_a_round = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text="null: no clock",
    )
    at_the_bell = OneOfField(required=False, choices=AtTheBell.choices)
    start_stake = NumberField(required=False, min_value=0, max_value=MOST_STAKE)
    record_by = OneOfField(required=False, choices=Recording.choices)
    agreement = OneOfField(required=False, choices=AgreementPolicy.choices)
    ranks_by = serializers.ListField(
        required=False,
        child=OneOfField(choices=ranking_default()),
        min_length=1,
        max_length=4,
        help_text="the ranking measures, in order, each only once",
    )
    rules = TextField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="key of a rule set; empty: the club’s usual rules, or no change",
    )
    by_standing_from = NumberField(
        required=False,
        allow_null=True,
        min_value=2,
        max_value=MOST_ROUNDS,
        help_text="the first round seated by standings; null: all rounds are drawn at once",
    )
    bands = NumberField(
        required=False,
        min_value=1,
        max_value=MOST_TABLES,
        help_text="tables in a group when seated by standings; 1: top players together",
    )
    has_final = FlagField(
        required=False, help_text="whether the top four meet at table 1 in the last round"
    )
    sitting_out_counts = OneOfField(
        required=False,
        choices=SittingOut.choices,
        help_text="what a round counts for a player who sits out",
    )
    sitting_out_table_points = serializers.DecimalField(
        required=False,
        max_digits=4,
        decimal_places=2,
        min_value=Decimal(0),
        max_value=Decimal(MOST_TABLE_POINTS),
        help_text="table points for each round sat out, if the score is fixed",
    )
    sitting_out_points = NumberField(
        required=False,
        min_value=-MOST_STAKE,
        max_value=MOST_STAKE,
        help_text="points of gain for each round sat out, if the score is fixed",
    )


class SettingsIn(SettingsChangeIn):
    """A new tournament. Settings you omit come from its preset."""

    name = TextField(max_length=MAX_NAME)
    held_on = serializers.DateField()
    preset = OneOfField(
        required=False,
        choices=[one.key for one in PRESETS],
        help_text="the preset to start from; if omitted: a day out",
    )


class EntrantIn(serializers.Serializer[Any]):
    """One more entrant, of this club or another."""

    name = TextField(max_length=MAX_NAME)
    from_club = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    team = TextField(required=False, allow_blank=True, max_length=MAX_NAME)
    has_paid = FlagField(required=False)


class MembersIn(serializers.Serializer[Any]):
    """Members of the club who enter."""

    players = serializers.ListField(child=KeyField(), min_length=1, max_length=MOST_NAMES)


class NamesIn(serializers.Serializer[Any]):
    """Many entrants by name; members of the club are recognised."""

    names = serializers.ListField(
        child=TextField(max_length=MAX_NAME), min_length=1, max_length=MOST_NAMES
    )


class EntryListIn(serializers.Serializer[Any]):
    """An entry list as text, as a spreadsheet saves it (CSV)."""

    text = TextField(
        max_length=MOST_LIST,
        trim_whitespace=False,
        help_text="the first line names the columns: name, club, team, paid",
    )


class NotesIn(serializers.Serializer[Any]):
    """Marks on the entry list. Fields you omit stay as they are."""

    has_paid = FlagField(required=False)
    is_here = FlagField(required=False)


class TermsIn(serializers.Serializer[Any]):
    """How many may enter, and what happens if the number is not a multiple of four."""

    odd_number = OneOfField(required=False, choices=OddNumber.choices)
    places = NumberField(
        required=False,
        allow_null=True,
        min_value=4,
        max_value=MOST_NAMES,
        help_text="later entries join the waiting list; null: no limit",
    )


class ReasonIn(serializers.Serializer[Any]):
    """The reason, in a few words that are stored."""

    reason = TextField(max_length=A_REASON)


class OfRoundIn(serializers.Serializer[Any]):
    """The round."""

    round = NumberField(
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text="its number: refused (409) if another round is current, with who changed it",
    )


class ReopenRoundIn(OfRoundIn, ReasonIn):
    """The round to reopen, and why."""


class ReopenIn(ShownIn, ReasonIn):
    """The reason for reopening."""


class UndoIn(serializers.Serializer[Any]):
    """The change to undo."""

    change = KeyField(
        required=False, help_text="its id: refused (409) if it is no longer the last change"
    )


class AnsweredIn(serializers.Serializer[Any]):
    """The call that is dealt with."""

    call = KeyField(required=False, help_text="its id: a later call is not affected")


class StartIn(OfRoundIn):
    """How the round's clock starts."""

    clock_waits = FlagField(
        default=False, help_text="whether the clock is paused until everyone is seated"
    )


class MinutesIn(serializers.Serializer[Any]):
    """Minutes to add at a table; negative to take away."""

    minutes = NumberField(min_value=-600, max_value=600)
    seen = NumberField(
        required=False,
        allow_null=True,
        help_text="minutes_added as you read it: nothing is added if it has changed since",
    )


class RoundMinutesIn(OfRoundIn, MinutesIn):
    """Minutes to add for every table; negative to take away."""


class SetClockIn(OfRoundIn):
    """What the clock of every table does."""

    do = OneOfField(choices=["pause", "resume", "ring", "unring"])


class StopIn(serializers.Serializer[Any]):
    """Whether a table has stopped play in this round."""

    do = OneOfField(choices=["stop", "play_on"])


class SwapIn(ShownIn):
    """Two entrants to swap in a round."""

    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    one = KeyField(help_text="an entrant")
    other = KeyField(help_text="another entrant")


class TakeOverIn(ShownIn):
    """A newcomer, and the player whose seats they take."""

    leaver = KeyField(help_text="an entrant who has withdrawn, or a house player")
    newcomer = KeyField(help_text="an entrant without a seat")


class SubstituteIn(ShownIn):
    """A substitute for an entrant, from a round on."""

    entrant = KeyField()
    name = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="empty: the entrant plays again",
    )
    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    goes_on = FlagField(default=True, help_text="whether it also applies to later rounds")


class TableIn(serializers.Serializer[Any]):
    """A table with four names, East first; an empty name is an empty seat."""

    number = NumberField(min_value=1, max_value=MOST_TABLES)
    names = serializers.ListField(
        child=TextField(allow_blank=True, max_length=MAX_NAME), min_length=4, max_length=4
    )


class SeatsIn(serializers.Serializer[Any]):
    """A round seated by hand."""

    tables = serializers.ListField(child=TableIn(), min_length=1, max_length=MOST_TABLES)
    rest = FlagField(default=False, help_text="whether players without a seat sit out")


class KeptSeatsIn(SeatsIn):
    """A round seated by hand, as previewed."""

    mark = TextField(
        required=False,
        allow_blank=True,
        max_length=16,
        help_text="the round as you read it: refused if its seats have changed since",
    )


class PlanIn(ShownIn):
    """A whole seating as text, a line for each table: round, table, East, South, West, North."""

    text = TextField(max_length=MOST_LIST, trim_whitespace=False)
    rest = FlagField(default=False, help_text="whether players missing from a round sit it out")


class MarkIn(serializers.Serializer[Any]):
    """What was read before sending."""

    mark = TextField(max_length=64, help_text="the proposal as you read it")


class PrizeChangeIn(serializers.Serializer[Any]):
    """Terms of a prize. Fields you omit stay as they are."""

    kind = OneOfField(required=False, choices=PRIZES_FOR)
    place = NumberField(
        required=False, min_value=1, max_value=400, help_text="for a place, of players or teams"
    )
    of = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="the club, for a best-of-club prize; empty: the organising club",
    )
    chosen = KeyField(
        required=False, allow_null=True, help_text="the entrant, for a prize whose winner is chosen"
    )
    name = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="empty: named after what it is for, such as First",
    )
    gift = TextField(required=False, allow_blank=True, max_length=120)


class PrizeIn(PrizeChangeIn):
    """A new prize."""

    kind = OneOfField(choices=PRIZES_FOR)


class MoveIn(serializers.Serializer[Any]):
    """The direction to move a prize."""

    up = FlagField()


class PrizeRuleIn(serializers.Serializer[Any]):
    """Whether anyone may win several prizes."""

    one_each = FlagField()


class CallIn(serializers.Serializer[Any]):
    """What a table calls the director about."""

    what = OneOfField(
        required=False,
        allow_blank=True,
        choices=CALLS,
    )


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
        help_text="of the hand, only if one player pays for all",
    )
    points = NumberField(
        required=False,
        allow_null=True,
        min_value=-1_000_000,
        max_value=1_000_000,
        help_text="only for an adjustment; negative to take points",
    )
    reason = TextField(max_length=A_REASON, help_text="everyone can read it in the results")
