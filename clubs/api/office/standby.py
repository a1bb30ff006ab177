"""Filling a table at short notice over the API: who is glad to, who is asked, what they answer."""

from datetime import date
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, LinkedAPIView, removes
from clubs.api.commands import ActAPIView, ActView
from clubs.api.office.shapes_year import (
    AnswerIn,
    AskedShape,
    FillingInShape,
    InvitationShape,
    NamedShape,
    WhoIn,
)
from clubs.core.access import opened
from clubs.core.people_names import standing
from clubs.core.permissions import RUN_EVENING
from clubs.models import Answer, Club, Invitation, Player
from clubs.selectors import standby as rows
from clubs.services import standby as services


class StandByView(ClubListAPIView, ActAPIView):
    """The substitutes list."""

    door = RUN_EVENING
    asks = WhoIn
    answers = NamedShape
    status = 201

    @extend_schema(responses=NamedShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the substitutes, by name."""
        glad = self.club.players.exclude(stand_by=None)
        return self.page_of(glad.order_by("name_key", "pk"), NamedShape)

    def act(self, told: dict[str, Any]) -> Player:
        """Add someone to the substitutes list."""
        player = player_told(self.club, told["player"])
        services.set_stand_by(player=player, is_glad=True)
        return player


class StandByPersonView(ClubAPIView):
    """Someone on the substitutes list."""

    door = RUN_EVENING

    @removes
    def delete(self) -> None:
        """Remove someone from the substitutes list."""
        glad = self.club.players.exclude(stand_by=None)
        player = get_object_or_404(glad, pk=self.kwargs["player"])
        services.set_stand_by(player=player, is_glad=False)


class FillingInView(ClubAPIView):
    """Substitutes for a date."""

    door = RUN_EVENING

    @extend_schema(responses=FillingInShape)
    def get(self, request: Request, day: str, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get who was asked for a date (``2026-11-24``), their answers, and whom to ask next."""
        held_on = day_told(day)
        found = rows.filling_in(self.club, held_on)
        told = {
            "held_on": held_on,
            "day": found.day,
            "is_over": held_on < timezone.localdate(),
            "asked": [_asked(request, one) for one in found.asked],
            "waiting": found.waiting,
        }
        return Response(FillingInShape(told).data)


class InvitationsView(ActAPIView):
    """Invitations to substitutes for a date."""

    door = RUN_EVENING
    asks = WhoIn
    answers = AskedShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Create a link where someone can answer yes or no. You send it yourself.

        Asking again returns the same link. Tongbox sends nothing.
        """
        held_on, asked_by = day_told(self.kwargs["day"]), self.request.user
        player = player_told(self.club, told["player"])
        made = services.ask_to_come(
            club=self.club,
            held_on=held_on,
            player=player,
            asked_by=asked_by,  # type: ignore[arg-type]
        )
        asked = rows.filling_in(self.club, held_on).asked
        return _asked(self.request, next(one for one in asked if one.key == made.key))


class AnswerView(ActView, LinkedAPIView):
    """What someone was asked by a secret link, and their yes or no."""

    asks = AnswerIn
    answers = InvitationShape

    @extend_schema(responses=InvitationShape)
    def get(self, request: Request, key: str) -> Response:  # noqa: ARG002
        """Get what the holder of the link is asked. Reading it answers nothing."""
        return Response(InvitationShape(_invited(self.invitation)).data)

    @property
    def invitation(self) -> Invitation:
        """The invitation of the link; raises ``Http404``."""
        return opened(rows.asked_by_link, key=self.kwargs["key"])

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Answer yes or no. The answer can be changed until the date is over."""
        asked = self.invitation
        services.answer(invitation=asked, said=Answer(told["answer"]))
        return _invited(asked)


def day_told(told: str) -> date:
    """The day of an address; raises ``Http404`` where it is none."""
    try:
        return date.fromisoformat(told)
    except ValueError as unread:
        raise Http404 from unread


def player_told(club: Club, key: int) -> Player:
    """The person of the club's list with that key; raises ``ValidationError`` at ``player``."""
    player = standing(club).filter(pk=key).first()
    if player is None:
        fault = "That person is no longer in the member list."
        raise ValidationError({"player": [fault]}, code="invalid_choice")
    return player


def _asked(request: Request, asked: rows.Asked) -> dict[str, Any]:
    return {
        "player_id": asked.player_id,
        "name": asked.name,
        "email": asked.email,
        "answer": asked.answer.value,
        "address": request.build_absolute_uri(reverse("standby-answer", args=[asked.key])),
    }


def _invited(asked: Invitation) -> dict[str, Any]:
    return {
        "club": asked.club.name,
        "name": asked.player.name,
        "held_on": asked.held_on,
        "day": rows.club_day(asked.club, asked.held_on),
        "answer": str(asked.answer),
        "is_over": asked.held_on < timezone.localdate(),
    }


STANDBY = "clubs/<slug:club>/stand-by/"
urlpatterns = [
    path(STANDBY, StandByView.as_view(), name="api-standby"),
    path(f"{STANDBY}<int:player>/", StandByPersonView.as_view(), name="api-standby-person"),
    path(f"{STANDBY}days/<str:day>/", FillingInView.as_view(), name="api-filling-in"),
    path(
        f"{STANDBY}days/<str:day>/invitations/", InvitationsView.as_view(), name="api-invitations"
    ),
    path("come/<slug:key>/", AnswerView.as_view(), name="api-answer"),
]
