"""What someone with a sign-in sees to for themselves: their name, and all that is held on them."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView
from clubs.api.commands import ChangeAPIView
from clubs.core.people_names import standing
from clubs.core.permissions import SEE_CLUB
from clubs.exports.everything import everything_told
from clubs.members.forms import MyNameForm
from clubs.members.schemas import EverythingShape, MyNameShape
from clubs.members.services.people import show_name
from clubs.models import Club, Player
from clubs.models.names import Reader
from clubs.selectors.dossier import dossier

NOBODY = "Your account is not linked to anyone on the club’s list. Ask the secretary."


class MyNameView(ChangeAPIView):
    """How your name is shown."""

    door = SEE_CLUB
    asks = MyNameForm
    answers = MyNameShape

    @extend_schema(responses=MyNameShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get your name on the list, and the three ways to show it."""
        return Response(MyNameShape(_named(found_me(self.club, self.reader))).data)

    def held(self) -> Mapping[str, Any]:
        """The way of now."""
        return {"shown_as": found_me(self.club, self.reader).shown_as}

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Choose how your name is shown to others."""
        me = found_me(self.club, self.reader)
        return _named(show_name(player=me, shown_as=told["shown_as"]))


class MyEverythingView(ClubAPIView):
    """Your own personal data."""

    door = SEE_CLUB

    @extend_schema(responses=EverythingShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get your personal data, under the same headings as your file."""
        found = dossier(found_me(self.club, self.reader))
        return Response(EverythingShape(everything_told(found)).data)


def found_me(club: Club, reader: Reader) -> Player:
    """The caller on the club's list; raises ``NotFound`` for an account without a person."""
    me = standing(club).select_related("club").filter(pk=reader.player or 0).first()
    if me is None:
        raise NotFound(NOBODY)
    return me


def _named(me: Player) -> dict[str, Any]:
    form = MyNameForm(initial={"shown_as": me.shown_as})
    ways = [
        {"shown_as": way.option.data["value"], "name": way.name, "note": way.note}
        for way in form.ways(me.name)
    ]
    return {"pk": me.pk, "name": me.name, "shown_as": me.shown_as, "ways": ways}


ME = "clubs/<slug:club>/me/"
urlpatterns = [
    path(ME, MyNameView.as_view(), name="api-my-name"),
    path(f"{ME}everything/", MyEverythingView.as_view(), name="api-my-everything"),
]
