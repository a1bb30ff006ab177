"""What the detective says of a row of a score sheet that does not fit."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from scoring import BadScores, Wind, rule_set, rule_set_keys, settle
from scoring.detective import Finding, Slip, examine_row
from tests.sampling import examples
from tests.scoring.planted.rows import PLANTERS, Points, Sheet, dealt, mended, rates
from tests.scoring.worked import Case, cases

BMJA, TALLIES = rule_set("bmja"), rule_set("tallies")
E, S, W, N = Wind
SCORES = st.fixed_dictionaries(
    {seat: st.integers(0, 500).map(lambda half: 2 * half) for seat in Wind}
)
GAINS = st.fixed_dictionaries({seat: st.integers(-3000, 3000) for seat in Wind})
LIKE_ANOTHER_SLIP = {
    "totals exchanged": 0.6,
    "gain: carried wrongly": 0.75,
    "total: carried wrongly": 0.8,
    "payment entered for another": 0.35,
}


def examined(sheet: Sheet, key: str = "bmja") -> tuple[Finding, ...]:
    return examine_row(
        sheet.scores, sheet.gains, winner=sheet.winner, rules=rule_set(key), won_by="wall"
    )


@pytest.mark.parametrize("case", cases("row", of="detective"), ids=lambda case: case["title"])
def test_a_worked_row(case: Case) -> None:
    written = {Wind(seat): points for seat, points in case["scores"].items()}
    scores = written | dict.fromkeys(map(Wind, case.get("missing", ())), None)
    likeliest, *_others = examine_row(
        {seat: scores[seat] for seat in Wind},
        {Wind(seat): points for seat, points in case["gains"].items()},
        winner=Wind(case["winner"]) if case["winner"] else None,
        rules=BMJA,
        pays_for_all=Wind(case["pays_for_all"]) if "pays_for_all" in case else None,
    )
    assert likeliest.kind == case["kind"]
    assert likeliest.sentence == case["says"]
    assert likeliest.corrected == case["corrected"]


@pytest.mark.parametrize("key", rule_set_keys())
@given(SCORES, st.sampled_from(Wind))
def test_nothing_is_found_in_a_right_row(key: str, scores: Points, winner: Wind) -> None:
    rules = rule_set(key)
    gains = settle(scores, winner=winner, rules=rules, won_by="wall").gain
    assert examine_row(scores, gains, winner=winner, rules=rules, won_by="wall") == ()
    blank = {**gains, winner: None}
    assert examine_row(scores, blank, winner=winner, rules=rules, won_by="wall") == ()


def test_nothing_is_found_in_a_drawn_hand_that_nobody_paid() -> None:
    nothing = dict.fromkeys(Wind, 0)
    assert examine_row(nothing, nothing, winner=None, rules=BMJA) == ()


@pytest.mark.parametrize("key", rule_set_keys())
@settings(deadline=None, max_examples=examples(60))
@given(SCORES, GAINS, st.sampled_from(Wind))
def test_every_correction_makes_the_row_right(
    key: str, scores: Points, gains: Points, winner: Wind
) -> None:
    sheet = Sheet(scores, gains, winner)
    for finding in examined(sheet, key):
        assert examined(mended(sheet, finding), key) == ()


@pytest.mark.parametrize("name", PLANTERS)
def test_every_explanation_of_a_planted_slip_makes_the_row_right(name: str) -> None:
    _kind, planter = PLANTERS[name]
    chance = random.Random(2)
    spoilt = [planted for _row in range(30) if (planted := planter(dealt(chance), chance))]
    for sheet, *_right in spoilt:
        found = examined(sheet)
        assert all(examined(mended(sheet, finding)) == () for finding in found)
        assert [finding.likelihood for finding in found] == [1, 2, 3, 4, 5][: len(found)]


@pytest.mark.sampled
@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_slip_is_named(name: str) -> None:
    first, in_three, mended_rightly = rates(name, 150)
    assert first >= LIKE_ANOTHER_SLIP.get(name, 0.88)
    assert in_three >= 0.85
    assert mended_rightly >= LIKE_ANOTHER_SLIP.get(name, 0.88)


def test_no_row_takes_50_milliseconds() -> None:
    chance = random.Random(1)
    assert max(spent_on_nonsense(chance) for _ in range(40)) < 0.05


def spent_on_nonsense(chance: random.Random) -> float:
    """Seconds of the processor for a row that nothing explains, the best of three."""
    scores = {seat: chance.randrange(0, 500, 2) for seat in Wind}
    sheet = Sheet(scores, {seat: chance.randrange(-999, 999) for seat in Wind}, S)
    spent = []
    for _try in range(3):
        began = time.process_time()
        assert examined(sheet)[0].kind in {Slip.UNEXPLAINED, Slip.TWO_SLIPS}
        spent.append(time.process_time() - began)
    return min(spent)


def test_three_players_settle_without_north() -> None:
    scores = {E: 100, S: 60, W: 20}
    gains = {E: 40, S: 180, W: 220}
    (finding,) = examine_row(scores, gains, winner=S, rules=BMJA)
    assert finding.kind == Slip.SIGN
    assert finding.corrected == {"gain.W": -220}


def test_two_players_do_not_double_for_east() -> None:
    found = examine_row({E: 20, W: 100}, {E: -200, W: 200}, winner=W, rules=BMJA)
    assert found[0].sentence == (
        "East's payment to West was doubled: it is 100, not 200."
        " East should have −100, not −200; West should have +100, not +200."
    )


def test_with_tallies_everybody_paid_for_a_discard() -> None:
    scores = {E: 0, S: 100, W: 0, N: 0}
    (finding,) = examine_row(
        scores,
        {E: -200, S: 400, W: -100, N: -100},
        winner=S,
        rules=TALLIES,
        won_by="discard",
        discarder=W,
    )
    assert finding.kind == Slip.PAID_BY_EACH
    assert finding.corrected == {"gain.E": 0, "gain.S": 200, "gain.W": -200, "gain.N": 0}


def test_with_tallies_a_loser_needs_no_total() -> None:
    scores = {E: None, S: 100, W: None, N: None}
    gains = {E: -200, S: 400, W: -100, N: -100}
    assert examine_row(scores, gains, winner=S, rules=TALLIES, won_by="wall") == ()


def test_with_tallies_it_is_the_dealer_who_doubles() -> None:
    scores = {E: 0, S: 100, W: 0, N: 0}
    gains = {E: -200, S: 400, W: -100, N: -100}
    found = examine_row(scores, gains, winner=S, rules=TALLIES, dealer=N, won_by="wall")
    assert (found[0].kind, found[0].seats) == (Slip.SEATS_SWAPPED, (E, N))
    assert (found[1].kind, found[1].seats) == (Slip.WRONG_EAST, (N, E))


@pytest.mark.sampled(law="long plays")
def test_where_nobody_pays_a_gain_is_the_score() -> None:
    rules = replace(BMJA, payments=None)
    scores = {E: 24, S: 84, W: 0, N: 8}
    found = examine_row(scores, {**scores, S: 48}, winner=S, rules=rules)
    assert found[0].sentence == (
        "In South's gain two digits were swapped. South should have +84, not +48."
    )
    assert found[1].sentence == (
        "With 48 for South instead of 84 the row is right: two digits were swapped."
    )


def test_a_gain_of_nobody_in_play_is_refused() -> None:
    with pytest.raises(BadScores, match="North is not in play"):
        examine_row({E: 0, S: 20}, {E: -20, S: 20, N: 0}, winner=S, rules=BMJA)


def test_east_doubles_whoever_deals() -> None:
    scores = {E: 80, S: 84, W: 208, N: 416}
    gains = {E: -548, S: 252, W: -164, N: 460}
    found = examine_row(scores, gains, winner=S, rules=BMJA, dealer=W)
    assert (found[0].kind, found[0].seats) == (Slip.EAST_NOT_DOUBLED, (E,))
