"""Input serializers of tournaments for which no page's form fits."""

from typing import Any, ClassVar, Final

from django.urls import path, reverse
from rest_framework import serializers

from clubs.api.commands import command_endpoint
from clubs.api.fields import FlagField
from clubs.api.rows import serializer_of
from tournaments.api import (
    API_TOURNAMENT_PATH,
    ReasonIn,
    RoundIn,
    RunAPIView,
    TournamentSerializer,
    api_address_of,
)
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.rounds.selectors import TableRow
from tournaments.rounds.steps import state_for
from tournaments.seating.services import seating
from tournaments.steps import services
from tournaments.steps.selectors import Preflight, preflight
from tournaments.steps.worries import Worry

# Whose ETag may be sent back with a step.
DRY_RUN_ETAG: Final = "the dry run"
CLOSING_ETAG: Final = "the dry run of closing the round"
WarningSerializer = serializer_of("WarningSerializer", Worry, "sentence address")

UnfinishedTableSerializer = serializer_of(
    "UnfinishedTableSerializer",
    TableRow,
    "table=number missing=lacks",
    "A table that keeps the round open.",
)

PreflightSerializer = serializer_of(
    "PreflightSerializer",
    Preflight,
    "title does=effects undo=undo_text warnings=worries unfinished=missing blocked_by=block_reason "
    "is_possible=can_go round",
    warnings=WarningSerializer,
    unfinished=UnfinishedTableSerializer,
)


class ReopenRoundIn(RoundIn, ReasonIn):
    """The round to reopen, and why."""


class StartIn(RoundIn):
    """How the round's clock starts."""

    clock_waits = FlagField(
        default=False, help_text="whether the clock is paused until everyone is seated"
    )


def preflight_data(tournament: Tournament, preflight: Preflight) -> dict[str, Any]:
    """The page before a step as ``PreflightSerializer``."""
    worries = []
    for worry in preflight.worries:
        address = api_address_of(worry.address, tournament)
        if worry.game is not None:
            address = reverse("api-game", args=[worry.game])
        worries.append({"sentence": worry.sentence, "address": address})
    names = ("title", "effects", "undo_text", "missing", "block_reason", "can_go")
    data = {name: getattr(preflight, name) for name in names}
    return data | {"worries": worries, "round": preflight.round}


class StepAPIView(RunAPIView):
    """One step, which a dry run looks at."""

    step: ClassVar[str]

    def dry_run(self, _validated: dict[str, Any]) -> dict[str, Any]:
        """What the step does, and any warnings."""
        return preflight_data(self.tournament, preflight(self.tournament, self.step))

    def state(self) -> str:
        """What the step compares."""
        return state_for(self.tournament, self.shown_state().act)


class SeatView(StepAPIView):
    step = "seat"

    @command_endpoint(
        answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self) -> Tournament:
        """Draw the seating of every round that is drawn at once."""
        return self.take_step(seating.seat_rounds)


class ClearView(StepAPIView):
    step = "clear"

    @command_endpoint(
        answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self) -> Tournament:
        """Clear the seating, as long as no hand is recorded. Entries open again."""
        return self.take_step(seating.clear_rounds)


class StartView(StepAPIView):
    step = "start"

    @command_endpoint(
        StartIn, answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self, validated: dict[str, Any]) -> Tournament:
        """Start the next seated round, so that its tables can enter hands."""
        return self.take_step(services.start_round, validated)


class UnstartView(StepAPIView):
    step = "unstart"

    @command_endpoint(
        RoundIn, answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self, validated: dict[str, Any]) -> Tournament:
        """Undo the start of a round, as long as no hand of it is recorded."""
        return self.take_step(services.unstart_round, validated)


class CloseView(StepAPIView):
    step = "close"

    @command_endpoint(
        RoundIn, answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self, validated: dict[str, Any]) -> Tournament:
        """Close the current round. Refused with a line for every unfinished table."""
        return self.take_step(services.close_round, validated)


class ReopenView(StepAPIView):
    step = "reopen"

    @command_endpoint(
        ReopenRoundIn,
        answers=TournamentSerializer,
        preflight=PreflightSerializer,
        reading=DRY_RUN_ETAG,
    )
    def post(self, validated: dict[str, Any]) -> Tournament:
        """Reopen the last closed round, with a reason that is stored."""
        return self.take_step(services.reopen_round, validated, made_by=self.made_by)


class FinishView(StepAPIView):
    step = "finish"

    @command_endpoint(
        answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self) -> Tournament:
        """Finish the tournament and make its standings final."""
        return self.take_step(services.finish_tournament)


class ResumeView(StepAPIView):
    step = "resume"

    @command_endpoint(
        ReasonIn, answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self, validated: dict[str, Any]) -> Tournament:
        """Reopen a finished tournament, with a reason that is stored."""
        return self.take_step(services.reopen_tournament, validated, made_by=self.made_by)


class PublishView(StepAPIView):
    step = "publish"

    @command_endpoint(
        answers=TournamentSerializer, preflight=PreflightSerializer, reading=DRY_RUN_ETAG
    )
    def post(self) -> Tournament:
        """Publish the results for everyone with the link."""
        return self.take_step(results_services.publish_results)


class StoppedTablesSerializer(serializers.Serializer[object]):
    """The tables that stopped."""

    tables = serializers.ListField(child=serializers.IntegerField())


class StopTablesView(RunAPIView):
    @command_endpoint(RoundIn, answers=StoppedTablesSerializer, reading=CLOSING_ETAG)
    def post(self, validated: dict[str, Any]) -> dict[str, list[int]]:
        """Stop every table that keeps the round open, but for those with a disputed hand."""
        page_state = self.shown_state(validated)
        return {"tables": services.stop_tables(tournament=self.tournament, page_state=page_state)}


urlpatterns = [
    path(f"{API_TOURNAMENT_PATH}seat/", SeatView.as_view(), name="api-tournament-seat"),
    path(f"{API_TOURNAMENT_PATH}clear/", ClearView.as_view(), name="api-tournament-clear"),
    path(f"{API_TOURNAMENT_PATH}start/", StartView.as_view(), name="api-round-start"),
    path(f"{API_TOURNAMENT_PATH}start/undo/", UnstartView.as_view(), name="api-round-unstart"),
    path(f"{API_TOURNAMENT_PATH}close/", CloseView.as_view(), name="api-round-close"),
    path(f"{API_TOURNAMENT_PATH}close/undo/", ReopenView.as_view(), name="api-round-reopen"),
    path(f"{API_TOURNAMENT_PATH}finish/", FinishView.as_view(), name="api-tournament-finish"),
    path(f"{API_TOURNAMENT_PATH}finish/undo/", ResumeView.as_view(), name="api-tournament-reopen"),
    path(
        f"{API_TOURNAMENT_PATH}results/publish/", PublishView.as_view(), name="api-results-publish"
    ),
    path(f"{API_TOURNAMENT_PATH}stop-tables/", StopTablesView.as_view(), name="api-stop-tables"),
]
