"""An evening rehearsed over the API: begun, played, begun again, wiped."""

from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, removes
from clubs.api.commands import ActAPIView
from clubs.api.office.shapes_house import RehearsalShape, RehearsedShape, rehearsal_told
from clubs.core.permissions import REHEARSE, RUN_EVENING
from clubs.forms.rehearsal import HandsForm
from clubs.models import Club, Session
from clubs.selectors.rehearsal import evening_of
from clubs.services import rehearsal as services


class RehearseView(ActAPIView):
    """A practice evening, started."""

    door = REHEARSE
    answers = RehearsalShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Start a practice evening, or return the current one.

        It is a separate club with made-up members: continue at its address. Nothing in it counts.
        """
        return rehearsal_told(services.rehearse(club=self.club))


class RehearsalView(ClubAPIView):
    """A practice evening, in its own club."""

    door = REHEARSE
    writing_door = RUN_EVENING

    @extend_schema(responses=RehearsalShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the practice evening. It is 404 in an ordinary club."""
        return Response(RehearsalShape(rehearsal_told(session_of(self.club))).data)

    @removes
    def delete(self) -> None:
        """Delete the practice evening and everything in it."""
        session_of(self.club)
        services.wipe(rehearsal=self.club)


class RehearsalPlayView(ActAPIView):
    """Hands that the made-up members play."""

    door = REHEARSE
    asks = HandsForm
    answers = RehearsedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Let the made-up members play this many hands at every table."""
        session = session_of(self.club)
        played = services.play_on(session=session, hands=told["hands"])
        return {**rehearsal_told(session), "hands": played}


class RehearsalAgainView(ActAPIView):
    """A practice evening, restarted."""

    door = RUN_EVENING
    answers = RehearsalShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Restart: delete the practice evening and start a new one at a new address."""
        session_of(self.club)
        return rehearsal_told(services.begin_again(rehearsal=self.club))


def session_of(club: Club) -> Session:
    """The practice evening; raises ``Http404`` in an ordinary club."""
    session = evening_of(club)
    if session is None:
        raise Http404
    return session


CLUB = "clubs/<slug:club>/"
urlpatterns = [
    path(f"{CLUB}rehearse/", RehearseView.as_view(), name="api-rehearse"),
    path(f"{CLUB}rehearsal/", RehearsalView.as_view(), name="api-rehearsal"),
    path(f"{CLUB}rehearsal/play/", RehearsalPlayView.as_view(), name="api-rehearsal-play"),
    path(f"{CLUB}rehearsal/again/", RehearsalAgainView.as_view(), name="api-rehearsal-again"),
]
