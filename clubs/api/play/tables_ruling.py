"""The scorer's acts at a table over the API: let a hand stand, say what it should be."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActView
from clubs.api.fields import FlagField, TextField
from clubs.api.hands import ReportIn, report_told
from clubs.api.play.table_shapes import CorrectionShape, SaidShape
from clubs.api.play.tables import Acts, AtTable
from clubs.forms.hands import keeping_tiles
from clubs.rows import HandView
from clubs.tablepages.played import PlayedTable
from clubs.tablepages.talk import HandTalk
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row


class ReasonField(TextField):
    """A few words that the table will read."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"max_length": 200, "help_text": "a few words that the table will read", **options}
        )


class DecisionIn(serializers.Serializer[Any]):
    """Why the hand is kept as entered."""

    reason = ReasonField()


class CorrectionIn(ReportIn):
    """The whole corrected hand, and the reason."""

    reason = ReasonField()
    only_look = FlagField(default=False, help_text="preview only: nothing is saved")


@extend_schema(tags=["tables"])
class DecideView(AtTable, ActView):
    """The scorer's decision to keep a hand as entered."""

    asks = DecisionIn
    answers = SaidShape

    def act(self, told: dict[str, Any]) -> HandTalk:
        """Keep a disputed hand as entered. The table can read the reason."""
        table = self.at
        try:
            table.decide(hand_id=self.kwargs["hand"], made_by=table.sent_by, **told)
        except Hand.DoesNotExist as missing:
            raise Http404 from missing
        return self.said_now()


@extend_schema(tags=["tables"])
class CorrectView(AtTable, ActView):
    """The scorer's correction of a hand."""

    asks = CorrectionIn
    answers = CorrectionShape

    def done(self, request: Request, *, held: Mapping[str, Any] | None = None) -> Response:
        """As for every act; sentences about sticks need the table."""
        done = self.act(self.told(request.data, held=held))
        context = {"sticks": self.at.handings}
        return Response(CorrectionShape(done, context=context).data)

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Correct a whole hand. Later hands are recalculated, and tiles that still fit are kept."""
        table = self.at
        found = self.talk(table).hand
        report = keeping_tiles(_report(told, table, found), found.row)
        moved = scorebook.preview_correction(hand_id=found.row.pk, report=report)
        if not told["only_look"]:
            table.correct(
                hand_id=found.row.pk,
                report=report,
                corrected_by=table.sent_by,
                reason=told["reason"],
            )
        names = table.view.names
        hands = [
            {
                "number": one.new.number,
                "before": HandView(hand_row(one.old), names),
                "after": HandView(hand_row(one.new), names),
            }
            for one in moved
        ]
        return {"done": not told["only_look"], "hands": hands}


def _report(told: Mapping[str, Any], table: PlayedTable, found: HandView) -> Report:
    """The report, beside what everyone had before the hand when it was first reported."""
    report = report_told(told, table.view, found.row.number)
    before = Report.from_json(found.row.report).had
    had = {**report.had, **{seat: before[seat] for seat in report.tallies if seat in before}}
    return replace(report, had=had)


RULING: Acts = {
    "decide": ("hands/<int:hand>/decide/", DecideView),
    "correct": ("hands/<int:hand>/correct/", CorrectView),
}
