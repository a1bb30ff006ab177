"""Standings and results over the API: for the club, for everyone once they are published."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubTableAPIView, TablesAPIView
from clubs.api.commands import ShownIn
from scoring.scorebook.refusals import refuse
from tournaments import services
from tournaments.api.base import (
    CARD,
    ONE,
    OPEN,
    CardAPIView,
    RunAPIView,
    TournamentAPIView,
    WallAPIView,
)
from tournaments.api.files import CSV, XLSX, FileAPIView, FileRenderer, JSONFile
from tournaments.api.shapes.results import RecordsShape, ResultsShape, StandingShape
from tournaments.api.shapes.tournament import TournamentShape
from tournaments.api.steps import SaidByItself
from tournaments.exports import results_csv, results_json, results_xlsx
from tournaments.models import Tournament
from tournaments.selectors import standings
from tournaments.selectors.records import records_of
from tournaments.selectors.results import Results, results_of
from tournaments.selectors.showing import shown_through
from tournaments.services.making import MOST_ROUNDS

AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS},
    description="after this round",
)
FILES: dict[type[FileRenderer], Callable[[Tournament, Results], bytes]] = {
    CSV: results_csv,
    XLSX: results_xlsx,
    JSONFile: results_json,
}


class ShownAPIView(TournamentAPIView):
    """What counts up to a round; the last is left out while it is kept for the prize-giving."""

    @property
    def through(self) -> int | None:
        """The last round that counts for the caller; None: all of them."""
        asked = self.request.query_params.get("after", "")
        if asked and not (asked.isascii() and asked.isdecimal() and 0 < int(asked) <= MOST_ROUNDS):
            raise refuse("bad_parameter", f"Choose a round from 1 to {MOST_ROUNDS}.", "after")
        return shown_through(self.tournament, asked=asked, to_officials=self.sees_all)


class StandingsView(ClubTableAPIView, ShownAPIView):
    """A tournament's standings."""

    @extend_schema(responses=StandingShape(many=True), parameters=[AFTER])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the standings, best first, without the last round while it is hidden."""
        rows = standings.standings(self.tournament, through=self.through, reader=self.reader)
        return self.table_of(rows, StandingShape)


class CardStandingsView(TablesAPIView, CardAPIView):
    """The standings so far, for the players of any table."""

    @extend_schema(tags=["tables"], responses=StandingShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the standings, best first, without the last round while it is hidden."""
        tournament = self.round_table.round.tournament
        rows = standings.standings(tournament, through=shown_through(tournament))
        return self.table_of(rows, StandingShape)


class ClubResultsView(ShownAPIView):
    """All the results of a tournament."""

    @extend_schema(responses=ResultsShape, parameters=[AFTER])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the standings with teams, records and rulings, and at the end prizes and podium."""
        found = results_of(self.tournament, through=self.through, reader=self.reader)
        return Response(ResultsShape(found).data)


class RecordsView(ShownAPIView):
    """A tournament's records."""

    @extend_schema(responses=RecordsShape, parameters=[AFTER])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the highest hands, the most Mah-Jongs and the special hands."""
        found = records_of(self.tournament, through=self.through, reader=self.reader)
        return Response(RecordsShape(found).data)


class ClubResultsFileView(FileAPIView, ShownAPIView):
    """The results as a file."""

    @extend_schema(parameters=[AFTER])
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download the results, as they are now or after a round."""
        found = results_of(self.tournament, through=self.through, reader=self.reader)
        return self.file(FILES[self.kind](self.tournament, found), _name(self.tournament))


def _name(tournament: Tournament) -> str:
    return f"{tournament.club.slug}-tournament-{tournament.pk}-results"


class PublishedAPIView(WallAPIView):
    """Published results, for anyone with the link."""

    @property
    def published(self) -> Tournament:
        """The tournament, once its results are published; raises ``Http404`` before."""
        if self.tournament.published_at is None:
            raise Http404
        return self.tournament


class ResultsView(PublishedAPIView):
    """The published results."""

    @extend_schema(responses=ResultsShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the final results with the public link. Nothing is shown until they are published."""
        return Response(ResultsShape(results_of(self.published)).data)


class ResultsFileView(FileAPIView, PublishedAPIView):
    """The published results as a file."""

    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download the final results with the public link."""
        tournament = self.published
        return self.file(FILES[self.kind](tournament, results_of(tournament)), _name(tournament))


class ShowAPIView(RunAPIView):
    """Shows more or less of what was played."""

    schema = SaidByItself()
    asks = ShownIn
    answers = TournamentShape
    shows: ClassVar[Callable[..., None]]

    def act(self, told: dict[str, Any]) -> Tournament:
        """Do it; the tournament as it is then."""
        type(self).shows(tournament=self.tournament, shown=self.shown(told))
        self.tournament.refresh_from_db()
        return self.tournament


class HideView(ShowAPIView):
    """Hide the last round, so that only officials see it."""

    shows = services.hide_last_round


class ReleaseView(ShowAPIView):
    """Show the last round to everyone."""

    shows = services.release_results


class WithdrawView(ShowAPIView):
    """Unpublish the results."""

    shows = services.withdraw_results


def _files(at: str, view: type[FileAPIView], name: str) -> list[URLPattern]:
    """An address for each kind of file: ``results.csv``."""
    return [
        path(f"{at}.{kind.format}", _of(view, kind), name=f"{name}-{kind.format}") for kind in FILES
    ]


def _of(view: type[FileAPIView], kind: type[FileRenderer]) -> Any:
    made = type(f"{kind.__name__}{view.__name__}", (view,), {"kind": kind, "__doc__": view.__doc__})
    shape = OpenApiTypes.OBJECT if kind is JSONFile else OpenApiTypes.BINARY
    told: Any = extend_schema(responses={(200, kind.media_type): shape})(made)
    return told.as_view()


urlpatterns = [
    path(f"{ONE}standings/", StandingsView.as_view(), name="api-standings"),
    path(f"{ONE}results/", ClubResultsView.as_view(), name="api-tournament-results"),
    *_files(f"{ONE}results", ClubResultsFileView, "api-standings"),
    path(f"{ONE}records/", RecordsView.as_view(), name="api-tournament-records"),
    path(f"{ONE}results/hide/", HideView.as_view(), name="api-results-hide"),
    path(f"{ONE}results/release/", ReleaseView.as_view(), name="api-results-release"),
    path(f"{ONE}results/withdraw/", WithdrawView.as_view(), name="api-results-withdraw"),
    path(f"{OPEN}results/", ResultsView.as_view(), name="api-results"),
    *_files(f"{OPEN}results", ResultsFileView, "api-results"),
    path(f"{CARD}standings/", CardStandingsView.as_view(), name="api-round-table-standings"),
]
