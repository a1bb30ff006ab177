"""The sample's hands are hands that a real set of tiles can hold."""

from collections import Counter

from clubs.evenings.practice_play import Dealer, deal_reports
from scoring import deals, rule_set
from scoring.hands.tiles import JOKER
from scoring.scorebook.reports import Report, reckon

BMJA = rule_set("bmja")


def reports(seed: int, *, seats: int) -> list[Report]:
    """Twelve hands of a game, each of which the rules can score."""
    hand_reports = deal_reports(Dealer(seed), BMJA, 12, seats=seats)
    outcomes = [report.winner for report in hand_reports]
    game_deals = deals(outcomes, rules=BMJA, seats=seats, wind_rounds=None).deals
    for deal, report in zip(game_deals, hand_reports, strict=False):
        reckon(report, deal, BMJA)
    return hand_reports


def tiles_on_the_table(report: Report) -> Counter[str]:
    tiles: Counter[str] = Counter()
    for hand in report.tiles.values():
        tiles.update([*hand["concealed"], *hand["bonus"]])
        for meld in hand["sets"]:
            tiles.update(meld["tiles"])
    return tiles


def test_no_tile_is_on_the_table_a_fifth_time_and_no_flower_or_season_twice() -> None:
    for seats in (3, 4, 5):
        for seed in range(8):
            for report in reports(seed, seats=seats):
                tiles = tiles_on_the_table(report)
                del tiles[JOKER]
                too_many = [tile for tile in tiles if tiles[tile] > (1 if tile[0] in "FS" else 4)]
                assert too_many == []


def test_the_same_seed_deals_the_same_hands_and_another_others() -> None:
    assert reports(7, seats=4) == reports(7, seats=4) != reports(8, seats=4)
