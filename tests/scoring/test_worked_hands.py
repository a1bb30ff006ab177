"""Every worked hand scores what its working says."""

import pytest

from scoring import hand_from_json, rule_set, rule_set_keys, score
from scoring.rules import rule_set as rules_rule_set
from tests.scoring.worked import Case, cases, expected, reckoned

KEYS = rule_set_keys()
WORKED = [(key, case) for key in KEYS for case in cases("hand", of=key)]
PUBLISHED = [
    (case["rules"], case) for case in cases("hand", of="published") if case["rules"] in KEYS
]


@pytest.mark.parametrize(
    ("key", "case"),
    [pytest.param(*one, id=f"{one[1]['id']} {one[1]['title']}") for one in WORKED + PUBLISHED],
)
def test_a_worked_hand(key: str, case: Case) -> None:
    assert reckoned(case, rule_set(key)) == expected(case)


@pytest.mark.parametrize("key", KEYS)
def test_the_lines_of_every_worked_hand_come_to_its_total(key: str) -> None:
    rules = rule_set(key)
    for of, case in WORKED + PUBLISHED:
        if of == key and "total" in case["expected"] and "house" not in case:
            found = score(hand_from_json(case["fields"], rules), rules)
            assert rules.capped(rules_rule_set.reckoned(found.lines)) == found.total, case["id"]


def test_worked_hands_are_numbered_once() -> None:
    numbers = [case["id"] for _key, case in WORKED + PUBLISHED]
    assert sorted(set(numbers)) == sorted(numbers)
