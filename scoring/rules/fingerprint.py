"""A fingerprint of a rule set: the same for the same rules, another when any of them changes.

Taken of what the rules say, not of the words that say it: names and numbers of lines, conditions by
the marks that they ask for, shapes by their tiles. Sources and explanations are left out, and so is
whatever has its default, so that what later editions add changes none of the earlier ones.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from hashlib import sha256
from itertools import product
from json import dumps
from typing import Any, Final

from scoring.hands.hand import Hand, Kind, set_codes, set_of
from scoring.hands.tiles import Wind
from scoring.rules import marks
from scoring.rules.conditions import HandCondition, SetCondition
from scoring.rules.rule_set import RuleSet

_IGNORED_FIELDS: Final = frozenset(
    {"source", "limit_source", "text", "of_words", "unmet", "joined_conditions", "status"}
)
_NAME_FIELDS: Final = frozenset({"key", "name"})
_DIGIT_COUNT: Final = 16
_FIRST_PENALTIES: Final = "fdcee7bf5f281b57"
_WIND_HANDS: Final = tuple(
    Hand(seat_wind=seat, prevailing_wind=prevailing)
    for seat, prevailing in product(Wind, (*Wind, None))
)
_ALL_SETS: Final = tuple(
    set_of(code)
    for kind, exposed in product(Kind, (False, True))
    for code in set_codes(kind, exposed=exposed)
)


def fingerprint(rules: RuleSet) -> str:
    """Sixteen hexadecimal digits that stand for everything the rule set says."""
    data = dict(_relevant_fields(rules))
    for name in _NAME_FIELDS:
        del data[name]
    return _digest(data)


def key_fingerprint(rules: RuleSet) -> str:
    """The fingerprint from which the keys of house rules are made.

    The first keys were given before penalties stood on the page. So that every key stays as it
    is, the penalties of that time are left out here; any others are counted.
    """
    as_at_first = _digest(_plain_data(rules.penalties)) == _FIRST_PENALTIES
    return fingerprint(replace(rules, penalties=()) if as_at_first else rules)


def _digest(data: object) -> str:
    return sha256(dumps(data, sort_keys=True).encode()).hexdigest()[:_DIGIT_COUNT]


def _plain_data(value: Any) -> object:
    """The value as JSON can write it, the same on every day and machine."""
    if is_dataclass(value) or hasattr(value, "_fields"):
        return _declaration_data(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain_data(entry) for key, entry in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(_plain_data, value), key=str)
    return [_plain_data(entry) for entry in value] if isinstance(value, list | tuple) else value


def _declaration_data(declaration: Any) -> object:
    if isinstance(declaration, SetCondition):
        # A digest of the sets that meet the condition, for every pair of winds.
        bits = "".join(
            "1" if declaration.test(group, hand) else "0"
            for hand in _WIND_HANDS
            for group in _ALL_SETS
        )
        return sha256(bits.encode()).hexdigest()
    if isinstance(declaration, HandCondition):
        return _condition_data(declaration)
    return {"": type(declaration).__name__} | dict(_relevant_fields(declaration))


def _relevant_fields(declaration: Any) -> Iterator[tuple[str, object]]:
    """The fields of a declaration that say something, by name."""
    if is_dataclass(declaration):
        defaults = {field.name: field.default for field in fields(declaration)}
    else:
        defaults = {
            name: declaration._field_defaults.get(name, MISSING) for name in declaration._fields
        }
    for name, default in defaults.items():
        value = getattr(declaration, name)
        if name not in _IGNORED_FIELDS and (default is MISSING or value != default):
            yield name, _plain_data(value)


def _condition_data(condition: HandCondition) -> dict[str, object]:
    return {
        "all of": _mark_names(condition.all_of),
        "none of": _mark_names(condition.none_of),
        "chosen": [[point.name, point.value] for point in condition.chosen],
        "lifted": [[point.name, _condition_data(point.condition)] for point in condition.lifted],
    }


def _mark_names(bits: int) -> list[str]:
    return sorted(name for name, mark in _MARKS if bits & mark)


def _named_marks() -> Iterator[tuple[str, int]]:
    """Every mark by the name that it has in the code, which outlives its place."""
    for name, value in vars(marks).items():
        if name.isupper() and not name.startswith("_"):
            if isinstance(value, int) and value.bit_count() == 1:
                yield name, value
            elif isinstance(value, dict) and name != "OF_TILE":
                yield from ((f"{name} {key}", mark) for key, mark in value.items())


_MARKS: Final = tuple(_named_marks())
