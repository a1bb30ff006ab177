"""The director's rulings at a table over the API, and taking them back."""

from typing import Any
from uuid import uuid4

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import judged
from scoring.scorebook.editions import rule_set
from scoring.transfers import scale
from tournaments import services
from tournaments.api.asked import ReasonIn, RulingIn
from tournaments.api.base import TABLE, AtTableAPIView, RunAPIView
from tournaments.api.shapes.rulings import RulingShape, RulingsShape
from tournaments.models import Ruling, TournamentState
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.ruling_form import RulingForm
from tournaments.selectors import desk
from tournaments.selectors.rulings import RulingRow, rulings_at


class RulingAPIView(AtTableAPIView, RunAPIView):
    """Rulings at a table."""

    door = RUN_TOURNAMENT
    answers = RulingShape
    status = 201

    def row(self, ruling: Ruling) -> RulingRow:
        """A ruling with the names of the table."""
        return next(row for row in rulings_at(self.round_table) if row.pk == ruling.pk)


class RulingsView(RulingAPIView):
    """The rulings at a table, and one more."""

    asks = RulingIn

    @extend_schema(responses=RulingsShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the rulings at this table, in order, and the scale of penalties."""
        rules = rule_set(self.round_table.game.rules)
        known = [
            {"key": key, "name": one.name, "costs": one.words(rules.limit)}
            for key, one in scale(rules).items()
        ]
        is_open = self.tournament.state != TournamentState.FINISHED
        told = {"rulings": rulings_at(self.round_table), "scale": known, "may_rule": is_open}
        return Response(RulingsShape(told).data)

    def act(self, told: dict[str, Any]) -> RulingRow:
        """Add a ruling: a penalty from the scale, one player pays for all, or points adjusted."""
        form = self._form(told)
        found = judged(form)
        case = services.Case(
            table=self.round_table,
            seat=found["seat"],
            reason=found["reason"],
            ruled_by=self.made_by,
            submission_id=found["submission_id"],
        )
        return self.row(services.rule_at_table(case=case, **form.ruling))

    def _form(self, told: dict[str, Any]) -> RulingForm:
        rules, names = rule_set(self.round_table.game.rules), desk.names_at(self.round_table)
        data = {name: str(value) for name, value in told.items() if value is not None}
        return RulingForm(data, scale=scale(rules), names=names, pays=rules.zero_sum)


class TakeBackView(RulingAPIView):
    """A ruling, cancelled."""

    asks = ReasonIn

    def act(self, told: dict[str, Any]) -> RulingRow:
        """Cancel a ruling. Its points are returned, and both entries stay on the record."""
        held = get_object_or_404(self.round_table.rulings, pk=self.kwargs["ruling"])
        taken = services.take_back(
            ruling=held, reason=told["reason"], ruled_by=self.made_by, submission_id=uuid4()
        )
        return self.row(taken)


HERE = f"{TABLE}rulings/"

urlpatterns = [
    path(HERE, RulingsView.as_view(), name="api-table-rulings"),
    path(f"{HERE}<int:ruling>/back/", TakeBackView.as_view(), name="api-ruling-back"),
]
