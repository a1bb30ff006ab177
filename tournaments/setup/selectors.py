"""The settings of a tournament, which of them can still change, and the kinds to begin with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, TypedDict

from clubs.evenings.selectors.calendar import Occasion
from clubs.language.moments import moment
from clubs.models import Club
from scoring.scorebook.models import AgreementPolicy, Hand, Recording
from tournaments.models import (
    MOST_HANDS,
    MOST_MINUTES,
    MOST_ROUNDS,
    MOST_STAKE,
    MOST_TABLE_POINTS,
    MOST_TABLES,
    AtTheBell,
    Round,
    RoundState,
    Ruling,
    SittingOut,
    Tournament,
    TournamentState,
)

LENGTH_SETTINGS: Final = ("hands_a_round", "minutes_a_round", "at_the_bell")

CHOICES: Final[dict[str, tuple[Collection[str], str]]] = {
    "at_the_bell": (AtTheBell, "Choose what happens at the bell."),
    "record_by": (Recording, "Choose how hands are entered."),
    "agreement": (AgreementPolicy, "Choose who must agree."),
    "sitting_out_counts": (SittingOut, "Choose what counts for a player who sits out a round."),
}

PRESET_FIELDS = ("rounds", "hands_a_round", "minutes_a_round", "ranks_by", "sitting_out_counts")
ALL_METRICS: Final = ("table_points", "total", "mahjongs", "best_hand")


class AlwaysChangeable(TypedDict):
    """The settings that can be changed at any time."""

    name: str
    held_on: date


class Settings(AlwaysChangeable, total=False):
    """The settings of a tournament: its form, its services and the API read them here.

    A new tournament has the model's value for one that is left out, and its club's rules for empty
    ``rules``. ``by_standing_from`` is the first round seated by standing (None: none), ``bands``
    how many tables make a band there (1: none); with ``has_final`` the first four meet at table 1
    in the last round.
    """

    rounds: int
    hands_a_round: int | None
    minutes_a_round: int | None
    at_the_bell: str
    start_stake: int
    record_by: str
    agreement: str
    ranks_by: Sequence[str]
    rules: str
    by_standing_from: int | None
    bands: int
    has_final: bool
    sitting_out_counts: str
    sitting_out_table_points: Decimal
    sitting_out_points: int


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the most that a setting may be, and the sentence for anything else."""

    least: int
    most: int
    message: str


SETTINGS: Final = tuple(Settings.__annotations__)
SETTING_COLUMNS: Final = {name: name for name in SETTINGS} | {"rounds": "rounds_planned"}
RANGES: Final = {
    "rounds": Range(1, MOST_ROUNDS, f"Enter 1 to {MOST_ROUNDS} rounds."),
    "hands_a_round": Range(1, MOST_HANDS, f"Enter 1 to {MOST_HANDS} hands per round."),
    "minutes_a_round": Range(1, MOST_MINUTES, f"Enter 1 to {MOST_MINUTES} minutes per round."),
    "start_stake": Range(0, MOST_STAKE, f"Starting points can be at most {MOST_STAKE:,}."),
    "bands": Range(1, MOST_TABLES, f"Enter 1 to {MOST_TABLES} tables in a group."),
    "sitting_out_table_points": Range(
        0, MOST_TABLE_POINTS, f"Enter 0 to {MOST_TABLE_POINTS} table points for a round sat out."
    ),
    "sitting_out_points": Range(
        -MOST_STAKE, MOST_STAKE, f"Enter {MOST_STAKE:,} points or fewer for a round sat out."
    ),
}


def settings_fields(tournament: Tournament) -> dict[str, Any]:
    """The settings as ``change_tournament`` takes them."""
    return {name: getattr(tournament, column) for name, column in SETTING_COLUMNS.items()}


def fixed_settings(tournament: Tournament) -> dict[str, str]:
    """Each setting that cannot be changed now, with the reason; at most three queries."""
    if tournament.state == TournamentState.FINISHED:
        reason = "The tournament is finished, so this cannot change."
        return dict.fromkeys(
            [name for name in SETTINGS if name not in AlwaysChangeable.__annotations__], reason
        )
    result: dict[str, str] = {}
    if first_hand_time := first_hand_at(tournament):
        reason = f"This cannot change after the first hand ({moment(first_hand_time)})."
        result["rules"] = reason
    if playing := tournament.rounds.filter(state=RoundState.PLAYING).first():
        reason = f"Round {playing.number} is being played. This can be changed once it is closed."
        result |= dict.fromkeys(LENGTH_SETTINGS, reason)
    return result


def first_hand_at(tournament: Tournament) -> datetime | None:
    """When the first hand or ruling was recorded; None if there is none."""
    hands = Hand.objects.filter(game__tournament_table__round__tournament=tournament)
    first = hands.order_by("sent_at").values_list("sent_at", flat=True).first()
    if first is not None:
        return first
    rulings = Ruling.objects.filter(table__round__tournament=tournament)
    return rulings.order_by("ruled_at").values_list("ruled_at", flat=True).first()


def begun_round_count(tournament: Tournament) -> int:
    """The number of rounds that have been started."""
    return Round.objects.filter(tournament=tournament).exclude(state=RoundState.SEATED).count()


def occasions(club: Club) -> list[Occasion]:
    """Every tournament of the club; one query."""
    tournaments = Tournament.objects.filter(club=club)
    rows = tournaments.values_list("pk", "name", "held_on", "version")
    return [Occasion(f"tournament-{pk}", name, day, version) for pk, name, day, version in rows]


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of tournament: rounds of hands or minutes, and metrics of the ranking in order."""

    key: str
    name: str
    text: str
    rounds: int
    hands_a_round: int | None
    ranks_by: tuple[str, ...]
    minutes_a_round: int | None = None
    sitting_out_counts: str = SittingOut.AVERAGE

    @property
    def settings(self) -> dict[str, Any]:
        """What a tournament of this kind begins with."""
        return {name: getattr(self, name) for name in PRESET_FIELDS}


PRESETS: Final = (
    Preset("day", "A day out", "Five rounds of eight hands, by table points.", 5, 8, ALL_METRICS),
    Preset(
        "afternoon",
        "An afternoon",
        "Three rounds of six hands, by total gain.",
        3,
        6,
        ("total", "mahjongs", "best_hand"),
    ),
    Preset(
        "weekend",
        "A weekend",
        "Eight rounds of sixteen hands, each a whole game of four winds, by table points.",
        8,
        16,
        ALL_METRICS,
    ),
    Preset(
        "wins",
        "Count the Mah-Jongs",
        "Four rounds of eight hands; most Mah-Jongs wins.",
        4,
        8,
        ("mahjongs", "total"),
    ),
    Preset(
        "clock",
        "Against the clock",
        "Five rounds of 75 minutes with as many hands as time allows, by table points.",
        5,
        None,
        ALL_METRICS,
        minutes_a_round=75,
    ),
)


def preset_of(key: str) -> Preset:
    """The preset of that key, or the first."""
    return next((preset for preset in PRESETS if preset.key == key), PRESETS[0])
