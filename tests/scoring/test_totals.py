"""What totals can be typed for a hand: exactly those that some hand scores."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scoring import (
    BadInput,
    Hand,
    RuleSet,
    Wind,
    check_totals,
    hand_from_json,
    nearest,
    possible_totals,
    rule_set,
    rule_set_keys,
    score,
    witness,
)
from scoring.rulesets import edition_keys
from scoring.totals.__main__ import engine_digest, program_of, situations
from scoring.totals.possible import (
    STAMP_FILE,
    TOTALS_FILE,
    fold_totals,
    known_totals,
    reckon_totals,
    situation as name_of,
)
from scoring.totals.tables import candidates
from tests.scoring.oracle.hands import a_hand
from tests.scoring.worked import bounded_houses, house, scored_cases

BMJA = rule_set("bmja")
CANNOT = "cannot be scored under BMJA rules"
Scores = dict[Wind, int | None]


def problem_texts(scores: Scores, winner: Wind | None, rules: RuleSet = BMJA) -> list[str]:
    problems = check_totals(
        scores, winner=winner, rules=rules, prevailing_wind=Wind.E, goulash=False
    )
    return [f"{problem.path}: {problem.message}" for problem in problems]


def situation(hand: Hand) -> dict[str, Any]:
    return {
        "won": hand.mahjong,
        "seat_wind": hand.seat_wind,
        "prevailing_wind": hand.prevailing_wind,
        "players": hand.players,
        "goulash": hand.goulash,
        "dealer": hand.dealer,
    }


def test_an_evenings_totals_pass() -> None:
    assert problem_texts({Wind.E: 80, Wind.S: 84, Wind.W: 208, Wind.N: 1000}, Wind.S) == []


def test_an_odd_total_cannot_be_scored() -> None:
    assert problem_texts({Wind.E: 37, Wind.S: 37, Wind.W: 0, Wind.N: 0}, Wind.E) == [
        f"scores.E: 37 {CANNOT} by East going Mah-Jong in the East round; 36 and 38 can.",
        f"scores.S: 37 {CANNOT} by South in the East round; 36 and 38 can.",
    ]


def test_everything_wrong_is_said_at_once() -> None:
    assert problem_texts({Wind.E: 1002, Wind.S: -2, Wind.W: None, Wind.N: 4}, Wind.N) == [
        "scores.W: Nothing was entered here; a hand without points scores 0.",
        "scores.E: 1002 is over the limit of 1000.",
        "scores.S: -2 is below zero; a hand scores 0 or more.",
        f"scores.N: 4 {CANNOT} by North going Mah-Jong in the East round; 26 can.",
    ]


def test_the_winner_must_be_in_play() -> None:
    assert problem_texts({Wind.E: 0, Wind.S: 0, Wind.W: 0}, Wind.N) == [
        "winner: North is not in play."
    ]


def test_a_drawn_hand_has_no_scores() -> None:
    assert problem_texts({Wind.E: None, Wind.S: 0, Wind.W: 20}, None) == [
        "scores.W: 20 has no place in a drawn hand; nobody scores."
    ]


def test_where_the_winner_alone_scores_a_loser_has_nothing() -> None:
    assert problem_texts(
        {Wind.E: 24, Wind.S: 8, Wind.W: 0, Wind.N: 0}, Wind.E, rule_set("tallies")
    ) == [
        "scores.S: 8 has no place here: under British rules with tallies the winner alone scores."
    ]


@pytest.mark.sampled(law="long plays")
def test_the_limit_of_the_house_may_be_odd() -> None:
    house_of_1025 = replace(BMJA, limit=1025)
    assert (
        problem_texts({Wind.E: 1025, Wind.S: 0, Wind.W: 0, Wind.N: 0}, Wind.E, house_of_1025) == []
    )


@pytest.mark.parametrize(
    ("players", "won", "first"),
    [
        pytest.param(4, True, [26, 28, 30, 32], id="a chow, three pungs and 20 are 26"),
        pytest.param(3, True, [56, 60, 64], id="four pungs are 28, doubled for no chows"),
        pytest.param(2, True, [448, 456, 464], id="four pungs are 28, and four doubles"),
        pytest.param(4, False, [0, 2, 4, 6], id="no points, a pair of dragons, two pairs …"),
    ],
)
def test_the_least_that_bmja_hands_score(players: int, won: bool, first: list[int]) -> None:
    totals = possible_totals(
        BMJA, won=won, seat_wind=Wind.S, prevailing_wind=Wind.E, players=players
    )
    assert list(totals[: len(first)]) == first


@pytest.mark.parametrize(
    ("won", "low", "high", "expected_totals"),
    [
        pytest.param(True, 26, 144, [*range(26, 145, 2)], id="every even one"),
        pytest.param(True, 145, 170, [148, 152, 156, 160, 164, 168], id="then one double or more"),
        pytest.param(True, 951, 1000, [952, 960, 968, 976, 984, 992, 1000], id="up to the limit"),
        pytest.param(False, 0, 124, [*range(0, 125, 2)], id="every even one of a loser"),
        pytest.param(False, 841, 999, [*range(848, 1000, 16)], id="a loser with four doubles"),
    ],
)
def test_bmja_totals_in_a_row(won: bool, low: int, high: int, expected_totals: list[int]) -> None:
    totals = possible_totals(BMJA, won=won, seat_wind=Wind.S, prevailing_wind=Wind.E)
    assert [total for total in totals if low <= total <= high] == expected_totals


def test_the_greatest_hand_of_safalra() -> None:
    totals = possible_totals(rule_set("safalra"), won=True, seat_wind=Wind.W)
    assert totals[-1] == 2592


def test_the_nearest_totals() -> None:
    assert nearest(37, (0, 36, 38)) == (36, 38)
    assert nearest(-2, (0, 36, 38)) == (None, 0)
    assert nearest(38, (0, 36, 38)) == (36, None)


@pytest.mark.sampled
@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("key", rule_set_keys())
def test_every_total_has_a_hand_that_scores_it(key: str, won: bool) -> None:
    rules = rule_set(key)
    totals = possible_totals(rules, won=won, seat_wind=Wind.S, prevailing_wind=Wind.E)
    hands = [
        witness(total, rules, won=won, seat_wind=Wind.S, prevailing_wind=Wind.E) for total in totals
    ]
    assert [score(hand, rules).total for hand in hands if hand] == list(totals)
    assert {hand.mahjong for hand in hands if hand} == {won}


@pytest.mark.sampled
@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("key", rule_set_keys())
def test_no_total_of_the_tables_lacks_a_hand(key: str, won: bool) -> None:
    rules = rule_set(key)
    prevailing = Wind.E if rules.passing.prevailing else None
    hand = Hand(seat_wind=Wind.S, prevailing_wind=prevailing, mahjong=won)
    tables = candidates(hand, rules) if won or rules.losers_score else ()
    totals = possible_totals(rules, won=won, seat_wind=Wind.S, prevailing_wind=Wind.E)
    assert {total for table in tables for total in table.totals} <= {*totals}


@pytest.mark.sampled(law="long plays")
def test_no_hand_scores_an_impossible_total() -> None:
    assert witness(37, BMJA, won=True, seat_wind=Wind.E, prevailing_wind=Wind.E) is None


@pytest.mark.parametrize("key", rule_set_keys())
def test_no_random_hand_scores_another_total(key: str) -> None:
    all_possible(key, rule_set(key), hands=2500)


@pytest.mark.sampled(days=2)
@pytest.mark.parametrize(
    ("key", "house_rules"),
    [
        pytest.param("bmja", replace(BMJA, limit=500), id="half the limit"),
        pytest.param("bmja", BMJA.choosing(plus2_on_loose_tile=True), id="2 for a loose tile"),
        pytest.param(
            "english",
            rule_set("english").choosing(concealed_hand_on_a_claim=True),
            id="concealed though the last tile was claimed",
        ),
        *bounded_houses(),
    ],
)
def test_no_random_hand_scores_another_total_in_a_house(key: str, house_rules: RuleSet) -> None:
    all_possible(key, house_rules, hands=1000)


def all_possible(key: str, rules: RuleSet, *, hands: int) -> None:
    chance = random.Random(37)
    known_fields: dict[str, Any] = {
        "seat_wind": "S",
        "prevailing_wind": "E" if rules.passing.prevailing else None,
    }
    known_fields |= {"players": 4, "goulash": False, "dealer": False}
    for _number in range(hands):
        try:
            hand = hand_from_json(a_hand(key, chance) | known_fields, rules)
            total = score(hand, rules).total
        except BadInput:
            continue
        assert total in possible_totals(rules, **situation(hand)), hand


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", rule_set_keys())
def test_no_worked_hand_scores_another_total(key: str) -> None:
    rules = rule_set(key)
    for case in scored_cases(key):
        hand_situation = situation(hand_from_json(case["fields"], rules))
        assert case["expected"]["total"] in possible_totals(rules, **hand_situation), case["id"]


def quick_and_one_winner(key: str) -> Iterator[Hand]:
    """Every hand but those that went Mah-Jong, and the last of these."""
    hands = list(situations(rule_set(key)))
    yield from (hand for hand in hands if not hand.mahjong)
    yield [hand for hand in hands if hand.mahjong and not hand.goulash][-1]


SOME = [
    pytest.param(key, hand, id=f"{key}: {name_of(hand)}")
    for key in edition_keys()
    for hand in quick_and_one_winner(key)
]


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "hand"), SOME)
def test_a_kept_row_is_what_the_engine_reckons(key: str, hand: Hand) -> None:
    assert known_totals(hand, rule_set(key)) == reckon_totals(hand, rule_set(key))


def test_the_file_is_of_this_engine() -> None:
    """Where this fails, the engine has changed: `python -m scoring.totals`, and read the change."""
    assert STAMP_FILE.read_text().strip() == engine_digest()


def test_prose_and_layout_do_not_make_another_engine() -> None:
    plain = program_of("def double(points):\n    return points * 2\n")
    documented_program = program_of(
        '"""The doubles."""\ndef double(points):\n    """Twice."""\n\n    return (points*2)\n'
    )
    assert plain == documented_program
    assert plain != program_of("def double(points):\n    return points * 3\n")


def test_the_file_has_just_the_situations_that_there_are() -> None:
    stored_rows = json.loads(TOTALS_FILE.read_text())
    expected_names = {
        rule_set(key).key: [name_of(hand) for hand in situations(rule_set(key))]
        for key in edition_keys()
    }
    assert {key: list(rows) for key, rows in stored_rows.items()} == expected_names


@pytest.mark.sampled(law="long plays")
def test_a_house_has_totals_of_its_own() -> None:
    at_half = house({"house": {"limit": 500}}, rule_set("bmja"))
    assert known_totals(Hand(seat_wind=Wind.E), at_half) is None
    assert max(possible_totals(at_half, won=True, seat_wind=Wind.E, prevailing_wind=Wind.E)) == 500


def test_totals_are_kept_as_runs() -> None:
    assert fold_totals((0, 2, 4, 6, 10, 11)) == [(0, 6, 2), (10, 11, 1)]
