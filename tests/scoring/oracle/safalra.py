"""Safalra's rules, as the page and notes 14 to 16 of docs/rules/notes.md tell them."""

from collections.abc import Iterator

from tests.scoring.oracle.classic import Way, doubles_of, only_possible_tile, product, readings
from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import (
    FROM_WALL,
    HONOURS,
    Group,
    Groups,
    Tiles,
    chows,
    equal_groups,
    sets_and_a_pair,
    suits_among,
)

LIMIT = None


def most_chows(hand: Hand) -> int:
    """Any number; none with two players."""
    return 0 if hand.players == 2 else 4


def winners(hand: Hand) -> Iterator[Way]:
    """Every way to score a Mah-Jong: sets and a pair, suit tiles of one suit."""
    if len(suits_among(hand.tiles)) > 1:
        return
    for groups in readings(hand):
        if chows(groups) <= most_chows(hand):
            yield won(hand, groups)


def points_of(group: Group) -> int:
    """A pung is 1, of honours 2; a kong four times that; concealed twice."""
    if group.kind not in {"pung", "kong"}:
        return 0
    points = 2 if group.tile in HONOURS else 1
    if group.kind == "kong":
        points *= 4
    return points if group.exposed else 2 * points


def won(hand: Hand, groups: Groups) -> Way:
    """Ten for Mah-Jong, five without chows, one drawn, one on the only possible tile."""
    points, doubles = standing(hand, groups)
    points += 10
    if chows(groups) == 0:
        points += 5
    if hand.won_by in (*FROM_WALL, "loose_tile"):
        points += 1
    if only_possible_tile(hand, makes_mahjong):
        points += 1
    if not suits_among(hand.tiles):
        doubles += 1
    return product(points, doubles)


def standing(hand: Hand, groups: Groups) -> tuple[int, int]:
    """Points of the sets; a double for each of dragons and for the own wind's."""
    return sum(map(points_of, groups)), sum(doubles_of(group, (hand.seat,)) for group in groups)


def makes_mahjong(hand: Hand, tiles: Tiles) -> bool:
    """Whether these concealed tiles would make a Mah-Jong."""
    table = tuple(group.tile for group in hand.table)
    if len(suits_among(tiles + table)) > 1:
        return False
    chow_counts = [hand.chows + chows(groups) for groups in sets_and_a_pair(tiles)]
    return any(number <= most_chows(hand) for number in chow_counts)


def losers(hand: Hand) -> Iterator[Way]:
    """The sets that stand, of any suits."""
    for groups in equal_groups(hand.concealed):
        yield product(*standing(hand, (*hand.table, *groups)))
