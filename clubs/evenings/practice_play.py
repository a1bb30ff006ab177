"""Simulated play: deals and reports plausible hands for samples, rehearsals and tests."""

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from clubs.table.event import TableEvent
from clubs.table.services import post_hand
from scoring import Deal, RuleSet, Tile, deals
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    JOKER,
    MAJORS,
    PLAYING_TILES,
    SUIT_TILES,
    SUITS,
    TERMINALS,
    WIND_TILES,
    sort_tiles,
)
from scoring.scorebook import selectors, services
from scoring.scorebook.consent import Sitters, shown_digest
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand, Recording
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded, reckon
from scoring.table.sticks import START_POINTS

HONOURS = WIND_TILES + DRAGON_TILES
ENDINGS = {
    "wall": 30,
    "discard": 58,
    "loose_tile": 4,
    "last_wall_tile": 1,
    "last_discard": 2,
    "robbed_kong": 1,
}
CLAIMED_ENDINGS = ("discard", "last_discard", "robbed_kong")
DRAWN_RATE = 0.06
SPECIAL_RATE = 0.03
TOTALS_RATE = 0.35
MAX_DEALS = 40
THIRTEEN_TILES = [tile for tile in PLAYING_TILES if tile in MAJORS]

Melds = list[tuple[Tile, ...]]
ReportedTiles = dict[str, Any]
Person = TypeVar("Person")


class Dealer:
    """Deals one hand after another; the same seed deals the same hands."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - a sample, not secrets

    def submission_id(self) -> UUID:
        return UUID(int=self.chance.getrandbits(128), version=4)

    def some(self, people: Sequence[Person], count: int) -> list[Person]:
        return self.chance.sample(people, count)

    def report(self, deal: Deal, rules: RuleSet) -> Report:
        """What the table reports of this deal: mostly tiles, sometimes totals, seldom a draw."""
        if self.chance.random() < DRAWN_RATE:
            return Report(winner=None)
        report, scores = self._score_deal(deal, rules)
        if not scores:
            return Report(winner=None)
        if self.chance.random() < TOTALS_RATE:
            if asks_who_discarded(rules):
                return replace(report, tiles={}, totals=scores)
            return Report(winner=report.winner, totals=scores)
        return report

    def report_in(
        self,
        recording: Recording,
        deal: Deal,
        rules: RuleSet,
        *,
        sticks_before: Mapping[int, int] | None = None,
    ) -> Report:
        """A deal recorded in one way; a hand that these rules do not know is dealt again.

        ``sticks_before``: what each seat had in sticks before, where sticks are counted.
        """
        for dealt_again in range(MAX_DEALS):
            if self.chance.random() < DRAWN_RATE:
                break
            dealt_report = self._deal_hand(deal, is_plain=dealt_again % 2 > 0)
            try:
                report, reckoned_hand = dealt_report, reckon(dealt_report, deal, rules)
                if recording is Recording.WINNER:
                    report = Report(winner=dealt_report.winner, only_winner=True)
                elif recording is Recording.TALLIES:
                    previous_points = sticks_before or {}
                    counts = {
                        seat: previous_points[seat] + gain
                        for seat, gain in reckoned_hand.gains.items()
                    }
                    report = replace(dealt_report, tiles={}, tallies=counts, had=previous_points)
                elif recording is not Recording.TILES:
                    report = replace(dealt_report, tiles={}, totals=dict(reckoned_hand.scores))
                reckon(report, deal, rules)
            except Refused:
                continue
            return report
        return Report(winner=None)

    def _score_deal(self, deal: Deal, rules: RuleSet) -> tuple[Report, dict[int, int]]:
        """A hand that these rules know, dealt again until it is, with its scores; or none."""
        for dealt_again in range(MAX_DEALS):
            report = self._deal_hand(deal, is_plain=dealt_again % 2 > 0)
            with suppress(Refused):
                return report, dict(reckon(report, deal, rules).scores)
        return Report(winner=None), {}

    def _deal_hand(self, deal: Deal, *, is_plain: bool = False) -> Report:
        """A hand as it was dealt; a plain one has one suit and neither flowers nor seasons."""
        wall = _Wall(self.chance, allows_chows=len(deal.winds) == 4 and not deal.goulash)
        winner = self.chance.choice(list(deal.winds))
        losers = [seat for seat in deal.winds if seat != winner]
        won_by = self.chance.choices(list(ENDINGS), list(ENDINGS.values()))[0]
        hands = {winner: wall.plain_hand() if is_plain else wall.winning_hand(goulash=deal.goulash)}
        hands |= {seat: wall.losing_hand() for seat in losers}
        for tile in () if is_plain else BONUS_TILES:
            if self.chance.random() < 0.6:
                hands[self.chance.choice(list(hands))]["bonus"].append(tile)
        return Report(
            winner=winner,
            tiles=hands,
            won_by=won_by,
            discarder=self.chance.choice(losers) if won_by in CLAIMED_ENDINGS else None,
        )


class _Wall:
    """The playing tiles that are still to be dealt."""

    def __init__(self, chance: random.Random, *, allows_chows: bool) -> None:
        self.chance = chance
        self.tiles_left = Counter(dict.fromkeys(PLAYING_TILES, 4))
        self.allows_chows = allows_chows

    def winning_hand(self, *, goulash: bool) -> ReportedTiles:
        """Four sets and a pair, or occasionally a special hand."""
        if not goulash and self.chance.random() < SPECIAL_RATE:
            hands = (self.pair_honours, self.thirteen_wonders, self.heads_and_tails)
            return self.chance.choice((*hands, self.purity, self.purity))()
        suit = self.chance.choice(SUITS)
        suit_and_honours = [tile for tile in SUIT_TILES if tile[0] == suit] + list(HONOURS)
        preferred_tiles = suit_and_honours if self.chance.random() < 0.25 else list(SUIT_TILES)
        melds = [self.meld(preferred_tiles) for _ in range(3)]
        has_chow = self.allows_chows and self.chance.random() < 0.6
        melds.append(self.chow(suit) if has_chow else self.meld(PLAYING_TILES))
        return self.won(melds, self.identical_tiles(preferred_tiles, 2), joker=goulash)

    def plain_hand(self) -> ReportedTiles:
        """Four pungs and a pair of one suit and the honours."""
        suit = self.chance.choice(SUITS)
        preferred_tiles = [tile for tile in SUIT_TILES if tile[0] == suit] + list(HONOURS)
        return self.won(
            [self.meld(preferred_tiles) for _ in range(4)],
            self.identical_tiles(preferred_tiles, 2),
            joker=False,
        )

    def won(self, melds: Melds, pair: tuple[Tile, ...], *, joker: bool) -> ReportedTiles:
        """Sets and a pair, some of the sets on the table, perhaps with a joker in the last set."""
        exposed = [meld for meld in melds if len(meld) == 4 or self.chance.random() < 0.55]
        concealed = [*pair, *(tile for meld in melds if meld not in exposed for tile in meld)]
        winning_tile = self.chance.choice(concealed)
        if joker and winning_tile != concealed[-1]:
            concealed[-1] = JOKER
        return {**self._hand(exposed, concealed), "winning_tile": winning_tile}

    def losing_hand(self) -> ReportedTiles:
        """A few sets, perhaps a pair, and loose tiles up to thirteen."""
        count = self.chance.choices([0, 1, 2, 3], [20, 40, 30, 10])[0]
        melds = [self.meld(PLAYING_TILES) for _ in range(count)]
        exposed = [meld for meld in melds if len(meld) == 4 or self.chance.random() < 0.6]
        concealed = [tile for meld in melds if meld not in exposed for tile in meld]
        if self.chance.random() < 0.4:
            concealed += self.identical_tiles(HONOURS, 2)
        stock = list(self.tiles_left.elements())
        loose = self.chance.sample(stock, 13 - 3 * len(exposed) - len(concealed))
        self.tiles_left -= Counter(loose)
        return self._hand(exposed, concealed + loose)

    def _hand(self, exposed: Melds, concealed: Sequence[Tile]) -> ReportedTiles:
        return {
            "sets": [
                {"tiles": list(meld), "exposed": len(meld) < 4 or self.chance.random() < 0.6}
                for meld in exposed
            ],
            "concealed": list(sort_tiles(concealed)),
            "bonus": [],
        }

    def meld(self, preferred_tiles: Sequence[Tile]) -> tuple[Tile, ...]:
        """A pung, or rarely a kong."""
        return self.identical_tiles(preferred_tiles, 4 if self.chance.random() < 0.07 else 3)

    def identical_tiles(self, preferred_tiles: Sequence[Tile], count: int) -> tuple[Tile, ...]:
        """``count`` of one tile, if possible one of those wanted."""
        fits = [tile for tile in PLAYING_TILES if self.tiles_left[tile] >= count]
        tile = self.chance.choice([tile for tile in preferred_tiles if tile in fits] or fits)
        self.tiles_left[tile] -= count
        return (tile,) * count

    def chow(self, suit: str) -> tuple[Tile, ...]:
        """A chow of the suit if its tiles are left, otherwise a pung."""
        lowest = self.chance.randint(1, 7)
        tiles = tuple(Tile(f"{suit}{number}") for number in range(lowest, lowest + 3))
        if not all(self.tiles_left[tile] for tile in tiles):
            return self.identical_tiles(PLAYING_TILES, 3)
        self.tiles_left -= Counter(tiles)
        return tiles

    def concealed(self, tiles: Sequence[Tile]) -> ReportedTiles:
        """A special hand, fully concealed."""
        self.tiles_left -= Counter(tiles)
        return {**self._hand([], tiles), "winning_tile": self.chance.choice(tiles)}

    def pair_honours(self) -> ReportedTiles:
        return self.concealed(self.chance.sample(THIRTEEN_TILES, 7) * 2)

    def thirteen_wonders(self) -> ReportedTiles:
        return self.concealed([*THIRTEEN_TILES, self.chance.choice(THIRTEEN_TILES)])

    def heads_and_tails(self) -> ReportedTiles:
        ends = self.chance.sample(sort_tiles(TERMINALS), 5)
        return self.concealed([tile for tile in ends[:4] for _ in range(3)] + ends[4:] * 2)

    def purity(self) -> ReportedTiles:
        suit = self.chance.choice(SUITS)
        tiles = [tile for tile in SUIT_TILES if tile[0] == suit]
        return self.won(
            [self.identical_tiles(tiles, 3) for _ in range(4)],
            self.identical_tiles(tiles, 2),
            joker=False,
        )


def deal_reports(
    dealer: Dealer,
    rules: RuleSet,
    hands: int,
    *,
    seats: int = 4,
    recording: Recording | None = None,
) -> list[Report]:
    """So many hands of one game that nobody has played."""
    outcomes, reports = list[int | None](), list[Report]()
    for _ in range(hands):
        deal = deals(outcomes, rules=rules, seats=seats, wind_rounds=None).deals[-1]
        report = (
            dealer.report_in(recording, deal, rules) if recording else dealer.report(deal, rules)
        )
        reports.append(report)
        outcomes.append(report.winner)
    return reports


def api_fields(report: Report) -> dict[str, Any]:
    """A report as the API takes it; it calls totals scores."""
    fields = report.as_json()
    if "totals" in fields:
        fields["scores"] = fields.pop("totals")
    return fields


def play_hands(
    table: TableEvent,
    dealer: Dealer,
    hands: int,
    *,
    recording: Recording | None = None,
    agrees: bool = True,
) -> int:
    """Deal and report so many hands, fewer where the game ends; returns how many.

    All but the last are agreed at the table, if it ``agrees``. ``recording``: how they are
    recorded; None: as it comes.
    """
    current, sitters = table.row.game, table.sitters()
    rules = rule_set(current.rules)
    for hand_number in range(1, hands + 1):
        game = selectors.progress(current)
        if game.is_finished:
            return hand_number - 1
        deal, sticks_before = game.deals[-1], None
        if recording is Recording.TALLIES:
            sticks_before = selectors.points_before(
                selectors.game_view(current), deal.number, start=START_POINTS
            )
        recorded_hand = post_hand(
            table=table,
            submission_id=dealer.submission_id(),
            number=deal.number,
            report=dealer.report_in(recording, deal, rules, sticks_before=sticks_before)
            if recording
            else dealer.report(deal, rules),
            sent_by=table.sender(None),
        )
        if agrees and hand_number < hands:
            answer_hand(recorded_hand.hand, sitters, agrees=True)
    return hands


def answer_hand(
    hand: Hand,
    sitters: Sitters,
    *,
    agrees: bool,
    seats: Collection[int] | None = None,
    note: str = "",
) -> None:
    """These seats (None: all that played) agree to the hand or dispute it on the table's phone."""
    services.record_agreement(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats=seats,
        agrees=agrees,
        seen_digest=shown_digest(
            selectors.hand_row(hand), substitutes=sitters.substitutes, rules=hand.game.rules
        ),
        sitters=sitters,
        said_by=hand.sent_by,
        note=note,
    )
