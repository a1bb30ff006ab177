"""A table over the API, of an evening or a tournament alike: looked at, agreed to, taken back.

An event's room says by ``played`` which table is meant; ``table_paths`` gives each act its address.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api import examples
from clubs.api.commands import ActView
from clubs.api.fields import TextField
from clubs.api.hands import HandIn, SeatField, report_told, what_stands
from clubs.api.play.table_shapes import BookShape, PreviewShape, SaidShape
from clubs.api.shapes import ProblemsShape, StandsShape
from clubs.rows import HandView
from clubs.tablepages.played import PlayedTable
from clubs.tablepages.talk import HandTalk
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, refuse
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services import MOST_LETTERS

TABLES = extend_schema(tags=["tables"])


class AtTable(APIView, ABC):
    """What is done at one table; an event's room says which, and who may."""

    at: PlayedTable

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; the table is found before what was sent is read."""
        super().initial(request, *args, **kwargs)
        self.at = self.played()

    @abstractmethod
    def played(self) -> PlayedTable:
        """The table of the address, read afresh; raises ``Http404``."""

    def talk(self, table: PlayedTable) -> HandTalk:
        """The hand of the address with what was said of it; raises ``Http404``."""
        found = table.talks.get(self.kwargs["hand"])
        if found is None:
            raise Http404
        return found

    def said_now(self) -> HandTalk:
        """The same as it is now, after something was done."""
        return self.talk(self.played())


class BookView(AtTable):
    """Every hand at the table, and what was said about each."""

    @extend_schema(tags=["tables"], responses=BookShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the table's score book: current hands, corrected hands and undone hands."""
        table = self.at
        names = table.view.names
        told = {
            "hands": table.talks.values(),
            "corrected": [HandView(row, names) for row in table.view.game.corrected],
            "taken_back": [
                {"hand": HandView(one.hand, names), "taken_by": one.taken_by}
                | {"taken_at": one.taken_at}
                for one in table.gone
            ],
        }
        return Response(BookShape(told).data)


class SaidView(AtTable):
    """One hand, and what was said about it."""

    @extend_schema(tags=["tables"], responses=SaidShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a hand: who has agreed and who has reported a problem."""
        return Response(SaidShape(self.said_now()).data)


class PreviewView(AtTable, ActView):
    """A preview of a hand."""

    asks = HandIn
    answers = PreviewShape

    @extend_schema(
        tags=["tables"],
        request=HandIn,
        responses={200: PreviewShape, 400: ProblemsShape, 409: StandsShape},
        examples=[examples.HAND_IN, examples.DRAWN_HAND_IN],
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Preview a hand: what it would score and who would pay whom. Nothing is saved.

        Send what you would submit. The answer is 409 with the stored hand if another
        report came first.
        """
        return super().post(request, **kwargs)

    def done(self, request: Request, *, held: Mapping[str, Any] | None = None) -> Response:
        """As for every act; another report that stands is shown beside."""
        table = self.at
        told = self.told(request.data, held=held)
        try:
            seen = self._looked_at(table, told)
        except AlreadyStands as stands:
            return Response(what_stands(stands, table.view.names), status=409)
        return Response(PreviewShape(seen, context={"sticks": table.handings}).data)

    def act(self, told: dict[str, Any]) -> HandView:
        """The hand as it would be."""
        return self._looked_at(self.at, told)

    def _looked_at(self, table: PlayedTable, told: Mapping[str, Any]) -> HandView:
        report = report_told(told, table.view, told["number"])
        key = {name: told[name] for name in ("submission_id", "number")}
        return HandView(hand_row(table.preview(**key, report=report).hand), table.view.names)


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

    answers = SaidShape

    def said(self, told: Mapping[str, Any], *, agrees: bool, seats: set[int] | None) -> HandTalk:
        """Write it down; the hand with it."""
        table = self.at
        try:
            table.say(
                hand_id=self.kwargs["hand"],
                seats=seats,
                agrees=agrees,
                shown=told["shown"],
                said_by=table.sent_by,
                note=told.get("words", ""),
            )
        except Hand.DoesNotExist as missing:
            raise Http404 from missing
        return self.said_now()

    def speaker(self, told: Mapping[str, Any]) -> int | None:
        """The seat that speaks; at a seat's own link nobody speaks for another."""
        own, seat = self.at.seat, told["seat"]
        if own is not None and seat not in {None, own}:
            raise ValidationError({"seat": ["This link can only answer for its own seat."]})
        return own if own is not None else seat


@extend_schema(tags=["tables"])
class AgreeView(_SayView):
    """Agreement to a hand by a seat or the whole table."""

    asks = AgreeIn

    def act(self, told: dict[str, Any]) -> HandTalk:
        """Agree that a hand is right, for one seat or, with the table's own link, for everyone."""
        seat = self.speaker(told)
        return self.said(told, agrees=True, seats=None if seat is None else {seat})


@extend_schema(tags=["tables"])
class DisputeView(_SayView):
    """A problem with a hand, reported by a seat."""

    asks = DisputeIn

    def act(self, told: dict[str, Any]) -> HandTalk:
        """Report a problem with a hand, so that the scorer looks at it."""
        seat = self.speaker(told)
        if seat is None:
            raise ValidationError({"seat": ["Choose who is reporting this."]})
        return self.said(told, agrees=False, seats={seat})


@extend_schema(tags=["tables"])
class UndoView(AtTable, ActView):
    """The last hand, undone."""

    def act(self, told: dict[str, Any]) -> None:  # noqa: ARG002
        """Undo the last hand, unless the scorer has already decided on it."""
        table = self.at
        try:
            table.take_back(hand_id=self.kwargs["hand"], taken_by=table.sent_by)
        except Hand.DoesNotExist as missing:
            raise Http404 from missing


class DealerIn(serializers.Serializer[Any]):
    """Who deals the first hand."""

    seat = SeatField(help_text="of the player who deals the first hand")


@extend_schema(tags=["tables"])
class DealerView(AtTable, ActView):
    """Who deals the first hand."""

    asks = DealerIn

    def act(self, told: dict[str, Any]) -> None:
        """Choose who deals the first hand, where the rules leave it open and no hand is recorded.

        East deals until you choose someone.
        """
        table = self.at
        refuse_if_done(table)
        table.name_first_dealer(seat=told["seat"])


def refuse_if_done(table: PlayedTable) -> None:
    """Raises ``Refused`` where no further hand is played at the table."""
    if why := table.closed_because or table.done_because:
        raise refuse("game_closed", why)


Acts = Mapping[str, tuple[str, type[AtTable]]]

READING: Acts = {
    "book": ("book/", BookView),
    "said": ("hands/<int:hand>/", SaidView),
}
PLAYING: Acts = {
    "preview": ("preview/", PreviewView),
    "agree": ("hands/<int:hand>/agree/", AgreeView),
    "dispute": ("hands/<int:hand>/dispute/", DisputeView),
    "undo": ("hands/<int:hand>/undo/", UndoView),
    "dealer": ("dealer/", DealerView),
}


def table_paths(link: str, name: str, room: type[AtTable], acts: Acts) -> list[URLPattern]:
    """The addresses below a table of a room: ``api-table-agree`` at ``t/<key>/hands/7/agree/``.

    ``room`` gives ``played`` and the door; ``link`` is where the table is, ``name`` its name.
    """
    return [
        path(f"{link}{where}", _in_room(room, view).as_view(), name=f"{name}-{act}")
        for act, (where, view) in acts.items()
    ]


def _in_room(room: type[AtTable], view: type[AtTable]) -> type[AtTable]:
    return type(f"{room.__name__}{view.__name__}", (room, view), {"__doc__": view.__doc__})
