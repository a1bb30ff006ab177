"""Tournaments, the director's desk, the clock and calls over the API."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from django.db.models import QuerySet
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.mixins import DestroyModelMixin

from clubs.api.base import delete_endpoint, detail_endpoint
from clubs.api.commands import CommandAPIView, PatchAPIView, command_endpoint, patch_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, KeyField, NumberField, OneOfField, TextField, named_field
from clubs.api.lists import ClubTableAPIView, table_endpoint
from clubs.api.retries import sent_state
from clubs.api.rows import serializer_of
from clubs.api.viewsets import ClubReadOnlyViewSet, Router
from clubs.core.forms import ShownState
from clubs.core.permissions import ENTER_HANDS, SEE_CLUB
from clubs.evenings.selectors.floor import Complaint, Dispute
from clubs.models import Club
from clubs.models.names import MAX_NAME
from clubs.table.api.games import GAME_PATH, LINK_ACCESS, GameAPIView
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.table.ranking import METRICS
from tournaments.api import (
    API_PUBLIC_PATH,
    API_TOURNAMENT_PATH,
    API_TOURNAMENTS_PATH,
    ClockNowSerializer,
    ClockSerializer,
    GameClockSerializer,
    ListedTournamentSerializer,
    RoundIn,
    RoundPlaceSerializer,
    RunAPIView,
    TournamentAPIView,
    TournamentSerializer,
    TournamentWholeSerializer,
    WallAPIView,
    api_address_of,
    public_links,
)
from tournaments.core import ENTER_TABLE_HANDS, RUN_TOURNAMENT, SEE_TOURNAMENT, tournaments_of
from tournaments.desk.selectors import desk_state
from tournaments.models import (
    MOST_ROUNDS,
    MOST_TABLE_POINTS,
    AtTheBell,
    RoundState,
    SittingOut,
    Table,
    Tournament,
    TournamentState,
    ranking_default,
)
from tournaments.rounds.clock import Clock, clock_now, clock_of
from tournaments.rounds.selectors import disputes_of
from tournaments.rounds.steps import NO_CLOCK, minutes_changed, overtaken_by, results_state
from tournaments.rounds.watch import CallRow, TableMark, WatchedTable, open_call
from tournaments.setup import services as setup_services
from tournaments.setup.forms import RANK_FIELDS, TournamentForm, settings_form_data, settings_of
from tournaments.setup.selectors import (
    PRESET_FIELDS,
    PRESETS,
    RANGES,
    SETTINGS,
    Preset,
    Settings,
    fixed_settings,
    preset_of,
    settings_fields,
)
from tournaments.steps import deleting, services
from tournaments.steps.selectors import Step, StepLink
from tournaments.table.event import CALL_REASONS, RoundTable

StepSerializer = serializer_of(
    "StepSerializer",
    Step,
    "title text button address",
    "The next step: the current state, and the address of the step.",
)

OtherStepSerializer = serializer_of(
    "OtherStepSerializer",
    StepLink,
    "text address",
    "A step that is possible too, such as undoing the last one: its label, and its address.",
)

MarkSerializer = serializer_of(
    "MarkSerializer", TableMark, "sign text", "One fact about a table, the most urgent first."
)

TableCallSerializer = serializer_of(
    "TableCallSerializer",
    CallRow,
    "id=pk called_at what called_ago=ago",
    called_ago="such as: 2 minutes ago",
)

DeskTableSerializer = serializer_of(
    "DeskTableSerializer",
    WatchedTable,
    "table.number table.game_id table.places table.hands table.hands_planned "
    "disputed=table.disputed_hands "
    "table.state table.is_done missing=table.lacks marks needs_attention=wants call",
    places=RoundPlaceSerializer,
    missing="what keeps the round open; empty: nothing",
    marks=MarkSerializer,
    call=TableCallSerializer,
)

RoundComplaintSerializer = serializer_of(
    "RoundComplaintSerializer",
    Complaint,
    "name text",
    "Who reported a problem with a hand, and in what words.",
)

RoundDisputeSerializer = serializer_of(
    "RoundDisputeSerializer",
    Dispute,
    "hand number round table since complaints",
    "A disputed hand.",
    round=serializers.IntegerField(),
    complaints=RoundComplaintSerializer,
)

SETTINGS_FIELDS: Final[dict[str, serializers.Field[Any, Any, Any, Any]]] = {
    "sitting_out_table_points": serializers.DecimalField(max_digits=4, decimal_places=2),
    "sitting_out_counts": named_field(SittingOut.choices)(),
    "at_the_bell": named_field(AtTheBell.choices)(),
    "record_by": named_field(Recording.choices)(),
    "agreement": named_field(AgreementPolicy.choices)(),
    "settled": serializers.DictField(
        child=serializers.CharField(),
        help_text="settings that cannot change now, each with the reason",
    ),
}

SettingsSerializer = serializer_of(
    "SettingsSerializer",
    Settings,
    f"{' '.join(SETTINGS)} settled",
    "A tournament’s settings, and which of them can no longer be changed.",
    **SETTINGS_FIELDS,
)

PresetSerializer = serializer_of(
    "PresetSerializer",
    Preset,
    f"key name text {' '.join(PRESET_FIELDS)}",
    "A preset: send its key as ``preset`` in a new tournament.",
    ranks_by=serializers.ListField(child=named_field(METRICS.items())()),
    sitting_out_counts=named_field(SittingOut.choices)(),
)

CLOCK_ACTIONS: dict[str, Callable[..., None]] = {
    "pause": services.pause_clock,
    "resume": services.resume_clock,
    "ring": services.ring_bell,
    "unring": services.undo_bell,
}

STOP_ACTIONS: dict[str, Callable[..., None]] = {
    "stop": services.stop_table,
    "play_on": services.play_on,
}

THE_CLOCK: Final = "the clock"
AND: Final = "+"  # between the parts of its state


class LinksSerializer(serializers.Serializer[object]):
    """Addresses of pages for everyone in the hall, without signing in."""

    wall = serializers.CharField()
    find_me = serializers.CharField()
    seating_explanation = serializers.CharField(help_text="why everyone sits where they sit")
    results = serializers.CharField(help_text="empty until they are published")


class DeskSerializer(serializers.Serializer[object]):
    """The desk."""

    version = serializers.IntegerField()
    state = named_field(TournamentState.choices)()
    step = StepSerializer()
    other_steps = OtherStepSerializer(many=True)
    entered = serializers.IntegerField(help_text="players")
    withdrawn = serializers.IntegerField(help_text="who withdrew after they were seated")
    hands = serializers.IntegerField(help_text="hands recorded in all rounds")
    round = serializers.IntegerField(allow_null=True, help_text="the current round")
    round_state = named_field(RoundState.choices)(allow_null=True)
    sitting_out = serializers.ListField(child=serializers.CharField())
    clock = ClockSerializer(allow_null=True)
    tables = DeskTableSerializer(many=True, help_text="the most urgent first")
    until = serializers.DateTimeField(
        allow_null=True,
        help_text="when this next changes automatically; null: only with the version",
    )
    disputes = RoundDisputeSerializer(many=True, help_text="the longest wait first; for officials")
    links = LinksSerializer(allow_null=True, help_text="for officials")


def _range_field(name: str, **options: Any) -> NumberField:
    """A number within the range of this setting."""
    limits = RANGES[name]
    return NumberField(required=False, min_value=limits.least, max_value=limits.most, **options)


class SettingsChangeIn(serializers.Serializer[Any]):
    """Settings of a tournament. Fields you omit stay as they are."""

    name = TextField(required=False, max_length=MAX_NAME)
    held_on = serializers.DateField(required=False)
    rounds = _range_field("rounds")
    hands_a_round = _range_field(
        "hands_a_round", allow_null=True, help_text="null: as many as the minutes allow"
    )
    minutes_a_round = _range_field("minutes_a_round", allow_null=True, help_text="null: no clock")
    at_the_bell = OneOfField(required=False, choices=AtTheBell.choices)
    start_stake = _range_field("start_stake")
    record_by = OneOfField(required=False, choices=Recording.choices)
    agreement = OneOfField(required=False, choices=AgreementPolicy.choices)
    ranks_by = serializers.ListField(
        required=False,
        child=OneOfField(choices=ranking_default()),
        min_length=1,
        max_length=4,
        help_text="the ranking measures, in order, each only once",
    )
    rules = TextField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="key of a rule set; empty: the club’s usual rules, or no change",
    )
    by_standing_from = NumberField(
        required=False,
        allow_null=True,
        min_value=2,
        max_value=MOST_ROUNDS,
        help_text="the first round seated by standings; null: all rounds are drawn at once",
    )
    bands = _range_field(
        "bands", help_text="tables in a group when seated by standings; 1: top players together"
    )
    has_final = FlagField(
        required=False, help_text="whether the top four meet at table 1 in the last round"
    )
    sitting_out_counts = OneOfField(
        required=False,
        choices=SittingOut.choices,
        help_text="what a round counts for a player who sits out",
    )
    sitting_out_table_points = serializers.DecimalField(
        required=False,
        max_digits=4,
        decimal_places=2,
        min_value=Decimal(0),
        max_value=Decimal(MOST_TABLE_POINTS),
        help_text="table points for each round sat out, if the score is fixed",
    )
    sitting_out_points = _range_field(
        "sitting_out_points",
        help_text="points of gain for each round sat out, if the score is fixed",
    )


class SettingsIn(SettingsChangeIn):
    """A new tournament. Settings you omit come from its preset."""

    name = TextField(max_length=MAX_NAME)
    held_on = serializers.DateField()
    preset = OneOfField(
        required=False,
        choices=[preset.key for preset in PRESETS],
        help_text="the preset to start from; if omitted: a day out",
    )


class CallAnswerIn(serializers.Serializer[Any]):
    """The call that is dealt with."""

    call = KeyField(required=False, help_text="its id: a later call is not affected")


class MinutesIn(serializers.Serializer[Any]):
    """Minutes to add at a table; negative to take away."""

    minutes = NumberField(min_value=-600, max_value=600)


class RoundMinutesIn(RoundIn, MinutesIn):
    """Minutes to add for every table; negative to take away."""


class SetClockIn(RoundIn):
    """What the clock of every table does."""

    action = OneOfField(choices=["pause", "resume", "ring", "unring"])


class StopIn(serializers.Serializer[Any]):
    """Whether a table has stopped play in this round."""

    action = OneOfField(choices=["stop", "play_on"])


class CallIn(serializers.Serializer[Any]):
    """What a table calls the director about."""

    what = OneOfField(required=False, allow_blank=True, choices=CALL_REASONS)


@extend_schema_view(
    list=extend_schema(description="List the tournaments of a club, newest first."),
    retrieve=extend_schema(description="Get a tournament with the seating of every round."),
    destroy=extend_schema(
        description="Delete a tournament made by mistake, as long as nothing counts."
    ),
)
class TournamentViewSet(DestroyModelMixin, ClubReadOnlyViewSet, TournamentAPIView):
    access = SEE_TOURNAMENT
    writing_access = RUN_TOURNAMENT
    queryset = Tournament.objects.none()
    serializer_class = TournamentWholeSerializer
    list_serializer_class = ListedTournamentSerializer
    lookup_url_kwarg = "tournament"

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        if self.detail:
            context |= {"sees_all": self.sees_all, "reader": self.reader}
        return context

    def get_queryset(self) -> QuerySet[Tournament]:
        return tournaments_of(self.club)

    def get_object(self) -> Tournament:
        return self.tournament

    def state(self) -> str | None:
        """What is published and hidden, which the steps of the results compare."""
        return results_state(self.tournament) if self.detail else None

    @command_endpoint(
        SettingsIn,
        answers=TournamentSerializer,
        creates=CreatedRoute("api-tournament-detail", tournament="id"),
    )
    def create(self, validated: dict[str, Any]) -> Tournament:
        """Add a tournament that takes entries. Settings you omit come from the preset."""
        preset = preset_of(validated.pop("preset", ""))
        fields = cleaned_settings(preset.settings | validated, club=self.club)
        return setup_services.make_tournament(club=self.club, **fields)

    def perform_destroy(self, instance: Tournament) -> None:
        deleting.delete_tournament(tournament=instance)


class PresetsView(ClubTableAPIView):
    access = RUN_TOURNAMENT
    sheet = "Kinds of tournament"

    @table_endpoint(PresetSerializer)
    def get(self) -> Any:
        """List the presets a new tournament can start from. You can change every setting."""
        return PRESETS


class SettingsView(RunAPIView, PatchAPIView):
    @detail_endpoint(SettingsSerializer)
    def get(self) -> dict[str, Any]:
        """Get the settings, and which of them can no longer change and why."""
        return self._settings()

    def _settings(self) -> dict[str, Any]:
        return settings_fields(self.tournament) | {"settled": fixed_settings(self.tournament)}

    def lock(self) -> None:
        """No lock: rounds are drawn before locking, and only changed settings are written."""

    def current(self) -> Mapping[str, Any]:
        return settings_fields(self.tournament)

    @patch_endpoint(SettingsChangeIn, answers=SettingsSerializer)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Change the settings. Rounds are seated or cleared where that follows.

        `seating/` then says which are seated, and `seating/explanation/` how fair that is.
        """
        current = self.current()
        fields = cleaned_settings(
            {**current, **validated}, club=self.club, tournament=self.tournament
        )
        setup_services.change_tournament(
            tournament=self.tournament, initial_settings=current, **fields
        )
        self.tournament.refresh_from_db()
        return self._settings()


def cleaned_settings(
    validated: Mapping[str, Any], *, club: Club, tournament: Tournament | None = None
) -> Settings:
    """The settings validated by the page's form. Raises ``ValidationError`` under their names."""
    form_kwargs: dict[str, Any] = {}
    if tournament is not None:
        form_kwargs = {"initial": settings_of(tournament), "frozen": fixed_settings(tournament)}
    form_data = {
        name: value if isinstance(value, bool) else str(value)
        for name, value in settings_form_data(validated).items()
        if value is not None
    }
    form = TournamentForm(form_data, club=club, **form_kwargs)
    if form.is_valid():
        return form.settings
    faults: dict[str, list[ErrorDetail]] = {}
    for name, errors in form.errors.get_json_data().items():
        faults.setdefault("ranks_by" if name in RANK_FIELDS else name, []).extend(
            ErrorDetail(error["message"], error["code"] or "invalid") for error in errors
        )
    raise ValidationError(faults)


class DeskView(TournamentAPIView):
    @detail_endpoint(DeskSerializer)
    def get(self) -> dict[str, Any]:
        """Get the next step, the tables of the current round by urgency, and disputed hands.

        Those who may enter hands also see calls, quiet tables and disputed hands.
        """
        tournament, watches = self.tournament, self.has_permission(ENTER_TABLE_HANDS)
        watched_at = timezone.now() if watches else None
        floor = desk_state(
            tournament, to_officials=self.sees_all, watched_at=watched_at, reader=self.reader
        )
        step = {name: getattr(floor.step, name) for name in ("title", "text", "button")}
        return {
            "version": tournament.version,
            "state": tournament.state,
            "step": step | {"address": api_address_of(floor.step.address, tournament)},
            "other_steps": [
                {"text": link.text, "address": api_address_of(link.address, tournament)}
                for link in floor.undo_steps
            ],
            "entered": len(floor.entrant_names),
            "withdrawn": floor.withdrawn,
            "hands": floor.hands,
            "round": floor.now.number if floor.now else None,
            "round_state": floor.now.state if floor.now else None,
            "sitting_out": floor.now.sitting_out if floor.now else (),
            "clock": floor.clock,
            "tables": floor.watch.tables,
            "until": floor.watch.valid_until,
            "disputes": disputes_of(tournament) if watches else (),
            "links": public_links(tournament) if watches else None,
        }


def _state_of(clock: Clock | None) -> str:
    if clock is None:
        return NO_CLOCK
    return f"{clock.state}{AND}{clock.round_number}{AND}{clock.minutes_added}"


def _state_of_table(table: Table) -> str:
    return f"minutes{AND}{table.minutes_added}"


def _current_clock_data(tournament: Tournament) -> dict[str, Clock | None]:
    return {"clock": clock_now(tournament, now=timezone.now())}


class ClockView(TournamentAPIView):
    @detail_endpoint(ClockNowSerializer)
    def get(self) -> dict[str, Any]:
        """Get the time left."""
        return _current_clock_data(self.tournament)

    def state(self) -> str:
        """Whether the clock runs, and the minutes added: a step compares one of the two."""
        return _state_of(clock_now(self.tournament, now=timezone.now()))


class SetClockView(RunAPIView):
    @command_endpoint(SetClockIn, answers=ClockNowSerializer, reading=THE_CLOCK)
    def post(self, validated: dict[str, Any]) -> dict[str, Clock | None]:
        """Pause or resume the clock of every table, ring the bell, or undo the bell."""
        page_state = self.shown_state(validated)
        page_state = replace(page_state, state=page_state.state.partition(AND)[0])
        CLOCK_ACTIONS[validated["action"]](tournament=self.tournament, page_state=page_state)
        return _current_clock_data(self.tournament)


class MinutesView(RunAPIView):
    @command_endpoint(RoundMinutesIn, answers=ClockNowSerializer, reading=THE_CLOCK)
    def post(self, validated: dict[str, Any]) -> dict[str, Clock | None]:
        """Add minutes for every table, or take some away."""
        page_state = ShownState("clock-minutes", round=validated.pop("round", None))
        minutes_seen = None
        if seen_state := sent_state(self.request):
            clock = clock_now(self.tournament, now=timezone.now())
            if seen_state.partition(AND)[2] != _state_of(clock).partition(AND)[2]:
                raise overtaken_by(self.tournament, page_state)
            minutes_seen = clock and clock.minutes_added
        step = {**validated, "page_state": page_state, "seen": minutes_seen}
        if not services.add_minutes(tournament=self.tournament, **step) and validated["minutes"]:
            raise overtaken_by(self.tournament, page_state)
        return _current_clock_data(self.tournament)


class RoundTableAPIView(GameAPIView):
    """An operation at a game of a round."""

    of_kind = RoundTable.kind

    @property
    def table(self) -> Table:
        """The table of the round at which the game is played."""
        table: Table = self.event.row
        return table

    def clock(self) -> dict[str, Any]:
        """The time left at the table, and when it stopped."""
        table = self.table
        clock = clock_of(table.round, now=timezone.now(), table=table)
        return {"clock": clock, "stopped_at": table.stopped_at}


class GameClockView(RoundTableAPIView):
    access = SEE_CLUB
    by_link = True

    @detail_endpoint(GameClockSerializer)
    def get(self) -> dict[str, Any]:
        """Get the time left for this table, with its own extra minutes."""
        return self.clock()

    def state(self) -> str:
        """The minutes added for this table alone."""
        return _state_of_table(self.table)


class MinutesOfGameView(CommandAPIView, RoundTableAPIView):
    access = RUN_TOURNAMENT

    @command_endpoint(MinutesIn, answers=GameClockSerializer, reading="the game’s clock")
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Add minutes for one table, or take some away."""
        table, seen_state = self.table, sent_state(self.request)
        if seen_state and seen_state != _state_of_table(table):
            raise minutes_changed(table)
        step = {**validated, "table": table, "seen": table.minutes_added if seen_state else None}
        minutes_added = services.add_minutes(tournament=table.round.tournament, **step)
        if validated["minutes"] and not minutes_added:
            raise minutes_changed(table)
        table.refresh_from_db()
        return self.clock()


class StopView(CommandAPIView, RoundTableAPIView):
    access = ENTER_HANDS
    by_link = True

    @command_endpoint(StopIn)
    def post(self, validated: dict[str, Any]) -> None:
        """Stop play at a table, or resume it."""
        STOP_ACTIONS[validated["action"]](table=self.table)


class WallClockView(WallAPIView):
    @detail_endpoint(ClockNowSerializer)
    def get(self) -> dict[str, Any]:
        """Get the time left in the current round."""
        return _current_clock_data(self.tournament)


class OpenCallSerializer(serializers.Serializer[object]):
    """The table's open call; null if there is none."""

    call = TableCallSerializer(allow_null=True)


class CallAnswerSerializer(serializers.Serializer[object]):
    """Whether the table was still waiting."""

    was_waiting = serializers.BooleanField()


class CallView(CommandAPIView, RoundTableAPIView):
    access = LINK_ACCESS  # type: ignore[assignment]
    by_link = True

    @detail_endpoint(OpenCallSerializer)
    def get(self) -> dict[str, Any]:
        """Get whether this table is waiting for the director, and since when."""
        return self.call()

    @command_endpoint(CallIn, answers=OpenCallSerializer)
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Call the director. Calling twice, or from two phones, is one call."""
        services.call_director(table=self.table, reason=validated.get("what", ""))
        return self.call()

    @delete_endpoint
    def delete(self) -> None:
        """Cancel the call."""
        services.answer_call(table=self.table, answered_by=self.event.sender(None))

    def call(self) -> dict[str, CallRow | None]:
        """The call of the table that is open, if any."""
        return {"call": open_call(self.table, now=timezone.now())}


class AnswerCallView(CommandAPIView, RoundTableAPIView):
    access = ENTER_HANDS

    @command_endpoint(CallAnswerIn, answers=CallAnswerSerializer)
    def post(self, validated: dict[str, Any]) -> dict[str, bool]:
        """Mark the call as dealt with, and return whether the table was still waiting."""
        validated = {**validated, "answered_by": self.played_table.sent_by}
        return {"was_waiting": services.answer_call(table=self.table, **validated)}


router = Router()
router.register("clubs/<slug:club>/tournaments", TournamentViewSet, "api-tournament")

urlpatterns = [
    *router.urls,
    path(f"{API_TOURNAMENTS_PATH}presets/", PresetsView.as_view(), name="api-tournament-presets"),
    path(f"{API_TOURNAMENT_PATH}settings/", SettingsView.as_view(), name="api-tournament-settings"),
    path(f"{API_TOURNAMENT_PATH}desk/", DeskView.as_view(), name="api-tournament-desk"),
    path(f"{API_TOURNAMENT_PATH}clock/", ClockView.as_view(), name="api-clock"),
    path(f"{API_TOURNAMENT_PATH}clock/set/", SetClockView.as_view(), name="api-clock-set"),
    path(f"{API_TOURNAMENT_PATH}clock/minutes/", MinutesView.as_view(), name="api-clock-minutes"),
    path(f"{GAME_PATH}clock/", GameClockView.as_view(), name="api-game-clock"),
    path(f"{GAME_PATH}minutes/", MinutesOfGameView.as_view(), name="api-game-minutes"),
    path(f"{GAME_PATH}stop/", StopView.as_view(), name="api-game-stop"),
    path(f"{API_PUBLIC_PATH}clock/", WallClockView.as_view(), name="api-tournament-clock"),
    path(f"{GAME_PATH}call/", CallView.as_view(), name="api-game-call"),
    path(f"{GAME_PATH}call/answer/", AnswerCallView.as_view(), name="api-game-call-answer"),
]
