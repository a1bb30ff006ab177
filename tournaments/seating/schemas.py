"""Who sits where and why; rounds as they would be seated."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.seating import Round
from clubs.seats.selectors import Explained, ListedPlayer, Personal

WINDS = ("E", "S", "W", "N")


class SeatedShape(serializers.Serializer[object]):
    """A seat of a round, before anything is played at it."""

    seat = serializers.IntegerField()
    wind = serializers.CharField()
    entrant_id = serializers.IntegerField()
    name = serializers.CharField()
    substitute = serializers.CharField(help_text="the substitute; empty: the entrant plays")


class SeatedTableShape(serializers.Serializer[object]):
    """A table of a round."""

    number = serializers.IntegerField()
    places = SeatedShape(many=True)


class SeatedRoundShape(serializers.Serializer[object]):
    """A round as it is seated."""

    number = serializers.IntegerField()
    state = serializers.CharField(help_text="seated, playing or closed")
    tables = SeatedTableShape(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())


class SittingShape(serializers.Serializer[object]):
    """Where a player sits in a round. Without a table, they sit out."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    wind = serializers.CharField()
    substitute = serializers.CharField()


class PlayerSeatsShape(serializers.Serializer[object]):
    """One entrant's tables, round by round."""

    entrant_id = serializers.IntegerField()
    name = serializers.CharField()
    sittings = SittingShape(many=True)


class KeptShape(serializers.Serializer[object]):
    """One test of a good seating."""

    is_kept = serializers.BooleanField()
    sentence = serializers.CharField()


class SeatingShape(serializers.Serializer[object]):
    """Who sits where, round by round and player by player, and whether it is fair."""

    rounds = SeatedRoundShape(many=True)
    players = PlayerSeatsShape(many=True)
    fairness = KeptShape(many=True)


class SaidOfSeatingShape(serializers.Serializer[object]):
    """One sentence on a seating."""

    sentence = serializers.CharField()
    is_kept = serializers.BooleanField(allow_null=True, help_text="null: neither good nor bad")


class SeatedPlayerShape(serializers.Serializer[ListedPlayer]):
    """One player's seating."""

    name = serializers.CharField()
    winds = serializers.SerializerMethodField(help_text="how often they start in each")
    tables = serializers.ListField(
        source="detail.tables",
        child=serializers.IntegerField(allow_null=True),
        help_text="round by round; null: no seat",
    )
    sits_out = serializers.ListField(
        source="detail.sits_out", child=serializers.IntegerField(), help_text="rounds"
    )
    people = serializers.IntegerField(help_text="how many different opponents they meet")
    again = serializers.IntegerField(help_text="repeat meetings")

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_winds(self, player: ListedPlayer) -> dict[str, int]:
        """By the letter of the wind."""
        return dict(zip(WINDS, player.winds, strict=True))


class PairShape(serializers.Serializer[object]):
    """Two players who share a table more than once."""

    one = serializers.CharField(source="player")
    other = serializers.CharField()
    times = serializers.IntegerField()
    when = serializers.CharField()


class CompanionShape(serializers.Serializer[object]):
    """A tablemate, and the other rounds in which you meet (empty: none)."""

    name = serializers.CharField()
    also = serializers.CharField()


class TurnShape(serializers.Serializer[object]):
    """One player's round with their tablemates."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    seat = serializers.CharField()
    company = CompanionShape(many=True)
    sits_out = serializers.BooleanField()


class PersonalSeatingShape(serializers.Serializer[Personal]):
    """One player's rounds, explained in sentences."""

    name = serializers.CharField(source="player.name")
    turns = TurnShape(many=True)
    sentences = serializers.ListField(child=serializers.CharField())


class SeatingChangeShape(serializers.Serializer[object]):
    """A change to the seating, and when it was made."""

    what = serializers.CharField()
    made_at = serializers.DateTimeField()


class ReseatingWayShape(serializers.Serializer[object]):
    """A way to seat the remaining rounds, and its effect over all rounds."""

    leaver = serializers.IntegerField(
        source="leaver.pk", default=None, allow_null=True, help_text="null: everyone is reseated"
    )
    newcomer = serializers.IntegerField(
        source="newcomer.pk", default=None, allow_null=True, help_text="who takes over"
    )
    repeated_meetings = serializers.IntegerField(
        source="cost.repeats", help_text="repeat meetings over all pairs"
    )
    table_revisits = serializers.IntegerField(
        source="cost.returns", help_text="repeat visits to a table over all players"
    )
    team_meetings = serializers.IntegerField(source="cost.team_meetings")
    moved = serializers.IntegerField(
        source="cost.moved", help_text="seats in the remaining rounds that change"
    )


class ReseatingWaysShape(serializers.Serializer[object]):
    """The ways to reseat the remaining rounds."""

    ways = ReseatingWayShape(many=True)


class WhySeatingShape(serializers.Serializer[object]):
    """Why this seating."""

    counts = serializers.CharField()
    bound = serializers.CharField(
        help_text="why some players must meet again, or why no one has to"
    )
    said = SaidOfSeatingShape(many=True)
    players = SeatedPlayerShape(many=True)
    again = PairShape(many=True, help_text="pairs who meet more than once, most frequent first")
    changes = SeatingChangeShape(many=True, help_text="changes by hand, in order")
    person = PersonalSeatingShape(allow_null=True, help_text="the player asked for by name")


def why_told(explanation: Explained, person: Personal | None, changes: Any) -> dict[str, Any]:
    """A seating's explanation as ``WhySeatingShape``."""
    names = ("counts", "bound", "said", "players", "again")
    fields = {name: getattr(explanation, name) for name in names}
    return fields | {"changes": changes, "person": person}


class DrawShape(serializers.Serializer[object]):
    """Rounds drawn together. The request is at its own address."""

    id = serializers.IntegerField(source="pk")
    first = serializers.IntegerField(help_text="round")
    last = serializers.IntegerField(help_text="round")
    made_at = serializers.DateTimeField()


class TableByHandShape(serializers.Serializer[object]):
    """A table with its current names, East first; empty for an empty seat."""

    number = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())


class RoundByHandShape(serializers.Serializer[object]):
    """A round for manual seating."""

    number = serializers.IntegerField()
    tables = TableByHandShape(many=True)
    names = serializers.ListField(
        child=serializers.CharField(), help_text="the players to choose from, house players last"
    )
    rests = serializers.BooleanField(help_text="whether anyone sits out")
    others = serializers.ListField(
        child=serializers.IntegerField(), help_text="other rounds that can be seated by hand"
    )
    has_begun = serializers.BooleanField(help_text="if so, it can no longer be seated")
    is_early = serializers.BooleanField(help_text="the earlier rounds are not seated yet")
    mark = serializers.CharField(help_text="send it back with a change to the round")


class WeighedTableShape(serializers.Serializer[object]):
    """A table by names in the order of the winds."""

    number = serializers.IntegerField()
    seats = serializers.DictField(child=serializers.CharField(), help_text="by the wind's letter")


class WeighedRoundShape(serializers.Serializer[object]):
    """A round as it would be seated."""

    number = serializers.IntegerField()
    tables = WeighedTableShape(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())


class WeighedShape(serializers.Serializer[object]):
    """Rounds seated by hand, and their effect."""

    rounds = WeighedRoundShape(many=True)
    said = SaidOfSeatingShape(many=True)


def round_told(number: int, round_: Round) -> Mapping[str, Any]:
    """A round of the seating as ``WeighedRoundShape``."""
    tables = [
        {"number": table.number, "seats": {str(wind): name for wind, name in table.seats.items()}}
        for table in round_.tables
    ]
    return {"number": number, "tables": tables, "sitting_out": round_.sitting_out}


class ProposedSeatShape(serializers.Serializer[object]):
    """Who would sit there, and their place."""

    wind = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField()


class ProposedTableShape(serializers.Serializer[object]):
    """A table as it would be, East first."""

    number = serializers.IntegerField()
    seats = ProposedSeatShape(many=True)


class ProposalShape(serializers.Serializer[object]):
    """How the next round would be seated by standings."""

    number = serializers.IntegerField()
    is_final = serializers.BooleanField()
    tables = ProposedTableShape(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())
    why = SaidOfSeatingShape(many=True)
    doubts = serializers.ListField(
        child=serializers.CharField(), help_text="points the director may want to settle first"
    )
    is_seated = serializers.BooleanField()
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="who would change tables"
    )
    mark = serializers.CharField(help_text="send it back to seat the round this way")


class SubstitutedShape(serializers.Serializer[object]):
    """In how many rounds the substitute plays."""

    rounds = serializers.IntegerField()
