"""The director's desk: the next step, every table at a glance, and what needs attention."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from clubs.evenings.schemas import PlaceShape
from clubs.models.names import Reader
from tournaments.api import hall_links, linked
from tournaments.desk.selectors import Floor, floor_of
from tournaments.models import Tournament
from tournaments.rounds.schemas import ClockShape
from tournaments.rounds.selectors import disputes_of


class StepShape(serializers.Serializer[object]):
    """The next step: the current state, and the address of the step."""

    title = serializers.CharField()
    text = serializers.CharField()
    button = serializers.CharField(help_text="the label of the step; empty: nothing is left")
    address = serializers.CharField(help_text="under the API; empty: nothing is left")


class BackShape(serializers.Serializer[object]):
    """A way to undo: the label, and its address under the API."""

    words = serializers.CharField()
    address = serializers.CharField()


class MarkShape(serializers.Serializer[object]):
    """One fact about a table, the most urgent first."""

    sign = serializers.CharField(help_text="called, trouble, quiet, waiting, idle, playing or done")
    words = serializers.CharField()


class TableCallShape(serializers.Serializer[object]):
    """A table that has called the director."""

    id = serializers.IntegerField(source="pk")
    called_at = serializers.DateTimeField()
    what = serializers.CharField(help_text="the subject, if given")
    ago = serializers.CharField()


class DeskTableShape(serializers.Serializer[object]):
    """A table on the director's desk."""

    number = serializers.IntegerField(source="table.number")
    places = PlaceShape(source="table.places", many=True)
    hands = serializers.IntegerField(source="table.hands")
    hands_planned = serializers.IntegerField(source="table.hands_planned", allow_null=True)
    disputed = serializers.ListField(
        source="table.disputed", child=serializers.IntegerField(), help_text="hand numbers"
    )
    state = serializers.CharField(source="table.state")
    is_done = serializers.BooleanField(source="table.is_done")
    lacks = serializers.CharField(
        source="table.lacks", help_text="what keeps the round open; empty: nothing"
    )
    marks = MarkShape(many=True)
    wants_looking_at = serializers.BooleanField(source="wants")
    call = TableCallShape(allow_null=True)


class RoundComplaintShape(serializers.Serializer[object]):
    """Who reported a problem with a hand, and in what words."""

    name = serializers.CharField()
    words = serializers.CharField()


class RoundDisputeShape(serializers.Serializer[object]):
    """A disputed hand."""

    hand = serializers.IntegerField(help_text="its id")
    number = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    since = serializers.DateTimeField()
    complaints = RoundComplaintShape(many=True)


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


def desk_told(
    tournament: Tournament, *, to_officials: bool, watches: bool, at: datetime, reader: Reader
) -> dict[str, Any]:
    """The desk as ``DeskShape``; ``watches``: for those who may enter hands."""
    floor = floor_of(
        tournament, to_officials=to_officials, at=at if watches else None, reader=reader
    )
    return {
        "version": tournament.version,
        "state": tournament.state,
        "step": _step(tournament, floor),
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


def _step(tournament: Tournament, floor: Floor) -> dict[str, str]:
    step = floor.step
    return {
        "title": step.title,
        "text": step.text,
        "button": step.button,
        "address": linked(step.address, tournament),
    }
