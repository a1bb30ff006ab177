"""What bmja, tallies and english have in common: the table of points and the plain doubles."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import (
    DRAGONS,
    MAJORS,
    NUMBER_OF_WIND,
    PLAYING,
    Group,
    Groups,
    Tiles,
    expose_claimed_tile,
    remove_tiles,
    sets_and_a_pair,
)


class Way(NamedTuple):
    """One way to score a hand, before any limit.

    `total_doubles` is the number of doubles, told or not; `basic` and `doubles` are None where the
    score is no product of the two.
    """

    score: int
    basic: int | None = None
    doubles: int | None = None
    special: str | None = None
    fishing: bool = False
    total_doubles: int = 0


def product(basic: int, doubles: int, special: str | None = None) -> Way:
    """Points doubled so often."""
    return Way(basic << doubles, basic, doubles, special, total_doubles=doubles)


def readings(hand: Hand) -> Iterator[Groups]:
    """Every way to see a winner's hand as sets and a pair, the claimed tile wherever it fits."""
    for concealed in sets_and_a_pair(hand.concealed):
        if hand.is_claimed:
            for groups in expose_claimed_tile(concealed, hand.winning or ""):
                yield (*hand.table, *groups)
        else:
            yield (*hand.table, *concealed)


def points_of(group: Group, winds: tuple[str | None, ...]) -> int:
    """A group's points; `winds` are those whose pair counts 2."""
    if group.kind == "chow":
        return 0
    if group.kind == "pair":
        return 2 * (group.tile in DRAGONS) + 2 * sum(group.tile == f"W{wind}" for wind in winds)
    points = 4 if group.tile in MAJORS else 2
    if group.kind == "kong":
        points *= 4
    return points if group.exposed else 2 * points


def doubles_of(group: Group, winds: tuple[str | None, ...]) -> int:
    """A set's doubles: one for dragons, one for each of these winds that it is of."""
    if group.kind not in {"pung", "kong"}:
        return 0
    return (group.tile in DRAGONS) + sum(group.tile == f"W{wind}" for wind in winds)


def bonus_doubles(hand: Hand, *, family: int) -> int:
    """One for the own flower and one for the own season; `family` more for all four."""
    doubles = 0
    for letter in "FS":
        doubles += letter + NUMBER_OF_WIND[hand.seat] in hand.bonus
        if sum(tile[0] == letter for tile in hand.bonus) == 4:
            doubles += family
    return doubles


def all_concealed(groups: Groups) -> bool:
    return not any(group.exposed for group in groups)


def events(hand: Hand) -> Iterator[str]:
    """The special hands that any tiles are when they come so, under bmja and english."""
    if hand.won_by == "dealt" and hand.seat == "E":
        yield "heavens_blessing"
    if hand.won_by == "first_discard" and hand.seat != "E":
        yield "earths_blessing"
    yield from lucky_tiles(hand)


def lucky_tiles(hand: Hand) -> Iterator[str]:
    """The special hands of a last tile that came in a remarkable way."""
    if hand.won_by == "loose_tile" and hand.winning == "O5":
        yield "plum_blossom"
    if hand.won_by == "last_wall_tile" and hand.winning == "O1":
        yield "plucking_the_moon"
    if hand.won_by == "loose_tile" and "twofold_fortune" in hand.facts and hand.kongs >= 2:
        yield "twofold_fortune"


def only_possible_tile(hand: Hand, makes_mahjong: Callable[[Hand, Tiles], bool]) -> bool:
    """Whether no other kind of tile would have done, unless the table says otherwise.

    A kind of which the player already held all four is no possibility.
    """
    if "only_possible_tile" in hand.facts or "not_only_possible_tile" in hand.facts:
        return "only_possible_tile" in hand.facts
    if hand.winning is None:
        return False
    waiting = remove_tiles(hand.concealed, (hand.winning,)) or ()
    other_tiles = [tile for tile in PLAYING if tile != hand.winning and hand.number_held(tile) < 4]
    return not any(makes_mahjong(hand, (*waiting, tile)) for tile in other_tiles)
