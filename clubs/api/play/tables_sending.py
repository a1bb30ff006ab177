"""Hands that a program kept while there was no network: sent together, each on its own."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers

from clubs.api.base import problems_as_json
from clubs.api.commands import ActView
from clubs.api.fields import NumberField
from clubs.api.hands import HandIn, report_told
from clubs.api.play.table_shapes import SentHandsShape
from clubs.api.play.tables import Acts, AtTable
from clubs.rows import HandView
from clubs.tablepages.played import PlayedTable
from clubs.tablepages.sending import KEPT_AT_MOST, NOT_NOW
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.selectors import hand_row

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


@extend_schema(tags=["tables"])
class SendView(AtTable, ActView):
    """Several hands that were stored offline."""

    asks = KeptHandsIn
    answers = SentHandsShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Send hands that were entered offline. Each gets its own answer.

        Recorded hands are never overwritten, and sending the same hands again changes nothing.
        """
        now = timezone.now()
        return {"hands": [_sent(self.played(), hand, now) for hand in told["hands"]]}


def _sent(table: PlayedTable, told: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """What happened to one hand."""
    entered_at = now - timedelta(seconds=told["kept_for"])
    report = report_told(told, table.view, told["number"])
    key = {name: told[name] for name in ("submission_id", "number")}
    try:
        kept = table.keep(**key, report=report, entered_at=entered_at)
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
