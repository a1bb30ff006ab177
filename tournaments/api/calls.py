"""A table calls the director over the API; the desk says that someone is there."""

from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActView
from tournaments import services
from tournaments.api.asked import AnsweredIn, CallIn
from tournaments.api.base import CARD, TABLE, AtTableAPIView, CardAPIView, RunAPIView
from tournaments.api.shapes.desk import TableCallShape
from tournaments.models import Table
from tournaments.permissions import ENTER_TABLE_HANDS
from tournaments.selectors.watch import CallRow, open_call


class CallNowShape(serializers.Serializer[object]):
    """The table's open call; null if there is none."""

    call = TableCallShape(allow_null=True)


class AnsweredShape(serializers.Serializer[object]):
    """Whether the table was still waiting."""

    waited = serializers.BooleanField()


def _call_at(table: Table) -> dict[str, CallRow | None]:
    return {"call": open_call(table, now=timezone.now())}


class CallView(CardAPIView, ActView):
    """The table's call for the director."""

    asks = CallIn
    answers = CallNowShape

    @extend_schema(responses=CallNowShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get whether this table is waiting for the director, and since when."""
        return Response(CallNowShape(_call_at(self.round_table)).data)

    def act(self, told: dict[str, Any]) -> dict[str, CallRow | None]:
        """Call the director. Calling twice, or from two phones, is one call."""
        services.call_director(table=self.round_table, what=told.get("what", ""))
        return _call_at(self.round_table)

    @extend_schema(request=None, responses={204: None})
    def delete(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Cancel the call."""
        services.answer_call(
            table=self.round_table, answered_by=f"round table {self.round_table.pk}"
        )
        return Response(status=204)


class AnsweredView(AtTableAPIView, RunAPIView):
    """A call marked as dealt with."""

    door = ENTER_TABLE_HANDS
    asks = AnsweredIn
    answers = AnsweredShape

    def act(self, told: dict[str, Any]) -> dict[str, bool]:
        """Mark the call as dealt with, and return whether the table was still waiting."""
        told = {**told, "answered_by": self.made_by}
        return {"waited": services.answer_call(table=self.round_table, **told)}


urlpatterns = [
    path(f"{CARD}call/", CallView.as_view(), name="api-round-table-call"),
    path(f"{TABLE}call/answered/", AnsweredView.as_view(), name="api-table-call-answered"),
]
