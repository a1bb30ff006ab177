"""An evening over the API, from opening it to its result; its tables and receipts."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

from django.db.models import QuerySet
from django.urls import path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.mixins import DestroyModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, detail_endpoint
from clubs.api.commands import ClubCommandAPIView, cleaned_data, command_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField
from clubs.api.filters import DaysFilter, OneOfFilter
from clubs.api.lists import ClubListAPIView, ListsAPIView, list_endpoint
from clubs.api.retries import sent_state
from clubs.api.viewsets import ClubReadOnlyViewSet, Router
from clubs.core import permissions
from clubs.core.forms import ShownState
from clubs.evenings import forms
from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import door as door_rows, evenings as rows, floor
from clubs.evenings.selectors.seating import explain_evening
from clubs.evenings.serializers import (
    AdviceSerializer,
    ChangesSerializer,
    CheckInRowSerializer,
    DisputeSerializer,
    EveningExplanationSerializer,
    EveningLinksSerializer,
    EveningSerializer,
    EveningSummarySerializer,
    EveningWholeSerializer,
    FloorTableSerializer,
    MoveSerializer,
    NewGuestSerializer,
    ResultSerializer,
    StackedSheetSerializer,
    TableChangeSerializer,
)
from clubs.evenings.services import ending, evenings as services
from clubs.evenings.services.costs import cost_of_move
from clubs.models import Player, PlayerKind, Session, SessionState
from clubs.seating import SeatingRemark
from clubs.table.api.corrections import repairs_data
from clubs.table.api.games import GAME_PATH, LINK_ACCESS, GameAPIView
from clubs.table.serializers import ListedCorrectionSerializer

EVENING_PATH = "clubs/<slug:club>/evenings/<int:evening>/"
TAKEN_OVER = "taken_over"
SUMMARY_FIELDS = ("pk", "held_on", "state", "cancel_reason", "version")
MAX_TABLE_NUMBER = 1_000_000
EVENING_READING = "the evening, or of the dry run"
NAME_PARAMETER = OpenApiParameter(
    "name", OpenApiTypes.STR, description="also this player’s own seating"
)


class EveningAPIView(ClubAPIView):
    session: Session

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; the evening is found before what was sent is read."""
        super().initial(request, *args, **kwargs)
        self.session = self.read()

    def read(self) -> Session:
        """The evening of the address, read afresh; raises ``Http404``."""
        return rows.evening_of(self.club, self.kwargs["evening"])


class EveningFilter(DaysFilter):
    day = "held_on"
    state = OneOfFilter("state", SessionState.values)


@extend_schema_view(
    list=extend_schema(
        description="List the evenings of a club, newest first, with attendance and the top scorer."
    ),
    destroy=extend_schema(
        description="Delete an evening opened by mistake, as long as nothing is recorded."
    ),
)
class EveningViewSet(DestroyModelMixin, ClubReadOnlyViewSet):
    access = permissions.SEE_RESULTS
    writing_access = permissions.RUN_EVENING
    headings = {"best": "Highest scorer", "points": "Highest score"}
    queryset = Session.objects.none()
    serializer_class = EveningWholeSerializer
    list_serializer_class = EveningSummarySerializer
    filterset_class = EveningFilter
    lookup_url_kwarg = "evening"

    def get_queryset(self) -> QuerySet[Session]:
        return rows.evenings_of(self.club)

    def on_page(self, page: Any) -> Any:
        return rows.evening_summaries(page, reader=self.reader)

    @command_endpoint(
        forms.EveningForm,
        answers=EveningSerializer,
        creates=CreatedRoute("api-evening-detail", evening="id"),
    )
    def create(self, validated: dict[str, Any]) -> Session:
        """Open an evening on a date. There is one evening a day."""
        return services.open_session(club=self.club, held_on=validated["held_on"])

    @cached_property
    def session(self) -> Session:
        """The evening of the address; raises ``Http404``."""
        return rows.evening_of(self.club, self.kwargs["evening"])

    def get_object(self) -> Session:
        return self.session

    def state(self) -> str | None:
        """The state and the seats, which every step of the evening compares."""
        return rows.state_of(self.session) if self.detail else None

    @detail_endpoint(EveningWholeSerializer)
    def retrieve(self) -> dict[str, Any]:
        """Get an evening with its tables and its result."""
        session = self.session
        return {name: getattr(session, name) for name in SUMMARY_FIELDS} | {
            "tables": rows.tables_of(session, reader=self.reader),
            "result": rows.result_of(session, reader=self.reader),
        }

    def perform_destroy(self, instance: Session) -> None:
        ending.delete_session(session=instance)


class EveningStateAPIView(EveningAPIView):
    """What is read, or done, with the evening's state as the state that it compares."""

    def state(self) -> str:
        """The state and the seats, which every step of the evening compares."""
        return rows.state_of(self.session)


class CheckInIn(serializers.Serializer[Any]):
    """A player, and whether they are checked in."""

    player = KeyField(help_text="the player’s id")
    is_here = FlagField(help_text="false: not coming, or gone home")


class _EveningActView(EveningStateAPIView, ClubCommandAPIView):
    access = permissions.RUN_EVENING
    log = "changed the check-in of {player<player} for {evening}"

    def shown_state(self, page: str) -> ShownState:
        """The act of a page, and the state of the evening for which it was sent."""
        return ShownState(page, sent_state(self.request))


class CheckInView(ClubListAPIView, _EveningActView):
    @list_endpoint(CheckInRowSerializer)
    def get(self) -> tuple[door_rows.CheckInRow, ...]:
        """Get the check-in list: everyone, by surname, and who is checked in."""
        return door_rows.check_in_list(self.session)

    @command_endpoint(CheckInIn, answers=CheckInRowSerializer)
    def post(self, validated: dict[str, Any]) -> door_rows.CheckInRow:
        """Check a player in or out. Sending the same again changes nothing."""
        session = self.session
        field = "here" if validated["is_here"] else "away"
        form = forms.TickForm(self.club, {field: validated["player"]})
        player: Player = cleaned_data(form)["player"]
        services.tick(session=session, player=player, is_here=validated["is_here"])
        player_rows = (
            row for row in door_rows.check_in_list(session) if row.player_id == player.pk
        )
        is_guest = player.kind == PlayerKind.GUEST
        absent_row = door_rows.CheckInRow(
            player.pk, player.name, is_guest, is_here=False, table=None
        )
        return next(player_rows, absent_row)


class GuestsView(_EveningActView):
    @command_endpoint(
        forms.GuestForm,
        answers=NewGuestSerializer,
        creates=CreatedRoute("api-player-detail", shared_names="club", player="player_id"),
    )
    def post(self, validated: dict[str, Any]) -> Player:
        """Add a guest to the club's list and check them in."""
        return services.add_guest(session=self.session, name=validated["name"])


class AdviceView(EveningAPIView):
    access = permissions.RUN_EVENING

    @detail_endpoint(AdviceSerializer)
    def get(self) -> Response:
        """Get suitable table sizes, and the seating preferences that cannot be met."""
        door = door_rows.door_list(self.session)
        context = {"wishes": door_rows.wishes_tonight(self.session, door)}
        return Response(AdviceSerializer(door, context=context).data)


class SeatIn(serializers.Serializer[Any]):
    """The sizes of the tables."""

    split = serializers.ListField(
        child=NumberField(min_value=3, max_value=5),
        max_length=100,
        default=list,
        help_text="one of the suggested sizes, such as [4, 5, 5]; empty: the usual sizes",
    )


class SeatView(_EveningActView):
    @command_endpoint(SeatIn, answers=EveningSerializer, reading=EVENING_READING)
    def post(self, validated: dict[str, Any]) -> Session:
        """Seat everyone who is checked in. You can reseat until a hand is recorded."""
        split, page_state = tuple(validated["split"]), self.shown_state("seat")
        services.seat_session(session=self.session, split=split, page_state=page_state)
        return self.read()


class ClearView(_EveningActView):
    @command_endpoint(answers=EveningSerializer, reading=EVENING_READING)
    def post(self) -> Session:
        """Clear the seating, as long as no hand has been played."""
        services.clear_tables(session=self.session, page_state=self.shown_state("clear"))
        return self.read()


class CloseView(_EveningActView):
    @command_endpoint(answers=EveningSerializer, reading=EVENING_READING)
    def post(self) -> Session:
        """Finish the evening. Results wait in the Outbox as drafts for those who asked."""
        ending.close_session(session=self.session, page_state=self.shown_state("close"))
        return self.read()


class ReopenView(_EveningActView):
    @command_endpoint(answers=EveningSerializer, reading=EVENING_READING)
    def post(self) -> Session:
        """Reopen a finished evening."""
        ending.reopen_session(session=self.session, page_state=self.shown_state("reopen"))
        return self.read()


class CancelIn(serializers.Serializer[Any]):
    """Why the evening is cancelled."""

    reason = TextField(max_length=200, help_text="everyone who sees the evening reads it")


class CancelView(_EveningActView):
    @command_endpoint(CancelIn, answers=EveningSerializer, reading=EVENING_READING)
    def post(self, validated: dict[str, Any]) -> Session:
        """Cancel an evening with hands that was opened by mistake. It no longer counts."""
        reason = cleaned_data(forms.CancelForm({"reason": validated["reason"]}))["reason"]
        page_state = self.shown_state("evening-cancel")
        ending.cancel_session(session=self.session, reason=reason, page_state=page_state)
        return self.read()


class RestoreView(_EveningActView):
    @command_endpoint(answers=EveningSerializer, reading=EVENING_READING)
    def post(self) -> Session:
        """Restore a cancelled evening as it was before."""
        page_state = self.shown_state("evening-restore")
        ending.restore_session(session=self.session, page_state=page_state)
        return self.read()


class ResultView(EveningAPIView, ClubListAPIView):
    access = permissions.SEE_RESULTS

    @list_endpoint(ResultSerializer)
    def get(self) -> tuple[rows.ResultRow, ...]:
        """Get the result so far, highest first."""
        return rows.result_of(self.session, reader=self.reader)


class TablesView(EveningAPIView, ClubListAPIView):
    access = permissions.SEE_RESULTS

    @list_endpoint(FloorTableSerializer)
    def get(self) -> Any:
        """Get every table at a glance: the current winds and how far play has got."""
        return floor.floor_of(self.session, reader=self.reader)


class DisputesView(EveningAPIView, ClubListAPIView):
    access = permissions.ENTER_HANDS
    sheet = "Disputed hands"

    @list_endpoint(DisputeSerializer)
    def get(self) -> Any:
        """List disputed hands, the longest wait first."""
        return floor.disputes_of(self.session)


class EveningCorrectionsView(EveningAPIView, ClubListAPIView):
    access = permissions.CORRECT_HANDS

    @list_endpoint(ListedCorrectionSerializer)
    def get(self) -> list[dict[str, Any]]:
        """List the corrections at the evening's tables, newest first."""
        return repairs_data(
            {game: title for game, (_, title) in rows.tables_by_game(self.session).items()}
        )


class SheetsView(EveningAPIView, ClubListAPIView):
    access = permissions.ENTER_HANDS

    @list_endpoint(StackedSheetSerializer)
    def get(self) -> Any:
        """List the evening's paper score sheets: which are saved, by whom and how far."""
        tables = [table.view for table in rows.linked_tables(self.session, reader=self.reader)]
        return floor.stack_of(tables).sheets


class LinksView(EveningAPIView):
    access = permissions.PRINT_PAPERS

    @detail_endpoint(EveningLinksSerializer)
    def get(self) -> dict[str, Any]:
        """Get the secret links of the projector screen and each table. They need no account."""
        session = self.session
        tables = [
            {"number": table.number, "game_id": table.game_id, "key": table.link_key}
            | {"address": self.request.build_absolute_uri(reverse("table", args=[table.link_key]))}
            for table in floor.floor_of(session, reader=self.reader)
        ]
        wall = self.request.build_absolute_uri(reverse("wall", args=[session.wall_key]))
        return {"wall_key": session.wall_key, "wall": wall, "tables": tables}


class PlacesIn(serializers.Serializer[Any]):
    """Two players to swap."""

    one = KeyField(help_text="a player’s id")
    other = KeyField(help_text="another player’s id")


class TableMoveIn(serializers.Serializer[Any]):
    """A player to move to another table."""

    player = KeyField(help_text="a player’s id")
    number = NumberField(min_value=1, max_value=MAX_TABLE_NUMBER, help_text="the table’s number")


class _MoveView(_EveningActView):
    def run_move(self, act: Callable[..., str]) -> dict[str, Any]:
        act = partial(act, page_state=self.shown_state("evening-move"))
        if self.is_dry_run:
            return {"done": False, "said": cost_of_move(session=self.session, act=act)}
        return {"done": True, "said": [SeatingRemark(act())]}


class SwapView(_MoveView):
    log = "swapped {player<one} and {player<other} on {evening}"

    @command_endpoint(
        PlacesIn, answers=MoveSerializer, previews=MoveSerializer, reading=EVENING_READING
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Swap two players, before the first hand at their tables."""
        inputs = cleaned_data(forms.PlacesForm(self.session, _with_prefix("places", validated)))
        return self.run_move(partial(services.change_places, session=self.session, **inputs))


class MoveView(_MoveView):
    log = "moved {player<player} to {table<number} on {evening}"

    @command_endpoint(
        TableMoveIn, answers=MoveSerializer, previews=MoveSerializer, reading=EVENING_READING
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Move a player to the last seat of another table, before its first hand."""
        inputs = cleaned_data(forms.TableForm(self.session, _with_prefix("table", validated)))
        return self.run_move(partial(services.move_to_table, session=self.session, **inputs))


class ArrivalIn(serializers.Serializer[Any]):
    """A waiting player, and the table to join."""

    player = KeyField(help_text="the id of a waiting player")
    number = NumberField(min_value=1, max_value=MAX_TABLE_NUMBER, help_text="the table’s number")


class DepartureIn(serializers.Serializer[Any]):
    """A player who leaves, and what happens to the table."""

    leaver = KeyField(help_text="the id of a seated player")
    then = OneOfField(
        choices=[TAKEN_OVER, forms.CARRY_ON, forms.TABLE_ENDS],
        help_text="a substitute takes the seat, the others continue alone, or the table ends",
    )
    player = KeyField(allow_null=True, default=None, help_text="the substitute, if there is one")
    goes_home = FlagField(default=True, help_text="false: they stay and wait for another seat")


class NewTableIn(serializers.Serializer[Any]):
    """Waiting players who form a new table."""

    players = serializers.ListField(
        child=KeyField(), allow_empty=False, max_length=5, help_text="ids of waiting players"
    )


class ChangesView(EveningStateAPIView):
    access = permissions.RUN_EVENING

    @detail_endpoint(ChangesSerializer)
    def get(self) -> dict[str, Any]:
        """Get who is waiting, which tables can gain or lose a player, and what can be undone."""
        now = floor.table_changes(self.session)
        data: dict[str, Any] = {"tables": now.tables, "gone": now.leavers}
        data |= {"waiting": now.waiters, "playing": now.players}
        return data


class _ChangeView(_EveningActView):
    def run_change(
        self, form_class: type[forms.Comes | forms.Leaves | forms.NewTable], inputs: dict[str, Any]
    ) -> dict[str, Any]:
        inputs = _with_prefix(form_class.__name__.lower(), inputs)
        form = form_class(self.session, floor.table_changes(self.session), inputs)
        cleaned_data(form)
        act = partial(form.act, page_state=self.shown_state("evening-change"))
        sentences = services.preview_change(act) if self.is_dry_run else act()
        return {"done": not self.is_dry_run, "said": sentences}


class ArrivalView(_ChangeView):
    log = "made {player<player} a substitute at {table<number} on {evening}"

    @command_endpoint(
        ArrivalIn,
        answers=TableChangeSerializer,
        previews=TableChangeSerializer,
        reading=EVENING_READING,
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Add a waiting player to a table from its next hand."""
        return self.run_change(forms.Comes, validated)


class DepartureView(_ChangeView):
    log = "recorded {player<leaver} leaving on {evening}"

    @command_endpoint(
        DepartureIn,
        answers=TableChangeSerializer,
        previews=TableChangeSerializer,
        reading=EVENING_READING,
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Record a departure: a substitute sits down, the others continue, or the table ends."""
        # On the page, who takes the seat, or what happens, is one field.
        is_taken = validated["then"] == TAKEN_OVER
        if is_taken != (validated["player"] is not None):
            raise ValidationError({"player": ["Choose who takes the seat."]})
        choice = validated["player"] if is_taken else validated["then"]
        inputs = {"leaver": validated["leaver"], "then": choice, "home": validated["goes_home"]}
        return self.run_change(forms.Leaves, inputs)


class NewTableView(_ChangeView):
    log = "added a table for players who were waiting on {evening}"

    @command_endpoint(
        NewTableIn,
        answers=TableChangeSerializer,
        previews=TableChangeSerializer,
        reading=EVENING_READING,
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Seat waiting players at a new table."""
        return self.run_change(forms.NewTable, validated)


class UndoChangeView(_EveningActView):
    @command_endpoint(answers=TableChangeSerializer, reading=EVENING_READING)
    def post(self) -> dict[str, Any]:
        """Undo the last change at a table, as long as no hand has been entered since."""
        page_state = self.shown_state("evening-change-undo")
        message = services.undo_change(
            session=self.session, number=self.kwargs["number"], page_state=page_state
        )
        return {"done": True, "said": [message]}


class ExplanationView(EveningAPIView):
    access = permissions.SEE_RESULTS

    @detail_endpoint(EveningExplanationSerializer, parameters=[NAME_PARAMETER])
    def get(self) -> Response:
        """Get how the tables were chosen; with ``name``, also for one player."""
        may_know = self.has_permission(permissions.MANAGE_WISHES)
        explanation = explain_evening(self.session, reader=self.reader, with_wishes=may_know)
        context = {"name": self.request.query_params.get("name", "")}
        return Response(EveningExplanationSerializer(explanation, context=context).data)


def _with_prefix(prefix: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The input under the names of the page's form."""
    return {f"{prefix}-{name}": value for name, value in inputs.items()}


class GameResultView(ListsAPIView, GameAPIView):
    access = LINK_ACCESS
    by_link = True
    of_kind = EveningTable.kind

    @list_endpoint(ResultSerializer)
    def get(self) -> tuple[rows.ResultRow, ...]:
        """Get the evening's result so far, for the players at any of its tables."""
        return rows.result_of(self.event.row.session)


router = Router()
router.register("clubs/<slug:club>/evenings", EveningViewSet, "api-evening")

urlpatterns = [
    path(f"{GAME_PATH}result/", GameResultView.as_view(), name="api-game-result"),
    *router.urls,
    path(f"{EVENING_PATH}check-in/", CheckInView.as_view(), name="api-evening-check-in"),
    path(f"{EVENING_PATH}guests/", GuestsView.as_view(), name="api-evening-guests"),
    path(f"{EVENING_PATH}advice/", AdviceView.as_view(), name="api-evening-advice"),
    path(f"{EVENING_PATH}seat/", SeatView.as_view(), name="api-evening-seat"),
    path(f"{EVENING_PATH}clear/", ClearView.as_view(), name="api-evening-clear"),
    path(f"{EVENING_PATH}close/", CloseView.as_view(), name="api-evening-close"),
    path(f"{EVENING_PATH}reopen/", ReopenView.as_view(), name="api-evening-reopen"),
    path(f"{EVENING_PATH}cancel/", CancelView.as_view(), name="api-evening-cancel"),
    path(f"{EVENING_PATH}restore/", RestoreView.as_view(), name="api-evening-restore"),
    path(f"{EVENING_PATH}result/", ResultView.as_view(), name="api-evening-result"),
    path(f"{EVENING_PATH}tables/", TablesView.as_view(), name="api-evening-floor"),
    path(f"{EVENING_PATH}disputes/", DisputesView.as_view(), name="api-evening-disputes"),
    path(
        f"{EVENING_PATH}corrections/", EveningCorrectionsView.as_view(), name="api-evening-repairs"
    ),
    path(f"{EVENING_PATH}score-sheets/", SheetsView.as_view(), name="api-evening-sheets"),
    path(f"{EVENING_PATH}links/", LinksView.as_view(), name="api-evening-links"),
    path(f"{EVENING_PATH}seating/explanation/", ExplanationView.as_view(), name="api-evening-why"),
    path(f"{EVENING_PATH}swap/", SwapView.as_view(), name="api-evening-places"),
    path(f"{EVENING_PATH}move/", MoveView.as_view(), name="api-evening-move"),
    path(f"{EVENING_PATH}changes/", ChangesView.as_view(), name="api-evening-changes"),
    path(f"{EVENING_PATH}changes/arrival/", ArrivalView.as_view(), name="api-evening-comes"),
    path(f"{EVENING_PATH}changes/departure/", DepartureView.as_view(), name="api-evening-leaves"),
    path(f"{EVENING_PATH}changes/new-table/", NewTableView.as_view(), name="api-evening-new-table"),
    path(
        f"{EVENING_PATH}changes/<int:number>/undo/",
        UndoChangeView.as_view(),
        name="api-evening-change-undo",
    ),
]
