"""An evening's tables, receipts and screen over the API."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Final

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.base import ClubAPIView, LinkedAPIView, TablesAPIView, reads, tables
from clubs.api.commands import ActView, does
from clubs.api.rows import schema_of
from clubs.core.permissions import CORRECT_HANDS, ENTER_HANDS, SEE_CLUB
from clubs.evenings import schemas as shapes
from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.selectors.floor import WallPage, Where, evenings_on_walls, wall_of
from clubs.table.api.entry import SHEET, TAPPING
from clubs.table.api.repairs import REPAIRING, RULING
from clubs.table.api.tables import (
    ASKING,
    PLAYING,
    READING,
    SENDING,
    Acts,
    AtLink,
    AtTable,
    TableAPIView,
    linked,
    sender,
    table_paths,
)
from clubs.table.event import PlayedTable
from clubs.table.rows import TableView
from clubs.table.schemas import HandShape
from clubs.table.selectors.reviews import Receipt, Undoing, Word, receipt_of
from clubs.table.services import replace_link
from clubs.tenancy import by_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import hand_at

DESK = "clubs/<slug:club>/evenings/<int:evening>/tables/<int:number>/"
LINK = "t/<slug:key>/"


WordShape = schema_of("WordShape", Word, "name said note at")
UndoingShape = schema_of("UndoingShape", Undoing, "was_corrected by at reason instead")

ReceiptShape = schema_of(
    "ReceiptShape",
    Receipt,
    "event table rules hand sealed_as=sealed.number sealed.code sealed.sealed_at sent_by "
    "words before undone",
    hand=HandShape,
    sealed_as="its place in the score book",
    code="as printed",
    words=WordShape,
    undone=UndoingShape,
)


class HandReceiptView(AtTable):
    @reads(ReceiptShape, tags=["tables"])
    def get(self) -> Receipt:
        """Get the receipt of a hand at this table, even if the hand no longer counts."""
        table = self.at
        hand = get_object_or_404(table.game.hands, pk=self.kwargs["hand"])
        return receipt_of(hand, table.whole)


class ReceiptAPIView(LinkedAPIView):
    """A receipt by its address; a subclass knows the tables of its kind of event."""

    @abstractmethod
    def table_of(self, hand: Hand) -> TableView | None:
        """The table at which the hand was played, None if it is of another kind of event."""

    @reads(ReceiptShape, tags=["tables"])
    def get(self) -> Receipt:
        """Check whether a receipt is genuine and read it. Anyone with its address can do this."""
        hand = hand_at(self.kwargs["code"])
        table = self.table_of(hand) if hand else None
        if hand is None or table is None:
            raise Http404
        return receipt_of(hand, table)


RECEIPTS: Acts = {"receipt": ("hands/<int:hand>/receipt/", HandReceiptView)}


AT_EVERY_TABLE: Final[Acts] = {**READING, **PLAYING, **TAPPING, **SENDING, **ASKING, **RECEIPTS}


class EveningDesk(AtTable, ClubAPIView):
    """At a table of an evening, for those who may enter hands."""

    access = ENTER_HANDS
    event = EveningTable

    def played(self) -> PlayedTable:
        where = {"pk": self.kwargs["evening"], "number": self.kwargs["number"]}
        table = EveningTable.find(self.club, **where)
        return PlayedTable(event=table, sent_by=sender(self.request), reader=self.reader)


class EveningScorer(EveningDesk):
    """At a table of an evening, for those who may correct hands."""

    access = CORRECT_HANDS


class EveningLink(AtLink):
    """At a table of an evening, for anyone with its link or a seat's link."""

    event = EveningTable


class NewLinkView(EveningDesk, ActView):
    @does(answers=shapes.TableLinkShape, tags=["tables"])
    def post(self) -> dict[str, Any]:
        """Replace the table card: the old card and its seat links stop working."""
        row = self.at.event.row
        key = replace_link(table=row, club=self.club)
        address = self.request.build_absolute_uri(reverse(EveningTable.phone, args=[key]))
        return {"number": row.number, "key": key, "address": address}


class EveningTableView(EveningDesk, TableAPIView):
    access = SEE_CLUB
    writing_access = ENTER_HANDS


class LinkedTableView(EveningLink, TableAPIView):
    """A table of an evening, for anyone with its link."""


class EveningReceiptView(ReceiptAPIView):
    def table_of(self, hand: Hand) -> TableView | None:
        table = by_key(rows.tables_with_games, game=hand.game_id)
        return None if table is None else rows.view_of(table)


class TableResultView(TablesAPIView, LinkedAPIView):
    @tables(shapes.ResultShape, tags=["tables"])
    def get(self) -> tuple[rows.ResultRow, ...]:
        """Get the evening's result so far, for the players at any of its tables."""
        table, _ = linked(rows.tables_with_games, self.kwargs["key"])
        return rows.result_of(table.session)


WhereShape = schema_of("WhereShape", Where, "name table wind")


class EveningPictureShape(serializers.Serializer[WallPage]):
    """One screen: the tables, the players by name, or the result, depending on its kind."""

    kind = serializers.CharField(help_text="tables, seats or result")
    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    seconds = serializers.IntegerField(help_text="how long it is shown, in seconds")
    tables = shapes.FloorTableShape(many=True)
    people = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    @extend_schema_field(WhereShape(many=True))
    def get_people(self, page: WallPage) -> Any:
        """Every player by name, on a seating screen."""
        seats = [guided.where for guided in _rows(page, "seats")]
        return WhereShape(seats, many=True).data

    @extend_schema_field(shapes.ResultShape(many=True))
    def get_result(self, page: WallPage) -> Any:
        """The rows of the result, on a result screen."""
        return shapes.ResultShape(list(_rows(page, "result")), many=True).data


class EveningWallShape(serializers.Serializer[object]):
    """The screens of an evening, in order."""

    club = serializers.CharField()
    held_on = serializers.DateField()
    state = serializers.CharField()
    version = serializers.IntegerField(help_text="increases with every change")
    here = serializers.IntegerField()
    unseated = serializers.ListField(child=serializers.CharField())
    pages = EveningPictureShape(many=True)


class WallView(LinkedAPIView):
    @reads(EveningWallShape)
    def get(self) -> dict[str, Any]:
        """Get the projector screen of an evening: tables, names and result, split into screens."""
        session = by_key(evenings_on_walls, wall_key=self.kwargs["key"])
        if session is None:
            raise Http404
        wall = wall_of(session)
        return {
            "club": session.club.name,
            "held_on": session.held_on,
            "state": session.state,
            "version": session.version,
            "here": wall.here,
            "unseated": wall.unseated,
            "pages": wall.pages,
        }


def _rows(page: WallPage, kind: str) -> Iterator[Any]:
    """The rows of a page of that kind, one column after another."""
    if page.kind == kind:
        yield from (row for column in page.columns for row in column)


urlpatterns = [
    path(DESK, EveningTableView.as_view(), name="api-evening-table"),
    path(LINK, LinkedTableView.as_view(), name="api-table"),
    *table_paths(DESK, "api-evening-table", EveningDesk, {**AT_EVERY_TABLE, **SHEET}),
    *table_paths(DESK, "api-evening-table", EveningScorer, {**RULING, **REPAIRING}),
    path(f"{DESK}new-link/", NewLinkView.as_view(), name="api-evening-table-new-link"),
    *table_paths(LINK, "api-table", EveningLink, AT_EVERY_TABLE),
    path(f"{LINK}standings/", TableResultView.as_view(), name="api-table-standings"),
    path("receipt/t/<slug:code>/", EveningReceiptView.as_view(), name="api-table-receipt-code"),
    path("w/<slug:key>/", WallView.as_view(), name="api-wall"),
]
