"""The totals that are kept in a file are those that the engine reckons today."""

import json

import pytest

from scoring import Hand, Wind, possible_totals, rule_set, rule_set_keys
from scoring.totals.__main__ import situations
from scoring.totals.known import FILE, folded, known_totals, situation
from scoring.totals.possible import reckoned_totals
from tests.scoring.worked import house

EVERY = [
    pytest.param(key, told, id=f"{key}: {situation(told)}")
    for key in rule_set_keys()
    for told in situations(rule_set(key))
]


@pytest.mark.parametrize(("key", "told"), EVERY)
def test_every_kept_row_is_what_the_engine_reckons(key: str, told: Hand) -> None:
    assert known_totals(told, rule_set(key)) == reckoned_totals(told, rule_set(key))


def test_the_file_has_just_the_situations_that_there_are() -> None:
    kept = json.loads(FILE.read_text())
    asked = {
        rule_set(key).key: [situation(told) for told in situations(rule_set(key))]
        for key in rule_set_keys()
    }
    assert {key: list(rows) for key, rows in kept.items()} == asked


def test_a_house_has_totals_of_its_own() -> None:
    at_half = house({"house": {"limit": 500}}, rule_set("bmja"))
    assert known_totals(Hand(seat_wind=Wind.E), at_half) is None
    assert max(possible_totals(at_half, won=True, seat_wind=Wind.E, prevailing_wind=Wind.E)) == 500


def test_totals_are_kept_as_runs() -> None:
    assert folded((0, 2, 4, 6, 10, 11)) == [(0, 6, 2), (10, 11, 1)]
