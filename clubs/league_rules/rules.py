"""Ranking rules: as data, read from JSON, and in sentences."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeVar

from clubs.language.words import count_words, number_words, read_number, read_scale, scale_words

Scale = tuple[Fraction, ...]
TABLE_SIZES: Final = (2, 3, 4, 5)
HALF: Final = Fraction(1, 2)
_SIZE_NAMES: Final = {2: "two", 3: "three", 5: "five"}
MAX_EVENINGS: Final = 366
MAX_HANDS: Final = 200
MAX_MEMBERS: Final = 400
MAX_POINTS: Final = 100_000
_QUOTA_PATTERN: Final = re.compile(r"([0-9]{1,3})\s*(%?)")
AnyEnum = TypeVar("AnyEnum", bound=Enum)


class EveningScoring(Enum):
    """The basic result of an evening, before anything is added."""

    POINTS = "points"
    TABLE_POINTS = "table_points"


class SeasonScoring(Enum):
    """How a player's evenings are combined."""

    TOTAL = "total"
    AVERAGE = "average"
    HAND = "hand"


class TieBreak(Enum):
    """A tie-break; for ``given_away`` lower is better."""

    MAHJONGS = "mahjongs"
    BEST_HAND = "best_hand"
    GIVEN_AWAY = "given_away"
    BEST_EVENING = "best_evening"
    ATTENDED = "attended"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Quota:
    """A number of evenings, or a percentage of those held."""

    number: int
    is_percent: bool = False

    def evening_count(self, evenings: int) -> int:
        """The number of evenings, out of so many held; rounded up."""
        return -(-self.number * evenings // 100) if self.is_percent else self.number


@dataclass(frozen=True, slots=True)
class CreditRule:
    """What an evening missed for the club brings: points, or the player's own average."""

    most: int
    points: Fraction | None = None


def build_scales(*scales: tuple[int | Fraction, ...]) -> tuple[Scale, ...]:
    """Table points for tables of up to as many players as there are numbers."""
    return tuple(tuple(Fraction(points) for points in scale) for scale in scales)


USUAL_SCALES: Final = build_scales((4, 0), (4, 2, 0), (4, 2, 1, 0), (4, 2, 1, 0, 0))


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """Which evenings count, the minimum for a place, what is added, and how ties are broken."""

    brings: EveningScoring = EveningScoring.POINTS
    scales: tuple[Scale, ...] = USUAL_SCALES
    hands: int | None = None
    handicaps: bool = False
    attendance_points: Fraction = Fraction(0)
    adds_up: SeasonScoring = SeasonScoring.TOTAL
    best: Quota | None = None
    least: Quota | None = None
    least_members: int = 0
    credit: CreditRule | None = None
    ties: tuple[TieBreak, ...] = (TieBreak.MAHJONGS, TieBreak.BEST_HAND)

    def scale_of(self, size: int) -> Scale:
        """The table points at a table of so many; beyond five players, or for one, nothing."""
        zero_scale = (Fraction(0),) * size
        return next((scale for scale in self.scales if len(scale) == size), zero_scale)

    @property
    def has_signs(self) -> bool:
        """Whether the ranking figure is gained or lost, rather than won for places."""
        return self.brings is EveningScoring.POINTS and not self.attendance_points


@dataclass(frozen=True, slots=True)
class ReadyMadeLeague:
    """A ready-made league with its name and description."""

    key: str
    name: str
    note: str
    rules: LeagueRules


READY_MADE_LEAGUES: Final = (
    ReadyMadeLeague("total", "Everything counts", "The total of all evenings.", LeagueRules()),
    ReadyMadeLeague(
        "best",
        "The best evenings",
        "Missing a few evenings costs nothing.",
        LeagueRules(best=Quota(8), least=Quota(6)),
    ),
    ReadyMadeLeague(
        "average",
        "The average evening",
        "Fair to those who cannot always come.",
        LeagueRules(adds_up=SeasonScoring.AVERAGE, least=Quota(50, is_percent=True)),
    ),
    ReadyMadeLeague(
        "average-hand",
        "The average hand",
        "Fair where tables play different numbers of hands.",
        LeagueRules(adds_up=SeasonScoring.HAND, least=Quota(50, is_percent=True)),
    ),
    ReadyMadeLeague(
        "groene-hart",
        "Table points and attendance",
        "Points for the places at each table, and one for attending.",
        LeagueRules(
            brings=EveningScoring.TABLE_POINTS,
            scales=build_scales((4, 2), (4, 2, 1), (4, 2, 1, HALF), (4, 2, 1, HALF, 0)),
            attendance_points=Fraction(1),
            best=Quota(75, is_percent=True),
            least=Quota(75, is_percent=True),
            least_members=8,
            ties=(TieBreak.MAHJONGS, TieBreak.GIVEN_AWAY),
        ),
    ),
    ReadyMadeLeague(
        "pe-ling",
        "Points and an attendance bonus",
        "What you gain, and 3,000 points for attending.",
        LeagueRules(attendance_points=Fraction(3000)),
    ),
    ReadyMadeLeague(
        "wins",
        "Tables won",
        "One point for the winner of each table, none for the others.",
        LeagueRules(
            brings=EveningScoring.TABLE_POINTS,
            scales=build_scales((1, 0), (1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0, 0)),
            ties=(TieBreak.POINTS, TieBreak.MAHJONGS),
        ),
    ),
)


def ready_made_league(key: str) -> LeagueRules:
    """The ready-made rules with that key. Raises KeyError."""
    return {league.key: league.rules for league in READY_MADE_LEAGUES}[key]


TIE_BREAK_NAMES: Final = {
    TieBreak.MAHJONGS: "Mah-Jongs",
    TieBreak.BEST_HAND: "best hand",
    TieBreak.GIVEN_AWAY: "fewest Mah-Jongs by others at your tables",
    TieBreak.BEST_EVENING: "best evening",
    TieBreak.ATTENDED: "evenings attended",
    TieBreak.POINTS: "points gained",
}


def rule_sentences(rules: LeagueRules) -> tuple[str, ...]:
    """A sentence for each rule, in the order in which they apply."""
    return (*_evening_sentences(rules), *_season_sentences(rules))


def ranking_heading(rules: LeagueRules) -> str:
    """The heading of the ranking column."""
    if rules.adds_up is SeasonScoring.HAND:
        return "Average per hand"
    if rules.adds_up is SeasonScoring.AVERAGE:
        return "Average"
    if rules.best:
        return "Best evenings"
    return "Table points" if rules.brings is EveningScoring.TABLE_POINTS else "Total"


def ranking_metric(rules: LeagueRules) -> str:
    """The ranking metric's name as the API has always given it in ``decided_by``."""
    if rules.brings is EveningScoring.TABLE_POINTS:
        return "table_points"
    if rules.adds_up is SeasonScoring.HAND:
        return "average_hand"
    if rules.adds_up is SeasonScoring.AVERAGE:
        return "average"
    return "best_total" if rules.best else "total"


def rules_summary(rules: LeagueRules) -> str:
    """The rules in one sentence, for the head of a table."""
    least = f", for players with at least {quota_phrase(rules.least)}" if rules.least else ""
    ties = (
        f"; ties by {', then '.join(TIE_BREAK_NAMES[tie] for tie in rules.ties)}"
        if rules.ties
        else ""
    )
    best = f"each player’s best {quota_phrase(rules.best)}" if rules.best else ""
    at_table = rules.brings is EveningScoring.TABLE_POINTS
    if rules.adds_up is SeasonScoring.HAND:
        ranking = "average per hand"
    elif rules.adds_up is SeasonScoring.AVERAGE:
        measure = "average table points" if at_table else "average"
        ranking = f"{measure} of {best or 'an evening'}"
    else:
        ranking = f"{'table points' if at_table else 'total'} of {best or 'all evenings'}"
    return f"Ranked by the {ranking}{least}{ties}."


def quota_phrase(quota: Quota) -> str:
    """``6 evenings``, ``75% of the evenings``."""
    if quota.is_percent:
        return f"{quota.number}% of the evenings"
    return count_words(quota.number, "evening")


def _evening_sentences(rules: LeagueRules) -> Iterator[str]:
    if rules.brings is EveningScoring.TABLE_POINTS:
        yield f"The places at a table of four earn {scale_words(rules.scale_of(4))}."
        other_scales = [
            f"{scale_words(rules.scale_of(size))} at a table of {name}"
            for size, name in _SIZE_NAMES.items()
        ]
        yield f"They earn {', '.join(other_scales[:-1])} and {other_scales[-1]}."
        yield "Players who are equal at a table share the points for their places."
    else:
        yield "Each evening earns the points you gained or lost."
    if rules.hands:
        yield (
            "Points are adjusted for the number of hands played, as if everyone had played "
            f"{count_words(rules.hands, 'hand')}."
        )
    if rules.handicaps:
        timing = " before the places at the table are given" * (
            rules.brings is EveningScoring.TABLE_POINTS
        )
        yield f"Add handicaps every evening{timing}."
    if rules.attendance_points:
        yield f"Attending earns {number_words(rules.attendance_points)} more each evening."
    if rules.least_members:
        members = count_words(rules.least_members, "member")
        yield f"An evening counts only when at least {members} play."


def _season_sentences(rules: LeagueRules) -> Iterator[str]:
    if rules.adds_up is SeasonScoring.HAND:
        yield "Players are ranked by their average points per hand."
    elif rules.adds_up is SeasonScoring.AVERAGE:
        yield "Players are ranked by the average of the evenings that count."
    else:
        yield "The evenings that count are added up."
    if rules.best and rules.best.is_percent:
        yield f"Each player’s best evenings count: {rules.best.number}% of those held."
    elif rules.best:
        is_one = rules.best.number == 1
        evenings = count_words(rules.best.number, "evening")
        yield f"The best {evenings} {'counts' if is_one else 'count'}."
    if rules.least:
        yield f"To be ranked, players need at least {quota_phrase(rules.least)}."
    if rules.credit:
        points = rules.credit.points
        worth = "your own average" if points is None else f"{number_words(points)} points"
        times = "once" if rules.credit.most == 1 else f"{rules.credit.most} times"
        yield (
            f"An evening missed on club duty counts as attended and earns {worth}, at most {times}."
        )
    if rules.ties:
        tie_breaks = ", then by ".join(TIE_BREAK_NAMES[tie] for tie in rules.ties)
        yield f"Ties are broken by {tie_breaks}; otherwise players share the place."
    else:
        yield "Equal players share a place."


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a declaration: the field, and how to fix it."""

    path: str
    message: str


class BadLeagueRules(ValueError):
    """An invalid declaration; has every fault, at least one."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(" ".join(fault.message for fault in faults))
        self.faults = faults


class _InvalidValue(ValueError):
    """A value that cannot be read; its text is the sentence, ``path`` the part that is wrong."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


def rules_to_json(rules: LeagueRules) -> dict[str, Any]:
    """The rules as JSON, which ``read_rules`` reads back."""
    credit = rules.credit
    return {
        "brings": rules.brings.value,
        "scales": {str(len(scale)): scale_words(scale) for scale in rules.scales},
        "hands": rules.hands,
        "handicaps": rules.handicaps,
        "attendance_points": number_words(rules.attendance_points),
        "adds_up": rules.adds_up.value,
        "best": quota_to_text(rules.best),
        "least": quota_to_text(rules.least),
        "least_members": rules.least_members,
        "credit_most": credit.most if credit else 0,
        "credit_points": ""
        if credit is None or credit.points is None
        else number_words(credit.points),
        "ties": [tie.value for tie in rules.ties],
    }


def quota_to_text(quota: Quota | None) -> str:
    """``8``, ``75%``, or nothing."""
    return f"{quota.number}{'%' if quota.is_percent else ''}" if quota else ""


def read_rules(data: object) -> LeagueRules:
    """Read declared rules; omitted fields are as in ``LeagueRules()``.

    Raises BadLeagueRules with every fault of the data.
    """
    if not isinstance(data, Mapping):
        raise BadLeagueRules((Fault("", "Enter the league rules as a JSON object."),))
    faults = [
        Fault(str(name), f"There is no league rule called {name}. Remove it.")
        for name in data
        if name not in _READERS
    ]
    values: dict[str, Any] = {}
    for name, read_value in _READERS.items():
        try:
            values[name] = read_value(data[name]) if name in data else _DEFAULTS[name]
        except _InvalidValue as bad:
            faults.append(Fault(f"{name}{bad.path}", str(bad)))
    if not faults:
        most, points = values.pop("credit_most"), values.pop("credit_points")
        rules = LeagueRules(**values, credit=CreditRule(most, points) if most else None)
        faults.extend(_contradictions(rules))
    if faults:
        raise BadLeagueRules(tuple(faults))
    return rules


def _contradictions(rules: LeagueRules) -> Iterator[Fault]:
    """Faults of rules that are valid singly but contradict each other."""
    by_hand = rules.adds_up is SeasonScoring.HAND
    at_table = rules.brings is EveningScoring.TABLE_POINTS
    if by_hand and at_table:
        yield Fault("adds_up", "Table points are for a whole evening: choose total or average.")
    if by_hand and rules.best:
        yield Fault("best", "With the average per hand, all evenings count. Leave this empty.")
    if by_hand and rules.credit and rules.credit.points is not None:
        yield Fault("credit_points", "With the average per hand, leave this empty.")
    if rules.hands and (by_hand or at_table):
        yield Fault("hands", "Only points for a whole evening can be adjusted. Leave this empty.")


def _enum_reader(kind: type[AnyEnum]) -> Callable[[object], AnyEnum]:
    def read(value: object) -> AnyEnum:
        choice = next((member for member in kind if member.value == value), None)
        if choice is None:
            names = ", ".join(member.value for member in kind)
            raise _InvalidValue(f"Choose one of these: {names}.")
        return choice

    return read


def _integer_reader(most: int, *, is_optional: bool = False) -> Callable[[object], int | None]:
    def read(value: object) -> int | None:
        if is_optional and value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise _InvalidValue(f"Enter a whole number from 0 to {most:,}.")
        return value or None if is_optional else value

    return read


def _read_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _InvalidValue("Choose yes or no (true or false).")
    return value


def _read_quota(value: object) -> Quota | None:
    if value in ("", None):
        return None
    match = _QUOTA_PATTERN.fullmatch(value.strip()) if isinstance(value, str) else None
    number = int(match[1]) if match else 0
    is_percent = bool(match and match[2])
    if not 1 <= number <= (100 if is_percent else MAX_EVENINGS):
        raise _InvalidValue(
            f"Enter a number of evenings from 1 to {MAX_EVENINGS}, or a percentage such as 75%."
        )
    return Quota(number, is_percent)


def _read_points(value: object) -> Fraction:
    number = read_number(value) if isinstance(value, str) else None
    if number is None or number > MAX_POINTS:
        raise _InvalidValue(f"Enter points from 0 to {MAX_POINTS:,}, for example 1, ½ or 3,000.")
    return number


def _read_scales(value: object) -> tuple[Scale, ...]:
    if not isinstance(value, Mapping) or set(value) != {str(size) for size in TABLE_SIZES}:
        raise _InvalidValue("Enter points for tables of two, three, four and five.")
    scales: list[Scale] = []
    for size in TABLE_SIZES:
        cell = value[str(size)]
        scale = read_scale(cell) if isinstance(cell, str) else None
        example = scale_words(LeagueRules().scale_of(size))
        if scale is None or len(scale) != size:
            message = f"A table of {size} has {size} numbers, the first place first: {example}."
            raise _InvalidValue(message, f".{size}")
        if list(scale) != sorted(scale, reverse=True):
            raise _InvalidValue(
                f"A place cannot earn more than the place above it: {example}.", f".{size}"
            )
        scales.append(scale)
    return tuple(scales)


def _read_ties(value: object) -> tuple[TieBreak, ...]:
    if not isinstance(value, list | tuple):
        raise _InvalidValue("Enter a list of tie-breaks.")
    ties = tuple(_enum_reader(TieBreak)(tie) for tie in value)
    if len(set(ties)) < len(ties):
        raise _InvalidValue("Enter each tie-break only once.")
    return ties


_READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "brings": _enum_reader(EveningScoring),
    "scales": _read_scales,
    "hands": _integer_reader(MAX_HANDS, is_optional=True),
    "handicaps": _read_flag,
    "attendance_points": _read_points,
    "adds_up": _enum_reader(SeasonScoring),
    "best": _read_quota,
    "least": _read_quota,
    "least_members": _integer_reader(MAX_MEMBERS),
    "credit_most": _integer_reader(MAX_EVENINGS),
    "credit_points": lambda value: None if value in ("", None) else _read_points(value),
    "ties": _read_ties,
}
_DEFAULT_RULES: Final = LeagueRules()
_DEFAULTS: Final[Mapping[str, Any]] = {
    "credit_most": 0,
    "credit_points": None,
    **{name: getattr(_DEFAULT_RULES, name) for name in _READERS if not name.startswith("credit_")},
}
