"""What the game says about who pays whom."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import BadInput, Payment, Wind, rule_set, settle
from scoring.commands import settle_line
from tests.scoring.worked import Case, cases, refused, settled

BMJA = rule_set("bmja")
SCORES = st.dictionaries(
    st.sampled_from([Wind.S, Wind.W, Wind.N]), st.integers(0, 1000), min_size=1
).flatmap(lambda others: st.integers(0, 1000).map(lambda east: {Wind.E: east} | others))


@pytest.mark.parametrize(
    "case", cases("settlement"), ids=lambda case: f"{case['id']} {case['title']}"
)
def test_a_worked_settlement(case: Case) -> None:
    assert settled(case, BMJA) == case["gain"]


@pytest.mark.parametrize("case", refused("bmja_settlements"), ids=lambda case: case["title"])
def test_scores_that_cannot_be_settled(case: Case) -> None:
    with pytest.raises(BadInput) as refusal:
        settle_line(case["fields"], BMJA)
    said = sorted(f"{problem.code} {problem.where}" for problem in refusal.value.problems)
    assert said == case["problems"]


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


@given(SCORES, st.data())
def test_payments_add_to_nothing(scores: dict[Wind, int], data: st.DataObject) -> None:
    winner = data.draw(st.sampled_from(sorted(scores)))
    settlement = settle(scores, winner=winner, rules=BMJA)
    assert sum(settlement.gain.values()) == 0
    assert all(payment.payer != winner for payment in settlement.payments)


@given(SCORES, st.data())
def test_who_pays_for_all_alone_loses(scores: dict[Wind, int], data: st.DataObject) -> None:
    winner, liable = data.draw(st.permutations(sorted(scores)))[:2]
    alone = settle(scores, winner=winner, rules=BMJA, pays_for_all=liable).gain
    shared = settle(scores, winner=winner, rules=BMJA).gain
    others = dict.fromkeys(scores, 0)
    assert alone == others | {winner: shared[winner], liable: -shared[winner]}


def test_a_drawn_hand_needs_no_scores() -> None:
    answer = settle_line({"scores": {"E": None, "S": None}, "winner": None}, BMJA)
    assert cast(dict[str, int], answer["gain"]) == {"E": 0, "S": 0}
