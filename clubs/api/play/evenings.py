"""An evening over the API: opened, ticked, seated, played, finished."""

from functools import partial
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView
from clubs.api.commands import ActAPIView, Asked, ShownIn, judged
from clubs.api.fields import FlagField, KeyField, NumberField
from clubs.api.filters import days, one_of
from clubs.api.play import evening_shapes as shapes
from clubs.api.shapes import EveningShape, EveningWholeShape, ResultShape
from clubs.core.permissions import (
    CORRECT_HANDS,
    ENTER_HANDS,
    PRINT_PAPERS,
    RUN_EVENING,
    SEE_RESULTS,
)
from clubs.core.stale_forms import Shown
from clubs.forms.evenings import EveningForm, GuestForm, TickForm
from clubs.models import Player, PlayerKind, Session, SessionState
from clubs.selectors import evenings as rows
from clubs.selectors.disputes import disputes_of
from clubs.selectors.doorlist import door_list, wishes_tonight
from clubs.selectors.evenings import evenings_of, summaries
from clubs.selectors.floor import floor_of
from clubs.selectors.sheets import stack_of
from clubs.services import evenings as services
from clubs.table.api.repairs import repairs_told
from clubs.table.rows import table_title
from clubs.table.schemas import RepairShape, StackedSheetShape

EVENING = "clubs/<slug:club>/evenings/<int:evening>/"


class OfEvening(ClubAPIView):
    """Part of one evening."""

    session: Session

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; the evening is found before what was sent is read."""
        super().initial(request, *args, **kwargs)
        self.session = self.read()

    def read(self) -> Session:
        """The evening of the address, read afresh; raises ``Http404``."""
        sessions = Session.objects.select_related("club", "season", "book")
        return get_object_or_404(sessions, club=self.club, pk=self.kwargs["evening"])


class EveningsView(ClubListAPIView, ActAPIView):
    """A club's evenings, and a new one."""

    door = SEE_RESULTS
    writing_door = RUN_EVENING
    filters = (*days("held_on"), one_of("state", SessionState.values))
    asks = EveningForm
    answers = EveningShape
    status = 201

    @extend_schema(responses=shapes.EveningSummaryShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the evenings of a club, newest first, with attendance and the top scorer."""
        told = partial(summaries, reader=self.reader)
        return self.page_of(evenings_of(self.club), shapes.EveningSummaryShape, told)

    def act(self, told: dict[str, Any]) -> Session:
        """Open the evening of a date. There is one evening a day."""
        return services.open_session(club=self.club, held_on=told["held_on"])


class EveningView(OfEvening):
    """One evening."""

    door = SEE_RESULTS

    @extend_schema(responses=EveningWholeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get an evening with its tables and its result."""
        session = self.session
        told = {
            "pk": session.pk,
            "held_on": session.held_on,
            "state": session.state,
            "version": session.version,
            "shown": rows.state_of(session),
            "tables": rows.tables_of(session, reader=self.reader),
            "result": rows.result_of(session, reader=self.reader),
        }
        return Response(EveningWholeShape(told).data)


class DoorView(OfEvening, ClubListAPIView):
    """The check-in list."""

    door = RUN_EVENING

    @extend_schema(responses=shapes.DoorRowShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the check-in list: everyone, the most regular first, and who is checked in."""
        return self.page_of(rows.tick_list(self.session), shapes.DoorRowShape)


class TickIn(serializers.Serializer[Any]):
    """A player, and whether they are checked in."""

    player = KeyField(help_text="the player’s id")
    is_here = FlagField(help_text="false: not coming, or gone home")


class TickView(OfEvening, ActAPIView):
    """A player checked in or not."""

    door = RUN_EVENING
    asks = TickIn
    answers = shapes.DoorRowShape

    def act(self, told: dict[str, Any]) -> rows.TickRow:
        """Check a player in or out. Sending the same again changes nothing."""
        session = self.session
        way = "here" if told["is_here"] else "away"
        player: Player = judged(TickForm(self.club, {way: told["player"]}))["player"]
        services.tick(session=session, player=player, is_here=told["is_here"])
        listed = (row for row in rows.tick_list(session) if row.player_id == player.pk)
        return next(listed, None) or _away(player)


def _away(player: Player) -> rows.TickRow:
    """The line of someone who is on the list no more."""
    is_guest = player.kind == PlayerKind.GUEST
    return rows.TickRow(player.pk, player.name, is_guest, is_here=False, table=None)


class GuestsView(OfEvening, ActAPIView):
    """A new guest."""

    door = RUN_EVENING
    asks = GuestForm
    answers = shapes.NewGuestShape
    status = 201

    def act(self, told: dict[str, Any]) -> Player:
        """Add a guest to the club's list and check them in."""
        return services.add_guest(session=self.session, name=told["name"])


class AdviceView(OfEvening):
    """Suitable table sizes."""

    door = RUN_EVENING

    @extend_schema(responses=shapes.AdviceShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get suitable table sizes, and the seating preferences that cannot be met."""
        session = self.session
        door = door_list(session)
        context = {"wishes": wishes_tonight(session, door)}
        return Response(shapes.AdviceShape(door, context=context).data)


class SeatIn(ShownIn):
    """The sizes of the tables."""

    split = serializers.ListField(
        child=NumberField(min_value=3, max_value=5),
        max_length=100,
        default=list,
        help_text="one of the suggested sizes, such as [4, 5, 5]; empty: the usual sizes",
    )


class _EveningAct(OfEvening, ActAPIView):
    """An act that changes the evening as a whole."""

    door = RUN_EVENING
    asks: ClassVar[Asked] = ShownIn
    answers = EveningShape
    page: ClassVar[str]

    def shown(self, told: dict[str, Any]) -> Shown:
        """What was read before."""
        return Shown(self.page, told.get("shown", ""))


class SeatView(_EveningAct):
    """Tables and winds."""

    asks, page = SeatIn, "seat"

    def act(self, told: dict[str, Any]) -> Session:
        """Seat everyone who is checked in. You can reseat until a hand is recorded."""
        split, shown = tuple(told["split"]), self.shown(told)
        services.seat_session(session=self.session, split=split, shown=shown)
        return self.read()


class ClearView(_EveningAct):
    """The seating, cleared."""

    page = "clear"

    def act(self, told: dict[str, Any]) -> Session:
        """Clear the seating, as long as no hand has been played."""
        services.clear_tables(session=self.session, shown=self.shown(told))
        return self.read()


class CloseView(_EveningAct):
    """A finished evening."""

    page = "close"

    def act(self, told: dict[str, Any]) -> Session:
        """Finish the evening. Results wait in the Outbox as drafts for those who asked."""
        services.close_session(session=self.session, shown=self.shown(told))
        return self.read()


class ReopenView(_EveningAct):
    """A reopened evening."""

    page = "reopen"

    def act(self, told: dict[str, Any]) -> Session:
        """Reopen a finished evening."""
        services.reopen_session(session=self.session, shown=self.shown(told))
        return self.read()


class ResultView(OfEvening, ClubListAPIView):
    """The evening's result."""

    door = SEE_RESULTS

    @extend_schema(responses=ResultShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the result so far, highest first."""
        return self.page_of(rows.result_of(self.session, reader=self.reader), ResultShape)


class FloorView(OfEvening, ClubListAPIView):
    """All the tables now."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.FloorTableShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get every table at a glance: the current winds and how far play has got."""
        return self.page_of(floor_of(self.session, reader=self.reader), shapes.FloorTableShape)


class DisputesView(OfEvening, ClubListAPIView):
    """Disputed hands."""

    door = ENTER_HANDS

    @extend_schema(responses=shapes.DisputeShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List disputed hands, the longest wait first."""
        return self.page_of(disputes_of(self.session), shapes.DisputeShape)


class EveningRepairsView(OfEvening, ClubListAPIView):
    """Corrections."""

    door = CORRECT_HANDS

    @extend_schema(responses=RepairShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the corrections at the evening's tables, newest first."""
        numbers = self.session.tables.values_list("game", "number")
        titles = {game: table_title(number) for game, number in numbers}
        return self.page_of(repairs_told(titles), RepairShape)


class SheetsView(OfEvening, ClubListAPIView):
    """The paper score sheets."""

    door = ENTER_HANDS

    @extend_schema(responses=StackedSheetShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the evening's paper score sheets: which are saved, by whom and how far."""
        tables = [table.view for table in rows.linked_tables(self.session, reader=self.reader)]
        return self.page_of(stack_of(tables).sheets, StackedSheetShape)


class LinksView(OfEvening):
    """The links printed on table cards."""

    door = PRINT_PAPERS

    @extend_schema(responses=shapes.EveningLinksShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the secret links of the projector screen and each table. They need no account."""
        session = self.session
        tables = [
            {"number": one.number, "key": one.link_key}
            | {"address": request.build_absolute_uri(reverse("table", args=[one.link_key]))}
            for one in floor_of(session, reader=self.reader)
        ]
        wall = request.build_absolute_uri(reverse("wall", args=[session.wall_key]))
        told = {"wall_key": session.wall_key, "wall": wall, "tables": tables}
        return Response(shapes.EveningLinksShape(told).data)


urlpatterns = [
    path("clubs/<slug:club>/evenings/", EveningsView.as_view(), name="api-evenings"),
    path(EVENING, EveningView.as_view(), name="api-evening"),
    path(f"{EVENING}door/", DoorView.as_view(), name="api-evening-door"),
    path(f"{EVENING}tick/", TickView.as_view(), name="api-evening-tick"),
    path(f"{EVENING}guests/", GuestsView.as_view(), name="api-evening-guests"),
    path(f"{EVENING}advice/", AdviceView.as_view(), name="api-evening-advice"),
    path(f"{EVENING}seat/", SeatView.as_view(), name="api-evening-seat"),
    path(f"{EVENING}clear/", ClearView.as_view(), name="api-evening-clear"),
    path(f"{EVENING}close/", CloseView.as_view(), name="api-evening-close"),
    path(f"{EVENING}reopen/", ReopenView.as_view(), name="api-evening-reopen"),
    path(f"{EVENING}result/", ResultView.as_view(), name="api-evening-result"),
    path(f"{EVENING}floor/", FloorView.as_view(), name="api-evening-floor"),
    path(f"{EVENING}disputes/", DisputesView.as_view(), name="api-evening-disputes"),
    path(f"{EVENING}repairs/", EveningRepairsView.as_view(), name="api-evening-repairs"),
    path(f"{EVENING}sheets/", SheetsView.as_view(), name="api-evening-sheets"),
    path(f"{EVENING}links/", LinksView.as_view(), name="api-evening-links"),
]
