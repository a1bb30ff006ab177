"""Hands of another shape than sets and a pair, and hands one tile short of a special one.

A special hand's value depends on nothing in its tiles, so that one hand stands for all: it is told
and won in every way, and has all the bonus tiles, that may make a difference.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

from scoring import marks
from scoring.counts import UNITS, Counts, as_list
from scoring.hands import Hand, WonBy
from scoring.rules import RuleSet
from scoring.shapes import Shape
from scoring.tiles import PLAYING_TILES, Tile
from scoring.totals.circumstances import bonus_tiles, circumstances
from scoring.totals.holdings import IN_HAND, ON_THE_TABLE, Holdings, shape, shapes
from scoring.totals.piles import Entry, Piles
from scoring.totals.questions import Question, Questions
from scoring.totals.weighing import each
from scoring.totals.witnesses import laid
from scoring.totals.worths import Part, Worths

_SETS_AND_A_PAIR: Final = shape([("sets", 4), ("pairs", 1)])


def special_hands(told: Hand, rules: RuleSet) -> Iterator[Hand]:
    """Hands of special value; `told` has the winds, the players, and whether it went Mah-Jong."""
    worths = Worths(rules, won=told.mahjong)
    ways = circumstances(told, worths.questions)
    bonus = bonus_tiles(told, rules, worths.questions)
    made = [*_of_a_shape(rules)] if told.mahjong else [*_near_a_shape(rules), *_near(told, rules)]
    for hand in made:
        seen: set[tuple[Part, int, WonBy | None]] = set()
        for way, tiles in product(ways, bonus):
            settled = (worths.beside_sets(way.flags | tiles.flags), tiles.points, way.hand.won_by)
            if settled not in seen:
                seen.add(settled)
                yield _told(hand, replace(way.hand, bonus=tiles.tiles))


def _told(hand: Hand, told: Hand) -> Hand:
    """The hand's tiles, told and won so; its last tile is one that it holds fewest of."""
    tiles = hand.concealed
    last = min(tiles, key=tiles.count) if told.mahjong else None
    if told.winning_tile in tiles:
        last = told.winning_tile
    return replace(told, sets=hand.sets, concealed=tiles, winning_tile=last)


def _of_a_shape(rules: RuleSet) -> Iterator[Hand]:
    for form in rules.book.loose_forms:
        yield Hand(concealed=_tiles(example(form.shape)))


def _near_a_shape(rules: RuleSet) -> Iterator[Hand]:
    """For each shape a hand one tile short of it, if that has a value."""
    for form in rules.book.loose_forms:
        if form.special.fishing:
            whole = example(form.shape)
            short = (whole - UNITS[place] for place, many in enumerate(as_list(whole)) if many)
            yield Hand(concealed=_tiles(next(filter(form.shape.near, short))))


def example(shape: Shape) -> Counts:
    """Fourteen tiles of the shape, different ones where they can be."""
    tiles, lacking = 0, shape.short(0)
    while lacking:
        held = as_list(tiles)
        units = sorted(zip(held, UNITS, strict=True))
        nearer = (tiles + unit for many, unit in units if many < 4)
        tiles = next(more for more in nearer if shape.short(more) < lacking)
        lacking -= 1
    return tiles


def _tiles(counts: Counts) -> tuple[Tile, ...]:
    held = zip(PLAYING_TILES, as_list(counts), strict=True)
    return tuple(tile for tile, many in held for _each in range(many))


def _near(told: Hand, rules: RuleSet) -> Iterator[Hand]:
    """For each special hand of pungs the cheapest that lacks a tile of the pair."""
    forms = [
        form for form in rules.book.set_forms if form.special.of_pungs and form.special.fishing
    ]
    if not forms:
        return
    questions = Questions(Question(form.mask, form.want) for form in forms)
    prices = rules.book.prices(told.seat_wind, told.prevailing_wind)
    holdings = Holdings(
        prices, questions, {"sets", "pairs"}, IN_HAND + ON_THE_TABLE, (), singles=False
    )
    piles = Piles(holdings.steps(0), shapes(sets=range(5), pairs=range(2)), questions)
    outside = questions.of_circumstances(marks.of_circumstances(told))
    for number in range(len(forms)):
        entries = [
            entry
            for entry in piles.table
            if entry.shape == _SETS_AND_A_PAIR and number in questions.met(entry.flags | outside)
        ]
        if entries:
            yield _without_a_tile_of_the_pair(piles, min(entries, key=_doubles))


def _doubles(entry: Entry) -> int:
    return entry.doubles


def _without_a_tile_of_the_pair(piles: Piles, entry: Entry) -> Hand:
    pieces = piles.laid_out(entry, next(each(piles.table[entry])))
    whole = laid(Hand(), [(piece, piece.places[0]) for piece in pieces])
    pair = next(tile for tile in whole.concealed if whole.concealed.count(tile) == 2)
    left = list(whole.concealed)
    left.remove(pair)
    return replace(whole, concealed=tuple(left))
