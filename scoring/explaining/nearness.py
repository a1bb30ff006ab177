"""How many tiles a hand lacks of the nearest hand of pungs or kongs and a pair that a rule asks."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from scoring import marks
from scoring.conditions import HandCondition
from scoring.hands import Hand, Kind
from scoring.rules import RuleSet
from scoring.tiles import JOKER, PLAYING_TILES, SUITS, Tile

_OF_TILES: Final = reduce(or_, (*marks.OF_TILE.values(), *marks.SET_OF.values()))


class _Built(NamedTuple):
    """What has been built so far: pungs, pairs, jokers used, and the marks asked for."""

    pungs: int
    pairs: int
    jokers: int
    held: int


class _Piece(NamedTuple):
    """Sets of one tile that could be built, what they lack, and what they add."""

    lacks: int
    pungs: int
    pairs: int
    jokers: int
    held: int


def tiles_short(hand: Hand, when: HandCondition, rules: RuleSet) -> int | None:
    """The fewest tiles that the hand lacks of four pungs or kongs and a pair such as are asked.

    The sets on the table stay as they are, but for a pung that may still become a kong. None where
    they do not allow it. What else is asked than tiles (how the hand was won) is left out.
    """
    if any(group.kind is Kind.CHOW for group in hand.sets) or len(hand.sets) > 4:
        return None
    one_suit = bool(when.all_of & marks.ONE_SUIT)
    found = [
        _Search(hand, when, rules, suits).lacks() for suits in (SUITS if one_suit else ("BCO",))
    ]
    return min((lacks for lacks in found if lacks is not None), default=None)


class _Search:
    """One look for the nearest hand, with suit tiles of these suits only."""

    def __init__(self, hand: Hand, when: HandCondition, rules: RuleSet, suits: str) -> None:
        self.hand = hand
        self.suits = suits
        self.barred = when.none_of & _OF_TILES
        self.kongs = bool(when.none_of & marks.PUNG)
        self.no_kongs = bool(when.none_of & marks.KONG)
        self.wanted = when.all_of & _OF_TILES
        if when.all_of & marks.ONE_SUIT:
            self.wanted |= marks.SUITED
        self.counts = Counter(hand.concealed)
        self.on_table = Counter(tile for group in hand.sets for tile in group.tiles)
        self.jokers_in_a_pung = rules.jokers.in_a_pung if rules.jokers else 0

    def lacks(self) -> int | None:
        """The fewest tiles lacking; None where the sets on the table do not belong."""
        if not all(self._belongs(group.tile, marks.of_set(group)) for group in self.hand.sets):
            return None
        if self.no_kongs and any(group.kind is Kind.KONG for group in self.hand.sets):
            return None
        held = reduce(or_, (marks.of_set(group) for group in self.hand.sets), 0)
        start = _Built(len(self.hand.sets), 0, 0, held & self.wanted)
        fewest = self._fewest(start)
        if fewest is None:
            return None
        pungs = sum(group.kind is Kind.PUNG for group in self.hand.sets)
        return fewest + (pungs if self.kongs else 0)

    def _belongs(self, tile: Tile, held: int) -> bool:
        suited = not marks.OF_TILE[tile] & marks.SUITED or tile[0] in self.suits
        return suited and not held & self.barred

    def _fewest(self, start: _Built) -> int | None:
        reached = {start: 0}
        for tile in PLAYING_TILES:
            if self._belongs(tile, marks.OF_TILE[tile]):
                reached = self._with_one_more(reached, list(self._pieces(tile)))
        whole = [
            lacks
            for built, lacks in reached.items()
            if built.pungs == 4 and built.pairs == 1 and built.held == self.wanted
        ]
        return min(whole, default=None)

    def _with_one_more(self, reached: dict[_Built, int], pieces: list[_Piece]) -> dict[_Built, int]:
        """What can be reached with each of the pieces, which are of one tile, or with none."""
        more = dict(reached)
        for built, lacks in reached.items():
            for piece in pieces:
                following = self._joined(built, piece)
                if following and lacks + piece.lacks < more.get(following, 99):
                    more[following] = lacks + piece.lacks
        return more

    def _joined(self, built: _Built, piece: _Piece) -> _Built | None:
        pungs, pairs = built.pungs + piece.pungs, built.pairs + piece.pairs
        jokers = built.jokers + piece.jokers
        if pungs > 4 or pairs > 1 or jokers > self.counts[JOKER]:
            return None
        return _Built(pungs, pairs, jokers, built.held | piece.held)

    def _pieces(self, tile: Tile) -> Iterator[_Piece]:
        """A pung, a pair, and with jokers both or two pungs: four such tiles there are at most."""
        have, left = self.counts[tile], 4 - self.on_table[tile]
        of_a_pung = 4 if self.kongs else 3
        no_pungs = marks.SET_OF[tile] & self.barred
        for pungs, pairs in ((0, 1),) if no_pungs else ((0, 1), (1, 0), (1, 1), (2, 0)):
            for jokers in range(min(pungs * self.jokers_in_a_pung, self.counts[JOKER]) + 1):
                genuine = pungs * of_a_pung + pairs * 2 - jokers
                if genuine <= left:
                    held = marks.OF_TILE[tile] | (marks.SET_OF[tile] if pungs else 0)
                    lacks = max(0, genuine - have)
                    yield _Piece(lacks, pungs, pairs, jokers, held & self.wanted)
