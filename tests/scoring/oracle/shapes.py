"""The special hands, each told by one question about its tiles or its sets."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from tests.scoring.oracle.tiles import (
    DRAGONS,
    GREEN,
    HONOURS,
    MAJORS,
    SUITS,
    TERMINALS,
    WINDS,
    Groups,
    Tiles,
    has_honours,
    suits_among,
)

NUMBERS = "123456789"


def even(tiles: Tiles) -> bool:
    """Whether the tiles pair off, four equal tiles being two pairs."""
    return all(number % 2 == 0 for number in Counter(tiles).values())


def seven_pairs(tiles: Tiles) -> bool:
    return len(tiles) == 14 and even(tiles)


def all_pair_honours(tiles: Tiles) -> bool:
    return seven_pairs(tiles) and set(tiles) <= set(MAJORS)


def thirteen_wonders(tiles: Tiles) -> bool:
    return len(tiles) == 14 and set(tiles) == set(MAJORS)


def numbers_of(tiles: Tiles, suit: str) -> list[str]:
    """The numbers of this suit, sorted."""
    return sorted(tile[1] for tile in tiles if tile[0] == suit)


def knitting(tiles: Tiles) -> bool:
    """Seven pairs of one number in the same two suits."""
    suits = sorted(suits_among(tiles))
    if len(tiles) != 14 or has_honours(tiles) or len(suits) != 2:
        return False
    return numbers_of(tiles, suits[0]) == numbers_of(tiles, suits[1])


def triple_knitting(tiles: Tiles) -> bool:
    """Four threes of one number in the three suits and two of one number in two suits."""
    return odd_number_out(tiles) == [0, 1, 1]


def triple_knitting_and_any_pair(tiles: Tiles) -> bool:
    """Four threes of one number in the three suits and any two of one number."""
    return odd_number_out(tiles) in ([0, 1, 1], [0, 0, 2])


def triple_knitting_and_any_two_alike(tiles: Tiles) -> bool:
    """Four threes of one number in the three suits and any pair, or two of one number."""
    honours = [tile for tile in tiles if tile in HONOURS]
    if not honours:
        return triple_knitting_and_any_pair(tiles)
    in_suits = [numbers_of(tiles, suit) for suit in SUITS]
    return (
        len(tiles) == 14
        and len(honours) == 2
        and len(set(honours)) == 1
        and all(numbers == in_suits[0] for numbers in in_suits)
    )


def odd_number_out(tiles: Tiles) -> list[int] | None:
    """How unevenly the suits hold the only number that they do not hold alike."""
    if len(tiles) != 14 or has_honours(tiles):
        return None
    counts_by_number = [sorted(tiles.count(suit + number) for suit in SUITS) for number in NUMBERS]
    odd_counts = [
        [count - least for count in (least, middle, most)]
        for least, middle, most in counts_by_number
    ]
    uneven = [counts for counts in odd_counts if counts != [0, 0, 0]]
    return uneven[0] if len(uneven) == 1 else None


def gates_of_heaven(tiles: Tiles) -> bool:
    """One suit: three 1s, three 9s and 2 to 8, one of which is paired."""
    return gates(tiles) in set("2345678")


def gates_with_any_tile(tiles: Tiles) -> bool:
    """One suit: three 1s, three 9s, 2 to 8, and any other tile of the suit."""
    return gates(tiles) is not None


def gates(tiles: Tiles) -> str | None:
    """The number of the fourteenth tile of the gates; None where they are not the gates."""
    if len(tiles) != 14 or len(suits_among(tiles)) != 1 or has_honours(tiles):
        return None
    number_counts = Counter(tile[1] for tile in tiles)
    number_counts.subtract("1112345678999")
    if min(number_counts.values()) < 0:
        return None
    return next(number for number in number_counts if number_counts[number] == 1)


def wriggling_snake(tiles: Tiles) -> bool:
    """One suit, two 1s and 2 to 9, and one of each wind."""
    suits = suits_among(tiles)
    if len(suits) != 1 or sorted(tile for tile in tiles if tile in HONOURS) != sorted(WINDS):
        return False
    return numbers_of(tiles, suits.pop()) == sorted("1" + NUMBERS)


def orphan(tiles: Tiles) -> bool:
    """Fourteen different tiles, and in a suit no two nearer than three apart."""
    if len(set(tiles)) != 14:
        return False
    for suit in SUITS:
        numbers = [int(number) for number in numbers_of(tiles, suit)]
        if any(high - low < 3 for low, high in pairwise(numbers)):
            return False
    return True


def kinds_of_sets(groups: Groups) -> set[str]:
    """The tiles of which there is a pung or a kong."""
    return {group.tile for group in groups if group.kind in {"pung", "kong"}}


def no_chows(groups: Groups) -> bool:
    return all(group.kind != "chow" for group in groups)


def all_of(groups: Groups, kinds: tuple[str, ...]) -> bool:
    """Whether there are no chows and every tile is one of these."""
    return no_chows(groups) and all(group.tile in kinds for group in groups)


imperial_jade = partial(all_of, kinds=GREEN)
all_winds_and_dragons = partial(all_of, kinds=HONOURS)
heads_and_tails = partial(all_of, kinds=TERMINALS)


def imperial_jade_with_any_pair(groups: Groups) -> bool:
    return no_chows(groups) and kinds_of_sets(groups) <= set(GREEN)


def fourfold_plenty(groups: Groups) -> bool:
    return sum(group.kind == "kong" for group in groups) == 4


def three_great_scholars(groups: Groups) -> bool:
    return no_chows(groups) and set(DRAGONS) <= kinds_of_sets(groups)


def four_blessings(groups: Groups) -> bool:
    return set(WINDS) <= kinds_of_sets(groups)


def four_pungs_of_one_suit(groups: Groups) -> bool:
    """Four pungs, no kong, one suit with or without honours."""
    pungs = [group for group in groups if group.kind == "pung"]
    return len(pungs) == 4 and len(suits_among(tuple(group.tile for group in groups))) == 1


def purity(groups: Groups) -> bool:
    """Pungs, kongs and the pair all of one suit."""
    suits = {group.tile[0] for group in groups}
    return no_chows(groups) and len(suits) == 1 and suits <= set(SUITS)


OfTiles = Callable[[Tiles], bool]
OfGroups = Callable[[Groups], bool]
