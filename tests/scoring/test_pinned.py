"""Every worked hand scores what its working says, and holds a number of some rule set."""

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from scoring import BadInput, RuleSet, hand_from_json, rule_set, rule_set_keys, score
from scoring.rules.prices import lines_total as lines_reckoned
from tests.scoring.worked import (
    Case,
    case_params,
    cases,
    expected_result,
    in_every_book,
    penalty_payments,
    play_case,
    score_case,
    settled_gains,
)

KEYS = rule_set_keys()
WORKED = in_every_book("hand")
WORKED += [
    (case["rules"], case) for case in cases("hand", book="published") if case["rules"] in KEYS
]


@pytest.mark.parametrize(("key", "case"), case_params(WORKED))
def test_a_worked_hand(key: str, case: Case) -> None:
    assert score_case(case, rule_set(key)) == expected_result(case)


@pytest.mark.parametrize("key", KEYS)
def test_the_lines_of_every_worked_hand_come_to_its_total(key: str) -> None:
    rules = rule_set(key)
    for rules_key, case in WORKED:
        if rules_key == key and "total" in case["expected"] and "house" not in case:
            reckoning = score(hand_from_json(case["fields"], rules), rules)
            assert rules.capped_at_highest(lines_reckoned(reckoning.lines)) == reckoning.total, (
                case["id"]
            )


def test_worked_hands_are_numbered_once() -> None:
    numbers = [case["id"] for _key, case in WORKED]
    assert sorted(set(numbers)) == sorted(numbers)


NudgedValue = tuple[str, Any]


def nudges(value: Any, path: str = "") -> Iterator[NudgedValue]:
    """Every value that differs by one number (one more, one less) or one yes or no."""
    if isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield f"{path} + 1", value + 1
        yield f"{path} - 1", value - 1
    elif isinstance(value, tuple):
        yield from _nudged_parts(value, path)


def nudged_rules(rules: RuleSet) -> Iterator[NudgedValue]:
    """The rule set with one of its numbers changed, for each of them."""
    for field in fields(rules):
        for name, changed_value in nudges(getattr(rules, field.name), field.name):
            yield name, replace(rules, **{field.name: changed_value})


def _nudged_parts(parent: Any, path: str) -> Iterator[NudgedValue]:
    for place, part in enumerate(parent):
        for name, changed_part in nudges(part, f"{path}.{_name(parent, part, place)}"):
            yield name, _replace_part(parent, place, changed_part)


def _name(parent: Any, part: Any, place: int) -> str:
    inner = getattr(parent, "_fields", None)
    return str(inner[place] if inner else getattr(part, "name", place))


def _replace_part(parent: Any, place: int, changed_part: Any) -> Any:
    parts = [*parent[:place], changed_part, *parent[place + 1 :]]
    return parent._make(parts) if hasattr(parent, "_make") else tuple(parts)


def _notices(case: Case, rules: RuleSet) -> bool:
    """Whether a worked case tells something else under these rules, or cannot be told."""
    try:
        if "outcomes" in case:
            answer = play_case(case, rules)
            return answer != {name: case[name] for name in answer}
        if "incident" in case:
            return bool(penalty_payments(case, rules) != case["payments"])
        if "gain" in case:
            return bool(settled_gains(case, rules) != case["gain"])
        return score_case(case, rules) != expected_result(case)
    except (BadInput, ZeroDivisionError):
        return True


ALL_NUDGES = [
    pytest.param(key, name, rules, id=f"{key} {name}")
    for key in rule_set_keys()
    for name, rules in nudged_rules(rule_set(key))
]


@cache
def worked_cases(key: str) -> list[Case]:
    """The worked cases of every kind, those first that are soonest told."""
    kinds = ("game", "settlement", "penalty", "hand")
    return [case for kind in kinds for case in cases(kind, book=key)]


@pytest.mark.parametrize(("key", "name", "rules"), ALL_NUDGES)
def test_a_worked_case_notices(key: str, name: str, rules: RuleSet) -> None:
    """The case that notices comes first from then on: it may well notice the next change too."""
    telling = next((case for case in worked_cases(key) if _notices(case, rules)), None)
    assert telling, f"no worked case holds {name}"
    worked_cases(key).remove(telling)
    worked_cases(key).insert(0, telling)
