"""A table over the API, of an evening or a tournament: reading, agreeing, undoing.

An event's ``played`` finds the table; ``table_paths`` gives each act its address.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import openapi
from clubs.api.base import TablesAPIView, problems_as_json, reads, tables
from clubs.api.commands import ActView, does
from clubs.api.fields import NumberField, TextField
from clubs.api.problems import ProblemsShape
from clubs.table.api.hands import AtTable, HandIn, SeatField, report_from, what_stands
from clubs.table.event import PlayedTable, seat_key
from clubs.table.pages.entering import KEPT_AT_MOST, NOT_NOW
from clubs.table.rows import HandView
from clubs.table.schemas import (
    AheadShape,
    AidShape,
    BookShape,
    PreviewShape,
    SaidShape,
    SeatLinkShape,
    SentHandsShape,
    StandsShape,
)
from clubs.table.selectors.reviews import HandReview
from clubs.table.selectors.rules import Aid, Asker, aid_of
from clubs.table.services import name_first_dealer, post_from, preview_hand, say, take_back
from scoring import RuleSet, Wind
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services import MOST_LETTERS
from scoring.table.progression import ahead, ahead_as_json

TABLES = extend_schema(tags=["tables"])


class BookView(AtTable):
    @reads(BookShape, tags=["tables"])
    def get(self) -> dict[str, Any]:
        """Get the table's score book: current hands, corrected hands and undone hands."""
        table = self.at
        names = table.view.names
        return {
            "hands": table.reviews.values(),
            "corrected": [HandView(row, names) for row in table.view.game.corrected],
            "taken_back": [
                {"hand": HandView(taken_back.hand, names), "taken_by": taken_back.taken_by}
                | {"taken_at": taken_back.taken_at}
                for taken_back in table.gone
            ],
        }


class SaidView(AtTable):
    @reads(SaidShape, tags=["tables"])
    def get(self) -> HandReview:
        """Get a hand: who has agreed and who has reported a problem."""
        return self.said_now()


class PreviewView(AtTable, ActView):
    @does(
        HandIn,
        answers=PreviewShape,
        tags=["tables"],
        responses={200: PreviewShape, 400: ProblemsShape, 409: StandsShape},
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
            seen = HandView(hand_row(recorded.hand), table.view.names)
        except AlreadyStands as stands:
            return Response(what_stands(stands, table.view.names), status=409)
        return Response(PreviewShape(seen, context={"sticks": table.handings}).data)


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
        try:
            say(
                table=table.event,
                hand_id=self.kwargs["hand"],
                seats=seats,
                agrees=agrees,
                shown=validated["shown"],
                said_by=table.sent_by,
                note=validated.get("words", ""),
            )
        except Hand.DoesNotExist as missing:
            raise Http404 from missing
        return self.said_now()

    def speaker(self, validated: Mapping[str, Any]) -> int | None:
        """The speaking seat; with a seat's own link it cannot be another."""
        own, seat = self.at.seat, validated["seat"]
        if own is not None and seat not in {None, own}:
            raise ValidationError({"seat": ["This link can only answer for its own seat."]})
        return own if own is not None else seat


class AgreeView(_SayView):
    @does(AgreeIn, answers=SaidShape, tags=["tables"])
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Agree that a hand is right, for one seat or, with the table's own link, for everyone."""
        seat = self.speaker(validated)
        return self.said(validated, agrees=True, seats=None if seat is None else {seat})


class DisputeView(_SayView):
    @does(DisputeIn, answers=SaidShape, tags=["tables"])
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Report a problem with a hand, so that the scorer looks at it."""
        seat = self.speaker(validated)
        if seat is None:
            raise ValidationError({"seat": ["Choose who is reporting this."]})
        return self.said(validated, agrees=False, seats={seat})


class UndoView(AtTable, ActView):
    @does(tags=["tables"])
    def post(self) -> None:
        """Undo the last hand, unless the scorer has already decided on it."""
        table = self.at
        try:
            take_back(table=table.event, hand_id=self.kwargs["hand"], taken_by=table.sent_by)
        except Hand.DoesNotExist as missing:
            raise Http404 from missing


class DealerIn(serializers.Serializer[Any]):
    """Who deals the first hand."""

    seat = SeatField(help_text="of the player who deals the first hand")


class DealerView(AtTable, ActView):
    @does(DealerIn, tags=["tables"])
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
    return [
        path(f"{link}{where}", _in_room(room, view).as_view(), name=f"{name}-{act}")
        for act, (where, view) in acts.items()
    ]


def _in_room(room: type[AtTable], view: type[AtTable]) -> type[AtTable]:
    return type(f"{room.__name__}{view.__name__}", (room, view), {})


WINDS = [wind.value for wind in Wind]
AID = [
    OpenApiParameter("tile", OpenApiTypes.STR, description="the tile to describe: B5"),
    OpenApiParameter("own", OpenApiTypes.STR, enum=WINDS, description="the player’s wind"),
    OpenApiParameter("prevailing", OpenApiTypes.STR, enum=WINDS, description="the prevailing wind"),
]


class SeatsView(AtTable, TablesAPIView):
    @tables(SeatLinkShape, tags=["tables"])
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
    @reads(AidShape, parameters=AID, tags=["tables"])
    def get(self) -> Aid:
        """Get what every tile is worth under the table's rules, with the current winds."""
        table = self.at
        deal = table.deal(table.next_number)
        own = deal.winds.get(table.seat or 0, Wind.E)
        return requested_aid(self.request, table.rules, own=own, prevailing=deal.prevailing_wind)


class AheadView(AtTable):
    """What may be dealt next, for a program that works offline."""

    @reads(AheadShape, tags=["tables"])
    def get(self) -> dict[str, Any]:
        """Get every deal possible in the next 30 hands. There are none once the game is over."""
        table = self.at
        states = () if table.view.game.is_over else ahead(table.winners, **table.course)
        return ahead_as_json(states)


def requested_aid(request: Request, rules: RuleSet, *, own: Wind, prevailing: Wind | None) -> Aid:
    """The aid for the address's parameters. Raises ``ValidationError``."""
    asker = Asker(
        own=_wind(request, "own") or own,
        prevailing=prevailing and (_wind(request, "prevailing") or prevailing),
    )
    code = request.query_params.get("tile", "")
    aid = aid_of(rules, asker, code)
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
    @does(KeptHandsIn, answers=SentHandsShape, tags=["tables"])
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
        "hand": HandView(hand_row(hand), table.view.names) if hand else None,
        "problems": problems_as_json(refused.problems) if refused else [],
    }


SENDING: Acts = {"send": ("send/", SendView)}
