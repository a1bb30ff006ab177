"""Who plays in a tournament."""

from rest_framework import serializers

from clubs.api.rows import schema_of
from clubs.models import Player
from tournaments.rounds.selectors import EntryRow
from tournaments.setup.selectors import Preset
from tournaments.setup.services import Entry

ENTRANT = (
    "id=entrant.pk entrant.number entrant.name entrant.from_club entrant.team entrant.player_id "
    "entrant.state entrant.has_paid entrant.is_here trouble"
)
ENTRANT_TEXTS = {
    "number": "in order of entry",
    "player_id": "a member of the club; null: none",
    "state": "entered, waiting or withdrawn",
}

EntrantShape = schema_of(
    "EntrantShape",
    EntryRow,
    ENTRANT,
    "An entrant with the full name, for organisers.",
    **ENTRANT_TEXTS,
)

EntrantNowShape = schema_of(
    "EntrantNowShape",
    EntryRow,
    f"{ENTRANT} shown=state",
    "An entrant, and what to send back to readmit them.",
    **ENTRANT_TEXTS,
    shown="their current state: send it back to readmit them",
)

MemberShape = schema_of(
    "MemberShape", Player, "id=pk name", "A member of the club who has not entered yet."
)


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
