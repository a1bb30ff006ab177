"""A phone without a network settles hands, and knows which cannot be, just as the server does."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from scoring import Deal
from scoring.hands.hand import WonBy
from scoring.house import house_rules
from scoring.rules.rule_set import RuleSet
from scoring.rulesets import edition_keys, rule_set
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import (
    ReckonedHand,
    Report,
    asks_who_discarded,
    reckon,
    totals_by_wind,
)
from scoring.scorebook.shares import shares_ahead, totals_ahead
from scoring.table.progression import deals_ahead, deals_ahead_as_json

pytestmark = pytest.mark.browser

SCRIPT = Path(__file__).parents[2] / "static/js/settling.js"
HANDS = 150
HOUSE = house_rules({"base": "bmja", "limit": 500})
RULES = [*(rule_set(key) for key in edition_keys()), HOUSE]
SETTLE = """([table, hands]) => hands.map(([deal, told, had]) => ({
    settled: Settling.settle(table, deal, told, had),
    faults: Settling.faults(table, deal, told, had, (seat) => `Player ${seat}`),
}))"""


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.add_script_tag(path=str(SCRIPT))
    yield page
    page.close()


def table_of(rules: RuleSet, seats: int) -> tuple[dict[str, Any], list[Deal], list[Any]]:
    """What the phone of such a table is told, and its deals."""
    states = deals_ahead([], rules=rules, seats=seats, wind_rounds=4)
    phone_data = deals_ahead_as_json(states)
    phone_data |= {"shares": shares_ahead(states, rules), "totals": totals_ahead(states, rules)}
    deals = [state.deal for state in states]
    return phone_data, deals, [phone_data["deals"][row[1]] for row in phone_data["states"]]


def a_report(deal: Deal, rules: RuleSet, chance: Random) -> Report:
    """A hand that a table may tell, one in four with a total that may be none."""
    seats = list(deal.winds)
    winner = chance.choice(seats)
    other_seats = [seat for seat in seats if seat != winner]
    possible = totals_by_wind(deal, rules, deal.winds[winner])
    totals = {seat: chance.choice(possible[deal.winds[seat]][:400]) for seat in seats}
    if chance.random() < 0.25:
        totals[chance.choice(seats if rules.losers_score else [winner])] = chance.randrange(400)
    won_by, discarder = None, None
    if asks_who_discarded(rules):
        won_by = chance.choice([WonBy.WALL.value, WonBy.DISCARD.value])
        discarder = chance.choice(other_seats) if won_by == WonBy.DISCARD else None
    liable = chance.choice([None, None, *other_seats]) if rules.zero_sum else None
    return Report(
        winner=winner, totals=totals, won_by=won_by, discarder=discarder, pays_for_all=liable
    )


def as_typed(report: Report, rules: RuleSet, recording: str = "totals") -> list[tuple[str, str]]:
    """The fields of the form that tells it."""
    form_fields = [("way", recording), ("winner", str(report.winner))]
    if asks_who_discarded(rules):
        form_fields.append(("last_tile", str(report.discarder or "wall")))
    if rules.zero_sum:
        form_fields.append(("pays_for_all", str(report.pays_for_all or "")))
    form_fields += [(f"count_{seat}", f"{count:,}") for seat, count in report.tallies.items()]
    if recording == "tallies":
        return form_fields
    if not rules.losers_score:
        return [*form_fields, ("score", f"{report.totals[report.winner or 0]:,}")]
    return [
        *form_fields,
        *((f"score_{seat}", f"{total:,}") for seat, total in report.totals.items()),
    ]


def reckon_or_none(report: Report, deal: Deal, rules: RuleSet) -> ReckonedHand | None:
    try:
        return reckon(report, deal, rules)
    except Refused:
        return None


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
def test_a_phone_settles_hands_as_the_server_does(phone: Page, rules: RuleSet) -> None:
    chance = Random(rules.key)
    for seats in sorted(rules.seats):
        phone_data, deals, rows = table_of(rules, seats)
        deal_indexes = [chance.randrange(len(deals)) for _ in range(HANDS)]
        reports = [a_report(deals[index], rules, chance) for index in deal_indexes]
        hands = [
            [rows[index], as_typed(report, rules), None]
            for index, report in zip(deal_indexes, reports, strict=True)
        ]
        answers = phone.evaluate(SETTLE, [phone_data, hands])
        refusal_count = 0
        for index, report, answer in zip(deal_indexes, reports, answers, strict=True):
            right = reckon_or_none(report, deals[index], rules)
            assert bool(answer["faults"]) == (right is None), (report, answer)
            if right is None:
                refusal_count += 1
                continue
            gains = {int(seat): gain for seat, gain in answer["settled"]["gains"].items()}
            assert gains == right.gains
            paid = {
                (int(row["payer"]), int(row["payee"]), row["points"])
                for row in answer["settled"]["payments"]
            }
            assert paid == {row for row in right.payments if row[2]}
        assert 0 < refusal_count < HANDS


@pytest.mark.parametrize(
    "rules", [rules for rules in RULES if rules.zero_sum], ids=lambda rules: rules.key
)
def test_a_phone_reads_counted_sticks_as_the_server_does(phone: Page, rules: RuleSet) -> None:
    chance = Random(rules.key)
    phone_data, deals, rows = table_of(rules, max(rules.seats))
    hands: list[list[Any]] = []
    rights: list[ReckonedHand | None] = []
    while len(hands) < HANDS:
        index = chance.randrange(len(deals))
        reckoned_hand = reckon_or_none(
            report := a_report(deals[index], rules, chance), deals[index], rules
        )
        if reckoned_hand is None:
            continue
        points_before = {seat: 2 * chance.randrange(500, 2000) for seat in deals[index].winds}
        counts = {seat: points_before[seat] + gain for seat, gain in reckoned_hand.gains.items()}
        if chance.random() < 0.25:
            counts[chance.choice(list(counts))] += chance.choice([-100, -2, 1, 10])
        counted_report = Report(
            winner=report.winner,
            won_by=report.won_by,
            discarder=report.discarder,
            pays_for_all=report.pays_for_all,
            tallies=counts,
            had=points_before,
        )
        start_points = {str(seat): points for seat, points in points_before.items()}
        hands.append([rows[index], as_typed(counted_report, rules, "tallies"), start_points])
        rights.append(reckon_or_none(counted_report, deals[index], rules))
    answers = phone.evaluate(SETTLE, [phone_data, hands])
    for right, answer in zip(rights, answers, strict=True):
        assert bool(answer["faults"]) == (right is None)
        if right is not None:
            gains = {int(seat): gain for seat, gain in answer["settled"]["gains"].items()}
            assert gains == right.gains
    assert 0 < sum(right is None for right in rights) < HANDS
