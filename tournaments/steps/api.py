"""Request shapes of tournaments for which no page's form fits."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.api.commands import ShownIn
from clubs.api.fields import FlagField
from tournaments.api import (
    ONE,
    OfRoundIn,
    ReasonIn,
    RunAPIView,
    SaidByItself,
    linked,
    table_linked,
)
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.rounds.schemas import TournamentShape
from tournaments.rounds.selectors import tables_open
from tournaments.rounds.steps import Worry, state_for
from tournaments.seating.services import seating
from tournaments.steps import services
from tournaments.steps.selectors import Preflight, preflight


class ReopenRoundIn(OfRoundIn, ReasonIn):
    """The round to reopen, and why."""


class ReopenIn(ShownIn, ReasonIn):
    """The reason for reopening."""


class StartIn(OfRoundIn):
    """How the round's clock starts."""

    clock_waits = FlagField(
        default=False, help_text="whether the clock is paused until everyone is seated"
    )


class WorryShape(serializers.Serializer[object]):
    """One warning that does not prevent the step."""

    sentence = serializers.CharField()
    address = serializers.CharField(help_text="where to correct it, under the API; may be empty")


class MissingShape(serializers.Serializer[object]):
    """A table that keeps the round open."""

    table = serializers.IntegerField(source="number")
    lacks = serializers.CharField()


class PreflightShape(serializers.Serializer[object]):
    """Before a step: what it does, warnings, and how to undo it."""

    title = serializers.CharField()
    does = serializers.ListField(child=serializers.CharField())
    back = serializers.CharField(help_text="whether and how it can be undone")
    worries = WorryShape(many=True)
    missing = MissingShape(many=True, help_text="tables that keep the round open")
    blocked = serializers.CharField(help_text="why it cannot be done; empty if it can")
    can_go = serializers.BooleanField(help_text="whether the step can be taken now")
    round = serializers.IntegerField(
        allow_null=True, help_text="the round of the step: send it back with the step"
    )
    shown = serializers.CharField(
        help_text="the state it was shown for: send it back with the step; empty: only the round"
    )


def before(tournament: Tournament, preflight: Preflight, state: str) -> Response:
    """The page before a step for the API; ``state`` is what it was shown for."""
    worries = [
        {"sentence": worry.sentence, "address": _where(tournament, worry)}
        for worry in preflight.worries
    ]
    shown = {name: getattr(preflight, name) for name in PREFLIGHT} | {
        "worries": worries,
        "round": preflight.round,
        "shown": state,
    }
    return Response(PreflightShape(shown).data)


PREFLIGHT = ("title", "does", "back", "missing", "blocked", "can_go")


def _where(tournament: Tournament, worry: Worry) -> str:
    if worry.round is not None and worry.table is not None:
        return table_linked(tournament, worry.round, worry.table)
    return linked(worry.address, tournament)


class StepAPIView(RunAPIView):
    """One step: looked at by GET, taken by POST."""

    schema = SaidByItself()
    answers = TournamentShape
    step: ClassVar[str]
    takes: ClassVar[Callable[..., object]]

    @extend_schema(responses=PreflightShape)
    def get(self, request: HttpRequest, **kwargs: Any) -> Response:  # noqa: ARG002
        """Preview the step: what it does, and any warnings."""
        state = state_for(self.tournament, self.shown({}).act)
        return before(self.tournament, preflight(self.tournament, self.step), state)

    def act(self, validated: dict[str, Any]) -> Tournament:
        """Take the step. Refused with everything that prevents it."""
        shown, noted = self.shown(validated), self.noted()
        type(self).takes(tournament=self.tournament, shown=shown, **validated, **noted)
        self.tournament.refresh_from_db()
        return self.tournament

    def noted(self) -> dict[str, str]:
        """Who takes the step, where that is kept with the reason."""
        return {"made_by": self.made_by} if issubclass(self.asks, ReasonIn) else {}


class SeatView(StepAPIView):
    """Draw the seating of every round that is drawn at once."""

    step, takes, asks = "seat", seating.seat_rounds, ShownIn


class ClearView(StepAPIView):
    """Clear the seating, as long as no hand is recorded. Entries open again."""

    step, takes, asks = "clear", seating.clear_rounds, ShownIn


class StartView(StepAPIView):
    """Start the next seated round, so that its tables can enter hands."""

    step, takes, asks = "start", services.start_round, StartIn


class UnstartView(StepAPIView):
    """Undo the start of a round, as long as no hand of it is recorded."""

    step, takes, asks = "unstart", services.unstart_round, OfRoundIn


class CloseView(StepAPIView):
    """Close the current round. Refused with a line for every unfinished table."""

    step, takes, asks = "close", services.close_round, OfRoundIn


class ReopenView(StepAPIView):
    """Reopen the last closed round, with a reason that is stored."""

    step, takes, asks = "reopen", services.reopen_round, ReopenRoundIn


class FinishView(StepAPIView):
    """Finish the tournament and make its standings final."""

    step, takes, asks = "finish", services.finish_tournament, ShownIn


class ResumeView(StepAPIView):
    """Reopen a finished tournament, with a reason that is stored."""

    step, takes, asks = "resume", services.reopen_tournament, ReopenIn


class PublishView(StepAPIView):
    """Publish the results for everyone with the link."""

    step, takes, asks = "publish", results_services.publish_results, ShownIn


class StoppedView(RunAPIView):
    asks = OfRoundIn

    def act(self, validated: dict[str, Any]) -> None:
        """The table of that number plays no further hand in the round being played."""
        table = get_object_or_404(tables_open(self.tournament), number=self.kwargs["number"])
        services.stop_table(table=table, shown=self.shown(validated))


STEPS: dict[str, tuple[type[StepAPIView], str]] = {
    "seat/": (SeatView, "tournament-seat"),
    "clear/": (ClearView, "tournament-clear"),
    "start/": (StartView, "round-start"),
    "start/back/": (UnstartView, "round-unstart"),
    "close/": (CloseView, "round-close"),
    "close/back/": (ReopenView, "round-reopen"),
    "finish/": (FinishView, "tournament-finish"),
    "finish/back/": (ResumeView, "tournament-reopen"),
    "results/publish/": (PublishView, "results-publish"),
}


urlpatterns = [
    *(path(f"{ONE}{at}", view.as_view(), name=f"api-{page}") for at, (view, page) in STEPS.items()),
    path(f"{ONE}close/stopped/<int:number>/", StoppedView.as_view(), name="api-close-stopped"),
]
