"""The director's desk: the next step, every table at a glance, and what needs attention."""

from datetime import datetime
from typing import Any, Final

from rest_framework import serializers

from clubs.api.rows import schema_of
from clubs.evenings.schemas import PlaceShape
from clubs.evenings.selectors.floor import Complaint, Dispute
from clubs.models.names import Reader
from tournaments.api import hall_links, linked
from tournaments.desk.selectors import floor_of
from tournaments.models import Tournament
from tournaments.rounds.schemas import ClockShape
from tournaments.rounds.selectors import CallRow, Mark, WatchedTable, disputes_of
from tournaments.setup.selectors import OF_A_PRESET, SETTINGS, Preset, Settings
from tournaments.steps.selectors import Back, Step

StepShape = schema_of(
    "StepShape",
    Step,
    "title text button address",
    "The next step: the current state, and the address of the step.",
)

BackShape = schema_of(
    "BackShape", Back, "words address", "A way to undo: the label, and its address under the API."
)

MarkShape = schema_of(
    "MarkShape", Mark, "sign words", "One fact about a table, the most urgent first."
)

TableCallShape = schema_of("TableCallShape", CallRow, "id=pk called_at what ago")

DeskTableShape = schema_of(
    "DeskTableShape",
    WatchedTable,
    "table.number table.places table.hands table.hands_planned table.disputed table.state "
    "table.is_done table.lacks marks wants_looking_at=wants call",
    places=PlaceShape,
    lacks="what keeps the round open; empty: nothing",
    marks=MarkShape,
    call=TableCallShape,
)

RoundComplaintShape = schema_of(
    "RoundComplaintShape",
    Complaint,
    "name words",
    "Who reported a problem with a hand, and in what words.",
)

RoundDisputeShape = schema_of(
    "RoundDisputeShape",
    Dispute,
    "hand number round table since complaints",
    "A disputed hand.",
    round=serializers.IntegerField(),
    complaints=RoundComplaintShape,
)


class LinksShape(serializers.Serializer[object]):
    """Addresses of pages for everyone in the hall, without signing in."""

    wall = serializers.CharField()
    find_me = serializers.CharField()
    why = serializers.CharField()
    results = serializers.CharField(help_text="empty until they are published")


class DeskShape(serializers.Serializer[object]):
    """The desk."""

    version = serializers.IntegerField()
    state = serializers.CharField()
    step = StepShape()
    ways_back = BackShape(many=True)
    entered = serializers.IntegerField(help_text="players")
    hands = serializers.IntegerField(help_text="hands recorded in all rounds")
    round = serializers.IntegerField(allow_null=True, help_text="the current round")
    round_state = serializers.CharField(allow_null=True)
    sitting_out = serializers.ListField(child=serializers.CharField())
    clock = ClockShape(allow_null=True)
    tables = DeskTableShape(many=True, help_text="the most urgent first")
    until = serializers.DateTimeField(
        allow_null=True,
        help_text="when this next changes automatically; null: only with the version",
    )
    disputes = RoundDisputeShape(many=True, help_text="the longest wait first; for officials")
    links = LinksShape(allow_null=True, help_text="for officials")


SETTINGS_NOW: Final[dict[str, serializers.Field[Any, Any, Any, Any]]] = {
    "sitting_out_table_points": serializers.DecimalField(max_digits=4, decimal_places=2),
    "settled": serializers.DictField(
        child=serializers.CharField(),
        help_text="settings that cannot change now, each with the reason",
    ),
}

SettingsShape = schema_of(
    "SettingsShape",
    Settings,
    f"{' '.join(SETTINGS)} settled",
    "A tournament's settings, and which of them can no longer be changed.",
    **SETTINGS_NOW,
)

ChangedShape = schema_of(
    "ChangedShape",
    Settings,
    f"{' '.join(SETTINGS)} settled seated unseated",
    "The settings after a change, and what happened to the seats.",
    **SETTINGS_NOW,
    seated=serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds that were also seated"
    ),
    unseated=serializers.ListField(
        child=serializers.IntegerField(), help_text="rounds that are no longer seated"
    ),
)

PresetShape = schema_of(
    "PresetShape",
    Preset,
    f"key name words {' '.join(OF_A_PRESET)}",
    "A preset: send its key as ``preset`` in a new tournament.",
)


def desk_data(
    tournament: Tournament, *, to_officials: bool, watches: bool, at: datetime, reader: Reader
) -> dict[str, Any]:
    """The desk as ``DeskShape``; ``watches``: for those who may enter hands."""
    floor = floor_of(
        tournament, to_officials=to_officials, at=at if watches else None, reader=reader
    )
    return {
        "version": tournament.version,
        "state": tournament.state,
        "step": {
            **{name: getattr(floor.step, name) for name in ("title", "text", "button")},
            "address": linked(floor.step.address, tournament),
        },
        "ways_back": [
            {"words": back.words, "address": linked(back.address, tournament)}
            for back in floor.back
        ],
        "entered": len(floor.entered),
        "hands": floor.hands,
        "round": floor.now.number if floor.now else None,
        "round_state": floor.now.state if floor.now else None,
        "sitting_out": floor.now.sitting_out if floor.now else (),
        "clock": floor.clock,
        "tables": floor.watch.tables,
        "until": floor.watch.until,
        "disputes": disputes_of(tournament) if watches else (),
        "links": hall_links(tournament) if watches else None,
    }
