"""A game over the API: read, its next hand taken, previewed, agreed, disputed and undone."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import openapi
from clubs.api.answers import ProblemsSerializer, problems_as_json
from clubs.api.base import SecretLinkAPIView, detail_endpoint
from clubs.api.commands import CommandAPIView, command_endpoint, either_schema
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, NumberField, TextField
from clubs.api.lists import ListsAPIView, list_endpoint
from clubs.api.retries import sent_state
from clubs.core.permissions import ENTER_HANDS, SEE_CLUB
from clubs.models.names import TABLE_READER
from clubs.table.api.games import (
    GAME_PATH,
    HAND_PATH,
    GameAPIView,
    HasLink,
    LinkAuthentication,
    link_error,
)
from clubs.table.event import (
    PlayedTable,
    event_of_game,
    event_of_key,
    missing_hand_is_404,
    open_link,
    seat_key,
)
from clubs.table.pages.entering import MAX_TIME_KEPT, NOT_NOW_CODES
from clubs.table.rows import EarlierGame, HandView, TableView
from clubs.table.selectors.reviews import HandReview, Receipt, receipt_of
from clubs.table.serializers import (
    EarlierGameSerializer,
    GameSerializer,
    HandBookSerializer,
    HandConflictSerializer,
    HandSerializer,
    LinkSerializer,
    PreviewSerializer,
    ReceiptSerializer,
    ReviewedHandSerializer,
    SeatLinkSerializer,
    SentHandsSerializer,
    TableLinkSerializer,
)
from clubs.table.services import (
    name_first_dealer,
    post_page_hand,
    preview_hand,
    record_agreement,
    replace_links,
    undo_last_hand,
)
from clubs.tenancy import set_current_club
from scoring.reading.notation import HAND_FIELDS
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, hand_with_address, points_before
from scoring.scorebook.services import MAX_REASON_LENGTH
from scoring.table.sticks import START_POINTS

SEAT_KEYS = ("1", "2", "3", "4", "5")
BAD_SEAT_ERROR = ErrorDetail("Choose a seat from 1 to 5.", "bad_seat")
HAND_OUTPUT: Final = HandSerializer()
THE_HAND: Final = "the hand"
MAX_HANDS = 40


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

    fault = BAD_SEAT_ERROR

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
        if unknown := [key for key in fields if key not in SEAT_KEYS]:
            raise ValidationError({key: [BAD_SEAT_ERROR] for key in unknown})
        return {int(seat): value for seat, value in fields.items()}


class BySeatDescribed(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Lists the seats in the schema: no other keys are accepted."""

    target_class = BySeatField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """An object with at most the five seats."""
        describe: Any = auto_schema._map_serializer_field
        of_one = describe(self.target.child, direction)
        fields: dict[str, Any] = {"type": "object", "properties": dict.fromkeys(SEAT_KEYS, of_one)}
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
            message = "Unknown field in a hand."
            raise ValidationError({name: [message] for name in unknown}, code="unknown_field")
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
            message = "Unknown field in a hand."
            raise ValidationError({name: [message] for name in unknown}, code="unknown_field")
        return super().to_internal_value(data)


def report_from(validated: Mapping[str, Any], table: TableView, number: int) -> Report:
    """The report of the table's hand with this number; the score book checks its content."""
    return _build_report(
        validated, points_before(table.game, number, start=table.stake or START_POINTS)
    )


def _build_report(validated: Mapping[str, Any], sticks_before: Mapping[int, int]) -> Report:
    return Report(
        winner=validated["winner"],
        totals=validated["scores"],
        tiles=validated["tiles"],
        won_by=validated["won_by"],
        discarder=validated["discarder"],
        pays_for_all=validated["pays_for_all"],
        tallies=validated["tallies"],
        had={seat: sticks_before[seat] for seat in validated["tallies"] if seat in sticks_before},
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
HAND_INPUT: Final = HandIn()


class GameView(GameAPIView):
    access = SEE_CLUB
    by_link = True

    @detail_endpoint(GameSerializer, examples=[openapi.GAME_EXAMPLE])
    def get(self) -> PlayedTable:
        """Get the seats, every hand, and the next deal (null when the game is over)."""
        return self.played_table


class LinkView(SecretLinkAPIView):
    """Where a program that has only a printed link begins."""

    authentication_classes = [LinkAuthentication]
    permission_classes = [HasLink]

    @detail_endpoint(LinkSerializer)
    def get(self) -> dict[str, Any]:
        """Get the game that your link opens, and the seat if it is a seat’s link."""
        key = self.request.auth.key
        event = event_of_key(key)
        if event is None:
            raise link_error(key)
        _, seat = open_link(event.row, key)
        return {"seat": seat, "game": PlayedTable(event=event, sent_by=event.sender(seat))}


class HandsView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    log = "entered a hand for {game}"

    @detail_endpoint(HandBookSerializer, operation_id="games_hands_list")
    def get(self) -> dict[str, Any]:
        """Get every hand with what was said about it, and the corrected and undone hands."""
        table = self.played_table
        view = table.view
        return {
            "hands": table.reviews.values(),
            "corrected": [view.hand_view(row) for row in view.game.corrected_hands],
            "undone": [
                {"hand": view.hand_view(undone.hand), "undone_by": undone.taken_by}
                | {"undone_at": undone.taken_at}
                for undone in table.undone_hands
            ],
        }

    @extend_schema(
        request=HandIn,
        responses={
            200: either_schema(HandSerializer, PreviewSerializer),
            201: HandSerializer,
            400: ProblemsSerializer,
            409: HandConflictSerializer,
        },
        examples=[
            openapi.HAND_INPUT_EXAMPLE,
            openapi.DRAWN_HAND_EXAMPLE,
            openapi.HAND_EXAMPLE,
            openapi.PROBLEM_EXAMPLES,
        ],
    )
    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Submit the game's next hand.

        The answer is 201 with the new hand, 200 with the stored hand if it was sent before,
        409 with the recorded hand if another report came first, or 400 with every error.
        A dry run answers what the hand would score and who would pay whom.
        """
        table = self.played_table
        validated = HAND_INPUT.run_validation({} if request.data is None else request.data)
        if self.is_dry_run:
            return _preview_response(table, validated)
        # The table is read only for sticks: they are relative to what each seat had before.
        report = (
            report_from(validated, table.stored_view, validated["number"])
            if validated["tallies"]
            else _build_report(validated, {})
        )
        try:
            recorded_hand = post_page_hand(
                table, validated["submission_id"], validated["number"], report
            )
        except AlreadyStands as stands:
            names = table.event.names(table.reader, hand=stands.hand.number)
            return Response(conflict_data(stands, names), status=409)
        names = table.event.names(table.reader, hand=recorded_hand.hand.number)
        hand_data = _hand_data(recorded_hand.hand, names)
        return Response(hand_data, status=201 if recorded_hand.is_new else 200)

    post.creates = CreatedRoute("api-game-hand", shared_names="game", hand="id")  # type: ignore[attr-defined]
    post.has_dry_run = True  # type: ignore[attr-defined]


def _preview_response(table: PlayedTable, validated: Mapping[str, Any]) -> Response:
    """What the hand would score; 409 with the recorded hand if another report came first."""
    report = report_from(validated, table.view, validated["number"])
    key = {name: validated[name] for name in ("submission_id", "number")}
    try:
        recorded_hand = preview_hand(table=table.event, **key, report=report)
        hand_view = table.view.hand_view(hand_row(recorded_hand.hand))
    except AlreadyStands as stands:
        names = table.view.names_at(stands.hand.number)
        return Response(conflict_data(stands, names), status=409)
    return Response(PreviewSerializer(hand_view, context={"table": table}).data)


def _hand_data(hand: Hand, names: Mapping[int, str]) -> Any:
    return HAND_OUTPUT.to_representation(HandView(hand_row(hand), names))


def conflict_data(stands: AlreadyStands, names: Mapping[int, str]) -> dict[str, Any]:
    """The 409 response if another report was first."""
    return {
        "problems": problems_as_json(stands.problems),
        "recorded_hand": _hand_data(stands.hand, names),
    }


class HandReviewView(GameAPIView):
    access = ENTER_HANDS
    by_link = True

    @detail_endpoint(ReviewedHandSerializer)
    def get(self) -> HandReview:
        """Get a hand: who has agreed and who has reported a problem."""
        return self.review(self.played_table)

    def state(self) -> str:
        """What is shown of the hand, which those who agree compare; not what others said of it."""
        return self.review(self.played_table).mark


class ReceiptView(GameAPIView):
    access = ENTER_HANDS
    by_link = True

    @detail_endpoint(ReceiptSerializer)
    def get(self) -> Receipt:
        """Get the receipt of a hand of this game, even if the hand no longer counts."""
        table = self.played_table
        return receipt_of(
            get_object_or_404(table.game.hands, pk=self.kwargs["hand"]), table.stored_view
        )


class ReceiptByCodeView(SecretLinkAPIView):
    @detail_endpoint(ReceiptSerializer)
    def get(self) -> Receipt:
        """Check whether a receipt is genuine and read it. Anyone with its code can do this."""
        hand = hand_with_address(self.kwargs["code"])
        event = event_of_game(hand.game_id) if hand else None
        if hand is None or event is None:
            raise Http404
        set_current_club(event.club.pk)
        return receipt_of(hand, event.view(TABLE_READER))


class AgreeIn(serializers.Serializer[Any]):
    """Who agrees."""

    seat = SeatField(
        allow_null=True,
        default=None,
        help_text="who agrees; null: everyone who played the hand, or the owner of the link",
    )


class DisputeIn(serializers.Serializer[Any]):
    """Who reports a problem, and in what words."""

    seat = SeatField(
        allow_null=True,
        default=None,
        help_text="who reports it; may be omitted with a seat’s own link",
    )
    text = TextField(
        max_length=MAX_REASON_LENGTH,
        allow_blank=True,
        default="",
        help_text="for the scorer to read",
    )


class _AnswerView(CommandAPIView, GameAPIView):
    """Something that a seat says about a hand."""

    access = ENTER_HANDS
    by_link = True

    def store_answer(
        self, validated: Mapping[str, Any], *, agrees: bool, seats: set[int] | None
    ) -> HandReview:
        """Store the statement; returns the hand with it."""
        table = self.played_table
        with missing_hand_is_404():
            record_agreement(
                table=table.event,
                hand_id=self.kwargs["hand"],
                seats=seats,
                agrees=agrees,
                seen_digest=sent_state(self.request) or None,
                said_by=table.sent_by,
                note=validated.get("text", ""),
            )
        return self.review_now()

    def speaker(self, validated: Mapping[str, Any]) -> int | None:
        """The speaking seat; with a seat's own link it cannot be another."""
        own_seat, seat = self.played_table.seat, validated["seat"]
        if own_seat is not None and seat not in {None, own_seat}:
            raise ValidationError({"seat": ["This link can only answer for its own seat."]})
        return own_seat if own_seat is not None else seat


class AgreeView(_AnswerView):
    log = "agreed to {hand} of {game}"

    @command_endpoint(AgreeIn, answers=ReviewedHandSerializer, reading=THE_HAND)
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Agree that a hand is right, for one seat or, with the table's own link, for everyone."""
        seat = self.speaker(validated)
        return self.store_answer(validated, agrees=True, seats=None if seat is None else {seat})


class DisputeView(_AnswerView):
    log = "disputed {hand} of {game}"

    @command_endpoint(DisputeIn, answers=ReviewedHandSerializer, reading=THE_HAND)
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Report a problem with a hand, so that the scorer looks at it."""
        seat = self.speaker(validated)
        if seat is None:
            raise ValidationError({"seat": ["Choose who is reporting this."]})
        return self.store_answer(validated, agrees=False, seats={seat})


class UndoView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    log = "undid {hand} of {game}"

    @command_endpoint()
    def post(self) -> None:
        """Undo the last hand, unless the scorer has already decided on it."""
        table = self.played_table
        with missing_hand_is_404():
            undo_last_hand(table=table.event, hand_id=self.kwargs["hand"], taken_by=table.sent_by)


class DealerIn(serializers.Serializer[Any]):
    """Who deals the first hand."""

    seat = SeatField(help_text="of the player who deals the first hand")


class DealerView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    log = "chose who deals first at {game}"

    @command_endpoint(DealerIn)
    def post(self, validated: dict[str, Any]) -> None:
        """Choose who deals the first hand, where the rules leave it open and no hand is recorded.

        East deals until you choose someone.
        """
        table = self.played_table
        refuse_if_done(table)
        name_first_dealer(table=table.event, seat=validated["seat"])


def refuse_if_done(table: PlayedTable) -> None:
    """Raises ``Refused`` if no more hands are played at the table."""
    if reason := table.closed_because or table.done_because:
        raise refuse("game_closed", reason)


class SeatsView(ListsAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    sheet = "Seat links"

    @list_endpoint(SeatLinkSerializer)
    def get(self) -> list[dict[str, Any]]:
        """Get the link of each seat, for that player only."""
        table = self.played_table
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


class OfflineHandIn(HandIn):
    """A hand to submit, and how long it has waited."""

    seconds_since_entry = NumberField(
        min_value=0,
        max_value=int(MAX_TIME_KEPT.total_seconds()),
        default=0,
        help_text="how long ago it was entered",
    )


class OfflineHandsIn(serializers.Serializer[Any]):
    """Hands in the order they were played."""

    hands = serializers.ListField(child=OfflineHandIn(), allow_empty=False, max_length=MAX_HANDS)


class BatchView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    log = "sent a hand for {game}"

    @command_endpoint(OfflineHandsIn, answers=SentHandsSerializer)
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Send hands that were entered offline. Each gets its own answer.

        Recorded hands are never overwritten, and sending the same hands again changes nothing.
        """
        now = timezone.now()
        return {"hands": [_send_hand(self.played_now(), hand, now) for hand in validated["hands"]]}


def _send_hand(table: PlayedTable, validated: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The outcome for one hand."""
    entered_at = now - timedelta(seconds=validated["seconds_since_entry"])
    report = report_from(validated, table.view, validated["number"])
    key = {name: validated[name] for name in ("submission_id", "number")}
    try:
        recorded_hand = post_page_hand(table, **key, report=report, entered_at=entered_at)
    except AlreadyStands as stands:
        return key | _hand_outcome("conflict", table, stands.hand, stands)
    except Refused as refused:
        is_late = any(problem.code in NOT_NOW_CODES for problem in refused.problems)
        return key | _hand_outcome("not_now" if is_late else "faulty", table, None, refused)
    if scorebook.is_undone(recorded_hand.hand):
        return key | _hand_outcome("undone", table, None)
    return key | _hand_outcome(
        "saved" if recorded_hand.is_new else "already_saved", table, recorded_hand.hand
    )


def _hand_outcome(
    outcome: str, table: PlayedTable, hand: Hand | None, refusal: Refused | None = None
) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "hand": table.view.hand_view(hand_row(hand)) if hand else None,
        "problems": problems_as_json(refusal.problems) if refusal else [],
    }


class EarlierGamesView(ListsAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    sheet = "Earlier games"

    @list_endpoint(EarlierGameSerializer)
    def get(self) -> Sequence[EarlierGame]:
        """List the games that the table played before its players changed, the first one first."""
        return self.played_table.earlier_games


class NewLinkView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    log = "replaced the table card of {game}"

    @command_endpoint(answers=TableLinkSerializer)
    def post(self) -> dict[str, Any]:
        """Replace the table card: the old card and its seat links stop working."""
        event = self.event
        key = replace_links(table=event)
        address = self.request.build_absolute_uri(reverse(event.phone, args=[key]))
        game = {"game_id": event.row.game_id, "number": event.location_ids["number"]}
        return game | {"key": key, "address": address}


urlpatterns = [
    path(f"{GAME_PATH}hands/", HandsView.as_view(), name="api-game-hands"),
    path(GAME_PATH, GameView.as_view(), name="api-game"),
    path("link/", LinkView.as_view(), name="api-link"),
    path(HAND_PATH, HandReviewView.as_view(), name="api-game-hand"),
    path(f"{GAME_PATH}hands/batch/", BatchView.as_view(), name="api-game-batch"),
    path(f"{HAND_PATH}agree/", AgreeView.as_view(), name="api-game-agree"),
    path(f"{HAND_PATH}dispute/", DisputeView.as_view(), name="api-game-dispute"),
    path(f"{HAND_PATH}undo/", UndoView.as_view(), name="api-game-undo"),
    path(f"{HAND_PATH}receipt/", ReceiptView.as_view(), name="api-game-receipt"),
    path(f"{GAME_PATH}dealer/", DealerView.as_view(), name="api-game-dealer"),
    path(f"{GAME_PATH}seats/", SeatsView.as_view(), name="api-game-seats"),
    path(f"{GAME_PATH}earlier-games/", EarlierGamesView.as_view(), name="api-game-earlier"),
    path(f"{GAME_PATH}new-link/", NewLinkView.as_view(), name="api-game-new-link"),
    path("receipts/<slug:code>/", ReceiptByCodeView.as_view(), name="api-receipt"),
]
