"""All that may be true of a hand beside its sets: how it was won, facts, flowers and seasons."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final, NamedTuple

from scoring import marks
from scoring.hands import Fact, Hand, WonBy
from scoring.rules import RuleSet
from scoring.tiles import BONUS_TILES, PLAYING_TILES, Tile
from scoring.totals.questions import Flags, Questions

_FACTS: Final = (Fact.ORIGINAL_CALL, Fact.TWOFOLD_FORTUNE, Fact.THIRTEENTH_WIN)
_WAYS: Final = (None, *WonBy)


class Circumstance(NamedTuple):
    """What fails for a hand without tiles that stands for all hands told and won like it."""

    flags: Flags
    hand: Hand


class Bonus(NamedTuple):
    """Flowers and seasons that come to the same, and what fails with them."""

    flags: Flags
    tiles: tuple[Tile, ...]
    points: int


def circumstances(hand: Hand, questions: Questions) -> list[Circumstance]:
    """Every way of being told and won that the questions tell apart; `hand` has the winds."""
    found: dict[tuple[bool, Flags], Hand] = {}
    for way in _ways(hand, questions):
        held = marks.of_circumstances(way)
        if Fact.ONLY_POSSIBLE_TILE in way.facts:
            held |= marks.ONLY_TILE
        found.setdefault((way.claimed, questions.of_circumstances(held)), way)
    return [Circumstance(flags, way) for (_claimed, flags), way in found.items()]


def _ways(hand: Hand, questions: Questions) -> Iterator[Hand]:
    asked = questions.marks
    last = [None, *(tile for tile in PLAYING_TILES if marks.LAST_TILE[tile] & asked)]
    facts = [fact for fact in _FACTS if marks.FACT[fact] & asked]
    tells = [frozenset(some) for n in range(len(facts) + 1) for some in combinations(facts, n)]
    if marks.ONLY_TILE & asked:
        only = (Fact.NOT_ONLY_POSSIBLE_TILE, Fact.ONLY_POSSIBLE_TILE)
        tells = [facts | {fact} for fact in only for facts in tells]
    for told in tells:
        with_facts = replace(hand, facts=told)
        if not hand.mahjong:
            yield with_facts
            continue
        for tile in last:
            yield from (replace(with_facts, won_by=way, winning_tile=tile) for way in _WAYS)


def bonus_tiles(hand: Hand, rules: RuleSet, questions: Questions) -> list[Bonus]:
    """Every choice of flowers and seasons that the questions, or their points, tell apart."""
    found: dict[tuple[Flags, int], Bonus] = {}
    for many in range(len(BONUS_TILES) + 1 if rules.bonus_points else 1):
        for tiles in combinations(BONUS_TILES, many):
            held = marks.of_circumstances(replace(hand, bonus=tiles))
            one = Bonus(questions.of_bonus(held), tiles, _points(tiles, rules))
            found.setdefault((one.flags, one.points), one)
    return list(found.values())


def _points(tiles: tuple[Tile, ...], rules: RuleSet) -> int:
    each = rules.bonus_points.points if rules.bonus_points else 0
    if rules.adding is None:
        return each * len(tiles)
    whole = [bouquet for bouquet in rules.adding.bouquets if {*bouquet.tiles} <= {*tiles}]
    bound = sum(len(bouquet.tiles) for bouquet in whole)
    alone = len(tiles) - (0 if rules.choice[rules.adding.flowers_beside_a_bouquet] else bound)
    return each * alone + sum(bouquet.points for bouquet in whole)
