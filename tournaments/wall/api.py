"""The projector screen over the API, by its key and without signing in."""

from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ListsAPIView, lists, reads
from scoring.scorebook.refusals import refuse
from tournaments.api import FIND, OPEN, WallAPIView
from tournaments.wall.schemas import FoundNameShape, MeShape, TournamentWallShape
from tournaments.wall.selectors import ALONE, me_in, names_in, wall_of

SHOW = OpenApiParameter(
    "show", str, enum=sorted(ALONE), description="only these screens, not all in turn"
)


class WallView(WallAPIView):
    @reads(TournamentWallShape, parameters=[SHOW])
    def get(self) -> dict[str, Any]:
        """Get the projector screens: seats, clock, tables, standings and finally the prizes."""
        show = self.request.query_params.get("show", "")
        if show and show not in ALONE:
            raise refuse("bad_parameter", f"Choose one of {', '.join(sorted(ALONE))}.", "show")
        wall = wall_of(self.tournament, now=timezone.now(), show=show)
        about = {"tournament": self.tournament.name, "version": self.tournament.version}
        return about | {"pages": wall.pages, "clock": wall.clock}


class FindView(ListsAPIView, WallAPIView):
    @lists(FoundNameShape, parameters=[FIND])
    def get(self) -> Any:
        """List everyone who plays, substitutes included, by first name or more."""
        typed = self.request.query_params.get("find", "")
        return names_in(self.tournament, typed=typed)


class MeView(WallAPIView):
    @reads(MeShape)
    def get(self) -> Any:
        """Get a player's current and next seats, tablemates, and standing if shown."""
        entrant = self.kwargs["entrant"]
        me = me_in(self.tournament, entrant_id=entrant, now=timezone.now())
        if me is None:
            raise Http404
        return me


urlpatterns = [
    path(OPEN, WallView.as_view(), name="api-tournament-wall"),
    path(f"{OPEN}find/", FindView.as_view(), name="api-find-me"),
    path(f"{OPEN}find/<int:entrant>/", MeView.as_view(), name="api-find-me-one"),
]
