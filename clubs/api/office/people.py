"""A club's people over the API."""

from collections.abc import Mapping
from typing import Any, cast

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView, ChangeAPIView
from clubs.api.filters import flag, one_of, search
from clubs.api.office.shapes import HeldShape
from clubs.api.shapes import PlayerShape
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.forms.members import MemberChangeForm, MemberForm
from clubs.models import Player, PlayerKind
from clubs.selectors import people as rows
from clubs.services import people

FILTERS = (search("name"), one_of("kind", PlayerKind.values), flag("is_active"))


class PlayersView(ClubListAPIView, ActAPIView):
    """A club's people, and a new one."""

    door = SEE_CLUB
    writing_door = MANAGE_MEMBERS
    asks = MemberForm
    answers = HeldShape
    status = 201
    filters = FILTERS

    @extend_schema(responses=PlayerShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the people of a club by name, former members last."""
        return self.page_of(rows.members(self.club, reader=self.reader), PlayerShape)

    def act(self, told: dict[str, Any]) -> Player:
        """Add a member."""
        return people.add_player(club=self.club, **told)


class MembersView(ClubListAPIView):
    """Everyone's details."""

    door = MANAGE_MEMBERS
    filters = FILTERS

    @extend_schema(responses=HeldShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List everyone with all their details."""
        everybody = standing(self.club).prefetch_related("aliases")
        return self.page_of(everybody.order_by("name_key", "pk"), HeldShape)


class PlayerView(ChangeAPIView):
    """One person's details."""

    door = MANAGE_MEMBERS
    asks = MemberChangeForm
    answers = HeldShape

    @extend_schema(responses=HeldShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get all the details of one person."""
        return Response(HeldShape(self.player).data)

    @property
    def player(self) -> Player:
        """The person of the address, whose records stand; raises ``Http404``."""
        return get_object_or_404(standing(self.club), pk=self.kwargs["player"])

    def held(self) -> Mapping[str, Any]:
        """What the page's form shows before anything is changed."""
        found = rows.held(self.player)
        return {**found, "nicknames": "; ".join(found["nicknames"])}

    def act(self, told: dict[str, Any]) -> Player:
        """Change a person's details."""
        changes = {name: value for name, value in told.items() if name in self.request.data}
        return people.change_player(player=self.player, changes=cast(people.Details, changes))


urlpatterns = [
    path("clubs/<slug:club>/players/", PlayersView.as_view(), name="api-players"),
    path("clubs/<slug:club>/members/", MembersView.as_view(), name="api-members"),
    path("clubs/<slug:club>/players/<int:player>/", PlayerView.as_view(), name="api-player"),
]
