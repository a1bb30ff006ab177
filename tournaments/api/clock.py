"""The clock over the API: read by everyone, set by the director; tables that stop."""

from collections.abc import Callable
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActView
from tournaments import services
from tournaments.api.asked import MinutesIn, RoundMinutesIn, SetClockIn, StopIn
from tournaments.api.base import (
    CARD,
    ONE,
    OPEN,
    TABLE,
    AtTableAPIView,
    CardAPIView,
    RunAPIView,
    TournamentAPIView,
    WallAPIView,
)
from tournaments.api.shapes.tournament import ClockNowShape
from tournaments.models import Table
from tournaments.permissions import ENTER_TABLE_HANDS, RUN_TOURNAMENT
from tournaments.selectors.clock import Clock, clock_now, clock_of

SET: dict[str, Callable[..., None]] = {
    "pause": services.pause_clock,
    "resume": services.resume_clock,
    "ring": services.ring_bell,
    "unring": services.take_bell_back,
}
STOPS: dict[str, Callable[..., None]] = {"stop": services.stop_table, "play_on": services.play_on}


def _told(clock: Clock | None) -> Response:
    return Response(ClockNowShape({"clock": clock}).data)


def _at(table: Table) -> dict[str, Clock | None]:
    """The clock of a table as it is now."""
    table.refresh_from_db()
    return {"clock": clock_of(table.round, now=timezone.now(), table=table)}


class ClockView(TournamentAPIView):
    """The clock of the current round."""

    @extend_schema(responses=ClockNowShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the time left."""
        return _told(clock_now(self.tournament, now=timezone.now()))


class SetClockView(RunAPIView):
    """Sets the clock of every table."""

    asks = SetClockIn
    answers = ClockNowShape

    def act(self, told: dict[str, Any]) -> dict[str, Clock | None]:
        """Pause or resume the clock of every table, ring the bell, or undo the bell."""
        SET[told["do"]](tournament=self.tournament, shown=self.shown(told))
        return {"clock": clock_now(self.tournament, now=timezone.now())}


class MinutesView(RunAPIView):
    """More minutes for every table."""

    asks = RoundMinutesIn
    answers = ClockNowShape

    def act(self, told: dict[str, Any]) -> dict[str, Clock | None]:
        """Add minutes for every table, or take some away."""
        shown = self.shown(told)
        services.add_minutes(tournament=self.tournament, shown=shown, **told)
        return {"clock": clock_now(self.tournament, now=timezone.now())}


class TableClockView(AtTableAPIView):
    """The clock of one table."""

    door = ENTER_TABLE_HANDS

    @extend_schema(responses=ClockNowShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the time left for this table, with its own extra minutes."""
        return _told(clock_of(self.round_table.round, now=timezone.now(), table=self.round_table))


class TableMinutesView(AtTableAPIView, RunAPIView):
    """More minutes for one table."""

    door = RUN_TOURNAMENT
    asks = MinutesIn
    answers = ClockNowShape

    def act(self, told: dict[str, Any]) -> dict[str, Clock | None]:
        """Add minutes for one table, or take some away."""
        services.add_minutes(tournament=self.tournament, table=self.round_table, **told)
        return _at(self.round_table)


class TableStopView(AtTableAPIView, RunAPIView):
    """A table that stops play."""

    door = ENTER_TABLE_HANDS
    asks = StopIn

    def act(self, told: dict[str, Any]) -> None:
        """Stop play at a table, or resume it, as an official."""
        STOPS[told["do"]](table=self.round_table)


class CardClockView(CardAPIView):
    """The clock of a table, for anyone with its table card."""

    @extend_schema(responses=ClockNowShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the time left for this table."""
        return _told(clock_of(self.round_table.round, now=timezone.now(), table=self.round_table))


class CardStopView(CardAPIView, ActView):
    """Players who stop play."""

    asks = StopIn

    def act(self, told: dict[str, Any]) -> None:
        """Stop play at a table, or resume it, as its players."""
        STOPS[told["do"]](table=self.round_table)


class WallClockView(WallAPIView):
    """The clock of the hall, for anyone with the link of the projector screen."""

    @extend_schema(responses=ClockNowShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the time left in the current round."""
        return _told(clock_now(self.tournament, now=timezone.now()))


urlpatterns = [
    path(f"{ONE}clock/", ClockView.as_view(), name="api-clock"),
    path(f"{ONE}clock/set/", SetClockView.as_view(), name="api-clock-set"),
    path(f"{ONE}clock/minutes/", MinutesView.as_view(), name="api-clock-minutes"),
    path(f"{TABLE}clock/", TableClockView.as_view(), name="api-table-clock"),
    path(f"{TABLE}minutes/", TableMinutesView.as_view(), name="api-table-minutes"),
    path(f"{TABLE}stop/", TableStopView.as_view(), name="api-table-stop"),
    path(f"{CARD}clock/", CardClockView.as_view(), name="api-round-table-clock"),
    path(f"{CARD}stop/", CardStopView.as_view(), name="api-round-table-stop"),
    path(f"{OPEN}clock/", WallClockView.as_view(), name="api-tournament-clock"),
]
