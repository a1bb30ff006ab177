"""What the detective says of a claimed score that is not the hand's."""

from dataclasses import replace
from typing import Any

import pytest

from scoring import Reckoning, hand_from_json, rule_set, rule_set_keys, score
from scoring.detective import Slip, examine_claim
from tests.scoring.planted.claims import PLANTERS, hands, rates
from tests.scoring.worked import Case, cases

BMJA = rule_set("bmja")
WORKED = cases("claim", of="detective")
CLAIMS = [(case, claim) for case in WORKED for claim in case["claims"]]
LIKE_ANOTHER_SLIP = {"bonus tiles not doubled": 0.3, "concealed set as exposed": 0.2}


def reckoned(case: Case) -> Reckoning:
    return score(hand_from_json(case["fields"], BMJA), BMJA)


@pytest.mark.parametrize(
    ("case", "claim"), CLAIMS, ids=[f"{claim['claimed']} {case['title']}" for case, claim in CLAIMS]
)
def test_a_worked_claim(case: Case, claim: dict[str, Any]) -> None:
    right = reckoned(case)
    likeliest, *_others = examine_claim(claim["claimed"], right, BMJA)
    assert right.total == case["right"]
    assert likeliest.kind == claim["kind"]
    scores = f"The hand scores {right.total:,}, not {claim['claimed']:,}."
    assert likeliest.sentence == f"{claim['says']} {scores}"
    assert likeliest.corrected == {"total": right.total}


def test_the_limit_was_not_applied() -> None:
    limited = next(hand for hand in hands() if hand.limited)
    assert limited.basic is not None
    assert limited.doubles is not None
    (finding,) = examine_claim(limited.basic << limited.doubles, limited, BMJA)
    assert finding.kind == Slip.LIMIT_NOT_APPLIED


def test_three_doubles_are_not_six_times() -> None:
    right = next(hand for hand in hands() if hand.doubles == 3 and not hand.limited)
    found = examine_claim((right.basic or 0) * 6, right, BMJA)
    assert "3 doubles make 8 times, not 6." in " ".join(finding.sentence for finding in found)


def test_where_points_are_only_added_nobody_doubles() -> None:
    rules = replace(BMJA, set_doubles=(), doubles=(), doubled_hands=())
    right = score(hand_from_json(WORKED[0]["fields"], rules), rules)
    assert right.total == 50
    (forgotten,) = examine_claim(30, right, rules)[:1]
    assert forgotten.sentence == "Not counted: “Mah-Jong”. The hand scores 50, not 30."
    assert Slip.DOUBLE_TOO_MANY not in {
        finding.kind for finding in examine_claim(100, right, rules)
    }


@pytest.mark.parametrize("key", [key for key in rule_set_keys() if cases("hand", of=key)])
def test_every_finding_leads_to_the_right_total(key: str) -> None:
    rules = rule_set(key)
    for case in cases("hand", of=key):
        if "total" in case["expected"] and "house" not in case:
            right = score(hand_from_json(case["fields"], rules), rules)
            for claimed in (0, 1, right.total, 2 * right.total, right.total // 2, right.total - 6):
                found = examine_claim(claimed, right, rules)
                assert (found == ()) == (claimed == right.total)
                assert len(found) <= 5
                assert all(finding.corrected == {"total": right.total} for finding in found)


@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_slip_is_named(name: str) -> None:
    first, in_three, explained = rates(name, 150)
    assert first >= LIKE_ANOTHER_SLIP.get(name, 0.85)
    assert in_three >= 0.9
    assert explained >= 0.99
