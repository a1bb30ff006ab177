"""The projector screen over the API, by its key and without signing in."""

from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ListsAPIView
from scoring.scorebook.refusals import refuse
from tournaments.api import FIND, OPEN, WallAPIView
from tournaments.wall.schemas import FoundNameShape, MeShape, TournamentWallShape
from tournaments.wall.selectors import ALONE, me_in, names_in, wall_of

SHOW = OpenApiParameter(
    "show", str, enum=sorted(ALONE), description="only these screens, not all in turn"
)


class WallView(WallAPIView):
    """The screens of the projector."""

    @extend_schema(responses=TournamentWallShape, parameters=[SHOW])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the projector screens: seats, clock, tables, standings and finally the prizes."""
        show = request.query_params.get("show", "")
        if show and show not in ALONE:
            raise refuse("bad_parameter", f"Choose one of {', '.join(sorted(ALONE))}.", "show")
        wall = wall_of(self.tournament, now=timezone.now(), show=show)
        about = {"tournament": self.tournament.name, "version": self.tournament.version}
        fields = about | {"pages": wall.pages, "clock": wall.clock}
        return Response(TournamentWallShape(fields).data)


class FindView(ListsAPIView, WallAPIView):
    """Who can be found."""

    @extend_schema(responses=FoundNameShape(many=True), parameters=[FIND])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List everyone who plays, substitutes included, by first name or more."""
        typed = request.query_params.get("find", "")
        return self.page_of(names_in(self.tournament, typed=typed), FoundNameShape)


class MeView(WallAPIView):
    """One player's own tables and place."""

    @extend_schema(responses=MeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a player's current and next seats, tablemates, and standing if shown."""
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
