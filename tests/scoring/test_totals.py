"""What totals can be typed for a hand."""

from dataclasses import replace

import pytest

from scoring import Wind, check_totals, rule_set
from scoring.totals import least_mahjong, step

BMJA = rule_set("bmja")


def said(scores: dict[Wind, int | None], winner: Wind | None) -> list[str]:
    problems = check_totals(scores, winner=winner, rules=BMJA)
    return [f"{problem.where}: {problem.sentence}" for problem in problems]


def test_an_evenings_totals_pass() -> None:
    assert said({Wind.E: 80, Wind.S: 84, Wind.W: 208, Wind.N: 1000}, Wind.S) == []


def test_an_odd_total_cannot_be_scored() -> None:
    assert said({Wind.E: 37, Wind.S: 26}, Wind.E) == [
        "scores.E: 37 cannot be scored under BMJA rules, where scores go up by 2: 36, 38.",
        "scores.E: 37 is too little for a Mah-Jong, which scores 448 or more.",
    ]


def test_everything_wrong_is_said_at_once() -> None:
    assert said({Wind.E: 1002, Wind.S: -2, Wind.W: None, Wind.N: 4}, Wind.N) == [
        "scores.W: Nothing was entered here; a hand without points scores 0.",
        "scores.E: 1002 is over the limit of 1000.",
        "scores.S: -2 is less than nothing; a hand scores 0 or more.",
        "scores.N: 4 is too little for a Mah-Jong, which scores 26 or more.",
    ]


def test_the_winner_must_be_in_play() -> None:
    assert said({Wind.E: 0, Wind.S: 0, Wind.W: 0}, Wind.N) == ["winner: North is not in play."]


def test_a_drawn_hand_has_no_scores() -> None:
    assert said({Wind.E: None, Wind.S: 0, Wind.W: 20}, None) == [
        "scores.W: 20 has no place in a drawn hand; nobody scores."
    ]


@pytest.mark.parametrize(
    ("players", "least"),
    [(4, 26), (3, 28), (2, 448)],
    ids=["a chow and three pungs", "four pungs", "four doubles of four pungs"],
)
def test_the_least_mahjong(players: int, least: int) -> None:
    assert least_mahjong(BMJA, players=players) == least


def test_the_limit_of_the_house_may_be_odd() -> None:
    house = replace(BMJA, limit=1025)
    scores: dict[Wind, int | None] = {Wind.E: 1025, Wind.S: 0, Wind.W: 0, Wind.N: 0}
    assert (step(BMJA), step(house)) == (2, 1)
    assert check_totals(scores, winner=Wind.E, rules=house) == []
