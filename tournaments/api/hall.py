"""What hangs in the hall over the API, without a sign-in, by the key of the wall."""

from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ListsAPIView
from scoring.scorebook.refusals import refuse
from tournaments.api.base import FIND, OPEN, WallAPIView
from tournaments.api.shapes.hall import FoundNameShape, MeShape, TournamentWallShape
from tournaments.selectors.finding import me_in, names_in
from tournaments.selectors.walls import ALONE, wall_of

SHOW = OpenApiParameter(
    "show", str, enum=sorted(ALONE), description="only these pictures, not all in turn"
)


class WallView(WallAPIView):
    """The pictures on the wall."""

    @extend_schema(responses=TournamentWallShape, parameters=[SHOW])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """What the wall shows in turn: seats, clock, tables, standings, at last the prizes."""
        show = request.query_params.get("show", "")
        if show and show not in ALONE:
            raise refuse("bad_parameter", f"This is one of {', '.join(sorted(ALONE))}.", "show")
        wall = wall_of(self.tournament, now=timezone.now(), show=show)
        about = {"tournament": self.tournament.name, "version": self.tournament.version}
        told = about | {"pages": wall.pages, "clock": wall.clock}
        return Response(TournamentWallShape(told).data)


class FindView(ListsAPIView, WallAPIView):
    """Who can be found."""

    @extend_schema(responses=FoundNameShape(many=True), parameters=[FIND])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Everyone who plays or sits in for someone, by first names at least."""
        typed = request.query_params.get("find", "")
        return self.page_of(names_in(self.tournament, typed=typed), FoundNameShape)


class MeView(WallAPIView):
    """One player's own tables and place."""

    @extend_schema(responses=MeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Where I sit now and next and with whom, and where I stand as far as it is shown."""
        entrant = self.kwargs["entrant"]
        me = me_in(self.tournament, entrant_id=entrant, now=timezone.now())
        if me is None:
            raise Http404
        return Response(MeShape(me).data)


urlpatterns = [
    path(OPEN, WallView.as_view(), name="api-tournament-wall"),
    path(f"{OPEN}find/", FindView.as_view(), name="api-find-me"),
    path(f"{OPEN}find/<int:entrant>/", MeView.as_view(), name="api-find-me-one"),
]
