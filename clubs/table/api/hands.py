"""Reads a table and takes its next hand over the API, for evenings and tournaments alike."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import openapi
from clubs.api.base import LinkedAPIView, problems_as_json, reads
from clubs.api.fields import FlagField, NumberField, TextField
from clubs.api.problems import ProblemsShape
from clubs.table.event import PlayedTable, TableEvent, find, is_a_seat
from clubs.table.rows import HandView, TableView
from clubs.table.schemas import HandShape, StandsShape, TableShape
from clubs.table.selectors.receipts import is_replaced
from clubs.table.selectors.reviews import HandReview
from clubs.table.services import post_from
from scoring.reading.notation import HAND_FIELDS
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, held_before
from scoring.table.sticks import EACH

SEATS = ("1", "2", "3", "4", "5")
NOT_A_SEAT = ErrorDetail("Choose a seat from 1 to 5.", "bad_seat")


class WholeNumberField(NumberField):
    """A number of a hand; the score book checks its range."""

    fault = ErrorDetail("Enter a whole number.", "bad_value")


class ScoreField(WholeNumberField):
    """A seat's score."""

    fault = ErrorDetail("Enter a score as a whole number.", "bad_score")


class CountField(WholeNumberField):
    """A seat's count of sticks."""

    fault = ErrorDetail("Enter a count as a whole number.", "bad_score")


class SeatField(WholeNumberField):
    """The number of a seat."""

    fault = NOT_A_SEAT

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=5, **kwargs)

    def to_internal_value(self, data: Any) -> int:
        number = super().to_internal_value(data)
        if number not in range(1, 6):
            raise ValidationError([self.fault])
        return number


class BySeatField(serializers.DictField):
    """An object whose keys are seat numbers, 1 to 5."""

    def to_internal_value(self, data: Any) -> dict[int, Any]:
        """Keys as numbers; an invalid key is reported under that key."""
        fields = super().to_internal_value(data)
        if unknown := [key for key in fields if key not in SEATS]:
            raise ValidationError({key: [NOT_A_SEAT] for key in unknown})
        return {int(seat): value for seat, value in fields.items()}


class BySeatDescribed(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Lists the seats in the schema: no other keys are accepted."""

    target_class = BySeatField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """An object with at most the five seats."""
        describe: Any = auto_schema._map_serializer_field
        of_one = describe(self.target.child, direction)
        fields: dict[str, Any] = {"type": "object", "properties": dict.fromkeys(SEATS, of_one)}
        return {**fields, "additionalProperties": False}


@extend_schema_field({"type": "object", "additionalProperties": {}})
class TilesField(serializers.JSONField):
    """One seat's tiles; the engine validates them."""

    default_error_messages = {
        "not_an_object": "Enter an object with sets, concealed, bonus, winning_tile and facts."
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The object unchanged; unknown fields are refused, as a typo could lose points."""
        if not isinstance(data, dict):
            self.fail("not_an_object")
        if unknown := sorted(set(data) - HAND_FIELDS):
            sentence = "Unknown field in a hand."
            raise ValidationError({name: [sentence] for name in unknown}, code="unknown_field")
        return data


class SubmissionField(serializers.UUIDField):
    """A UUID as text; numbers are refused."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class ReportIn(serializers.Serializer[Report]):
    """What was entered for a hand: scores, tiles, or some of each.

    It can also be the sticks each seat holds afterwards, or only who went Mah-Jong.
    """

    winner = SeatField(allow_null=True, help_text="seat number; null if no one went Mah-Jong")
    scores = BySeatField(
        child=ScoreField(allow_null=True), default=dict, help_text="score by seat number"
    )
    tiles = BySeatField(
        child=TilesField(),
        default=dict,
        help_text="tiles by seat number: sets, concealed, bonus, winning_tile, facts",
    )
    won_by = TextField(
        max_length=20,
        allow_null=True,
        default=None,
        help_text="how the hand was won, if the rules ask",
    )
    discarder = SeatField(allow_null=True, default=None, help_text="who discarded, if asked for")
    pays_for_all = SeatField(
        allow_null=True, default=None, help_text="who is liable for the whole payment, if anyone"
    )

    tallies = BySeatField(
        child=CountField(),
        default=dict,
        help_text="points in sticks that each seat that played holds after the hand",
    )
    as_counted = FlagField(
        default=False, help_text="accept the counts even if no scores lead to them"
    )
    only_winner = FlagField(
        default=False, help_text="only the winner is recorded: no points are counted"
    )

    def to_internal_value(self, data: Any) -> Any:
        """Refuses unknown fields, so that a typo loses nothing."""
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            sentence = "Unknown field in a hand."
            raise ValidationError({name: [sentence] for name in unknown}, code="unknown_field")
        return super().to_internal_value(data)


def report_from(validated: Mapping[str, Any], table: TableView, number: int) -> Report:
    """The report of the table's hand with this number, once its shape is valid.

    The score book checks its content.
    """
    return _report(validated, held_before(table.game, number, start=table.stake or EACH))


def _report(validated: Mapping[str, Any], had: Mapping[int, int]) -> Report:
    return Report(
        winner=validated["winner"],
        totals=validated["scores"],
        tiles=validated["tiles"],
        won_by=validated["won_by"],
        discarder=validated["discarder"],
        pays_for_all=validated["pays_for_all"],
        tallies=validated["tallies"],
        had={seat: had[seat] for seat in validated["tallies"] if seat in had},
        as_counted=validated["as_counted"],
        only_winner=validated["only_winner"],
    )


class HandIn(ReportIn):
    """A hand as the table enters it: scores, tiles, or some of each.

    It can also be the sticks each seat holds afterwards, or only who went Mah-Jong.
    """

    submission_id = SubmissionField(
        help_text="client-generated UUID; resending the same id does not create a second hand"
    )
    number = WholeNumberField(help_text="the next hand's number, as given by the table")


# Created once, because building the fields is slower than using them. They keep no state.
HAND_IN: Final = HandIn()
HAND: Final = HandShape()


def sender(request: Request) -> str:
    """The sender, as the score book stores it."""
    return f"user {request.user.pk}"


class Replaced(APIException):
    """The link was replaced by another."""

    status_code = 410
    default_code = "replaced"
    default_detail = (
        "This table card has been replaced. Scan the new one on your table or ask the director. "
        "Hands stored for the old card can be sent with the new link."
    )


def linked(tables: Callable[[], QuerySet[Any]], key: str) -> tuple[Any, int | None]:
    """The table of a link, and the seat for a seat's link. Raises ``Replaced`` or ``Http404``."""
    table, seat = find(tables, key)
    if table is not None:
        return table, seat
    raise Replaced if is_a_seat(key) or is_replaced(key) else Http404


class AtTable(APIView, ABC):
    """What is done at one table; an event's room says which, and who may."""

    at: PlayedTable

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the door, load the table before reading the request's body."""
        super().initial(request, *args, **kwargs)
        self.at = self.played()

    @abstractmethod
    def played(self) -> PlayedTable:
        """The table of the address, freshly loaded. Raises ``Http404``."""

    def review(self, table: PlayedTable) -> HandReview:
        """The hand of the address with what was said about it. Raises ``Http404``."""
        review = table.reviews.get(self.kwargs["hand"])
        if review is None:
            raise Http404
        return review

    def said_now(self) -> HandReview:
        """The hand's current state, after a change."""
        return self.review(self.played())


class AtLink(AtTable, LinkedAPIView):
    """At a table, for anyone with its link or a seat's link; a subclass says of which event."""

    event: ClassVar[type[TableEvent]]

    def played(self) -> PlayedTable:
        row, seat = linked(self.event.rows, self.kwargs["key"])
        table = self.event.for_players(row)
        return PlayedTable(event=table, sent_by=table.sender(seat), seat=seat)


class TableAPIView(AtTable):
    """Reads a table and takes its next hand."""

    @reads(TableShape, tags=["tables"], examples=[openapi.TABLE])
    def get(self) -> TableView:
        """Get the seats, every hand, and the next deal (null when the game is over)."""
        return self.at.whole

    @extend_schema(
        tags=["tables"],
        request=HandIn,
        responses={200: HandShape, 201: HandShape, 400: ProblemsShape, 409: StandsShape},
        examples=[openapi.HAND_IN, openapi.DRAWN_HAND_IN, openapi.HAND, openapi.PROBLEM_EXAMPLES],
    )
    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Submit the table's next hand.

        The answer is 201 with the new hand, 200 with the stored hand if it was sent before,
        409 with the recorded hand if another report came first, or 400 with every error.
        """
        table = self.at
        validated = HAND_IN.run_validation({} if request.data is None else request.data)
        # The table is read only for sticks: they are relative to what each seat had before.
        report = (
            report_from(validated, table.whole, validated["number"])
            if validated["tallies"]
            else _report(validated, {})
        )
        try:
            kept = post_from(table, validated["submission_id"], validated["number"], report)
        except AlreadyStands as stands:
            names = table.event.names(table.reader)
            return Response(what_stands(stands, names), status=409)
        shown = _hand(kept.hand, table.event.names(table.reader))
        return Response(shown, status=201 if kept.is_new else 200)


def _hand(hand: Hand, names: Mapping[int, str]) -> Any:
    return HAND.to_representation(HandView(hand_row(hand), names))


def what_stands(stands: AlreadyStands, names: Mapping[int, str]) -> dict[str, Any]:
    """The 409 response if another report was first."""
    problems = problems_as_json(stands.problems)
    return {"problems": problems, "stands": _hand(stands.hand, names)}
