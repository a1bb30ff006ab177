"""What the game says about East, the deal, the winds, the goulash and the end."""

import pytest

from scoring import deals, rule_set, rule_set_keys
from tests.scoring.worked import Case, cases, played, refused, refused_game

BMJA, BAGGALEY = rule_set("bmja"), rule_set("baggaley")
GAMES = [
    pytest.param(key, case, id=f"{case['id']} {case['title']}")
    for key in rule_set_keys()
    for case in cases("game", of=key)
]
REFUSED = [
    pytest.param(key, case, id=f"{case['id']} {case['title']}")
    for key in rule_set_keys()
    for case in refused(f"{key}_games")
]


@pytest.mark.parametrize(("key", "case"), GAMES)
def test_a_worked_game(key: str, case: Case) -> None:
    told = played(case, rule_set(key))
    assert told == {name: case[name] for name in told}


@pytest.mark.parametrize(("key", "case"), REFUSED)
def test_outcomes_that_no_game_has(key: str, case: Case) -> None:
    assert refused_game(case, rule_set(key)) == case["problems"]


def test_a_round_of_so_many_hands_ends_after_them() -> None:
    progress = deals([2, None, 3], rules=BMJA, hands=3)
    assert (len(progress.deals), progress.finished) == (3, True)


def test_a_round_of_hands_may_still_end_with_its_wind_rounds() -> None:
    progress = deals([2, 3, 4, 1], rules=BMJA, wind_rounds=1, hands=8)
    assert (len(progress.deals), progress.finished) == (4, True)


def test_east_may_go_on_winning() -> None:
    progress = deals([1] * 20, rules=BMJA)
    assert {deal.dealer for deal in progress.deals} == {1}
    assert progress.deals[-1].number == 21


def test_a_race_needs_the_gains_of_every_hand() -> None:
    with pytest.raises(ValueError, match="shorter"):
        deals([2, 3], rules=BAGGALEY, gains=[{2: 60}])


def test_points_end_no_game_that_is_not_a_race() -> None:
    progress = deals([2], rules=BMJA, gains=[{1: -2000, 2: 4000, 3: -1000, 4: -1000}])
    assert (progress.finished, progress.winners) == (False, ())
