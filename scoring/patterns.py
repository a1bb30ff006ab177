"""Tiles of a hand written as a line of text, so that a club can declare a hand of its own.

`a1 a1-9 WE WS WW WN` is a pair of ones, two to nine of the same suit and the four winds:

- `B1`, `WE`, `DG`: that tile;
- `a1`, `b5`, `c9`: a tile of the first, second, third suit, which are different suits, any;
- `a2-8`: those tiles in a row; `a111`: three of them;
- `[a2-8]`: one of these; `[a1 a9 DR]`: likewise;
- `chow:a`: any three in a row of that suit; `pung:a`, `pair:a`: any three or two alike of it;
- `pung:winds`, `pair:dragons`, `pair:any`: three or two alike of those.
"""

import re
from collections.abc import Iterator
from itertools import permutations, product
from math import prod
from typing import Final

from scoring.counts import counted, over_four
from scoring.hands import chow_from
from scoring.naming import quantity
from scoring.shapes import Listed
from scoring.tiles import (
    DRAGONS,
    PLAYING_TILES,
    SUIT_NAMES,
    SUIT_TILES,
    SUITS,
    TILE_NAMES,
    WINDS,
    Tile,
)

_WORD: Final = re.compile(r"\[([^\]]+)\]|(\S+)")
_RUN: Final = re.compile(r"([abcBCO])([1-9])-([1-9])")
_MANY: Final = re.compile(r"([abcBCO])([1-9]+)")
_SET: Final = re.compile(r"(chow|pung|pair):([abcBCO]|winds|dragons|any)")
_SUIT_LETTER: Final = re.compile(r"(?<![A-Za-z])([abc])(?=[1-9]|\b)")
_OF: Final = {"winds": WINDS, "dragons": DRAGONS, "any": PLAYING_TILES}
_ALIKE: Final = {"pung": 3, "pair": 2}
_NTH: Final = ("first", "second", "third")
_HOW_MANY: Final = {2: "two", 3: "three", 4: "four"}
_TILES_IN_A_HAND: Final = 14
_MOST_HANDS: Final = 20_000

Tiles = tuple[Tile, ...]


class BadPattern(ValueError):
    """The text declares no hand; the message says what is wrong with it."""


def listed(words: str, pattern: str) -> Listed:
    """The hand of fourteen tiles that the pattern declares, in all its suits.

    Raises BadPattern where a word names no tile, or no hand of fourteen tiles comes of it.
    """
    hands = {
        counted(tiles)
        for suits in _suits_of(pattern)
        for tiles in _hands(_in_suits(pattern, suits), pattern)
    }
    possible = frozenset(hand for hand in hands if not over_four(hand))
    if not possible:
        raise BadPattern(f"“{pattern}” would need five of a tile.")
    return Listed(words, possible)


def _suits_of(pattern: str) -> Iterator[dict[str, str]]:
    letters = sorted(set(_SUIT_LETTER.findall(pattern)))
    for suits in permutations(SUITS, len(letters)):
        yield dict(zip(letters, suits, strict=True))


def _in_suits(pattern: str, suits: dict[str, str]) -> str:
    return _SUIT_LETTER.sub(lambda found: suits[found[1]], pattern)


def _hands(pattern: str, written: str) -> Iterator[list[Tile]]:
    """The tiles of each hand: all that is named, and one of each group in brackets."""
    parts = [
        [(tile,) for one in either.split() for tile in _tiles(one)] if either else _ways(word)
        for either, word in _WORD.findall(pattern)
    ]
    if not all(parts):
        raise BadPattern(f"“{written}” asks for a tile that there is not.")
    found = sum(len(part[0]) for part in parts)
    if found != _TILES_IN_A_HAND:
        many = quantity(found, "tile")
        raise BadPattern(f"“{written}” has {many}; a hand has {_TILES_IN_A_HAND}.")
    if prod(len(part) for part in parts) > _MOST_HANDS:
        raise BadPattern(f"“{written}” allows too many hands to be a special one.")
    return ([tile for chosen in way for tile in chosen] for way in product(*parts))


def _ways(word: str) -> list[Tiles]:
    """The tiles that a word may stand for: one choice, or one for each set that it allows."""
    found = _SET.fullmatch(word)
    if not found:
        return [tuple(_tiles(word))]
    kind, of = found.groups()
    tiles = _OF.get(of) or [tile for tile in SUIT_TILES if tile[0] == of]
    if kind == "chow":
        return [chow for tile in tiles if (chow := chow_from(tile))]
    return [(tile,) * _ALIKE[kind] for tile in tiles]


def _tiles(word: str) -> list[Tile]:
    run = _RUN.fullmatch(word)
    if run:
        return [Tile(f"{run[1]}{n}") for n in range(int(run[2]), int(run[3]) + 1)]
    many = _MANY.fullmatch(word)
    if many:
        return [Tile(many[1] + number) for number in many[2]]
    if word in PLAYING_TILES:
        return [Tile(word)]
    raise BadPattern(f"“{word}” names no tile; tiles are like B1, a1, a2-8, WE or DG.")


def in_words(pattern: str) -> str:
    """The pattern as a player says it: 1 to 7 of one suit, 1 to 7 of another suit."""
    named: list[str] = []
    said = [
        f"one of {', '.join(_said(one, named) for one in either.split())}"
        if either
        else _said(word, named)
        for either, word in _WORD.findall(pattern)
    ]
    return ", ".join(said)


def _said(word: str, named: list[str]) -> str:
    """The word as it is said after the suits named so far; a new suit is added to them."""
    found = _SET.fullmatch(word)
    if found:
        kind, of = found.groups()
        return f"a {kind}" if of == "any" else f"a {kind} of {_suit(of, named)}"
    run = _RUN.fullmatch(word)
    if run:
        return f"{run[2]} to {run[3]} of {_suit(run[1], named)}"
    many = _MANY.fullmatch(word)
    if many:
        return f"{_numbers(many[2])} of {_suit(many[1], named)}"
    return TILE_NAMES[Tile(word)]


def _suit(letter: str, named: list[str]) -> str:
    if letter not in "abc":
        return SUIT_NAMES.get(letter, letter)
    if letter in named:
        return f"the {_NTH[named.index(letter)]} suit"
    named.append(letter)
    return ("one suit", "another suit", "the third suit")[len(named) - 1]


def _numbers(numbers: str) -> str:
    """`111` is three 1s, `147` is 1, 4, 7."""
    if len(numbers) > 1 and len(set(numbers)) == 1:
        return f"{_HOW_MANY[len(numbers)]} {numbers[0]}s"
    return ", ".join(numbers)
