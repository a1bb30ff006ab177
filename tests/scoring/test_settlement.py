"""What the game says about who pays whom."""

from typing import cast

import pytest
from hypothesis import given, strategies as st

from scoring import (
    BadScores,
    Payment,
    RuleSet,
    Settlement,
    Wind,
    WonBy,
    rule_set,
    rule_set_keys,
    settle,
)
from scoring.commands import settle_line
from scoring.hands.hand import CLAIMS
from tests.scoring.worked import Case, cases, refused, refused_settlement, settled

BMJA, TALLIES = rule_set("bmja"), rule_set("tallies")
KEYS = rule_set_keys()
PAYING = [rule_set(key) for key in KEYS if rule_set(key).zero_sum]
KEEPING = [rule_set(key) for key in KEYS if not rule_set(key).zero_sum]
SETTLEMENTS = [
    pytest.param(key, case, id=f"{case['id']} {case['title']}")
    for key in KEYS
    for case in cases("settlement", of=key)
]
REFUSED = [
    pytest.param(key, case, id=f"{case['id']} {case['title']}")
    for key in KEYS
    for case in refused(f"{key}_settlements")
]
SCORES = st.dictionaries(
    st.sampled_from([Wind.S, Wind.W, Wind.N]), st.integers(0, 1000), min_size=1
).flatmap(lambda others: st.integers(0, 1000).map(lambda east: {Wind.E: east} | others))


@pytest.mark.parametrize(("key", "case"), SETTLEMENTS)
def test_a_worked_settlement(key: str, case: Case) -> None:
    assert settled(case, rule_set(key)) == case["gain"]


@pytest.mark.parametrize(("key", "case"), REFUSED)
def test_scores_that_cannot_be_settled(key: str, case: Case) -> None:
    assert refused_settlement(case, rule_set(key)) == case["problems"]


def test_payments_name_payer_payee_and_points() -> None:
    settlement = settle(
        {Wind.E: 80, Wind.S: 84, Wind.W: 208, Wind.N: 416}, winner=Wind.S, rules=BMJA
    )
    assert settlement.payments == (
        Payment(Wind.E, Wind.S, 168),
        Payment(Wind.W, Wind.S, 84),
        Payment(Wind.N, Wind.S, 84),
        Payment(Wind.E, Wind.W, 256),
        Payment(Wind.E, Wind.N, 672),
        Payment(Wind.W, Wind.N, 208),
    )


def test_one_payment_of_all_shares() -> None:
    scores = {Wind.E: 80, Wind.S: 100, Wind.W: 20, Wind.N: 4}
    settlement = settle(scores, winner=Wind.S, rules=BMJA, pays_for_all=Wind.N)
    assert settlement.payments == (Payment(Wind.N, Wind.S, 400),)


def won(
    scores: dict[Wind, int], data: st.DataObject, rules: RuleSet, *, pays_for_all: bool = False
) -> tuple[Wind, Wind, Settlement]:
    """Some hand of these scores: who won, who pays for all or might, and the settlement."""
    winner, liable = data.draw(st.permutations(sorted(scores)))[:2]
    settlement = settle(
        scores,
        winner=winner,
        rules=rules,
        dealer=data.draw(st.sampled_from(sorted(scores))),
        won_by=data.draw(st.sampled_from(WonBy)),
        discarder=data.draw(st.sampled_from(sorted(set(scores) - {winner}))),
        pays_for_all=liable if pays_for_all else None,
    )
    return winner, liable, settlement


@pytest.mark.parametrize("rules", PAYING, ids=lambda rules: rules.key)
@given(SCORES, st.data())
def test_payments_add_to_nothing(
    rules: RuleSet, scores: dict[Wind, int], data: st.DataObject
) -> None:
    winner, _, settlement = won(scores, data, rules)
    assert sum(settlement.gain.values()) == 0
    assert all(payment.payer != winner for payment in settlement.payments)
    assert all(payment.points > 0 for payment in settlement.payments)


@pytest.mark.parametrize("rules", PAYING, ids=lambda rules: rules.key)
@given(SCORES, st.data())
def test_who_pays_for_all_alone_loses(
    rules: RuleSet, scores: dict[Wind, int], data: st.DataObject
) -> None:
    winner, liable, settlement = won(scores, data, rules, pays_for_all=True)
    due = settlement.gain[winner]
    assert settlement.gain == dict.fromkeys(scores, 0) | {winner: due, liable: -due}
    assert due >= scores[winner]


@given(SCORES, st.data())
def test_the_winner_is_due_as_much_whoever_pays(
    scores: dict[Wind, int], data: st.DataObject
) -> None:
    winner, liable = data.draw(st.permutations(sorted(scores)))[:2]
    alone = settle(scores, winner=winner, rules=BMJA, pays_for_all=liable).gain
    assert alone[winner] == settle(scores, winner=winner, rules=BMJA).gain[winner]


@given(SCORES, st.sampled_from(sorted(CLAIMS)), st.data())
def test_with_tallies_one_player_pays_for_a_claimed_tile(
    scores: dict[Wind, int], way: WonBy, data: st.DataObject
) -> None:
    winner, discarder = data.draw(st.permutations(sorted(scores)))[:2]
    settlement = settle(scores, winner=winner, rules=TALLIES, won_by=way, discarder=discarder)
    assert {payment.payer for payment in settlement.payments} <= {discarder}


@pytest.mark.parametrize("rules", KEEPING, ids=lambda rules: rules.key)
@given(SCORES, st.data())
def test_where_nobody_pays_each_gains_his_score(
    rules: RuleSet, scores: dict[Wind, int], data: st.DataObject
) -> None:
    _, _, settlement = won(scores, data, rules, pays_for_all=True)
    assert (settlement.payments, settlement.gain) == ((), scores)


def test_who_must_be_told_is_said_in_a_sentence() -> None:
    with pytest.raises(BadScores, match="Choose how the hand was won: it decides who pays"):
        settle({Wind.E: 4, Wind.S: 0}, winner=Wind.E, rules=TALLIES)
    with pytest.raises(BadScores, match="Choose who discarded the winning tile"):
        settle({Wind.E: 4, Wind.S: 0}, winner=Wind.E, rules=TALLIES, won_by="discard")


def test_a_drawn_hand_needs_no_scores() -> None:
    answer = settle_line({"scores": {"E": None, "S": None}, "winner": None}, BMJA)
    assert cast(dict[str, int], answer["gain"]) == {"E": 0, "S": 0}
