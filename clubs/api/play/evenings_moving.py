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

from clubs.api.commands import ActAPIView, ShownIn, judged
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField
from clubs.api.play import evening_shapes as shapes
from clubs.api.play.evenings import EVENING, OfEvening
from clubs.core.permissions import MANAGE_WISHES, RUN_EVENING, SEE_RESULTS
from clubs.core.stale_forms import Shown
from clubs.forms.changing import ENDS, WITHOUT, Comes, Leaves, NewTable
from clubs.forms.moving import PlacesForm, TableForm
from clubs.seating import Said
from clubs.selectors.changing import changes_now
from clubs.selectors.why import why_this_evening
from clubs.services import changing, moving

TAKEN_OVER = "taken_over"
MOST_TABLES = 1_000_000
NAME = OpenApiParameter("name", OpenApiTypes.STR, description="also this player’s own seating")


class LookIn(ShownIn):
    """Whether to save, or only preview."""

    only_look = FlagField(default=False, help_text="preview only: nothing is changed")


class PlacesIn(LookIn):
    """Two players to swap."""

    one = KeyField(help_text="a player’s id")
    other = KeyField(help_text="another player’s id")


class ToTableIn(LookIn):
    """A player to move to another table."""

    player = KeyField(help_text="a player’s id")
    number = NumberField(min_value=1, max_value=MOST_TABLES, help_text="the table’s number")


class _MoveView(OfEvening, ActAPIView):
    """A move before the first hand."""

    door = RUN_EVENING
    answers = shapes.MoveShape

    def moved(self, told: dict[str, Any], act: Callable[..., str]) -> dict[str, Any]:
        """The effect of the move."""
        act = partial(act, shown=Shown("evening-move", told.get("shown", "")))
        if told["only_look"]:
            return {"done": False, "said": moving.cost_of_move(session=self.session, act=act)}
        return {"done": True, "said": [Said(act())]}


class ChangePlacesView(_MoveView):
    """Two players swapped."""

    asks = PlacesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Swap two players, before the first hand at their tables."""
        session = self.session
        who = judged(PlacesForm(session, _under("places", told)))
        return self.moved(told, partial(moving.change_places, session=session, **who))


class MoveView(_MoveView):
    """A player moved to another table."""

    asks = ToTableIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Move a player to the last seat of another table, before its first hand."""
        session = self.session
        who = judged(TableForm(session, _under("table", told)))
        return self.moved(told, partial(moving.move_to, session=session, **who))


class ComesIn(LookIn):
    """A waiting player, and the table to join."""

    player = KeyField(help_text="the id of a waiting player")
    number = NumberField(min_value=1, max_value=MOST_TABLES, help_text="the table’s number")


class LeavesIn(LookIn):
    """A player who leaves, and what happens to the table."""

    leaver = KeyField(help_text="the id of a seated player")
    then = OneOfField(
        choices=[TAKEN_OVER, WITHOUT, ENDS],
        help_text="a substitute takes the seat, the others continue alone, or the table ends",
    )
    player = KeyField(allow_null=True, default=None, help_text="the substitute, if there is one")
    goes_home = FlagField(default=True, help_text="false: they stay and wait for another seat")


class NewTableIn(LookIn):
    """Waiting players who form a new table."""

    players = serializers.ListField(
        child=KeyField(), allow_empty=False, max_length=5, help_text="ids of waiting players"
    )


class ChangesView(OfEvening):
    """Late arrivals and departures."""

    door = RUN_EVENING

    @extend_schema(responses=shapes.ChangesShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get who is waiting, which tables can gain or lose a player, and what can be undone."""
        session = self.session
        now = changes_now(session)
        told: dict[str, Any] = {"tables": now.tables, "gone": now.gone}
        told |= {"waiting": now.waiters, "playing": now.players}
        return Response(shapes.ChangesShape(told).data)


class _ChangeView(OfEvening, ActAPIView):
    """A late arrival or departure."""

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
    """A player joins a table."""

    asks = ComesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Add a waiting player to a table from its next hand."""
        session = self.session
        return self.changed(told, Comes(session, changes_now(session), _under("comes", told)))


class LeavesView(_ChangeView):
    """A player leaves a table."""

    asks = LeavesIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Record a departure: a substitute sits down, the others continue, or the table ends."""
        is_taken = told["then"] == TAKEN_OVER
        if is_taken != (told["player"] is not None):
            raise ValidationError({"player": ["Choose who takes the seat."]})
        then = told["player"] if is_taken else told["then"]
        sent = {"leaver": told["leaver"], "then": then, "home": told["goes_home"]}
        session = self.session
        return self.changed(told, Leaves(session, changes_now(session), _under("leaves", sent)))


class NewTableView(_ChangeView):
    """A new table."""

    asks = NewTableIn

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Seat waiting players at a new table."""
        session = self.session
        return self.changed(told, NewTable(session, changes_now(session), _under("newtable", told)))


class UndoChangeView(OfEvening, ActAPIView):
    """A change undone."""

    door = RUN_EVENING
    asks = ShownIn
    answers = shapes.DoneShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Undo the last change at a table, as long as no hand has been entered since."""
        shown = Shown("evening-change-undo", told.get("shown", ""))
        said = changing.undo(session=self.session, number=self.kwargs["number"], shown=shown)
        return {"done": True, "said": [said]}


class WhyView(OfEvening):
    """Why this seating."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.WhyShape, parameters=[NAME])
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get how the tables were chosen; with ``name``, also for one player."""
        may_know = self.may(MANAGE_WISHES)
        found = why_this_evening(self.session, reader=self.reader, with_wishes=may_know)
        context = {"name": request.query_params.get("name", "")}
        return Response(shapes.WhyShape(found, context=context).data)


def _under(prefix: str, told: dict[str, Any]) -> dict[str, Any]:
    """The input under the names of the page's form."""
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
