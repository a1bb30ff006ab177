"""The deals ahead of a table without the server are those that the engine would deal."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import Deal, RuleSet, deals, rule_set, rule_set_keys
from scoring.table.progression import HANDS, OVER, Coming, ahead, ahead_as_json
from tests.scoring.strategies import law, under_every_rule_set

BMJA = rule_set("bmja")
TABLES = [(rule_set(key), seats) for key in rule_set_keys() for seats in rule_set(key).seats]
FULL = st.lists(st.integers(0, 99), min_size=HANDS, max_size=HANDS)


@under_every_rule_set
@law
@given(st.data())
def test_whoever_walks_along_meets_the_deals_of_the_engine(
    rules: RuleSet, data: st.DataObject
) -> None:
    told: dict[str, Any] = {
        "rules": rules,
        "seats": data.draw(st.sampled_from(rules.seats)),
        "wind_rounds": data.draw(st.sampled_from([None, 1, 2, 4])),
        "exchanges": data.draw(st.sampled_from([(), ((9, 1, 2),)])),
    }
    chances = data.draw(FULL)
    begun = _played(told, chances[: data.draw(st.integers(0, 12))])
    states = ahead(begun, **told)
    assert _walked(states, chances) == _dealt(told, begun, chances)


def _played(told: dict[str, Any], chances: Sequence[int]) -> list[int | None]:
    """Outcomes that the engine takes, as long as the game is not over."""
    played: list[int | None] = []
    for chance in chances:
        progress = deals(played, **told)
        if progress.finished:
            break
        played.append(_outcome(progress.deals[-1], chance))
    return played


def _outcome(deal: Deal, chance: int) -> int | None:
    """One of the seats that play, or a drawn hand."""
    return [None, *deal.winds][chance % (len(deal.winds) + 1)]


def _walked(states: Sequence[Coming], chances: Sequence[int]) -> list[Deal]:
    met: list[Deal] = []
    at: int | None = 0 if states else OVER
    for chance in chances:
        if at is None or at == OVER:
            break
        met.append(replace(states[at].deal, number=0))
        at = states[at].after[_outcome(states[at].deal, chance) or 0]
    assert at is not None or len(met) == len(chances)
    return met


def _dealt(told: dict[str, Any], begun: Sequence[int | None], chances: Sequence[int]) -> list[Deal]:
    dealt: list[Deal] = []
    played = [*begun]
    for chance in chances:
        progress = deals(played, **told)
        if progress.finished:
            break
        dealt.append(replace(progress.deals[-1], number=0))
        played.append(_outcome(progress.deals[-1], chance))
    return dealt


@law
@given(chances=FULL)
def test_tables_alike_are_one_state(chances: list[int]) -> None:
    told: dict[str, Any] = {"rules": BMJA, "seats": 4, "wind_rounds": 4}
    known = {state.key for state in ahead([], **told)}
    played = _played(told, chances)
    for hands in range(len(played)):
        assert ahead(played[:hands], **told, within=0)[0].key in known


def test_a_game_of_four_winds_has_few_deals_ahead() -> None:
    assert len(ahead([], rules=BMJA, seats=4, wind_rounds=4)) == 32


def test_the_last_hand_of_the_last_wind_leads_nowhere_when_east_loses() -> None:
    (*_, last) = ahead([2, 3, 4], rules=BMJA, seats=4, wind_rounds=1)
    assert {seat: place == OVER for seat, place in last.after.items()} == {
        0: False,
        1: True,
        2: True,
        3: True,
        4: False,
    }


def test_nothing_is_ahead_of_a_game_that_is_over() -> None:
    assert ahead([2, 3, 4, 1], rules=BMJA, seats=4, wind_rounds=1) == ()


def test_the_one_who_sits_out_cannot_win() -> None:
    (now, *_) = ahead([], rules=BMJA, seats=5, wind_rounds=4)
    assert sorted(now.after) == [0, 1, 2, 3, 4]
    assert ahead_as_json([now])["states"] == [[now.key, 0, 1, 0, 2, 2, 2]]


def test_further_ahead_than_was_asked_is_not_known() -> None:
    (now,) = ahead([], rules=BMJA, seats=4, wind_rounds=4, within=0)
    assert (now.after[1], now.after[2]) == (0, None)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_thirty_hands_ahead_are_small_on_the_wire_and_quick(rules: RuleSet, seats: int) -> None:
    before = time.process_time()
    told = ahead_as_json(ahead([], rules=rules, seats=seats, wind_rounds=4))
    seconds = time.process_time() - before
    assert len(json.dumps(told, separators=(",", ":"))) < 15_000
    assert seconds < 0.25
