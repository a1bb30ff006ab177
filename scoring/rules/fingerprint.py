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

from scoring.hands.hand import Hand, Kind, codes_of, known_set
from scoring.hands.tiles import Wind
from scoring.rules import marks
from scoring.rules.conditions import HandCondition, SetCondition
from scoring.rules.rule_set import RuleSet

_UNSAID: Final = frozenset(
    {"source", "limit_source", "words", "of_words", "unmet", "joined", "status"}
)
_NAMES_OF_A_RULE_SET: Final = frozenset({"key", "name"})
_DIGITS: Final = 16
_FIRST_PENALTIES: Final = "fdcee7bf5f281b57"
_HANDS: Final = tuple(
    Hand(seat_wind=seat, prevailing_wind=prevailing)
    for seat, prevailing in product(Wind, (*Wind, None))
)
_SETS: Final = tuple(
    known_set(code)
    for kind, exposed in product(Kind, (False, True))
    for code in codes_of(kind, exposed=exposed)
)


def fingerprint(rules: RuleSet) -> str:
    """Sixteen hexadecimal digits that stand for everything the rule set says."""
    said = dict(_parts(rules))
    for name in _NAMES_OF_A_RULE_SET:
        del said[name]
    return _digits(said)


def kept_fingerprint(rules: RuleSet) -> str:
    """The fingerprint from which the keys of house rules are made.

    The first keys were given before penalties stood on the page. So that every key stays as it
    is, the penalties of that time are left out here; any others are counted.
    """
    as_at_first = _digits(_plain(rules.penalties)) == _FIRST_PENALTIES
    return fingerprint(replace(rules, penalties=()) if as_at_first else rules)


def _digits(said: object) -> str:
    return sha256(dumps(said, sort_keys=True).encode()).hexdigest()[:_DIGITS]


def _plain(value: Any) -> object:
    """The value as JSON can write it, the same on every day and machine."""
    if is_dataclass(value) or hasattr(value, "_fields"):
        return _declared(value)
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=str)
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value


def _declared(whole: Any) -> object:
    if isinstance(whole, SetCondition):
        # A digest of the sets that meet the condition, for every pair of winds.
        met = "".join("1" if whole.test(group, hand) else "0" for hand in _HANDS for group in _SETS)
        return sha256(met.encode()).hexdigest()
    if isinstance(whole, HandCondition):
        return _asked_by(whole)
    return {"": type(whole).__name__} | dict(_parts(whole))


def _parts(whole: Any) -> Iterator[tuple[str, object]]:
    """The fields of a declaration that say something, by name."""
    if is_dataclass(whole):
        defaults = {field.name: field.default for field in fields(whole)}
    else:
        defaults = {name: whole._field_defaults.get(name, MISSING) for name in whole._fields}
    for name, default in defaults.items():
        value = getattr(whole, name)
        if name not in _UNSAID and (default is MISSING or value != default):
            yield name, _plain(value)


def _asked_by(condition: HandCondition) -> dict[str, object]:
    return {
        "all of": _names(condition.all_of),
        "none of": _names(condition.none_of),
        "chosen": [[point.name, point.value] for point in condition.chosen],
        "lifted": [[point.name, _asked_by(point.condition)] for point in condition.lifted],
    }


def _names(bits: int) -> list[str]:
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
