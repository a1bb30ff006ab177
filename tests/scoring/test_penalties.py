"""What the game says about mistakes, and about one who pays for all."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import BadInput, Payment, RuleSet, Wind, WonBy, rule_set, rule_set_keys, settle
from scoring.rules.rule_set import Consequence, Status
from scoring.table.settlement import pay_for_all, penalty, scale
from tests.scoring.worked import Case, cases, house, penalised, refused, said

BMJA, ENGLISH, TALLIES = map(rule_set, ("bmja", "english", "tallies"))
SCORES = st.fixed_dictionaries({wind: st.integers(0, 1000) for wind in Wind})


@pytest.mark.parametrize("case", cases("penalty"), ids=lambda case: f"{case['id']} {case['title']}")
def test_a_worked_penalty(case: Case) -> None:
    incident = scale(house(case, BMJA))[case["incident"]]
    assert penalised(case, BMJA) == case["payments"]
    voids_the_hand = incident.consequence is Consequence.VOID
    assert voids_the_hand == case.get("voids_the_hand", False)
    assert incident.pays_for_all == case.get("pays_for_all", False)


@pytest.mark.parametrize("case", refused("bmja_penalties"), ids=lambda case: case["title"])
def test_a_penalty_that_no_table_has(case: Case) -> None:
    with pytest.raises(BadInput) as refusal:
        penalised(case, BMJA)
    assert said(refusal.value) == case["problems"]


def test_what_each_incident_costs_in_words() -> None:
    assert {incident.key: incident.words(1000) for incident in scale(BMJA).values()} == {
        "misnamed_discard": "50 points to the claimant; play goes on",
        "misnamed_for_mahjong": "the player pays the winner for all, and no one else settles",
        "false_mahjong": "play goes on",
        "false_mahjong_exposed": "500 points to each other player; the hand is void",
        "too_few_tiles": "the player cannot go Mah-Jong and scores what the hand holds",
        "too_many_tiles": "the player cannot go Mah-Jong and scores nothing",
        "wrong_claim_corrected": "play goes on",
        "wrong_claim": "the set stays, and the player cannot go Mah-Jong",
        "cannon": "the player pays the winner for all, and no one else settles",
    }


def test_half_the_limit_in_all_in_words() -> None:
    false = scale(BMJA.choosing(false_mahjong_in_all=True))["false_mahjong_exposed"]
    assert false.words(1000) == (
        "500 points to the other players, in equal parts; the hand is void"
    )


def test_only_the_price_of_a_false_mahjong_is_open() -> None:
    open_points = [line.key for line in scale(BMJA).values() if line.status is Status.OPEN]
    assert open_points == ["false_mahjong_exposed"]
    assert all(line.source and line.name for line in scale(BMJA).values())


@pytest.mark.parametrize("key", [key for key in rule_set_keys() if key != "bmja"])
def test_the_other_rule_sets_state_no_penalties(key: str) -> None:
    assert scale(rule_set(key)) == {}
    with pytest.raises(BadInput, match="cannon cannot be used here; it must be left out"):
        penalty("cannon", offender=Wind.E, seats=tuple(Wind), rules=rule_set(key))


def test_a_share_of_the_limit_needs_one() -> None:
    with pytest.raises(ValueError, match="needs a limit"):
        penalty(
            "false_mahjong_exposed",
            offender=Wind.E,
            seats=tuple(Wind),
            rules=replace(BMJA, limit=None),
        )


def test_who_is_found_liable_later_makes_the_others_losses_good() -> None:
    scores = {Wind.E: 80, Wind.S: 84, Wind.W: 208, Wind.N: 416}
    settlement = settle(scores, winner=Wind.S, rules=BMJA)
    assert pay_for_all(settlement, winner=Wind.S, liable=Wind.W) == (
        Payment(Wind.W, Wind.E, 1096),
        Payment(Wind.N, Wind.W, 796),
    )


@pytest.mark.parametrize("rules", [BMJA, ENGLISH, TALLIES], ids=lambda rules: rules.key)
@given(SCORES, st.permutations(tuple(Wind)), st.sampled_from(WonBy))
def test_found_later_or_at_once_the_liable_player_pays_the_same(
    rules: RuleSet, scores: dict[Wind, int], order: list[Wind], won_by: WonBy
) -> None:
    winner, liable, discarder, _ = order
    ending: dict[str, Any] = {"winner": winner, "won_by": won_by, "discarder": discarder}
    shared = settle(scores, rules=rules, **ending)
    gain = dict(shared.gain)
    for payment in pay_for_all(shared, winner=winner, liable=liable):
        gain[payment.payer] -= payment.points
        gain[payment.payee] += payment.points
    assert gain == settle(scores, rules=rules, pays_for_all=liable, **ending).gain
