"""Subscriptions and guests over the API: who is due, one call to renew, to let go, to join."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActAPIView, ChangeAPIView
from clubs.api.office.shapes import HeldShape
from clubs.api.office.shapes_people import SubscriptionsShape
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.forms.members_due import GuestVisitsForm, RenewForm, as_shown
from clubs.models import Player
from clubs.selectors.people_due import subscriptions
from clubs.services import people


class SubscriptionsView(ChangeAPIView):
    """Subscriptions due, and when guests are asked to join."""

    door = MANAGE_MEMBERS
    asks = GuestVisitsForm
    answers = SubscriptionsShape

    @extend_schema(responses=SubscriptionsShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List members whose subscription is due, former members, and guests."""
        return Response(SubscriptionsShape(self.told_today()).data)

    def held(self) -> Mapping[str, Any]:
        """From which visit on a guest is asked now."""
        return {"visits": self.club.guest_visits}

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Set the visit from which guests are asked to join; ``null`` for never."""
        people.ask_guests_from(club=self.club, visits=told["visits"])
        return self.told_today()

    def told_today(self) -> dict[str, Any]:
        """What the page shows today."""
        found = subscriptions(self.club, timezone.localdate())
        return {"visits": self.club.guest_visits, **asdict(found)}


class PersonActView(ActAPIView):
    """An action on one person on the list."""

    door = MANAGE_MEMBERS
    answers = HeldShape

    @property
    def player(self) -> Player:
        """The person of the address; raises ``Http404``."""
        return get_object_or_404(standing(self.club), pk=self.kwargs["player"])


class RenewView(PersonActView):
    """A subscription, renewed."""

    asks = RenewForm

    def act(self, told: dict[str, Any]) -> Player:
        """Renew a subscription for a year from its last day. It also readmits a former member.

        With ``paid_until`` it is done only if that is still the last day, so never twice.
        """
        shown = as_shown(told, self.request.data)
        return people.renew(player=self.player, today=timezone.localdate(), shown=shown)


class LapseView(PersonActView):
    """A member, marked as left."""

    def act(self, told: dict[str, Any]) -> Player:  # noqa: ARG002
        """Mark a member as left and take them off the check-in list. Results are kept."""
        return people.lapse(player=self.player, today=timezone.localdate())


class JoinView(PersonActView):
    """A guest who joins."""

    def act(self, told: dict[str, Any]) -> Player:  # noqa: ARG002
        """Make a guest a member today. Refused for someone who is already a member."""
        return people.make_member(player=self.player, today=timezone.localdate())


PERSON = "clubs/<slug:club>/players/<int:player>/"
urlpatterns = [
    path("clubs/<slug:club>/subscriptions/", SubscriptionsView.as_view(), name="api-subscriptions"),
    path(f"{PERSON}renew/", RenewView.as_view(), name="api-player-renew"),
    path(f"{PERSON}lapse/", LapseView.as_view(), name="api-player-lapse"),
    path(f"{PERSON}join/", JoinView.as_view(), name="api-player-join"),
]
