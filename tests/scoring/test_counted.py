"""From gains back to scores: what sticks counted after a hand can tell of it."""

import pytest
from hypothesis import given, strategies as st

from scoring import Ending, RuleSet, Wind, WonBy, possible_totals, rule_set, settle
from scoring.table.settlement import is_explained, miscounted, scores_behind

E, S, W, N = Wind.E, Wind.S, Wind.W, Wind.N
BMJA, TALLIES, ENGLISH = (rule_set(key) for key in ("bmja", "tallies", "english"))
SOUTH_WON = Ending(S)


def possible(rules: RuleSet, winner: Wind) -> dict[Wind, tuple[int, ...]]:
    """What each seat of four can score while East prevails."""
    return {
        wind: possible_totals(rules, won=wind == winner, seat_wind=wind, prevailing_wind=E)
        for wind in Wind
    }


def test_the_gains_of_a_hand_tell_the_winners_score_and_how_far_the_others_are_apart() -> None:
    behind = scores_behind({E: -64, S: 240, W: -80, N: -96}, SOUTH_WON, BMJA)
    assert behind is not None
    assert (behind.mahjong, behind.above) == (60, {E: 16, W: 4, N: 0})
    assert behind.least(possible(BMJA, S), S) == {S: 60, E: 16, W: 4, N: 0}


def test_where_losers_do_not_settle_nothing_is_told_of_their_hands() -> None:
    ending = Ending(S, won_by=WonBy.WALL)
    behind = scores_behind({E: -160, S: 320, W: -80, N: -80}, ending, TALLIES)
    assert behind is not None
    assert (behind.mahjong, behind.above) == (80, {})


def test_one_who_discarded_alone_pays_twice() -> None:
    ending = Ending(S, won_by=WonBy.DISCARD, discarder=W)
    behind = scores_behind({E: 0, S: 160, W: -160, N: 0}, ending, TALLIES)
    assert behind is not None
    assert behind.mahjong == 80


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
    odd = settle({E: 0, S: 37, W: 0, N: 0}, winner=S, rules=BMJA).gain
    assert scores_behind(odd, SOUTH_WON, BMJA) is not None
    assert not is_explained(odd, SOUTH_WON, BMJA, possible(BMJA, S))


def test_the_seat_is_found_that_counted_wrongly() -> None:
    counted = {E: -64, S: 240, W: -80, N: -86}
    assert miscounted(counted, SOUTH_WON, BMJA, possible(BMJA, S)) == (N,)


@pytest.mark.parametrize("rules", [BMJA, TALLIES, ENGLISH], ids=lambda rules: rules.key)
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
        dealer if rules is TALLIES else E,
        won_by,
        discarder if won_by is WonBy.DISCARD else None,
        liable if liable != winner else None,
    )
    scores = {wind: data.draw(st.integers(0, 1000), wind.label) for wind in seats}
    told = {name: getattr(ending, name) for name in ending.__slots__}
    gains = settle(scores, rules=rules, **told).gain
    behind = scores_behind(gains, ending, rules)
    assert behind is not None
    assert behind.mahjong == scores[winner]
    again = dict.fromkeys(seats, 0) | {winner: behind.mahjong} | dict(behind.above)
    assert settle(again, rules=rules, **told).gain == gains
    for wind, points in behind.above.items():
        losers = [scores[loser] for loser in behind.above]
        assert points == scores[wind] - min(losers)
