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

from clubs.api.acting import ActAPIView, ChangeAPIView
from clubs.api.office.shapes import HeldShape
from clubs.api.office.shapes_people import SubscriptionsShape
from clubs.forms.members_due import GuestVisitsForm, RenewForm, as_shown
from clubs.models import Player
from clubs.permissions import MANAGE_MEMBERS
from clubs.selectors.people_due import subscriptions
from clubs.selectors.people_names import standing
from clubs.services import people


class SubscriptionsView(ChangeAPIView):
    """Whose subscription is due, and from which visit on a guest is asked to join."""

    door = MANAGE_MEMBERS
    asks = GuestVisitsForm
    answers = SubscriptionsShape

    @extend_schema(responses=SubscriptionsShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Members whose subscription is due, those who have left, and the guests, as of today."""
        return Response(SubscriptionsShape(self.told_today()).data)

    def held(self) -> Mapping[str, Any]:
        """From which visit on a guest is asked now."""
        return {"visits": self.club.guest_visits}

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Ask guests to join from this visit on; ``null`` asks nobody."""
        people.ask_guests_from(club=self.club, visits=told["visits"])
        return self.told_today()

    def told_today(self) -> dict[str, Any]:
        """What the page shows today."""
        found = subscriptions(self.club, timezone.localdate())
        return {"visits": self.club.guest_visits, **asdict(found)}


class PersonActView(ActAPIView):
    """Something done to one person of the list, today."""

    door = MANAGE_MEMBERS
    answers = HeldShape

    @property
    def player(self) -> Player:
        """The person of the address; raises ``Http404``."""
        return get_object_or_404(standing(self.club), pk=self.kwargs["player"])


class RenewView(PersonActView):
    """A subscription renewed."""

    asks = RenewForm

    def act(self, told: dict[str, Any]) -> Player:
        """Paid for a year more, from the last day paid for; who had lapsed is a member again.

        With ``paid_until`` only if that is still the last day paid for, so twice is once.
        """
        shown = as_shown(told, self.request.data)
        return people.renew(player=self.player, today=timezone.localdate(), shown=shown)


class LapseView(PersonActView):
    """A member let go."""

    def act(self, told: dict[str, Any]) -> Player:  # noqa: ARG002
        """No longer a member, and off the list at the door; every result is kept."""
        return people.lapse(player=self.player, today=timezone.localdate())


class JoinView(PersonActView):
    """A guest who joins."""

    def act(self, told: dict[str, Any]) -> Player:  # noqa: ARG002
        """A guest becomes a member today; refused for whoever is one already."""
        return people.make_member(player=self.player, today=timezone.localdate())


PERSON = "clubs/<slug:club>/players/<int:player>/"
urlpatterns = [
    path("clubs/<slug:club>/subscriptions/", SubscriptionsView.as_view(), name="api-subscriptions"),
    path(f"{PERSON}renew/", RenewView.as_view(), name="api-player-renew"),
    path(f"{PERSON}lapse/", LapseView.as_view(), name="api-player-lapse"),
    path(f"{PERSON}join/", JoinView.as_view(), name="api-player-join"),
]
