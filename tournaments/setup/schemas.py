"""Who plays in a tournament."""

from rest_framework import serializers

from clubs.api.rows import schema_of
from tournaments.rounds.selectors import EntryRow
from tournaments.setup.selectors import Preset
from tournaments.setup.services import Entry


class EntrantShape(serializers.Serializer[EntryRow]):
    """An entrant with the full name, for organisers."""

    id = serializers.IntegerField(source="entrant.pk")
    number = serializers.IntegerField(source="entrant.number", help_text="in order of entry")
    name = serializers.CharField(source="entrant.name")
    from_club = serializers.CharField(source="entrant.from_club")
    team = serializers.CharField(source="entrant.team")
    player_id = serializers.IntegerField(
        source="entrant.player_id", allow_null=True, help_text="a member of the club; null: none"
    )
    state = serializers.CharField(source="entrant.state", help_text="entered, waiting or withdrawn")
    has_paid = serializers.BooleanField(source="entrant.has_paid")
    is_here = serializers.BooleanField(source="entrant.is_here")
    trouble = serializers.CharField(help_text="any problem with their seats; empty: none")


class EntrantNowShape(EntrantShape):
    """An entrant, and what to send back to readmit them."""

    shown = serializers.CharField(
        source="state", help_text="their current state: send it back to readmit them"
    )


class MemberShape(serializers.Serializer[object]):
    """A member of the club who has not entered yet."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class CountShape(serializers.Serializer[object]):
    """How many were entered."""

    entered = serializers.IntegerField()


EntryShape = schema_of("EntryShape", Entry, "line name from_club team has_paid")


class EntriesShape(serializers.Serializer[object]):
    """An entry list after reading."""

    entries = EntryShape(many=True)


class TermsShape(serializers.Serializer[object]):
    """How many may enter, and what happens if the number is not a multiple of four."""

    odd_number = serializers.CharField(help_text="wait, house or sit_out")
    places = serializers.IntegerField(allow_null=True, help_text="null: no limit")


PresetShape = schema_of(
    "PresetShape",
    Preset,
    "key name words rounds hands_a_round minutes_a_round ranks_by sitting_out_counts",
    "A preset: send its key as ``preset`` in a new tournament.",
)
