"""An evening rehearsed over the API: begun, played, begun again, wiped."""

from typing import Any

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.acting import ActAPIView
from clubs.api.base import ClubAPIView
from clubs.api.office.removing import removes
from clubs.api.office.shapes_house import RehearsalShape, RehearsedShape, rehearsal_told
from clubs.forms.rehearsal import HandsForm
from clubs.models import Club, Session
from clubs.permissions import REHEARSE, RUN_EVENING
from clubs.selectors.rehearsal import evening_of
from clubs.services import rehearsal as services


class RehearseView(ActAPIView):
    """A rehearsal begun."""

    door = REHEARSE
    answers = RehearsalShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Begin a rehearsal of the club’s evening, or find the one that is on.

        It is a club of its own, with pretend members: go on at its address. Nothing of it counts.
        """
        return rehearsal_told(services.rehearse(club=self.club))


class RehearsalView(ClubAPIView):
    """A rehearsal, in its own club."""

    door = REHEARSE
    writing_door = RUN_EVENING

    @extend_schema(responses=RehearsalShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The evening that is rehearsed; 404 in a club that is no rehearsal."""
        return Response(RehearsalShape(rehearsal_told(session_of(self.club))).data)

    @removes
    def delete(self) -> None:
        """Wipe it: nothing of the rehearsal is left."""
        session_of(self.club)
        services.wipe(rehearsal=self.club)


class RehearsalPlayView(ActAPIView):
    """Hands that the pretend members play."""

    door = REHEARSE
    asks = HandsForm
    answers = RehearsedShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """The pretend members play so many hands by themselves at every table."""
        session = session_of(self.club)
        played = services.play_on(session=session, hands=told["hands"])
        return {**rehearsal_told(session), "hands": played}


class RehearsalAgainView(ActAPIView):
    """A rehearsal that begins again."""

    door = RUN_EVENING
    answers = RehearsalShape
    status = 201

    def act(self, told: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Wipe it and begin a new one, which has another address."""
        session_of(self.club)
        return rehearsal_told(services.begin_again(rehearsal=self.club))


def session_of(club: Club) -> Session:
    """The evening that is rehearsed; raises ``Http404`` in a club that is no rehearsal."""
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
