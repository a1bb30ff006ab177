"""The steps of a tournament and the ways back over the API: each can be looked at before."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.plumbing import get_doc
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.api.acting import ActSchema
from clubs.api.shown import ShownIn
from tournaments import services
from tournaments.api.asked import OfRoundIn, ReasonIn, ReopenIn, ReopenRoundIn, StartIn
from tournaments.api.base import ONE, RunAPIView
from tournaments.api.links import linked, table_linked
from tournaments.api.shapes.tournament import TournamentShape
from tournaments.models import Tournament
from tournaments.selectors.desk import tables_open
from tournaments.selectors.preflight import Preflight, preflight
from tournaments.selectors.stages import state_for
from tournaments.selectors.worries import Worry


class WorryShape(serializers.Serializer[object]):
    """One thing that is not in order and may be let be."""

    sentence = serializers.CharField()
    address = serializers.CharField(help_text="where it is put right, under the API; may be empty")


class MissingShape(serializers.Serializer[object]):
    """A table that keeps the round open."""

    table = serializers.IntegerField(source="number")
    lacks = serializers.CharField()


class PreflightShape(serializers.Serializer[object]):
    """Before a step: what it does, what is not in order, how it is taken back."""

    title = serializers.CharField()
    does = serializers.ListField(child=serializers.CharField())
    back = serializers.CharField(help_text="whether and how it can be undone")
    worries = WorryShape(many=True)
    missing = MissingShape(many=True, help_text="tables that keep the round open")
    blocked = serializers.CharField(help_text="why it cannot be done at all; empty where it can")
    can_go = serializers.BooleanField(help_text="whether the step can be taken now")
    round = serializers.IntegerField(
        allow_null=True, help_text="the round that it is for: send it back with the step"
    )
    shown = serializers.CharField(
        help_text="what it is shown for: send it back with the step; empty: nothing but the round"
    )


def before(tournament: Tournament, told: Preflight, state: str) -> Response:
    """The page before a step as the API tells it; ``state`` is what it is shown for."""
    worries = [
        {"sentence": one.sentence, "address": _where(tournament, one)} for one in told.worries
    ]
    shown = {name: getattr(told, name) for name in PREFLIGHT} | {
        "worries": worries,
        "round": told.round,
        "shown": state,
    }
    return Response(PreflightShape(shown).data)


PREFLIGHT = ("title", "does", "back", "missing", "blocked", "can_go")


def _where(tournament: Tournament, worry: Worry) -> str:
    if worry.round is not None and worry.table is not None:
        return table_linked(tournament, worry.round, worry.table)
    return linked(worry.address, tournament)


class SaidByItself(ActSchema):
    """Describes an act that is named by its view, one of several that are done alike."""

    def get_description(self, *asked: Any) -> str:
        """What the view says of itself."""
        return (
            str(super().get_description(*asked))
            if self.method == "GET"
            else get_doc(type(self.view))
        )


class StepAPIView(RunAPIView):
    """One step: looked at by GET, taken by POST."""

    schema = SaidByItself()
    answers = TournamentShape
    step: ClassVar[str]
    takes: ClassVar[Callable[..., object]]

    @extend_schema(responses=PreflightShape)
    def get(self, request: HttpRequest, **kwargs: Any) -> Response:  # noqa: ARG002
        """What the step does and what is not in order before it."""
        state = state_for(self.tournament, self.shown({}).act)
        return before(self.tournament, preflight(self.tournament, self.step), state)

    def act(self, told: dict[str, Any]) -> Tournament:
        """Take the step; refused with everything that is in its way."""
        shown, noted = self.shown(told), self.noted()
        type(self).takes(tournament=self.tournament, shown=shown, **told, **noted)
        self.tournament.refresh_from_db()
        return self.tournament

    def noted(self) -> dict[str, str]:
        """Who takes the step, where that is kept with the reason."""
        return {"made_by": self.made_by} if issubclass(self.asks, ReasonIn) else {}


class SeatView(StepAPIView):
    """Draw the seating of every round that is drawn at once."""

    step, takes, asks = "seat", services.seat_rounds, ShownIn


class ClearView(StepAPIView):
    """Take the seating away, as long as no hand is recorded; entries are open again."""

    step, takes, asks = "clear", services.clear_rounds, ShownIn


class StartView(StepAPIView):
    """Start the next round that is seated: its tables can enter their hands."""

    step, takes, asks = "start", services.start_round, StartIn


class UnstartView(StepAPIView):
    """Take the start of a round back, as long as no hand of it is recorded."""

    step, takes, asks = "unstart", services.unstart_round, OfRoundIn


class CloseView(StepAPIView):
    """Close the round that is played; refused with a line for every table that is not done."""

    step, takes, asks = "close", services.close_round, OfRoundIn


class ReopenView(StepAPIView):
    """Open the last closed round again, with a reason that is kept."""

    step, takes, asks = "reopen", services.reopen_round, ReopenRoundIn


class FinishView(StepAPIView):
    """Finish the tournament: its standings are final."""

    step, takes, asks = "finish", services.finish_tournament, ShownIn


class ResumeView(StepAPIView):
    """Open a finished tournament again, with a reason that is kept."""

    step, takes, asks = "resume", services.reopen_tournament, ReopenIn


class PublishView(StepAPIView):
    """Publish the results for everyone with the link."""

    step, takes, asks = "publish", services.publish_results, ShownIn


class StoppedView(RunAPIView):
    """A table that keeps the round open has stopped: what it has played counts."""

    asks = OfRoundIn

    def act(self, told: dict[str, Any]) -> None:
        """The table of that number plays no further hand in the round being played."""
        table = get_object_or_404(tables_open(self.tournament), number=self.kwargs["number"])
        services.stop_table(table=table, shown=self.shown(told))


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
