"""A table over the API, of an evening or a tournament: read, agreed, undone, its next hand taken.

An event's ``played`` finds the table; ``table_paths`` gives each act its address.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import openapi
from clubs.api.answers import ProblemsShape, problems_as_json
from clubs.api.base import LinkedAPIView, TablesAPIView, reads, tables
from clubs.api.commands import ActView, does
from clubs.api.fields import FlagField, NumberField, TextField
from clubs.core.audit_log import Sentences, by_way
from clubs.table import schemas as shapes
from clubs.table.event import PlayedTable, TableEvent, find, hand_of_table, is_a_seat, seat_key
from clubs.table.pages.entering import KEPT_AT_MOST, NOT_NOW
from clubs.table.rows import EarlierGame, HandView, TableView
from clubs.table.selectors.reviews import HandReview, is_replaced
from clubs.table.selectors.rules import Aid, Asker, aid_of
from clubs.table.services import name_first_dealer, post_from, preview_hand, say, take_back
from scoring import RuleSet, Wind
from scoring.reading.notation import HAND_FIELDS
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, held_before
from scoring.scorebook.services import MOST_LETTERS
from scoring.table.progression import ahead, ahead_as_json
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
    """The report of the table's hand with this number; the score book checks its content."""
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
    number = WholeNumberField(help_text="the next hand’s number, as given by the table")


# Created once, because building the fields is slower than using them. They keep no state.
HAND_IN: Final = HandIn()
HAND: Final = shapes.HandShape()


def sender(request: Request) -> str:
    """The sender, as the score book stores it."""
    return f"user {request.user.pk}"


class Replaced(APIException):
    """The link was replaced by another."""

    status_code = 410
    default_code = "replaced"
    default_detail = (
        "This table card has been replaced. Scan the new one on your table, or ask the organiser. "
        "Hands stored for the old card can be sent with the new link."
    )


def linked(tables: Callable[[], QuerySet[Any]], key: str) -> tuple[Any, int | None]:
    """The table of a link, and the seat for a seat's link. Raises ``Replaced`` or ``Http404``."""
    table, seat = find(tables, key)
    if table is not None:
        return table, seat
    raise Replaced if is_a_seat(key) or is_replaced(key) else Http404


class AtTable(APIView, ABC):
    """What is done at one table; an event's room says which, and who may.

    A ``log`` ends with the event: ``entered a hand for {table} on {evening}``.
    """

    event: ClassVar[type[TableEvent]]
    log: ClassVar[Sentences] = ""
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
    """At a table, for anyone with its link or a seat's link."""

    def played(self) -> PlayedTable:
        row, seat = linked(self.event.rows, self.kwargs["key"])
        table = self.event.for_players(row)
        return PlayedTable(event=table, sent_by=table.sender(seat), seat=seat)


class TableAPIView(AtTable):
    """Reads a table and takes its next hand."""

    @reads(shapes.TableShape, examples=[openapi.TABLE])
    def get(self) -> TableView:
        """Get the seats, every hand, and the next deal (null when the game is over)."""
        return self.at.whole

    @extend_schema(
        request=HandIn,
        responses={
            200: shapes.HandShape,
            201: shapes.HandShape,
            400: ProblemsShape,
            409: shapes.StandsShape,
        },
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
            names = table.event.names(table.reader, hand=stands.hand.number)
            return Response(what_stands(stands, names), status=409)
        names = table.event.names(table.reader, hand=kept.hand.number)
        shown = _hand(kept.hand, names)
        return Response(shown, status=201 if kept.is_new else 200)


def _hand(hand: Hand, names: Mapping[int, str]) -> Any:
    return HAND.to_representation(HandView(hand_row(hand), names))


def what_stands(stands: AlreadyStands, names: Mapping[int, str]) -> dict[str, Any]:
    """The 409 response if another report was first."""
    return {"problems": problems_as_json(stands.problems), "stands": _hand(stands.hand, names)}


class BookView(AtTable):
    @reads(shapes.BookShape)
    def get(self) -> dict[str, Any]:
        """Get the table's score book: current hands, corrected hands and undone hands."""
        table = self.at
        view = table.view
        return {
            "hands": table.reviews.values(),
            "corrected": [view.hand_view(row) for row in view.game.corrected],
            "taken_back": [
                {"hand": view.hand_view(taken_back.hand), "taken_by": taken_back.taken_by}
                | {"taken_at": taken_back.taken_at}
                for taken_back in table.gone
            ],
        }


class SaidView(AtTable):
    @reads(shapes.ReviewedHandShape)
    def get(self) -> HandReview:
        """Get a hand: who has agreed and who has reported a problem."""
        return self.said_now()


class PreviewView(AtTable, ActView):
    @does(
        HandIn,
        answers=shapes.PreviewShape,
        responses={200: shapes.PreviewShape, 400: ProblemsShape, 409: shapes.StandsShape},
        examples=[openapi.HAND_IN, openapi.DRAWN_HAND_IN],
    )
    def post(self, validated: dict[str, Any]) -> Response:
        """Preview a hand: what it would score and who would pay whom. Nothing is saved.

        Send what you would submit. The answer is 409 with the stored hand if another
        report came first.
        """
        table = self.at
        report = report_from(validated, table.view, validated["number"])
        key = {name: validated[name] for name in ("submission_id", "number")}
        try:
            recorded = preview_hand(table=table.event, **key, report=report)
            seen = table.view.hand_view(hand_row(recorded.hand))
        except AlreadyStands as stands:
            names = table.view.names_at(stands.hand.number)
            return Response(what_stands(stands, names), status=409)
        return Response(shapes.PreviewShape(seen, context={"table": table}).data)


class _SayIn(serializers.Serializer[Any]):
    shown = TextField(max_length=64, help_text="of the hand as you last read it")


class AgreeIn(_SayIn):
    """Who agrees, and what they have seen."""

    seat = SeatField(
        allow_null=True,
        default=None,
        help_text="who agrees; null: everyone who played the hand, or the owner of the link",
    )


class DisputeIn(_SayIn):
    """Who reports a problem, and in what words."""

    seat = SeatField(
        allow_null=True,
        default=None,
        help_text="who reports it; may be omitted with a seat’s own link",
    )
    words = TextField(
        max_length=MOST_LETTERS, allow_blank=True, default="", help_text="for the scorer to read"
    )


class _SayView(AtTable, ActView):
    """Something that a seat says about a hand."""

    def said(
        self, validated: Mapping[str, Any], *, agrees: bool, seats: set[int] | None
    ) -> HandReview:
        """Store the statement; returns the hand with it."""
        table = self.at
        with hand_of_table():
            say(
                table=table.event,
                hand_id=self.kwargs["hand"],
                seats=seats,
                agrees=agrees,
                shown=validated["shown"],
                said_by=table.sent_by,
                note=validated.get("words", ""),
            )
        return self.said_now()

    def speaker(self, validated: Mapping[str, Any]) -> int | None:
        """The speaking seat; with a seat's own link it cannot be another."""
        own, seat = self.at.seat, validated["seat"]
        if own is not None and seat not in {None, own}:
            raise ValidationError({"seat": ["This link can only answer for its own seat."]})
        return own if own is not None else seat


class AgreeView(_SayView):
    log = "agreed to {hand} of {table}"

    @does(AgreeIn, answers=shapes.ReviewedHandShape)
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Agree that a hand is right, for one seat or, with the table's own link, for everyone."""
        seat = self.speaker(validated)
        return self.said(validated, agrees=True, seats=None if seat is None else {seat})


class DisputeView(_SayView):
    log = "disputed {hand} of {table}"

    @does(DisputeIn, answers=shapes.ReviewedHandShape)
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Report a problem with a hand, so that the scorer looks at it."""
        seat = self.speaker(validated)
        if seat is None:
            raise ValidationError({"seat": ["Choose who is reporting this."]})
        return self.said(validated, agrees=False, seats={seat})


class UndoView(AtTable, ActView):
    log = "undid {hand} of {table}"

    @does()
    def post(self) -> None:
        """Undo the last hand, unless the scorer has already decided on it."""
        table = self.at
        with hand_of_table():
            take_back(table=table.event, hand_id=self.kwargs["hand"], taken_by=table.sent_by)


class DealerIn(serializers.Serializer[Any]):
    """Who deals the first hand."""

    seat = SeatField(help_text="of the player who deals the first hand")


class DealerView(AtTable, ActView):
    log = "chose who deals first at {table}"

    @does(DealerIn)
    def post(self, validated: dict[str, Any]) -> None:
        """Choose who deals the first hand, where the rules leave it open and no hand is recorded.

        East deals until you choose someone.
        """
        table = self.at
        refuse_if_done(table)
        name_first_dealer(table=table.event, seat=validated["seat"])


def refuse_if_done(table: PlayedTable) -> None:
    """Raises ``Refused`` if no more hands are played at the table."""
    if why := table.closed_because or table.done_because:
        raise refuse("game_closed", why)


Acts = Mapping[str, tuple[str, type[AtTable]]]

READING: Acts = {"book": ("book/", BookView), "said": ("hands/<int:hand>/", SaidView)}
PLAYING: Acts = {
    "preview": ("preview/", PreviewView),
    "agree": ("hands/<int:hand>/agree/", AgreeView),
    "dispute": ("hands/<int:hand>/dispute/", DisputeView),
    "undo": ("hands/<int:hand>/undo/", UndoView),
    "dealer": ("dealer/", DealerView),
}


def table_paths(link: str, name: str, room: type[AtTable], acts: Acts) -> list[URLPattern]:
    """The addresses below a table: ``api-table-agree`` at ``t/<key>/hands/7/agree/``.

    ``room`` gives ``played`` and the door; ``link`` is the table's path, ``name`` its URL name.
    """
    paths = []
    for act, (where, view) in acts.items():
        log = {way: f"{words} {room.event.when}" for way, words in by_way(view.log).items()}
        in_room: type[AtTable] = type(f"{room.__name__}{view.__name__}", (room, view), {"log": log})
        paths.append(path(f"{link}{where}", in_room.as_view(), name=f"{name}-{act}"))
    return paths


WINDS = [wind.value for wind in Wind]
AID = [
    OpenApiParameter("tile", OpenApiTypes.STR, description="the tile to describe: B5"),
    OpenApiParameter("own", OpenApiTypes.STR, enum=WINDS, description="the player’s wind"),
    OpenApiParameter("prevailing", OpenApiTypes.STR, enum=WINDS, description="the prevailing wind"),
]


class SeatsView(AtTable, TablesAPIView):
    sheet = "Seat links"

    @tables(shapes.SeatLinkShape)
    def get(self) -> list[dict[str, Any]]:
        """Get the link of each seat, for that player only."""
        table = self.at
        if table.seat is not None:
            raise PermissionDenied("A seat’s link does not give access to the other seats.")
        links = []
        for seat in table.view.seats:
            key = seat_key(table.event.row, seat.number)
            address = self.request.build_absolute_uri(reverse(table.event.phone, args=[key]))
            links.append(
                {"seat": seat.number, "name": seat.name, "wind": seat.wind}
                | {"key": key, "address": address}
            )
        return links


class TableAidView(AtTable):
    @reads(shapes.AidShape, parameters=AID)
    def get(self) -> Aid:
        """Get what every tile is worth under the table's rules, with the current winds."""
        table = self.at
        return requested_aid(self.request, table.rules, table.asker)


class AheadView(AtTable):
    """What may be dealt next, for a program that works offline."""

    @reads(shapes.AheadShape)
    def get(self) -> dict[str, Any]:
        """Get every deal possible in the next 30 hands. There are none once the game is over."""
        table = self.at
        states = () if table.view.game.is_over else ahead(table.winners, **table.course)
        return ahead_as_json(states)


def requested_aid(request: Request, rules: RuleSet, asker: Asker) -> Aid:
    """The aid for the address's parameters. Raises ``ValidationError``."""
    code = request.query_params.get("tile", "")
    aid = aid_of(rules, asker.asking(_wind(request, "own"), _wind(request, "prevailing")), code)
    if code and aid.tile is None:
        raise ValidationError({"tile": ["These rules have no such tile."]})
    return aid


def _wind(request: Request, name: str) -> Wind | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if text not in WINDS:
        raise ValidationError({name: [f"Choose one of {', '.join(WINDS)}."]})
    return Wind(text)


ASKING: Acts = {
    "seats": ("seats/", SeatsView),
    "aid": ("aid/", TableAidView),
    "ahead": ("ahead/", AheadView),
}


MOST_HANDS = 40


class KeptHandIn(HandIn):
    """A hand to submit, and how long it has waited."""

    kept_for = NumberField(
        min_value=0,
        max_value=int(KEPT_AT_MOST.total_seconds()),
        default=0,
        help_text="seconds since it was entered",
    )


class KeptHandsIn(serializers.Serializer[Any]):
    """Hands in the order they were played."""

    hands = serializers.ListField(child=KeptHandIn(), allow_empty=False, max_length=MOST_HANDS)


class SendView(AtTable, ActView):
    log = "sent a hand for {table}"

    @does(KeptHandsIn, answers=shapes.SentHandsShape)
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Send hands that were entered offline. Each gets its own answer.

        Recorded hands are never overwritten, and sending the same hands again changes nothing.
        """
        now = timezone.now()
        return {"hands": [_sent(self.played(), hand, now) for hand in validated["hands"]]}


def _sent(table: PlayedTable, validated: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The outcome for one hand."""
    entered_at = now - timedelta(seconds=validated["kept_for"])
    report = report_from(validated, table.view, validated["number"])
    key = {name: validated[name] for name in ("submission_id", "number")}
    try:
        kept = post_from(table, **key, report=report, entered_at=entered_at)
    except AlreadyStands as stands:
        return key | _became("stands", table, stands.hand, stands)
    except Refused as refused:
        is_late = any(problem.code in NOT_NOW for problem in refused.problems)
        return key | _became("not_now" if is_late else "faulty", table, None, refused)
    if scorebook.is_taken_back(kept.hand):
        return key | _became("taken_back", table, None)
    return key | _became("saved" if kept.is_new else "was_there", table, kept.hand)


def _became(
    outcome: str, table: PlayedTable, hand: Hand | None, refused: Refused | None = None
) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "hand": table.view.hand_view(hand_row(hand)) if hand else None,
        "problems": problems_as_json(refused.problems) if refused else [],
    }


class EarlierView(AtTable, TablesAPIView):
    sheet = "Earlier games"

    @tables(shapes.EarlierGameShape)
    def get(self) -> Sequence[EarlierGame]:
        """Get the hands from before the table’s players changed: where to read and agree them."""
        return self.at.earlier


EARLIER: Acts = {"earlier": ("earlier/", EarlierView)}
SENDING: Acts = {"send": ("send/", SendView)}
