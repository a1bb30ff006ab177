"""A hand's receipt over the API: of a table's hand, or by the code that was printed."""

from abc import abstractmethod
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import LinkedAPIView
from clubs.table.api.tables import Acts, AtTable
from clubs.table.rows import TableView
from clubs.table.schemas import HandShape
from clubs.table.selectors.receipts import Receipt, receipt_of
from scoring.scorebook.links import hand_at
from scoring.scorebook.models import Hand


class WordShape(serializers.Serializer[object]):
    """What someone said about the hand."""

    name = serializers.CharField()
    said = serializers.CharField(help_text="agreed, disputed, or kept as entered")
    note = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class UndoingShape(serializers.Serializer[object]):
    """Why the hand no longer counts."""

    was_corrected = serializers.BooleanField(help_text="false: undone")
    by = serializers.CharField()
    at = serializers.DateTimeField()
    reason = serializers.CharField(allow_blank=True)
    instead = serializers.CharField(
        allow_blank=True, help_text="the receipt of the hand that counts"
    )


class ReceiptShape(serializers.Serializer[Receipt]):
    """What was recorded, by whom and when, who agreed, and what happened to it."""

    event = serializers.CharField()
    table = serializers.CharField()
    rules = serializers.CharField()
    hand = HandShape()
    sealed_as = serializers.IntegerField(
        source="sealed.number", help_text="its place in the score book"
    )
    code = serializers.CharField(source="sealed.code", help_text="as printed")
    sealed_at = serializers.DateTimeField(source="sealed.sealed_at")
    sent_by = serializers.CharField()
    words = WordShape(many=True)
    before = serializers.CharField(
        allow_blank=True, help_text="the receipt of what this one corrected"
    )
    undone = UndoingShape(allow_null=True)


class HandReceiptView(AtTable):
    """The receipt of one hand at the table."""

    @extend_schema(tags=["tables"], responses=ReceiptShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the receipt of a hand at this table, even if the hand no longer counts."""
        table = self.at
        hand = get_object_or_404(table.game.hands, pk=self.kwargs["hand"])
        return Response(ReceiptShape(receipt_of(hand, table.whole)).data)


class ReceiptAPIView(LinkedAPIView):
    """A receipt by its address; a subclass knows the tables of its kind of event."""

    @abstractmethod
    def table_of(self, hand: Hand) -> TableView | None:
        """The table at which the hand was played, None if it is of another kind of event."""

    @extend_schema(tags=["tables"], responses=ReceiptShape)
    def get(self, request: Request, code: str, **kwargs: Any) -> Response:  # noqa: ARG002
        """Check whether a receipt is genuine and read it. Anyone with its address can do this."""
        hand = hand_at(code)
        table = self.table_of(hand) if hand else None
        if hand is None or table is None:
            raise Http404
        return Response(ReceiptShape(receipt_of(hand, table)).data)


RECEIPTS: Acts = {"receipt": ("hands/<int:hand>/receipt/", HandReceiptView)}
