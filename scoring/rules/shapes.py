"""Hands of another shape than sets and a pair, declared as lines of tiles."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations, product
from math import prod
from typing import ClassVar, Final, Protocol, runtime_checkable

from scoring.hands.hand import chow_from, quantity
from scoring.hands.tiles import (
    COUNT_BITS,
    DRAGON_TILES,
    MAJORS,
    PLAYING_TILES,
    SUIT_BITS,
    SUIT_MASK,
    SUIT_NAMES,
    SUIT_TILES,
    SUITS,
    TILE_NAMES,
    TILE_UNITS,
    WIND_TILES,
    Counts,
    Tile,
    count_odd_kinds,
    count_tiles,
    counts_list,
    drop_singles,
    has_more_than_four,
    is_all_even,
    tiles_mask,
)

_HONOURS_SHIFT = 27 * COUNT_BITS
_FIRST_HONOUR_UNIT: Final = 1 << _HONOURS_SHIFT
# What tiles of one suit come to, counted: one tile, two alike, any two, and two less another one.
_ONE_TILE: Final = frozenset(TILE_UNITS[:9])
_TWO_ALIKE: Final = frozenset(2 * unit for unit in _ONE_TILE)
_ONE_OR_TWO_ALIKE: Final = _ONE_TILE | _TWO_ALIKE
_ANY_TWO: Final = frozenset(unit + other_unit for unit in _ONE_TILE for other_unit in _ONE_TILE)
_TWO_LESS_ONE: Final = frozenset(two - unit for two in _TWO_ALIKE for unit in _ONE_TILE) - _ONE_TILE
_WORD_PATTERN: Final = re.compile(r"\[([^\]]+)\]|(\S+)")
_RUN_PATTERN: Final = re.compile(r"([abcBCO])([1-9])-([1-9])")
_NUMBERS_PATTERN: Final = re.compile(r"([abcBCO])([1-9]+)")
_SET_PATTERN: Final = re.compile(r"(chow|pung|pair):([abcBCO]|winds|dragons|any)")
_SUIT_LETTER: Final = re.compile(r"(?<![A-Za-z])([abc])(?=[1-9]|\b)")
_TILES_BY_WORD: Final = {"winds": WIND_TILES, "dragons": DRAGON_TILES, "any": PLAYING_TILES}
_SET_SIZE: Final = {"pung": 3, "pair": 2}
_ORDINALS: Final = ("first", "second", "third")
_COUNT_WORDS: Final = {2: "two", 3: "three", 4: "four"}
_TILES_IN_A_HAND: Final = 14
_MAX_HANDS: Final = 20_000
TileTuple = tuple[Tile, ...]
_MAJORS_PHRASE = "of 1s, 9s, winds and dragons"
_EVERY_MAJOR = "B1 B9 C1 C9 O1 O9 WE WS WW WN DR DG DW"


@runtime_checkable
class Shape(Protocol):
    """What fourteen tiles of a special hand look like."""

    @property
    def text(self) -> str:
        """The shape in the words of the book."""

    @property
    def most_alike(self) -> int:
        """How many equal tiles stand together in it: 1, 2 in pairs, or 3 in pungs."""

    def is_complete(self, counts: Counts) -> bool:
        """Whether these fourteen tiles are the shape."""

    def lacks_one_tile(self, counts: Counts) -> bool:
        """Whether one tile more, of which there are not four yet, makes the shape."""

    def tiles_short(self, counts: Counts) -> int:
        """How many tiles of the shape nearest to it the hand lacks."""


@dataclass(frozen=True)
class SevenPairs:
    """Seven pairs of the tiles named; four of a kind are two pairs unless `different`."""

    of: frozenset[Tile]
    of_words: str = ""
    different: bool = False
    most_alike: ClassVar[int] = 2

    @property
    def text(self) -> str:
        text = f"seven pairs{self.of_words}"
        return f"{text}, no pair twice" if self.different else text

    @cached_property
    def _other_tiles(self) -> Counts:
        return ~tiles_mask(self.of)

    def is_complete(self, counts: Counts) -> bool:
        """Fourteen tiles, an even number of each."""
        return not counts & self._other_tiles and is_all_even(counts) and self._pairs(counts) == 7

    def lacks_one_tile(self, counts: Counts) -> bool:
        """Thirteen tiles, one of them odd."""
        if counts & self._other_tiles or count_odd_kinds(counts) != 1:
            return False
        pair_count = self._pairs(counts)
        return pair_count == 6 and (not self.different or self.tiles_short(counts) == 1)

    def tiles_short(self, counts: Counts) -> int:
        """Fourteen less the tiles that can be in seven pairs."""
        numbers = [
            min(n, 2 if self.different else 4) for n in counts_list(counts & ~self._other_tiles)
        ]
        pairs = min(7, sum(n // 2 for n in numbers))
        return 14 - 2 * pairs - min(sum(n % 2 for n in numbers), 7 - pairs)

    def _pairs(self, counts: Counts) -> int:
        most = 2 if self.different else 4
        return sum(min(n, most) // 2 for n in counts_list(counts))


@dataclass(frozen=True)
class KnittedPairs:
    """Seven pairs, each of one number in two suits; of the same two suits throughout, or of any."""

    same_suits: bool
    most_alike: ClassVar[int] = 1

    @property
    def text(self) -> str:
        text = "seven pairs, each of one number in two suits"
        return f"{text}, the same two suits throughout" if self.same_suits else text

    def is_complete(self, counts: Counts) -> bool:
        """Every tile has its partner."""
        if counts >> _HONOURS_SHIFT:
            return False
        if self.same_suits:
            low, middle, top = sorted(_suit_counts(counts))
            return not low and middle == top and _tile_count(counts) == 14
        return _tile_count(counts) == 14 and self.tiles_short(counts) == 0

    def lacks_one_tile(self, counts: Counts) -> bool:
        """One tile has none, and there is one to be had."""
        if counts >> _HONOURS_SHIFT:
            return False
        if self.same_suits:
            low, middle, top = sorted(_suit_counts(counts))
            return not low and top - middle in _ONE_TILE and _tile_count(counts) == 13
        if _tile_count(counts) != 13 or self.tiles_short(counts) != 1:
            return False
        return any(map(self.is_complete, _with_any_tile(counts)))

    def tiles_short(self, counts: Counts) -> int:
        """Fourteen less the tiles that can be knitted in pairs."""
        suits = _numbers_by_suit(counts)
        if self.same_suits:
            return min(
                _tiles_missing([(min(a, b), abs(a - b)) for a, b in zip(first, two, strict=True)])
                for first, two in combinations(suits, 2)
            )
        knitted_counts = []
        for numbers in zip(*suits, strict=True):
            pairs = min(sum(numbers) // 2, sum(numbers) - max(numbers))
            knitted_counts.append((pairs, sum(numbers) - 2 * pairs))
        return _tiles_missing(knitted_counts)


def _tiles_missing(knitted_counts: list[tuple[int, int]]) -> int:
    """Fourteen less the tiles in these pairs and single tiles."""
    pairs = min(7, sum(pair for pair, _singles in knitted_counts))
    return 14 - 2 * pairs - min(sum(singles for _pair, singles in knitted_counts), 7 - pairs)


@dataclass(frozen=True)
class KnittedThrees:
    """Four threes of one number in the three suits, and two of one number in two suits.

    `two_alike`: the two may be of one suit as well; `honours`: or a pair of winds or dragons.
    """

    two_alike: bool = False
    honours: bool = False

    @property
    def most_alike(self) -> int:
        """A pair of winds or dragons can score by itself; no other tiles of the hand can."""
        return 2 if self.honours else 1

    @property
    def text(self) -> str:
        text = "four threes of one number in the three suits and two of one number"
        text = text if self.two_alike else f"{text} in two suits"
        return f"{text}, or a pair of winds or dragons" if self.honours else text

    @property
    def _twos(self) -> Iterator[tuple[int, int]]:
        """The suits of the two."""
        combine = combinations_with_replacement if self.two_alike else combinations
        return combine(range(3), 2)

    def is_complete(self, counts: Counts) -> bool:
        """The suits hold every number alike, but for the two."""
        low, middle, top = sorted(_suit_counts(counts))
        if honours := counts >> _HONOURS_SHIFT:
            two = self.honours and low == top and honours in _TWO_ALIKE
        else:
            two = middle == top and top - low in _ONE_TILE
            two |= self.two_alike and low == middle and top - low in _TWO_ALIKE
        return two and _tile_count(counts) == 14

    def lacks_one_tile(self, counts: Counts) -> bool:
        """One tile more makes the suits hold every number alike, but for the two."""
        low, middle, top = sorted(_suit_counts(counts))
        if honours := counts >> _HONOURS_SHIFT:
            is_one_short = (low == top and honours in _ONE_TILE) or (
                middle == top and top - low in _ONE_TILE and honours in _TWO_ALIKE
            )
            return self.honours and is_one_short and _tile_count(counts) == 13
        is_one_short = (top - middle in _ONE_TILE and top - low in _ONE_TILE) or (
            middle == top and top - low in _ANY_TWO
        )
        if self.two_alike:
            is_one_short |= top - middle in _TWO_ALIKE and middle - low in _ONE_TILE
            is_one_short |= low == middle and top - low in _TWO_LESS_ONE
            is_one_short |= middle == top and low - top in _TWO_LESS_ONE
        return is_one_short and _tile_count(counts) == 13

    def tiles_short(self, counts: Counts) -> int:
        """Fourteen less the tiles that the best four threes and a two can take."""
        by_number: list[tuple[int, ...]] = list(zip(*_numbers_by_suit(counts), strict=True))
        most = max(
            _best_with_two(by_number, number, two) for number in range(9) for two in self._twos
        )
        if self.honours:
            pair = max(min(n, 2) for n in counts_list(counts)[27:])
            most = max(most, pair + _best_threes(by_number))
        return 14 - most


def _best_with_two(by_number: list[tuple[int, ...]], number: int, two: tuple[int, int]) -> int:
    """How many tiles that two and the best four threes beside it hold."""
    remaining_counts = [list(numbers) for numbers in by_number]
    taken_count = 0
    for suit in two:
        if remaining_counts[number][suit]:
            remaining_counts[number][suit] -= 1
            taken_count += 1
    return taken_count + _best_threes(remaining_counts)


def _best_threes(by_number: Iterable[Sequence[int]]) -> int:
    """How many tiles the best four threes hold: the n-th of a number takes the n-th tiles."""
    threes = [sum(n >= nth for n in numbers) for numbers in by_number for nth in (1, 2, 3, 4)]
    return sum(sorted(threes, reverse=True)[:4])


@dataclass(frozen=True)
class Unrelated:
    """Fourteen different tiles, no two of which could stand in one set.

    `in_rows`: the suits' numbers are of 1-4-7, 2-5-8 and 3-6-9, each row in a suit of its own.
    """

    in_rows: bool = False
    most_alike: ClassVar[int] = 1

    @property
    def text(self) -> str:
        text = "fourteen tiles of which no two could belong to one set"
        rows = "its suits of 1-4-7, 2-5-8 and 3-6-9, each row in a suit of its own"
        return f"{text}, {rows}" if self.in_rows else text

    def is_complete(self, counts: Counts) -> bool:
        """No tile twice, and numbers of a suit three apart or more."""
        return (
            _is_all_different(counts)
            and _tile_count(counts) == 14
            and self.tiles_short(counts) == 0
        )

    def lacks_one_tile(self, counts: Counts) -> bool:
        """One tile more makes fourteen such tiles."""
        if not _is_all_different(counts) or _tile_count(counts) != 13:
            return False
        return any(map(self.is_complete, _with_any_tile(counts)))

    def tiles_short(self, counts: Counts) -> int:
        """Fourteen less the most tiles that are unrelated."""
        suits = _numbers_by_suit(counts)
        suit_tile_count = _count_in_rows(suits) if self.in_rows else sum(map(_count_apart, suits))
        return 14 - suit_tile_count - sum(n > 0 for n in counts_list(counts)[27:])


def _count_apart(suit: list[int]) -> int:
    """The most tiles of one suit with numbers three apart."""
    best = [0, 0, 0]
    for n in suit:
        best.append(max(best[-1], best[-3] + (1 if n else 0)))
    return best[-1]


def _count_in_rows(suits: list[list[int]]) -> int:
    """The most different tiles of 1-4-7, 2-5-8 and 3-6-9, each row in another suit."""
    return max(
        sum(n > 0 for suit, first in zip(suits, rows, strict=True) for n in suit[first::3])
        for rows in permutations(range(3))
    )


@dataclass(frozen=True)
class Listed:
    """Tiles named one by one, in every suit that they may be of (`scoring.rules.shapes`)."""

    text: str
    hands: frozenset[Counts]
    most_alike: ClassVar[int] = 3

    @cached_property
    def one_short(self) -> frozenset[Counts]:
        """The hands without one of their tiles."""
        return frozenset(
            hand - unit
            for hand in self.hands
            for place, unit in enumerate(TILE_UNITS)
            if hand >> COUNT_BITS * place & 15
        )

    def is_complete(self, counts: Counts) -> bool:
        """The tiles are one of the hands."""
        return counts in self.hands

    def lacks_one_tile(self, counts: Counts) -> bool:
        """The tiles are one of the hands without one of its tiles."""
        return counts in self.one_short

    def tiles_short(self, counts: Counts) -> int:
        """The fewest tiles that one of the hands has and these have not."""
        numbers = counts_list(counts)
        return min(
            sum(
                max(0, want - held_count)
                for want, held_count in zip(counts_list(hand), numbers, strict=True)
            )
            for hand in self.hands
        )


class Shapes:
    """Several shapes asked together: a few bits tell most tiles from all of them.

    The answers are places in the sequence of the shapes, in order.
    """

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._listed_shapes: list[tuple[int, Listed]] = []
        self._in_pairs: list[tuple[int, Shape]] = []
        self._of_suits: list[tuple[int, Shape]] = []
        self._with_a_pair_of_honours: list[tuple[int, Shape]] = []
        self._different: list[tuple[int, Shape]] = []
        for place, shape in enumerate(shapes):
            if isinstance(shape, Listed):
                self._listed_shapes.append((place, shape))
            elif isinstance(shape, SevenPairs):
                self._in_pairs.append((place, shape))
            elif isinstance(shape, Unrelated):
                self._different.append((place, shape))
            else:
                self._of_suits.append((place, shape))
                if isinstance(shape, KnittedThrees) and shape.honours:
                    self._with_a_pair_of_honours.append((place, shape))

    @cached_property
    def _shapes_by_hand(self) -> dict[Counts, list[int]]:
        """The shapes that list such hands."""
        return _places_by_hand((place, shape.hands) for place, shape in self._listed_shapes)

    @cached_property
    def _one_short(self) -> dict[Counts, list[int]]:
        """The shapes that list hands of which such tiles are all but one."""
        return _places_by_hand((place, shape.one_short) for place, shape in self._listed_shapes)

    def complete_shapes(self, counts: Counts) -> list[int]:
        """The shapes that these fourteen tiles are."""
        places = self._shapes_by_hand.get(counts, [])
        if possible := self._possible(counts, self._in_pairs if is_all_even(counts) else []):
            places = places + [place for place, shape in possible if shape.is_complete(counts)]
        return sorted(places) if len(places) > 1 else places

    def shapes_lacking_one(self, counts: Counts) -> list[int]:
        """The shapes that one tile more makes, of which there are not four yet."""
        places = self._one_short.get(counts, [])
        if possible := self._possible(
            counts, self._in_pairs if count_odd_kinds(counts) == 1 else []
        ):
            places = places + [place for place, shape in possible if shape.lacks_one_tile(counts)]
        return sorted(places) if len(places) > 1 else places

    def _possible(
        self, counts: Counts, in_pairs: list[tuple[int, Shape]]
    ) -> list[tuple[int, Shape]]:
        """The shapes beside those listed that such tiles may be, or be one tile short of."""
        possible = in_pairs
        if counts < _FIRST_HONOUR_UNIT:
            possible = possible + self._of_suits
        elif self._with_a_pair_of_honours and counts >> _HONOURS_SHIFT in _ONE_OR_TWO_ALIKE:
            possible = possible + self._with_a_pair_of_honours
        if self._different and not drop_singles(counts):
            possible = possible + self._different
        return possible


def _places_by_hand(
    hands_by_place: Iterable[tuple[int, Iterable[Counts]]],
) -> dict[Counts, list[int]]:
    """By each of the hands listed: the places that list it."""
    places: dict[Counts, list[int]] = defaultdict(list)
    for place, hands in hands_by_place:
        for hand in hands:
            places[hand].append(place)
    return dict(places)


@dataclass(frozen=True)
class ByChoice:
    """One shape or another, as the rule set's open point of that name is played."""

    name: str
    yes: "Shape | ByChoice"
    no: "Shape | ByChoice"

    def resolve(self, choices: Mapping[str, bool | int]) -> Shape:
        shape = self.yes if choices[self.name] else self.no
        return shape.resolve(choices) if isinstance(shape, ByChoice) else shape


def _suit_counts(counts: Counts) -> tuple[Counts, Counts, Counts]:
    """The tiles of each suit, counted as if they were of the first."""
    return counts & SUIT_MASK, counts >> SUIT_BITS & SUIT_MASK, counts >> 2 * SUIT_BITS & SUIT_MASK


def _numbers_by_suit(counts: Counts) -> list[list[int]]:
    numbers = counts_list(counts)
    return [numbers[0:9], numbers[9:18], numbers[18:27]]


def _tile_count(counts: Counts) -> int:
    return sum(counts_list(counts))


def _is_all_different(counts: Counts) -> bool:
    return not drop_singles(counts)


def _with_any_tile(counts: Counts) -> Iterator[Counts]:
    return (
        new_counts for unit in TILE_UNITS if not has_more_than_four(new_counts := counts + unit)
    )


class BadPattern(ValueError):
    """The text declares no hand; the message says what is wrong with it."""


def listed_shape(description: str, pattern: str) -> Listed:
    """The hand of fourteen tiles that the pattern declares, in all its suits.

    Raises BadPattern where a word names no tile, or no hand of fourteen tiles comes of it.
    """
    letters = sorted(set(_SUIT_LETTER.findall(pattern)))
    hands = {
        count_tiles(tiles)
        for suits in permutations(SUITS, len(letters))
        for tiles in _pattern_hands(pattern, dict(zip(letters, suits, strict=True)))
    }
    possible = frozenset(hand for hand in hands if not has_more_than_four(hand))
    if not possible:
        raise BadPattern(f"“{pattern}” would need five of a tile.")
    return Listed(description, possible)


def _pattern_hands(pattern: str, suits: dict[str, str]) -> Iterator[list[Tile]]:
    """The tiles of each hand in these suits: all that is named, one of each group in brackets."""
    in_suits = _SUIT_LETTER.sub(lambda match: suits[match[1]], pattern)
    parts = [
        [(tile,) for word in choice_words.split() for tile in _word_tiles(word)]
        if choice_words
        else _word_choices(word)
        for choice_words, word in _WORD_PATTERN.findall(in_suits)
    ]
    if not all(parts):
        raise BadPattern(f"“{pattern}” asks for a tile that there is not.")
    size = sum(len(part[0]) for part in parts)
    if size != _TILES_IN_A_HAND:
        count_text = quantity(size, "tile")
        raise BadPattern(f"“{pattern}” has {count_text}; a hand has {_TILES_IN_A_HAND}.")
    if prod(len(part) for part in parts) > _MAX_HANDS:
        raise BadPattern(f"“{pattern}” allows too many hands to be a special one.")
    return ([tile for tiles in combination for tile in tiles] for combination in product(*parts))


def _word_choices(word: str) -> list[TileTuple]:
    """The tiles that a word may stand for: one choice, or one for each set that it allows."""
    match = _SET_PATTERN.fullmatch(word)
    if not match:
        return [tuple(_word_tiles(word))]
    kind, tile_word = match.groups()
    tiles = _TILES_BY_WORD.get(tile_word) or [tile for tile in SUIT_TILES if tile[0] == tile_word]
    if kind == "chow":
        return [chow for tile in tiles if (chow := chow_from(tile))]
    return [(tile,) * _SET_SIZE[kind] for tile in tiles]


def _word_tiles(word: str) -> list[Tile]:
    if run_match := _RUN_PATTERN.fullmatch(word):
        return [Tile(f"{run_match[1]}{n}") for n in range(int(run_match[2]), int(run_match[3]) + 1)]
    if numbers_match := _NUMBERS_PATTERN.fullmatch(word):
        return [Tile(numbers_match[1] + number) for number in numbers_match[2]]
    if word in PLAYING_TILES:
        return [Tile(word)]
    raise BadPattern(f"“{word}” names no tile; tiles are like B1, a1, a2-8, WE or DG.")


def describe_pattern(pattern: str) -> str:
    """The pattern as a player says it: 1 to 7 of one suit, 1 to 7 of another suit."""
    suit_letters: list[str] = []
    phrases = [
        "one of "
        + ", ".join(_describe_word(choice, suit_letters) for choice in choice_words.split())
        if choice_words
        else _describe_word(word, suit_letters)
        for choice_words, word in _WORD_PATTERN.findall(pattern)
    ]
    return ", ".join(phrases)


def _describe_word(word: str, suit_letters: list[str]) -> str:
    """The word as it is said after the suits named so far; a new suit is added to them."""
    if match := _SET_PATTERN.fullmatch(word):
        kind, tile_word = match.groups()
        return (
            f"a {kind}"
            if tile_word == "any"
            else f"a {kind} of {_describe_suit(tile_word, suit_letters)}"
        )
    if run_match := _RUN_PATTERN.fullmatch(word):
        return f"{run_match[2]} to {run_match[3]} of {_describe_suit(run_match[1], suit_letters)}"
    if numbers_match := _NUMBERS_PATTERN.fullmatch(word):
        # `111` is three 1s, `147` is 1, 4, 7.
        numbers = ", ".join(numbers_match[2])
        if len(numbers_match[2]) > 1 and len(set(numbers_match[2])) == 1:
            numbers = f"{_COUNT_WORDS[len(numbers_match[2])]} {numbers_match[2][0]}s"
        return f"{numbers} of {_describe_suit(numbers_match[1], suit_letters)}"
    return TILE_NAMES[Tile(word)]


def _describe_suit(letter: str, suit_letters: list[str]) -> str:
    if letter not in "abc":
        return SUIT_NAMES.get(letter, letter)
    if letter in suit_letters:
        return f"the {_ORDINALS[suit_letters.index(letter)]} suit"
    suit_letters.append(letter)
    return ("one suit", "another suit", "the third suit")[len(suit_letters) - 1]


ANY_PAIRS: Final = SevenPairs(frozenset(PLAYING_TILES))
DIFFERENT_PAIRS: Final = SevenPairs(frozenset(PLAYING_TILES), different=True)
MAJOR_PAIRS: Final = SevenPairs(MAJORS, f" {_MAJORS_PHRASE}")
DIFFERENT_MAJOR_PAIRS: Final = SevenPairs(MAJORS, f" {_MAJORS_PHRASE}", different=True)
KNITTED: Final = KnittedPairs(same_suits=True)
KNITTED_IN_ANY_SUITS: Final = KnittedPairs(same_suits=False)
KNITTED_THREES: Final = KnittedThrees()
KNITTED_THREES_AND_ANY_TWO: Final = KnittedThrees(two_alike=True)
KNITTED_THREES_OR_HONOURS: Final = KnittedThrees(honours=True)
KNITTED_THREES_AND_ANY_PAIR: Final = KnittedThrees(two_alike=True, honours=True)
WONDERS: Final = listed_shape(
    "one of each 1, 9, wind and dragon, and a second of one of them",
    f"{_EVERY_MAJOR} [{_EVERY_MAJOR}]",
)
GATES: Final = listed_shape(
    "three 1s, three 9s, 2 to 8 of one suit, one of 2 to 8 paired", "a111 a2-8 a999 [a2-8]"
)
GATES_WITH_ANY_TILE: Final = listed_shape(
    "three 1s, three 9s, 2 to 8 of one suit and any other tile of it", "a111 a2-8 a999 [a1-9]"
)
SNAKE: Final = listed_shape(
    "a pair of 1s, 2 to 9 of the same suit and the four winds", "a1 a1-9 WE WS WW WN"
)
