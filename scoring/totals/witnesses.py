"""Hands of tiles for a clue: their sets laid on the table and in the hand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from scoring.hands import JOKERS_FROM, Hand, Kind, TileSet, known_set
from scoring.tiles import PLAYING_TILES, Tile
from scoring.totals.piles import Piece, Piles
from scoring.totals.weighing import Clue

Placed = Sequence[tuple[Piece, int]]


def hands_of(piles: Piles, clue: Clue) -> Iterator[Hand]:
    """Hands that the clue stands for; they differ in where their chows begin."""
    pieces = list(piles.laid_out(clue.entry, clue.points))
    told = replace(clue.circumstance.hand, bonus=clue.bonus.tiles)
    for places in product(*(piece.places for piece in pieces)):
        placed = list(zip(pieces, places, strict=True))
        hand = laid(told, _with_jokers(placed) if told.goulash else placed)
        if _could_be(hand):
            yield hand


def laid(told: Hand, placed: Placed) -> Hand:
    """The hand told so, with sets and single tiles at these places."""
    table: list[TileSet] = []
    concealed: list[Tile] = []
    last = told.winning_tile
    for piece, place in placed:
        stand = piece.stand
        if stand is None:
            concealed.append(PLAYING_TILES[place])
            continue
        group = known_set(stand.code(place) + piece.jokers * JOKERS_FROM)
        if stand.kind is Kind.KONG or stand.opened:
            table.append(group)
        else:
            concealed += group.tiles
        if (stand.claimed or stand.times > 1) and last not in group.tiles:
            last = group.tile
    return replace(told, sets=tuple(table), concealed=tuple(concealed), winning_tile=last)


def _could_be(hand: Hand) -> bool:
    """Whether the last tile is there, and four of each tile are enough."""
    held = Counter([*hand.concealed, *(tile for group in hand.sets for tile in group.tiles)])
    there = hand.winning_tile is None or hand.winning_tile in hand.concealed
    return there and max(held.values(), default=0) <= 4


def _with_jokers(placed: Placed) -> list[tuple[Piece, int]]:
    """The same, with jokers in pungs and kongs for each tile that there are not enough of."""
    need: Counter[int] = Counter()
    for piece, place in placed:
        need[place] += piece.stand.size if piece.stand else 1
    found = []
    for piece, place in placed:
        jokers = min(max(0, need[place] - 4), piece.most_jokers)
        need[place] -= jokers
        found.append((piece._replace(jokers=jokers), place))
    return found
