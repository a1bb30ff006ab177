"""The vocabulary of the rules pages: named conditions, each with the words that say it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Generic, ParamSpec

from scoring.hands import Fact, Hand, Kind, Reading, TileSet, WonBy
from scoring.tiles import (
    DRAGONS,
    FLOWERS,
    HONOURS,
    MAJORS,
    OWN_FLOWER,
    OWN_SEASON,
    SEASONS,
    TERMINALS,
    WIND_TILE,
    WINDS,
    Tile,
    Wind,
)

P = ParamSpec("P")


@dataclass(frozen=True)
class Condition(Generic[P]):
    """A test and its words; `&` joins both, and nothing else may be done with it."""

    words: str
    test: Callable[P, bool]

    def __and__(self, other: "Condition[P]") -> "Condition[P]":
        def both(*args: P.args, **kwargs: P.kwargs) -> bool:
            return self.test(*args, **kwargs) and other.test(*args, **kwargs)

        join = " " if other.words.startswith("of ") else ", "
        return Condition(self.words + join + other.words, both)


SetCondition = Condition[[TileSet, Hand]]
HandCondition = Condition[[Reading]]


def _kind(words: str, *kinds: Kind) -> SetCondition:
    return Condition(words, lambda tile_set, _hand: tile_set.kind in kinds)


def _of(words: str, tiles: Collection[Tile]) -> SetCondition:
    return Condition(words, lambda tile_set, _hand: tile_set.tile in tiles)


chow = _kind("chow", Kind.CHOW)
pung = _kind("pung", Kind.PUNG)
kong = _kind("kong", Kind.KONG)
pair = _kind("pair", Kind.PAIR)
pung_or_kong = _kind("pung or kong", Kind.PUNG, Kind.KONG)
major = _of("of 1s, 9s, winds or dragons", MAJORS)
minor: SetCondition = Condition("of 2s to 8s", lambda tile_set, _: tile_set.tile not in MAJORS)
of_dragons = _of("of dragons", DRAGONS)
of_own_wind: SetCondition = Condition(
    "of the player's own wind", lambda tile_set, hand: tile_set.tile == WIND_TILE[hand.seat_wind]
)
of_prevailing_wind: SetCondition = Condition(
    "of the prevailing wind",
    lambda tile_set, hand: (
        hand.prevailing_wind is not None and tile_set.tile == WIND_TILE[hand.prevailing_wind]
    ),
)


def chosen(name: str, value: bool | int) -> HandCondition:  # noqa: FBT001 - the value of a choice
    """True where the rule set's open point of that name is played so."""
    words = f"where {name} is {_said(value)}"
    return Condition(words, lambda reading: reading.choices[name] == value)


def _said(value: bool | int) -> str:  # noqa: FBT001 - the value of a choice
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _won(words: str, *ways: WonBy) -> HandCondition:
    return Condition(words, lambda reading: reading.hand.won_by in ways)


def _said_by_the_table(words: str, fact: Fact) -> HandCondition:
    return Condition(words, lambda reading: fact in reading.hand.facts)


any_hand: HandCondition = Condition("always", lambda _: True)
drawn_from_the_wall = _won(
    "last tile drawn from the live wall", WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.FIRST_DRAW
)
loose_tile = _won("last tile a loose tile, from the kong box", WonBy.LOOSE_TILE)
last_wall_tile = _won("last tile the last of the live wall", WonBy.LAST_WALL_TILE)
last_discard = _won("on the discard after the last tile of the wall", WonBy.LAST_DISCARD)
robbed_kong = _won("by robbing a kong", WonBy.ROBBED_KONG)
on_the_dealt_hand = _won("on the dealt tiles", WonBy.DEALT)
on_the_first_discard = _won("on the first discard of the hand", WonBy.FIRST_DISCARD)
original_call = _said_by_the_table(
    "fishing after the first discard, hand never altered since", Fact.ORIGINAL_CALL
)
twofold_fortune = _said_by_the_table(
    "a kong's loose tile makes a second kong, whose loose tile is the last tile",
    Fact.TWOFOLD_FORTUNE,
)
two_kongs: HandCondition = Condition(
    "two kongs or more",
    lambda reading: sum(group.kind is Kind.KONG for group in reading.hand.sets) >= 2,
)
east: HandCondition = Condition("East", lambda reading: reading.hand.seat_wind is Wind.E)
not_east: HandCondition = Condition("not East", lambda reading: reading.hand.seat_wind != Wind.E)
not_a_goulash: HandCondition = Condition("not a goulash", lambda reading: not reading.hand.goulash)


def last_tile_is(tile: Tile) -> HandCondition:
    """The winning tile is that tile."""
    return Condition(f"last tile {tile}", lambda reading: reading.hand.winning_tile == tile)


own_flower: HandCondition = Condition(
    "own flower", lambda reading: OWN_FLOWER[reading.hand.seat_wind] in reading.hand.bonus
)
own_season: HandCondition = Condition(
    "own season", lambda reading: OWN_SEASON[reading.hand.seat_wind] in reading.hand.bonus
)
all_flowers: HandCondition = Condition(
    "all four flowers", lambda reading: set(FLOWERS) <= set(reading.hand.bonus)
)
all_seasons: HandCondition = Condition(
    "all four seasons", lambda reading: set(SEASONS) <= set(reading.hand.bonus)
)

no_chows: HandCondition = Condition("no chows", lambda reading: reading.chows == 0)
all_kongs: HandCondition = Condition(
    "every set a kong",
    lambda reading: all(group.kind in {Kind.KONG, Kind.PAIR} for group in reading.sets),
)
one_suit: HandCondition = Condition(
    "all suit tiles of one suit", lambda reading: len(reading.suits) == 1
)
with_suit_tiles: HandCondition = Condition("with suit tiles", lambda reading: bool(reading.suits))
with_honours: HandCondition = Condition(
    "with winds or dragons", lambda reading: not reading.kinds.isdisjoint(HONOURS)
)
no_honours: HandCondition = Condition(
    "no winds or dragons", lambda reading: reading.kinds.isdisjoint(HONOURS)
)
all_concealed: HandCondition = Condition(
    "no set exposed and no tile claimed",
    lambda reading: not any(tile_set.exposed for tile_set in reading.sets),
)
concealed_before_the_last_tile: HandCondition = Condition(
    "no set exposed before the last tile",
    lambda reading: not any(tile_set.exposed for tile_set in reading.hand.sets),
)
no_kongs: HandCondition = Condition(
    "no kongs", lambda reading: all(group.kind is not Kind.KONG for group in reading.sets)
)


def only(words: str, tiles: Collection[Tile]) -> HandCondition:
    """Every tile of the hand is one of these."""
    allowed = frozenset(tiles)
    return Condition(words, lambda reading: reading.kinds <= allowed)


only_majors = only("only 1s, 9s, winds and dragons", MAJORS)
only_terminals = only("only 1s and 9s", TERMINALS)
only_honours = only("only winds and dragons", HONOURS)
with_terminals: HandCondition = Condition(
    "with 1s or 9s", lambda reading: not reading.kinds.isdisjoint(TERMINALS)
)
only_jade = only(
    "only green dragons and bamboos 2, 3, 4, 6 and 8",
    [Tile(code) for code in ("DG", "B2", "B3", "B4", "B6", "B8")],
)


def sets_of_all(words: str, tiles: Collection[Tile]) -> HandCondition:
    """A pung or kong of each of these tiles."""
    wanted = frozenset(tiles)

    def test(reading: Reading) -> bool:
        held = {group.tile for group in reading.sets if group.kind in {Kind.PUNG, Kind.KONG}}
        return wanted <= held

    return Condition(words, test)


dragon_sets = sets_of_all("pungs or kongs of all three dragons", DRAGONS)
wind_sets = sets_of_all("pungs or kongs of all four winds", WINDS)


def unless_chosen(name: str, condition: HandCondition) -> HandCondition:
    """The condition, which the rule set's choice of that name (when yes) lifts."""
    return Condition(
        f"{condition.words} (not needed where {name} is yes)",
        lambda reading: bool(reading.choices[name]) or condition.test(reading),
    )


with_green_dragons: HandCondition = Condition(
    "with green dragons", lambda reading: Tile("DG") in reading.kinds
)
not_claimed: HandCondition = Condition(
    "last tile not claimed", lambda reading: not reading.hand.claimed
)
