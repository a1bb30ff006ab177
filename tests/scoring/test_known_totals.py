"""The totals that are kept in a file are those that the engine reckons today.

To reckon them all takes minutes: the file says of which engine it is, and is written anew with
`python -m scoring.totals` when that changes. What is quick, and a Mah-Jong of each rule set, is
reckoned here.
"""

import json
from collections.abc import Iterator

import pytest

from scoring import Hand, Wind, possible_totals, rule_set
from scoring.rulesets import edition_keys
from scoring.totals.__main__ import engine_digest, situations
from scoring.totals.possible import FILE, STAMP, folded, known_totals, reckoned_totals, situation
from tests.scoring.worked import house


def quick_and_one_winner(key: str) -> Iterator[Hand]:
    """Every hand but those that went Mah-Jong, and the last of these."""
    told = list(situations(rule_set(key)))
    yield from (hand for hand in told if not hand.mahjong)
    yield [hand for hand in told if hand.mahjong and not hand.goulash][-1]


SOME = [
    pytest.param(key, told, id=f"{key}: {situation(told)}")
    for key in edition_keys()
    for told in quick_and_one_winner(key)
]


@pytest.mark.sampled
@pytest.mark.parametrize(("key", "told"), SOME)
def test_a_kept_row_is_what_the_engine_reckons(key: str, told: Hand) -> None:
    assert known_totals(told, rule_set(key)) == reckoned_totals(told, rule_set(key))


def test_the_file_is_of_this_engine() -> None:
    """Where this fails, the engine has changed: `python -m scoring.totals`, and read the change."""
    assert STAMP.read_text().strip() == engine_digest()


def test_the_file_has_just_the_situations_that_there_are() -> None:
    kept = json.loads(FILE.read_text())
    asked = {
        rule_set(key).key: [situation(told) for told in situations(rule_set(key))]
        for key in edition_keys()
    }
    assert {key: list(rows) for key, rows in kept.items()} == asked


@pytest.mark.sampled(law="long plays")
def test_a_house_has_totals_of_its_own() -> None:
    at_half = house({"house": {"limit": 500}}, rule_set("bmja"))
    assert known_totals(Hand(seat_wind=Wind.E), at_half) is None
    assert max(possible_totals(at_half, won=True, seat_wind=Wind.E, prevailing_wind=Wind.E)) == 500


def test_totals_are_kept_as_runs() -> None:
    assert folded((0, 2, 4, 6, 10, 11)) == [(0, 6, 2), (10, 11, 1)]
