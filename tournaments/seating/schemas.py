"""Who sits where and why; rounds as they would be seated."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.rows import schema_of
from clubs.seating import Round
from clubs.seating.history import Companion, Turn
from clubs.seating.why import Said
from clubs.seats.selectors import Explained, ListedPlayer, Pair, Personal
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow
from tournaments.seating import selectors
from tournaments.seating.services.seating import Proposal, ProposedSeat, ProposedTable

WINDS = ("E", "S", "W", "N")


SeatedShape = schema_of(
    "SeatedShape",
    PlaceRow,
    "seat wind entrant_id name substitute",
    "A seat of a round, before anything is played at it.",
)

SeatedTableShape = schema_of("SeatedTableShape", TableRow, "number places", places=SeatedShape)

SeatedRoundShape = schema_of(
    "SeatedRoundShape",
    RoundView,
    "number state tables sitting_out",
    "A round as it is seated.",
    tables=SeatedTableShape,
)

SittingShape = schema_of("SittingShape", selectors.Sitting, "round table wind substitute")

PlayerSeatsShape = schema_of(
    "PlayerSeatsShape", selectors.PlayerSeats, "entrant_id name sittings", sittings=SittingShape
)

KeptShape = schema_of("KeptShape", selectors.Fairness, "is_kept sentence")


class SeatingShape(serializers.Serializer[object]):
    """Who sits where, round by round and player by player, and whether it is fair."""

    rounds = SeatedRoundShape(many=True)
    players = PlayerSeatsShape(many=True)
    fairness = KeptShape(many=True)


SaidOfSeatingShape = schema_of(
    "SaidOfSeatingShape", Said, "sentence is_kept", "One sentence on a seating."
)


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


PairShape = schema_of("PairShape", Pair, "one=player other times when")

CompanionShape = schema_of("CompanionShape", Companion, "name also")

TurnShape = schema_of(
    "TurnShape", Turn, "round table seat company sits_out", company=CompanionShape
)

PersonalSeatingShape = schema_of(
    "PersonalSeatingShape", Personal, "player.name turns sentences", turns=TurnShape
)

SeatingChangeShape = schema_of("SeatingChangeShape", selectors.ChangeRow, "what made_at")


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


WhySeatingShape = schema_of(
    "WhySeatingShape",
    Explained,
    "counts bound said players again changes person",
    "Why this seating.",
    said=SaidOfSeatingShape,
    players=SeatedPlayerShape,
    again=PairShape(many=True, help_text="pairs who meet more than once, most frequent first"),
    changes=SeatingChangeShape(many=True, help_text="changes by hand, in order"),
    person=PersonalSeatingShape(allow_null=True, help_text="the player asked for by name"),
)


def why_data(explanation: Explained, person: Personal | None, changes: Any) -> dict[str, Any]:
    """A seating's explanation as ``WhySeatingShape``."""
    names = ("counts", "bound", "said", "players", "again")
    fields = {name: getattr(explanation, name) for name in names}
    return fields | {"changes": changes, "person": person}


DrawShape = schema_of(
    "DrawShape",
    selectors.DrawingRow,
    "id=pk first last made_at",
    "Rounds drawn together. The request is at its own address.",
)

TableByHandShape = schema_of("TableByHandShape", selectors.TableByHand, "number names")

RoundByHandShape = schema_of(
    "RoundByHandShape",
    selectors.RoundByHand,
    "number tables names rests others has_begun is_early mark",
    tables=TableByHandShape,
    mark=serializers.CharField(help_text="send it back with a change to the round"),
)


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


def round_data(number: int, round_: Round) -> Mapping[str, Any]:
    """A round of the seating as ``WeighedRoundShape``."""
    tables = [
        {"number": table.number, "seats": {str(wind): name for wind, name in table.seats.items()}}
        for table in round_.tables
    ]
    return {"number": number, "tables": tables, "sitting_out": round_.sitting_out}


ProposedSeatShape = schema_of("ProposedSeatShape", ProposedSeat, "wind name place")

ProposedTableShape = schema_of(
    "ProposedTableShape", ProposedTable, "number seats", seats=ProposedSeatShape
)

ProposalShape = schema_of(
    "ProposalShape",
    Proposal,
    "number is_final tables sitting_out why doubts is_seated moves mark",
    tables=ProposedTableShape,
    why=SaidOfSeatingShape,
)


class SubstitutedShape(serializers.Serializer[object]):
    """In how many rounds the substitute plays."""

    rounds = serializers.IntegerField()
