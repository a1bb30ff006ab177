"""Who sits where over the API: the seating, why it is so, and what was drawn."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView, ClubTableAPIView
from clubs.models.names import AT_THE_TABLE, Reader
from clubs.seats.explained import personal
from tournaments.api.base import FIND, NAME, ONE, OPEN, TournamentAPIView, WallAPIView
from tournaments.api.files import CSV, FileAPIView
from tournaments.api.shapes.seating import DrawShape, SeatingShape, WhySeatingShape, why_told
from tournaments.exports import seating_csv
from tournaments.models import Drawing, Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors import why as rows
from tournaments.selectors.desk import rounds_of
from tournaments.selectors.seating import by_player, named, report_on


class SeatingView(ClubTableAPIView, TournamentAPIView):
    """Who sits where; as a file, a line a player."""

    table = "players"

    @extend_schema(responses=SeatingShape, parameters=[FIND])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the seating by round and by player, and how fair it is.

        With ``find``, only the players whose name contains it.
        """
        rounds = rounds_of(self.tournament, to_officials=False, reader=self.reader)
        players, find = by_player(rounds), request.query_params.get("find", "")
        told = {
            "rounds": rounds,
            "players": named(players, find) if find else players,
            "fairness": report_on(rounds),
        }
        return Response(SeatingShape(told).data)


def _why(request: Request, tournament: Tournament, reader: Reader) -> Response:
    seated = rows.seated_rounds(tournament, reader=reader)
    found = seated.explained()
    person = personal(found, request.query_params.get("name", ""))
    changes = rows.changes_by_hand(tournament, seated)
    return Response(WhySeatingShape(why_told(found, person, changes)).data)


class WhyView(TournamentAPIView):
    """Why this seating."""

    @extend_schema(responses=WhySeatingShape, parameters=[NAME])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get how fair the seating is and why; with ``name``, also for one player."""
        return _why(request, self.tournament, self.reader)


class OpenWhyView(WallAPIView):
    """Why this seating, for anyone with the link of the projector screen."""

    @extend_schema(responses=WhySeatingShape, parameters=[NAME])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get how fair the seating is and why, with first names or more."""
        return _why(request, self.tournament, AT_THE_TABLE)


class DrawsView(ClubListAPIView, TournamentAPIView):
    """Draws of the seating."""

    @extend_schema(responses=DrawShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the draws of the rounds, in order."""
        return self.page_of(rows.drawings_of(self.tournament), DrawShape)


class DrawView(TournamentAPIView):
    """One draw."""

    door = RUN_TOURNAMENT

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the request of a draw, for the command line that can draw it again."""
        drawing = get_object_or_404(Drawing, pk=self.kwargs["drawing"], tournament=self.tournament)
        return Response(drawing.asked)


class SeatingFileView(FileAPIView, TournamentAPIView):
    """The seating as a file."""

    door = RUN_TOURNAMENT
    kind = CSV

    @extend_schema(responses={(200, CSV.media_type): OpenApiTypes.BINARY})
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download the seating as CSV, a line for each table, ready to import again."""
        name = f"{self.club.slug}-tournament-{self.tournament.pk}-seating"
        return self.file(seating_csv(rows.seated_rounds(self.tournament, reader=self.reader)), name)


SEATING = f"{ONE}seating/"

urlpatterns = [
    path(SEATING, SeatingView.as_view(), name="api-seating"),
    path(f"{SEATING}why/", WhyView.as_view(), name="api-seating-why"),
    path(f"{SEATING}draws/", DrawsView.as_view(), name="api-seating-draws"),
    path(f"{SEATING}draws/<int:drawing>/", DrawView.as_view(), name="api-seating-draw-json"),
    path(f"{SEATING}list.csv", SeatingFileView.as_view(), name="api-seating-csv"),
    path(f"{OPEN}why/", OpenWhyView.as_view(), name="api-why-open"),
]
