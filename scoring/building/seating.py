"""A draft at a table: the deal says who sits with which wind, and others hold tiles too."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from scoring.building.asking import fitted
from scoring.building.draft import Draft
from scoring.hands import Hand
from scoring.progression import Deal
from scoring.rules import RuleSet
from scoring.tiles import Tile, Wind


def seated(draft: Draft, seat: int, deal: Deal, rules: RuleSet) -> Draft:
    """The draft as that seat's hand of that deal; the seat must play it."""
    at_table = replace(
        draft,
        seat=deal.winds[seat],
        prevailing=deal.prevailing_wind or Wind.E,
        dealer=seat == deal.dealer,
        players=len(deal.winds),
        goulash=deal.goulash,
    )
    return fitted(at_table, rules)


def used_by(drafts: Iterable[Draft]) -> Counter[Tile]:
    """How many of each tile these hands hold together."""
    used: Counter[Tile] = Counter()
    for draft in drafts:
        used += draft.held
    return used


def drafted(hand: Hand) -> Draft:
    """The draft that a hand was told by; `to_hand` makes the same hand of it again."""
    return Draft(
        tiles=hand.concealed,
        table=hand.sets,
        bonus=hand.bonus,
        seat=hand.seat_wind,
        prevailing=hand.prevailing_wind or Wind.E,
        dealer=hand.dealer,
        players=hand.players,
        goulash=hand.goulash,
        won=hand.mahjong,
        way=hand.won_by,
        last=hand.winning_tile,
        facts=hand.facts,
    )
