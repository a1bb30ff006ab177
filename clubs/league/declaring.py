"""League rules as JSON, in the words of a form: ``{"best": "75%", "scales": {"4": "4-2-1-½"}}``."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeVar

from clubs.league.numbers import read_number, read_scale, scale_words, written
from clubs.league.rules import (
    SIZES,
    AddsUp,
    Brings,
    CreditRule,
    LeagueRules,
    Quota,
    Scale,
    Tie,
)

MOST_EVENINGS: Final = 366
MOST_HANDS: Final = 200
MOST_MEMBERS: Final = 400
MOST_POINTS: Final = 100_000
_QUOTA: Final = re.compile(r"([0-9]{1,3})\s*(%?)")

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a declaration: which field, and what to do about it."""

    where: str
    sentence: str


class BadLeagueRules(ValueError):
    """A declaration that cannot be played by; carries every fault, at least one."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(" ".join(fault.sentence for fault in faults))
        self.faults = faults


class _Bad(ValueError):
    """One value that cannot be read; its text is the sentence, ``at`` what of it is wrong."""

    def __init__(self, sentence: str, at: str = "") -> None:
        super().__init__(sentence)
        self.at = at


def declared(rules: LeagueRules) -> dict[str, Any]:
    """The rules as JSON, from which ``read_rules`` makes the same rules."""
    return {
        "brings": rules.brings.value,
        "scales": {str(len(scale)): scale_words(scale) for scale in rules.scales},
        "hands": rules.hands,
        "handicaps": rules.handicaps,
        "attendance_points": written(rules.attendance_points),
        "adds_up": rules.adds_up.value,
        "best": quota_words(rules.best),
        "least": quota_words(rules.least),
        "least_members": rules.least_members,
        "credit_most": rules.credit.most if rules.credit else 0,
        "credit_points": _credit_points(rules.credit),
        "ties": [tie.value for tie in rules.ties],
    }


def quota_words(quota: Quota | None) -> str:
    """``8``, ``75%``, or nothing."""
    if quota is None:
        return ""
    return f"{quota.number}{'%' if quota.is_percent else ''}"


def _credit_points(credit: CreditRule | None) -> str:
    return "" if credit is None or credit.points is None else written(credit.points)


def read_rules(data: object) -> LeagueRules:
    """The rules that the data declares; what it leaves out is as in ``LeagueRules()``.

    Raises BadLeagueRules with every fault of the data.
    """
    if not isinstance(data, Mapping):
        raise BadLeagueRules((Fault("", "Enter the league rules as a JSON object."),))
    faults = [
        Fault(str(name), f"There is no league rule called {name}. Remove it.")
        for name in data
        if name not in _READERS
    ]
    told: dict[str, Any] = {}
    for name, read in _READERS.items():
        try:
            told[name] = read(data[name]) if name in data else _DEFAULTS[name]
        except _Bad as bad:
            faults.append(Fault(f"{name}{bad.at}", str(bad)))
    if not faults:
        rules = _rules(**told)
        faults.extend(_contradictions(rules))
    if faults:
        raise BadLeagueRules(tuple(faults))
    return rules


def _rules(*, credit_most: int, credit_points: Fraction | None, **told: Any) -> LeagueRules:
    credit = CreditRule(credit_most, credit_points) if credit_most else None
    return LeagueRules(credit=credit, **told)


def _contradictions(rules: LeagueRules) -> Iterator[Fault]:
    """Rules that are each well said but do not go together."""
    by_hand = rules.adds_up is AddsUp.HAND
    at_table = rules.brings is Brings.TABLE_POINTS
    if by_hand and at_table:
        yield Fault("adds_up", "Table points are for a whole evening: choose total or average.")
    if by_hand and rules.best:
        yield Fault("best", "With the average per hand, all evenings count. Leave this empty.")
    if by_hand and rules.credit and rules.credit.points is not None:
        yield Fault("credit_points", "With the average per hand, leave this empty.")
    if rules.hands and (by_hand or at_table):
        yield Fault("hands", "Only points for a whole evening can be adjusted. Leave this empty.")


def _one_of(kind: type[E]) -> Callable[[object], E]:
    def read(value: object) -> E:
        found = next((member for member in kind if member.value == value), None)
        if found is None:
            names = ", ".join(member.value for member in kind)
            raise _Bad(f"Choose one of these: {names}.")
        return found

    return read


def _whole(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise _Bad(f"Enter a whole number from 0 to {most:,}.")
        return value

    return read


def _whole_or_none(most: int) -> Callable[[object], int | None]:
    whole = _whole(most)

    def read(value: object) -> int | None:
        return whole(value) or None if value is not None else None

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Bad("Choose yes or no (true or false).")
    return value


def _quota(value: object) -> Quota | None:
    if value in ("", None):
        return None
    match = _QUOTA.fullmatch(value.strip()) if isinstance(value, str) else None
    number = int(match[1]) if match else 0
    is_percent = bool(match and match[2])
    if not 1 <= number <= (100 if is_percent else MOST_EVENINGS):
        raise _Bad(
            f"Enter a number of evenings from 1 to {MOST_EVENINGS}, or a percentage such as 75%."
        )
    return Quota(number, is_percent)


def _points(value: object) -> Fraction:
    number = read_number(value) if isinstance(value, str) else None
    if number is None or number > MOST_POINTS:
        raise _Bad(f"Enter points from 0 to {MOST_POINTS:,}, for example 1, ½ or 3,000.")
    return number


def _points_or_none(value: object) -> Fraction | None:
    return None if value in ("", None) else _points(value)


def _scales(value: object) -> tuple[Scale, ...]:
    if not isinstance(value, Mapping) or set(value) != {str(size) for size in SIZES}:
        raise _Bad("Enter points for tables of two, three, four and five.")
    return tuple(_scale(value[str(size)], size) for size in SIZES)


def _scale(value: object, size: int) -> Scale:
    scale = read_scale(value) if isinstance(value, str) else None
    example = scale_words(LeagueRules().scale_of(size))
    if scale is None or len(scale) != size:
        sentence = f"A table of {size} has {size} numbers, the first place first: {example}."
        raise _Bad(sentence, f".{size}")
    if list(scale) != sorted(scale, reverse=True):
        raise _Bad(f"A place cannot earn more than the place above it: {example}.", f".{size}")
    return scale


def _ties(value: object) -> tuple[Tie, ...]:
    if not isinstance(value, list | tuple):
        raise _Bad("Enter a list of tie-breaks.")
    ties = tuple(_one_of(Tie)(one) for one in value)
    if len(set(ties)) < len(ties):
        raise _Bad("Enter each tie-break only once.")
    return ties


_READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "brings": _one_of(Brings),
    "scales": _scales,
    "hands": _whole_or_none(MOST_HANDS),
    "handicaps": _flag,
    "attendance_points": _points,
    "adds_up": _one_of(AddsUp),
    "best": _quota,
    "least": _quota,
    "least_members": _whole(MOST_MEMBERS),
    "credit_most": _whole(MOST_EVENINGS),
    "credit_points": _points_or_none,
    "ties": _ties,
}
_PLAIN: Final = LeagueRules()
_DEFAULTS: Final[Mapping[str, Any]] = {
    "credit_most": 0,
    "credit_points": None,
    **{name: getattr(_PLAIN, name) for name in _READERS if not name.startswith("credit_")},
}
