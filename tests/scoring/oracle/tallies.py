"""Winds that stay, a dealer, a winner who alone scores; notes 17 to 24 of docs/rules/notes.md."""

from collections.abc import Iterator

from tests.scoring.oracle import bmja, shapes
from tests.scoring.oracle.classic import (
    Way,
    all_concealed,
    bonus_doubles,
    doubles_of,
    lucky_tiles,
    points_of,
    product,
    readings,
)
from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import Groups, chows

LIMIT = 2000
HALF_LIMIT = {"all_pair_honours", "knitting", "triple_knitting"}


def most_chows(hand: Hand) -> int:
    """Any number with four players or five, none with two or three."""
    return 0 if hand.players < 4 else 4


def winners(hand: Hand) -> Iterator[Way]:
    """Every way to score a Mah-Jong; none where the tiles are none."""
    allowed_readings = [groups for groups in readings(hand) if chows(groups) <= most_chows(hand)]
    for groups in allowed_readings:
        yield ordinary(hand, groups)
        if shapes.purity(groups):
            yield purity(hand, groups)
        for key in bmja.special_sets(hand, groups):
            yield fixed(hand, key)
    special_keys = bmja.special_tiles(hand, hand.concealed)
    yield from (fixed(hand, key) for key in special_keys)
    if allowed_readings or special_keys:
        yield from (fixed(hand, key) for key in events(hand))


def winning_points(hand: Hand, groups: Groups) -> int:
    """The table of ways to win: 22 from the wall, else 20; and 10 when all is concealed."""
    points = 22 if hand.won_by in {"wall", "first_draw"} else 20
    return points + (10 if all_concealed(groups) else 0)


def ordinary(hand: Hand, groups: Groups) -> Way:
    """The winner's points and doubles."""
    winds = (hand.seat, hand.prevailing)
    points = sum(points_of(group, winds) for group in groups) + 4 * len(hand.bonus)
    doubles = sum(doubles_of(group, winds) for group in groups)
    doubles += bonus_doubles(hand, family=1) + winners_doubles(hand, groups)
    return product(points + winning_points(hand, groups), doubles)


def winners_doubles(hand: Hand, groups: Groups) -> int:
    """BMJA's doubles of suits and honours, but for the concealed hand, which has its 10 points."""
    doubles = bmja.doubles_of_suits(groups, concealed=False)
    if chows(groups) == 0:
        doubles += 1
    if hand.won_by in {"last_wall_tile", "last_discard", "robbed_kong"}:
        doubles += 1
    if "original_call" in hand.facts:
        doubles += 1
    return doubles


def purity(hand: Hand, groups: Groups) -> Way:
    """Purity's tiles three times doubled, bonus tiles apart."""
    points = sum(points_of(group, ()) for group in groups) + winning_points(hand, groups)
    return bmja.pure(hand, points, 3 + bmja.final_discard(hand))


def fixed(hand: Hand, key: str) -> Way:
    """The maximum, or half of it, with the bonus tiles beside it."""
    return bmja.fixed(hand, LIMIT // 2 if key in HALF_LIMIT else LIMIT, key)


def events(hand: Hand) -> Iterator[str]:
    """The special hands that any tiles are when they come so."""
    if hand.won_by == "dealt" and hand.dealer:
        yield "heavens_blessing"
    if hand.won_by in {"first_discard", "first_draw"} and not hand.dealer:
        yield "earths_blessing"
    yield from lucky_tiles(hand)


def losers(_hand: Hand) -> Iterator[Way]:
    """Nothing, whether or not the nothing is told as points and doubles."""
    yield Way(0, 0, 0)
    yield Way(0)
