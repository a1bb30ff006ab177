"""Random hands that a table could have played, as a client of the API tells them."""

import random
from dataclasses import replace
from typing import Any
from uuid import UUID

from clubs.evenings.practice_play import Dealer, api_fields
from scoring import Deal, Wind, rule_set
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, reckon
from tests.tournaments.whole.reckoning import Dealt

Hand = dict[str, Any]


class Croupier:
    """Deals hands that the rules can score; the same seed deals the same ones."""

    def __init__(self, rules: str, seed: int) -> None:
        self.rules = rule_set(rules)
        self.dealer = Dealer(seed)
        self.chance = random.Random(seed)

    def hand(self, number: int, deal: Dealt, *, only_totals: bool = False) -> Hand:
        """The next hand: told in tiles, in totals, or in some of each; now and then drawn."""
        report, scores = self._possible(_as_deal(number, deal))
        if report.winner is not None:
            keep = set() if only_totals else self._told_in_tiles(report)
            tiles_by_seat = {seat: tiles for seat, tiles in report.tiles.items() if seat in keep}
            totals = {seat: score for seat, score in scores.items() if seat not in keep}
            report = replace(report, tiles=tiles_by_seat, totals=totals)
        return {"submission_id": str(self.submission_id()), "number": number, **api_fields(report)}

    def submission_id(self) -> UUID:
        """An id as a phone makes it."""
        return self.dealer.submission_id()

    def _possible(self, deal: Deal) -> tuple[Report, dict[int, int]]:
        """A report that the engine takes, and what it says that each seat scored."""
        while True:
            try:
                report = self._add_ending(self.dealer.report(deal, self.rules))
                if report.faults():
                    continue
                return report, dict(reckon(report, deal, self.rules).scores)
            except Refused:
                continue

    def _add_ending(self, report: Report) -> Report:
        """The report with who threw the last tile and, seldom, one who pays for all."""
        if report.winner is None:
            return report
        losers = [seat for seat in (1, 2, 3, 4) if seat != report.winner]
        if report.won_by is None:
            report = replace(report, won_by="discard", discarder=self.chance.choice(losers))
        if self.rules.key.startswith("bmja") and self.chance.random() < 0.03:
            report = replace(report, pays_for_all=self.chance.choice(losers))
        return report

    def _told_in_tiles(self, report: Report) -> set[int]:
        """The seats of which tiles are told: all, none or some."""
        seats = list(report.tiles)
        return set(self.chance.sample(seats, self.chance.choice([0, len(seats) // 2, len(seats)])))


def _as_deal(number: int, deal: Dealt) -> Deal:
    return Deal(
        number=number,
        winds={seat: Wind(wind) for seat, wind in deal.winds.items()},
        dealer=deal.dealer,
        prevailing_wind=None if deal.prevailing is None else Wind(deal.prevailing),
        goulash=deal.goulash,
        sits_out=None,
    )
