"""Who sits where on an evening, changed and explained over the API."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.acting import ActAPIView, judged
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField
from clubs.api.play import evening_shapes as shapes
from clubs.api.play.evenings import EVENING, OfEvening
from clubs.api.shown import ShownIn
from clubs.forms.changing import ENDS, WITHOUT, Comes, Leaves, NewTable
from clubs.forms.moving import PlacesForm, TableForm
from clubs.permissions import MANAGE_WISHES, RUN_EVENING, SEE_RESULTS
from clubs.seating import Said
from clubs.selectors.changing import changes_now
from clubs.selectors.why import why_this_evening
from clubs.services import changing, moving
from clubs.shown import Shown

TAKEN_OVER = "taken_over"
MOST_TABLES = 1_000_000
NAME = OpenApiParameter("name", OpenApiTypes.STR, description="also how this player fares")


class LookIn(ShownIn):
    """What is done, or only looked at."""

    only_look = FlagField(default=False, help_text="say what it would do; nothing is changed")


class PlacesIn(LookIn):
    """Two who change places."""

    one = KeyField(help_text="a player’s id")
    other = KeyField(help_text="another player’s id")


class ToTableIn(LookIn):
    """Someone who goes to another table, or has none so far."""

    player = KeyField(help_text="a player’s id")
    number = NumberField(min_value=1, max_value=MOST_TABLES, help_text="the table’s number")


class _MoveView(OfEvening, ActAPIView):
    """Someone moves before the first hand."""

    door = RUN_EVENING
    answers = shapes.MoveShape

    def moved(self, told: dict[str, Any], act: Callable[..., str]) -> dict[str, Any]:
        """What the move costs, or that it is done."""
        act = partial(act, shown=Shown("evening-move", told.get("shown", "")))
        if told["only_look"]:
            return {"done": False, "said": moving.cost_of_move(session=self.session, act=act)}
        return {"done": True, "said": [Said(act())]}


class ChangePlacesView(_MoveView):
    """Two change places."""

    asks = PlacesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Two players take each other's seats, before the first hand of their tables."""
        session = self.session
        who = judged(PlacesForm(session, _under("places", told)))
        return self.moved(told, partial(moving.change_places, session=session, **who))


class MoveView(_MoveView):
    """Someone goes to another table."""

    asks = ToTableIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Someone takes the last seat of another table, before its first hand."""
        session = self.session
        who = judged(TableForm(session, _under("table", told)))
        return self.moved(told, partial(moving.move_to, session=session, **who))


class ComesIn(LookIn):
    """Someone who waits, and the table."""

    player = KeyField(help_text="the id of someone who waits")
    number = NumberField(min_value=1, max_value=MOST_TABLES, help_text="the table’s number")


class LeavesIn(LookIn):
    """Someone who leaves, and what becomes of the table."""

    leaver = KeyField(help_text="the id of someone who plays")
    then = OneOfField(
        choices=[TAKEN_OVER, WITHOUT, ENDS],
        help_text="someone takes the seat, the others go on without, or the table ends here",
    )
    player = KeyField(
        allow_null=True, default=None, help_text="who takes the seat, where it is taken over"
    )
    goes_home = FlagField(default=True, help_text="false: they wait here for another seat")


class NewTableIn(LookIn):
    """Those who make a table of their own."""

    players = serializers.ListField(
        child=KeyField(), allow_empty=False, max_length=5, help_text="ids of those who wait"
    )


class ChangesView(OfEvening):
    """Comings and goings."""

    door = RUN_EVENING

    @extend_schema(responses=shapes.ChangesShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Who waits, which table can take one more or spare one, what can be taken back."""
        session = self.session
        now = changes_now(session)
        told: dict[str, Any] = {"tables": now.tables, "gone": now.gone}
        told |= {"waiting": now.waiters, "playing": now.players}
        return Response(shapes.ChangesShape(told).data)


class _ChangeView(OfEvening, ActAPIView):
    """Someone comes or leaves while the evening is played."""

    door = RUN_EVENING
    answers = shapes.DoneShape

    def changed(self, told: dict[str, Any], form: Comes | Leaves | NewTable) -> dict[str, Any]:
        """What it does, or would do."""
        judged(form)
        only_look = told["only_look"]
        act = partial(form.act, shown=Shown("evening-change", told.get("shown", "")))
        said = changing.what_would_happen(act) if only_look else act()
        return {"done": not only_look, "said": said}


class ComesView(_ChangeView):
    """Someone sits down."""

    asks = ComesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Someone who waits joins a table, which goes on with one more from the next hand."""
        session = self.session
        return self.changed(told, Comes(session, changes_now(session), _under("comes", told)))


class LeavesView(_ChangeView):
    """Someone gives up their seat."""

    asks = LeavesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Someone leaves: their seat is taken, the others go on, or the table ends."""
        is_taken = told["then"] == TAKEN_OVER
        if is_taken != (told["player"] is not None):
            raise ValidationError({"player": ["Say who takes the seat, where someone does."]})
        then = told["player"] if is_taken else told["then"]
        sent = {"leaver": told["leaver"], "then": then, "home": told["goes_home"]}
        session = self.session
        return self.changed(told, Leaves(session, changes_now(session), _under("leaves", sent)))


class NewTableView(_ChangeView):
    """Another table."""

    asks = NewTableIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Those who wait make a table of their own."""
        session = self.session
        return self.changed(told, NewTable(session, changes_now(session), _under("newtable", told)))


class UndoChangeView(OfEvening, ActAPIView):
    """A change taken back."""

    door = RUN_EVENING
    asks = ShownIn
    answers = shapes.DoneShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Take the last change at a table back, as long as no hand was entered after it."""
        shown = Shown("evening-change-undo", told.get("shown", ""))
        said = changing.undo(session=self.session, number=self.kwargs["number"], shown=shown)
        return {"done": True, "said": [said]}


class WhyView(OfEvening):
    """Why this seating."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.WhyShape, parameters=[NAME])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Who sits with whom, who did lately, and why; with ``name`` also for one player."""
        may_know = self.may(MANAGE_WISHES)
        found = why_this_evening(self.session, reader=self.reader, with_wishes=may_know)
        context = {"name": request.query_params.get("name", "")}
        return Response(shapes.WhyShape(found, context=context).data)


def _under(prefix: str, told: dict[str, Any]) -> dict[str, Any]:
    """What was told, under the names that the page's form sends it."""
    return {f"{prefix}-{name}": value for name, value in told.items()}


urlpatterns = [
    path(f"{EVENING}why/", WhyView.as_view(), name="api-evening-why"),
    path(f"{EVENING}move/places/", ChangePlacesView.as_view(), name="api-evening-places"),
    path(f"{EVENING}move/table/", MoveView.as_view(), name="api-evening-move"),
    path(f"{EVENING}change/", ChangesView.as_view(), name="api-evening-changes"),
    path(f"{EVENING}change/comes/", ComesView.as_view(), name="api-evening-comes"),
    path(f"{EVENING}change/leaves/", LeavesView.as_view(), name="api-evening-leaves"),
    path(f"{EVENING}change/table/", NewTableView.as_view(), name="api-evening-new-table"),
    path(
        f"{EVENING}change/<int:number>/undo/",
        UndoChangeView.as_view(),
        name="api-evening-change-undo",
    ),
]
