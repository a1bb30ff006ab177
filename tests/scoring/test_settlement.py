"""What the game says about who pays whom, about mistakes, and what gains tell of scores."""

from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from scoring import (
    BadInput,
    BadScores,
    Ending,
    Payment,
    RuleSet,
    Wind,
    WonBy,
    house_rules,
    possible_totals,
    rule_set,
    rule_set_keys,
    settle,
)
from scoring.__main__ import settle_line
from scoring.rules.declarations import Role
from scoring.rules.rule_set import Consequence, Status
from scoring.table.settlement import (
    is_explained,
    miscounted_seats,
    pay_for_all,
    penalty,
    scale,
    scores_behind,
)
from tests.scoring.worked import (
    Case,
    case_params,
    cases,
    describe_problems,
    house,
    in_every_book,
    penalty_payments,
    refused_cases,
    refused_in_every_book,
    refused_settlement,
    settled_gains,
)

BMJA, ENGLISH, TALLIES = map(rule_set, ("bmja", "english", "tallies"))
E, S, W, N = Wind
KEYS = rule_set_keys()
PAYING = [rule_set(key) for key in KEYS if rule_set(key).zero_sum]
EVENING = {E: 80, S: 84, W: 208, N: 416}
SCORES = st.dictionaries(
    st.sampled_from([Wind.S, Wind.W, Wind.N]), st.integers(0, 1000), min_size=1
).flatmap(lambda other_scores: st.integers(0, 1000).map(lambda east: {Wind.E: east} | other_scores))


@pytest.mark.parametrize(("key", "case"), case_params(in_every_book("settlement")))
def test_a_worked_settlement(key: str, case: Case) -> None:
    assert settled_gains(case, rule_set(key)) == case["gain"]


@pytest.mark.parametrize(("key", "case"), case_params(refused_in_every_book("settlements")))
def test_scores_that_cannot_be_settled(key: str, case: Case) -> None:
    assert refused_settlement(case, rule_set(key)) == case["problems"]


def test_payments_name_payer_payee_and_points() -> None:
    settlement = settle(EVENING, winner=S, rules=BMJA)
    paid = [(payment.payer, payment.payee, payment.points) for payment in settlement.payments]
    assert paid == [(E, S, 168), (W, S, 84), (N, S, 84), (E, W, 256), (E, N, 672), (W, N, 208)]


def test_one_payment_of_all_shares() -> None:
    settlement = settle({E: 80, S: 100, W: 20, N: 4}, winner=S, rules=BMJA, pays_for_all=N)
    assert settlement.payments == (Payment(N, S, 400),)


@pytest.mark.parametrize("rules", PAYING, ids=lambda rules: rules.key)
@given(SCORES, st.data())
def test_payments_add_to_nothing(
    rules: RuleSet, scores: dict[Wind, int], data: st.DataObject
) -> None:
    winner, discarder = data.draw(st.permutations(sorted(scores)))[:2]
    settlement = settle(
        scores,
        winner=winner,
        rules=rules,
        dealer=data.draw(st.sampled_from(sorted(scores))),
        won_by=data.draw(st.sampled_from(WonBy)),
        discarder=discarder,
    )
    assert sum(settlement.gain.values()) == 0
    assert all(payment.payer != winner for payment in settlement.payments)
    assert all(payment.points > 0 for payment in settlement.payments)


def test_who_must_be_told_is_said_in_a_sentence() -> None:
    with pytest.raises(BadScores, match="Choose how the hand was won: it decides who pays"):
        settle({Wind.E: 4, Wind.S: 0}, winner=Wind.E, rules=TALLIES)
    with pytest.raises(BadScores, match="Choose who discarded the winning tile"):
        settle({Wind.E: 4, Wind.S: 0}, winner=Wind.E, rules=TALLIES, won_by="discard")


def test_a_drawn_hand_needs_no_scores() -> None:
    answer = settle_line({"scores": {"E": None, "S": None}, "winner": None}, BMJA)
    assert cast(dict[str, int], answer["gain"]) == {"E": 0, "S": 0}


FOUR_SCORES = st.fixed_dictionaries({wind: st.integers(0, 1000) for wind in Wind})


@pytest.mark.parametrize("case", cases("penalty"), ids=lambda case: f"{case['id']} {case['title']}")
def test_a_worked_penalty(case: Case) -> None:
    incident = scale(house(case, BMJA))[case["incident"]]
    assert penalty_payments(case, BMJA) == case["payments"]
    voids_the_hand = incident.consequence is Consequence.VOID
    assert voids_the_hand == case.get("voids_the_hand", False)
    assert incident.pays_for_all == case.get("pays_for_all", False)


@pytest.mark.parametrize("case", refused_cases("bmja_penalties"), ids=lambda case: case["title"])
def test_a_penalty_that_no_table_has(case: Case) -> None:
    with pytest.raises(BadInput) as refusal:
        penalty_payments(case, BMJA)
    assert describe_problems(refusal.value) == case["problems"]


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
        penalty("false_mahjong_exposed", offender=E, seats=(E, S), rules=replace(BMJA, limit=None))


def test_who_is_found_liable_later_makes_the_others_losses_good() -> None:
    settlement = settle(EVENING, winner=S, rules=BMJA)
    paid = pay_for_all(settlement, winner=S, liable=W)
    assert paid == (Payment(W, E, 1096), Payment(N, W, 796))


@pytest.mark.parametrize("rules", [BMJA, ENGLISH, TALLIES], ids=lambda rules: rules.key)
@given(FOUR_SCORES, st.permutations(tuple(Wind)), st.sampled_from(WonBy))
def test_found_later_or_at_once_the_liable_player_pays_the_same(
    rules: RuleSet, scores: dict[Wind, int], order: list[Wind], won_by: WonBy
) -> None:
    winner, liable, discarder, _ = order
    ending: dict[str, Any] = {"winner": winner, "won_by": won_by, "discarder": discarder}
    settlement = settle(scores, rules=rules, **ending)
    gain = dict(settlement.gain)
    for payment in pay_for_all(settlement, winner=winner, liable=liable):
        gain[payment.payer] -= payment.points
        gain[payment.payee] += payment.points
    assert gain == settle(scores, rules=rules, pays_for_all=liable, **ending).gain


SOUTH_WON = Ending(S)


def possible(rules: RuleSet, winner: Wind) -> dict[Wind, tuple[int, ...]]:
    """What each seat of four can score while East prevails."""
    return {
        wind: possible_totals(rules, won=wind == winner, seat_wind=wind, prevailing_wind=E)
        for wind in Wind
    }


def test_the_gains_of_a_hand_tell_the_winners_score_and_how_far_the_others_are_apart() -> None:
    derived_scores = scores_behind({E: -64, S: 240, W: -80, N: -96}, SOUTH_WON, BMJA)
    assert derived_scores is not None
    assert (derived_scores.mahjong, derived_scores.points_above) == (60, {E: 16, W: 4, N: 0})
    assert derived_scores.least(possible(BMJA, S), S) == {S: 60, E: 16, W: 4, N: 0}


@pytest.mark.parametrize(
    ("ending", "gains"),
    [
        (Ending(S, won_by=WonBy.WALL), {E: -160, S: 320, W: -80, N: -80}),
        (Ending(S, won_by=WonBy.DISCARD, discarder=W), {E: 0, S: 160, W: -160, N: 0}),
    ],
    ids=["nothing is told of losers who do not settle", "who discarded pays alone and twice"],
)
def test_the_score_behind_the_gains_with_tallies(ending: Ending, gains: dict[Wind, int]) -> None:
    derived_scores = scores_behind(gains, ending, TALLIES)
    assert derived_scores
    assert (derived_scores.mahjong, derived_scores.points_above) == (80, {})


@pytest.mark.parametrize(
    "gains",
    [
        {E: -64, S: 241, W: -80, N: -97},
        {E: -64, S: 240, W: -82, N: -94},
        {E: -62, S: 242, W: -80, N: -96},
        {E: 64, S: -240, W: 80, N: 96},
    ],
    ids=["no whole score", "apart by a half", "not added up", "the winner lost"],
)
def test_gains_that_no_scores_settle_to_have_none_behind_them(gains: dict[Wind, int]) -> None:
    assert scores_behind(gains, SOUTH_WON, BMJA) is None


def test_a_score_that_no_hand_has_explains_nothing() -> None:
    odd_gains = settle({E: 0, S: 37, W: 0, N: 0}, winner=S, rules=BMJA).gain
    assert scores_behind(odd_gains, SOUTH_WON, BMJA) is not None
    assert not is_explained(odd_gains, SOUTH_WON, BMJA, possible(BMJA, S))


def test_the_seat_is_found_that_counted_wrongly() -> None:
    counted_gains = {E: -64, S: 240, W: -80, N: -86}
    assert miscounted_seats(counted_gains, SOUTH_WON, BMJA, possible(BMJA, S)) == (N,)


def paying(base: str, **payments: Any) -> Any:
    rules = house_rules({"base": base, "payments": payments})
    return pytest.param(rules, id=f"{base} {payments}")


OF_HOUSES = [
    paying("bmja", east=1, discarder="for_all"),
    paying("bmja", discarder={"times": 2}),
    paying("bmja", with_two=True, discarder={"alone": 3}, losers_settle=False),
    paying("tallies", discarder=None, east=3),
    paying("english", losers_settle=False),
]


@pytest.mark.parametrize("rules", [BMJA, TALLIES, ENGLISH, *OF_HOUSES], ids=lambda rules: rules.key)
@given(data=st.data())
def test_settled_again_the_scores_that_were_reckoned_back_come_to_the_same_gains(
    rules: RuleSet, data: st.DataObject
) -> None:
    seats = data.draw(st.sampled_from([(E, S), (E, S, W), (E, S, W, N)]), "seats")
    winner, dealer, liable = (data.draw(st.sampled_from(seats)) for _ in range(3))
    discarder = data.draw(st.sampled_from([wind for wind in seats if wind != winner]))
    won_by = data.draw(st.sampled_from([WonBy.DISCARD, WonBy.WALL]))
    ending = Ending(
        winner,
        dealer if rules.passing.deals is Role.DEALER else E,
        won_by,
        discarder if won_by is WonBy.DISCARD else None,
        liable if liable != winner else None,
    )
    scores = {wind: data.draw(st.integers(0, 1000), wind.label) for wind in seats}
    ending_fields = {name: getattr(ending, name) for name in ending.__slots__}
    gains = settle(scores, rules=rules, **ending_fields).gain
    derived_scores = scores_behind(gains, ending, rules)
    assert derived_scores is not None
    assert derived_scores.mahjong == scores[winner]
    rebuilt_scores = (
        dict.fromkeys(seats, 0)
        | {winner: derived_scores.mahjong}
        | dict(derived_scores.points_above)
    )
    assert settle(rebuilt_scores, rules=rules, **ending_fields).gain == gains
    for wind, points in derived_scores.points_above.items():
        losers = [scores[loser] for loser in derived_scores.points_above]
        assert points == scores[wind] - min(losers)
