"""The one way to read a table and submit its next hand, for evenings and tournaments alike."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import examples
from clubs.api.base import problems_as_json
from clubs.api.shapes import HandShape, ProblemsShape, StandsShape, TableShape
from clubs.rows import HandView, TableView
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, held_before
from scoring.scorebook.services import Recorded
from scoring.sticks import EACH

SEATS = ("1", "2", "3", "4", "5")
NOT_A_SEAT = ErrorDetail("Seats are numbered 1 to 5.", "bad_seat")


class WholeNumberField(serializers.IntegerField):
    """A JSON number without a fraction; ``"80"`` and ``true`` are none."""

    fault = ErrorDetail("This is not a whole number.", "bad_value")

    def to_internal_value(self, data: Any) -> int:
        """The number as it is; the score book judges its size."""
        if type(data) is not int:
            raise ValidationError([self.fault])
        return data


class ScoreField(WholeNumberField):
    """What a seat scored."""

    fault = ErrorDetail("This is not a score.", "bad_score")


class CountField(WholeNumberField):
    """What a seat has counted."""

    fault = ErrorDetail("This is not a count.", "bad_score")


class SeatField(WholeNumberField):
    """The number of a seat."""

    fault = NOT_A_SEAT

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=5, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        """A number from 1 to 5."""
        number = super().to_internal_value(data)
        if number not in range(1, 6):
            raise ValidationError([self.fault])
        return number


class BySeatField(serializers.DictField):
    """An object whose keys are seat numbers, 1 to 5."""

    def to_internal_value(self, data: Any) -> dict[int, Any]:
        """Keys as numbers; anything else is said at the key."""
        told = super().to_internal_value(data)
        if strange := [key for key in told if key not in SEATS]:
            raise ValidationError({key: [NOT_A_SEAT] for key in strange})
        return {int(seat): value for seat, value in told.items()}


@extend_schema_field({"type": "object", "additionalProperties": {}})
class TilesField(serializers.JSONField):
    """What one seat had; the engine judges the tiles."""

    default_error_messages = {"not_an_object": "These are not the tiles of a hand."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The object as it is."""
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


class HandIn(serializers.Serializer[Report]):
    """A hand as the table tells it: scores, or tiles, or some of each.

    Or what each seat has counted in sticks afterwards, or nothing but who went Mah-Jong.
    """

    submission_id = serializers.UUIDField(help_text="made by the client; the same id is one hand")
    number = WholeNumberField(help_text="the next hand's number, as the table tells it")
    winner = SeatField(allow_null=True, help_text="seat number; null when nobody went Mah-Jong")
    scores = BySeatField(
        child=ScoreField(allow_null=True), default=dict, help_text="score by seat number"
    )
    tiles = BySeatField(
        child=TilesField(),
        default=dict,
        help_text="tiles by seat number: sets, concealed, bonus, winning_tile, facts",
    )
    won_by = serializers.CharField(
        max_length=20, allow_null=True, default=None, help_text="how, where the rules ask for it"
    )
    discarder = SeatField(allow_null=True, default=None, help_text="who discarded, if asked for")
    pays_for_all = SeatField(
        allow_null=True, default=None, help_text="who is liable for the whole payment, if anybody"
    )

    tallies = BySeatField(
        child=CountField(),
        default=dict,
        help_text="points in sticks that each seat has after the hand, of those that played it",
    )
    as_counted = serializers.BooleanField(
        default=False, help_text="take the tallies also where no scores lead to them"
    )
    only_winner = serializers.BooleanField(
        default=False, help_text="only the winner is told: no points are counted"
    )

    def to_internal_value(self, data: Any) -> Any:
        """Refuses fields that it does not know, so that a slip of the pen loses nothing."""
        if isinstance(data, Mapping) and (strange := sorted(set(data) - set(self.fields))):
            sentence = "A hand has no field of this name."
            raise ValidationError({name: [sentence] for name in strange}, code="unknown_field")
        return super().to_internal_value(data)

    def report(self, table: TableView) -> Report:
        """The report, once the shape is right; the score book checks what it says."""
        told = self.validated_data
        had = held_before(table.game, told["number"], start=table.stake or EACH)
        return Report(
            winner=told["winner"],
            totals=told["scores"],
            tiles=told["tiles"],
            won_by=told["won_by"],
            discarder=told["discarder"],
            pays_for_all=told["pays_for_all"],
            tallies=told["tallies"],
            had={seat: had[seat] for seat in told["tallies"] if seat in had},
            as_counted=told["as_counted"],
            only_winner=told["only_winner"],
        )


def sender(request: Request) -> str:
    """Who sent it, as the score book keeps it."""
    return f"user {request.user.pk}"


Post = Callable[[UUID, int, Report], Recorded]


class TableAPIView(APIView, ABC):
    """Reads a table and takes its next hand; a subclass says which table, and how it is kept."""

    @abstractmethod
    def found(self) -> tuple[TableView, Post]:
        """The table asked for, and the service that stores a hand of it; raises ``Http404``."""

    @extend_schema(tags=["tables"], responses=TableShape, examples=[examples.TABLE])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Who sits where, every hand, and the next deal (null when the game is over)."""
        table, _ = self.found()
        return Response(TableShape(table).data)

    @extend_schema(
        tags=["tables"],
        request=HandIn,
        responses={200: HandShape, 201: HandShape, 400: ProblemsShape, 409: StandsShape},
        examples=[examples.HAND_IN, examples.DRAWN_HAND_IN, examples.HAND, examples.PROBLEMS],
    )
    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Submit the table's next hand.

        201 with the new hand; 200 with the stored one when it was sent before; 409 with what
        stands when another report was there first; 400 with everything that is wrong.
        """
        table, keep = self.found()
        told = HandIn(data=request.data)
        told.is_valid(raise_exception=True)
        key, number = (told.validated_data[name] for name in ("submission_id", "number"))
        try:
            kept = keep(key, number, told.report(table))
        except AlreadyStands as stands:
            standing = _hand(stands.hand, table)
            problems = problems_as_json(stands.problems)
            return Response({"problems": problems, "stands": standing}, status=409)
        return Response(_hand(kept.hand, table), status=201 if kept.is_new else 200)


def _hand(hand: Hand, table: TableView) -> Any:
    return HandShape(HandView(hand_row(hand), table.names)).data
