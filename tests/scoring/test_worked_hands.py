"""Every worked hand scores what its working says."""

import pytest

from scoring import rule_set
from tests.scoring.worked import Case, cases, expected, reckoned

BMJA = rule_set("bmja")


@pytest.mark.parametrize("case", cases("hand"), ids=lambda case: f"{case['id']} {case['title']}")
def test_a_worked_hand(case: Case) -> None:
    assert reckoned(case, BMJA) == expected(case)


def test_worked_hands_are_numbered_once() -> None:
    numbers = [case["id"] for case in cases("hand")]
    assert sorted(set(numbers)) == sorted(numbers)
