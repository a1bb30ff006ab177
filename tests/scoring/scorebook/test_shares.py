"""What a phone is told beforehand settles a hand just as the engine does."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring.hands.hand import WonBy
from scoring.hands.tiles import Wind
from scoring.house import house_rules
from scoring.rules.rule_set import RuleSet
from scoring.rulesets import edition_keys, rule_set
from scoring.scorebook.reports import asks_who_discarded, totals_by_wind
from scoring.scorebook.shares import FROM_THE_WALL, deal_key, shares_ahead, totals_ahead, totals_key
from scoring.table.progression import ComingDeal, deals_ahead
from scoring.table.settlement import settle
from tests.scoring.strategies import law

HOUSES: list[dict[str, Any]] = [
    {"base": "bmja", "limit": 300},
    {"base": "tallies", "choices": {"other_pairs_score": True}},
]
PLAYED = [rule_set(key) for key in edition_keys()] + [house_rules(data) for data in HOUSES]


def names_of(rules: RuleSet) -> str:
    return rules.key


def states_of(rules: RuleSet, seats: int) -> tuple[ComingDeal, ...]:
    return deals_ahead([], rules=rules, seats=seats, wind_rounds=4)


def gains_by(rows: list[list[Any]], scores: dict[Wind, int]) -> dict[Wind, int]:
    """Each player's gain by the shares, as the phone adds them up."""
    gain = dict.fromkeys(scores, 0)
    for payer, payee, higher_seat, lower_seat, times in rows:
        points = times * (scores[higher_seat] - (scores[lower_seat] if lower_seat else 0))
        gain[payer] -= points
        gain[payee] += points
    return gain


def unfold_totals(runs: list[tuple[int, int, int]]) -> set[int]:
    """The totals of these runs, as the phone looks them up."""
    return {total for first, last, step in runs for total in range(first, last + 1, step)}


@pytest.mark.parametrize("rules", PLAYED, ids=names_of)
@law
@given(data=st.data())
def test_shares_settle_a_hand_as_the_engine_does(rules: RuleSet, data: st.DataObject) -> None:
    states = states_of(rules, data.draw(st.sampled_from(sorted(rules.seats))))
    shares = shares_ahead(states, rules)
    deal = data.draw(st.sampled_from(states)).deal
    winds, dealer = list(deal.winds.values()), deal.winds[deal.dealer]
    winner = data.draw(st.sampled_from(winds))
    other_winds = [wind for wind in winds if wind is not winner]
    highest = rules.highest or 4000
    scores = {wind: data.draw(st.integers(0, highest)) for wind in winds}
    liable = data.draw(st.sampled_from([None, *other_winds])) if rules.zero_sum else None
    last_tile: Any = ""
    if asks_who_discarded(rules):
        last_tile = data.draw(st.sampled_from([FROM_THE_WALL, *other_winds]))
    won_by_last_tile = {"": None, FROM_THE_WALL: WonBy.WALL}
    settlement = settle(
        scores,
        winner=winner,
        rules=rules,
        dealer=dealer,
        won_by=won_by_last_tile.get(last_tile, WonBy.DISCARD),
        discarder=None if last_tile in won_by_last_tile else last_tile,
        pays_for_all=liable,
    )
    if shares is None:
        assert settlement.gain == scores
    else:
        rows = shares[deal_key(deal)][f"{winner}.{last_tile}.{liable or ''}"]
        assert gains_by(rows, scores) == settlement.gain


@pytest.mark.parametrize("rules", [rule_set(key) for key in edition_keys()], ids=names_of)
def test_every_total_that_can_be_is_told_and_no_other(rules: RuleSet) -> None:
    for seats in sorted(rules.seats):
        states = states_of(rules, seats)
        folded_totals = totals_ahead(states, rules)
        for state in states[:: max(1, len(states) // 8)]:
            deal = state.deal
            for (seat, own_wind), winner in product(deal.winds.items(), deal.winds.values()):
                totals = set(totals_by_wind(deal, rules, winner)[own_wind])
                place = folded_totals["deals"][totals_key(deal)][str(seat)][
                    0 if own_wind is winner else 1
                ]
                assert unfold_totals(folded_totals["runs"][place]) == totals
