"""What the game says about East, the winds and the goulash."""

import pytest

from scoring import BadOutcome, deals, rule_set
from tests.scoring.worked import Case, cases, played, refused

BMJA = rule_set("bmja")


@pytest.mark.parametrize("case", cases("game"), ids=lambda case: f"{case['id']} {case['title']}")
def test_a_worked_game(case: Case) -> None:
    told = played(case, BMJA)
    assert told == {name: case[name] for name in told}


@pytest.mark.parametrize("case", refused("bmja_games"), ids=lambda case: case["title"])
def test_outcomes_that_no_game_has(case: Case) -> None:
    outcomes = [None if text == "draw" else text for text in case["outcomes"]]
    seats = [int(text) if text and text.isdigit() else text for text in outcomes]
    with pytest.raises(BadOutcome) as refusal:
        deals(seats, rules=BMJA, seats=case.get("seats", 4), wind_rounds=case.get("rounds", 4))
    said = sorted(f"{problem.code} {problem.where}" for problem in refusal.value.problems)
    assert said == case["problems"]


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
