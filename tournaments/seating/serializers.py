"""What is sent and answered about a tournament's seating."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField, WindField
from clubs.api.rows import serializer_of
from clubs.evenings.serializers import RepeatMeetingSerializer, SeatingRemarkSerializer
from clubs.models.names import MAX_NAME
from clubs.seating import Round
from clubs.seating.history import PlayerRound, TableMate
from clubs.seats.selectors import ListedPlayer, PersonalSeating, SeatingExplanation
from tournaments.api import MAX_LIST_LENGTH
from tournaments.models import MOST_HANDS, MOST_ROUNDS, MOST_TABLES
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow
from tournaments.seating import selectors as rows
from tournaments.seating.services import changes as services_changes
from tournaments.seating.services.seating import Proposal, ProposedSeat, ProposedTable

RoundSeatSerializer = serializer_of(
    "RoundSeatSerializer",
    PlaceRow,
    "seat wind entrant_id name substitute first_hand has_withdrawn",
    "A seat of a round, before anything is played at it.",
    wind=WindField(),
)


SeatedTableSerializer = serializer_of(
    "SeatedTableSerializer", TableRow, "number places", places=RoundSeatSerializer
)


SeatedRoundSerializer = serializer_of(
    "SeatedRoundSerializer",
    RoundView,
    "number state tables sitting_out",
    "A round as it is seated.",
    tables=SeatedTableSerializer,
)


SittingSerializer = serializer_of(
    "SittingSerializer",
    rows.Sitting,
    "round table wind substitute",
    wind=WindField(allow_blank=True, help_text="empty: they sit out"),
)


PlayerSeatsSerializer = serializer_of(
    "PlayerSeatsSerializer",
    rows.PlayerSeats,
    "entrant_id name sittings has_withdrawn",
    sittings=SittingSerializer,
)


SeatingTestSerializer = serializer_of(
    "SeatingTestSerializer", rows.Fairness, "is_met=is_kept sentence"
)

CompanionSerializer = serializer_of(
    "CompanionSerializer",
    TableMate,
    "name other_meetings=also",
    "Someone at the same table.",
    other_meetings="when else they share a table, in words; empty: never",
)

TurnSerializer = serializer_of(
    "TurnSerializer", PlayerRound, "round table seat company sits_out", company=CompanionSerializer
)

EntrantExplanationSerializer = serializer_of(
    "EntrantExplanationSerializer",
    PersonalSeating,
    "player.name turns sentences",
    turns=TurnSerializer,
)

SeatingChangeSerializer = serializer_of("SeatingChangeSerializer", rows.ChangeRow, "what made_at")

DrawSerializer = serializer_of(
    "DrawSerializer",
    rows.DrawingRow,
    "id=pk first last made_at",
    "Rounds drawn together. The request is at its own address.",
)

TableByHandSerializer = serializer_of("TableByHandSerializer", rows.TableByHand, "number names")

RoundByHandSerializer = serializer_of(
    "RoundByHandSerializer",
    rows.RoundByHand,
    "number tables names has_sitting_out=rests others has_begun is_early",
    tables=TableByHandSerializer,
)

ProposedSeatSerializer = serializer_of(
    "ProposedSeatSerializer", ProposedSeat, "wind name place", wind=WindField()
)

ProposedTableSerializer = serializer_of(
    "ProposedTableSerializer", ProposedTable, "number seats", seats=ProposedSeatSerializer
)

ProposalSerializer = serializer_of(
    "ProposalSerializer",
    Proposal,
    "number is_final tables sitting_out remarks doubts is_seated moves",
    tables=ProposedTableSerializer,
    remarks=SeatingRemarkSerializer,
)


class SeatingSerializer(serializers.Serializer[object]):
    """Who sits where, round by round and player by player, and whether it is fair."""

    rounds = SeatedRoundSerializer(many=True)
    players = PlayerSeatsSerializer(many=True)
    fairness = SeatingTestSerializer(many=True)


class EntrantSeatingSerializer(serializers.Serializer[ListedPlayer]):
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
    opponents = serializers.IntegerField(
        source="people", help_text="how many different opponents they meet"
    )
    repeats = serializers.IntegerField(help_text="repeat meetings")

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_winds(self, player: ListedPlayer) -> dict[str, int]:
        """By the letter of the wind."""
        return dict(zip(rows.WINDS, player.winds, strict=True))


class ReseatingOptionSerializer(serializers.Serializer[object]):
    """A way to seat the remaining rounds, and its effect over all rounds."""

    leaver = serializers.IntegerField(
        source="leaver.pk", default=None, allow_null=True, help_text="null: everyone is reseated"
    )
    newcomer = serializers.IntegerField(
        source="newcomer_key",
        default=None,
        allow_null=True,
        help_text="who takes over; 0: a house player who comes for it",
    )
    plan = serializers.CharField(
        help_text="how everyone is reseated: fewest_moves or new_draw; empty: someone takes over"
    )
    is_best = serializers.BooleanField(help_text="whether it is the best of these ways")
    repeated_meetings = serializers.IntegerField(
        source="cost.repeats", help_text="repeat meetings over all pairs"
    )
    table_revisits = serializers.IntegerField(
        source="cost.returns", help_text="repeat visits to a table over all players"
    )
    couple_meetings = serializers.IntegerField(source="cost.couple_meetings")
    team_meetings = serializers.IntegerField(source="cost.team_meetings")
    wind_imbalance = serializers.IntegerField(
        source="cost.winds", help_text="uneven winds over all players, beyond what is unavoidable"
    )
    new_cards = serializers.ListField(
        child=serializers.CharField(), help_text="names of the players whose seats change"
    )
    moved = serializers.IntegerField(
        source="cost.move_count", help_text="seats in the remaining rounds that change"
    )


class ReseatingOptionsSerializer(serializers.Serializer[object]):
    """The ways to reseat the remaining rounds."""

    options = ReseatingOptionSerializer(many=True)


SeatingExplanationSerializer = serializer_of(
    "SeatingExplanationSerializer",
    SeatingExplanation,
    "summary=counts limits=meeting_limits remarks players repeat_meetings changes person",
    "Why this seating.",
    remarks=SeatingRemarkSerializer,
    players=EntrantSeatingSerializer,
    repeat_meetings=RepeatMeetingSerializer(
        many=True, help_text="pairs who meet more than once, most frequent first"
    ),
    changes=SeatingChangeSerializer(many=True, help_text="changes by hand, in order"),
    person=EntrantExplanationSerializer(allow_null=True, help_text="the player asked for by name"),
)


class SeatingByHandTableSerializer(serializers.Serializer[object]):
    """A table by names in the order of the winds."""

    number = serializers.IntegerField()
    seats = serializers.DictField(child=serializers.CharField(), help_text="by the wind’s letter")


class SeatingByHandRoundSerializer(serializers.Serializer[object]):
    """A round as it would be seated."""

    number = serializers.IntegerField()
    tables = SeatingByHandTableSerializer(many=True)
    sitting_out = serializers.ListField(child=serializers.CharField())


class SeatingByHandSerializer(serializers.Serializer[object]):
    """Rounds seated by hand, and their effect."""

    rounds = SeatingByHandRoundSerializer(many=True)
    remarks = SeatingRemarkSerializer(source="said", many=True)


def round_data(number: int, round_: Round) -> Mapping[str, Any]:
    """A round of the seating as ``SeatingByHandRoundSerializer``."""
    tables = [
        {"number": table.number, "seats": {str(wind): name for wind, name in table.seats.items()}}
        for table in round_.tables
    ]
    return {"number": number, "tables": tables, "sitting_out": round_.sitting_out}


class SubstituteRoundsSerializer(serializers.Serializer[object]):
    """In how many rounds the substitute plays."""

    rounds = serializers.IntegerField()


class UndoIn(serializers.Serializer[Any]):
    """The change to undo."""

    change = KeyField(
        required=False, help_text="its id: refused (409) if it is no longer the last change"
    )


class SwapIn(serializers.Serializer[Any]):
    """Two entrants to swap in a round."""

    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    one = KeyField(help_text="an entrant")
    other = KeyField(help_text="another entrant")


class TakeOverIn(serializers.Serializer[Any]):
    """A newcomer, and the player whose seats they take."""

    leaver = KeyField(help_text="an entrant who has withdrawn, or a house player")
    newcomer = KeyField(
        min_value=0, help_text="an entrant without a seat; 0: a house player who comes for it"
    )


class SubstituteIn(serializers.Serializer[Any]):
    """A substitute for an entrant, from a round on."""

    entrant = KeyField()
    name = TextField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME,
        help_text="empty: the entrant plays again",
    )
    number = NumberField(min_value=1, max_value=MOST_ROUNDS, help_text="of the round")
    from_hand = NumberField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_HANDS,
        help_text="the first hand that they play in that round; null: the table’s next hand",
    )
    goes_on = FlagField(
        default=True, help_text="whether it also applies to later rounds that are seated"
    )


class TableIn(serializers.Serializer[Any]):
    """A table with four names, East first; an empty name is an empty seat."""

    number = NumberField(min_value=1, max_value=MOST_TABLES)
    names = serializers.ListField(
        child=TextField(allow_blank=True, max_length=MAX_NAME), min_length=4, max_length=4
    )


class SeatsIn(serializers.Serializer[Any]):
    """A round seated by hand."""

    tables = serializers.ListField(child=TableIn(), min_length=1, max_length=MOST_TABLES)
    others_sit_out = FlagField(
        default=False, help_text="whether players without a seat sit out; else they are an error"
    )


class PlanIn(serializers.Serializer[Any]):
    """A whole seating as text, a line for each table: round, table, East, South, West, North."""

    text = TextField(max_length=MAX_LIST_LENGTH, trim_whitespace=False)
    others_sit_out = FlagField(
        default=False,
        help_text="whether players missing from a round sit it out; else they are an error",
    )


class ReseatIn(serializers.Serializer[Any]):
    """How everyone is reseated."""

    plan = OneOfField(
        required=False,
        allow_blank=True,
        choices=services_changes.RESEATING_PLANS,
        help_text="as in the list of ways; empty: the better one",
    )
