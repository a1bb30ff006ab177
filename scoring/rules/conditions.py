"""The vocabulary of the rules pages: named conditions, each with the words that say it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, NamedTuple, Protocol

from scoring.hands.hand import Fact, Hand, Kind, TileSet, WonBy
from scoring.hands.tiles import (
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    PLAYING_TILES,
    TERMINALS,
    TILE_NAMES,
    TILE_OF_WIND,
    WIND_TILES,
    Tile,
)
from scoring.rules import marks

Choices = Mapping[str, bool | int]
JADE_TILES: Final = tuple(Tile(code) for code in ("DG", "B2", "B3", "B4", "B6", "B8"))


@dataclass(frozen=True)
class SetCondition:
    """A question about one set in a hand; `&` joins both words and questions."""

    phrase: str
    test: Callable[[TileSet, Hand], bool]

    def __and__(self, other: "SetCondition") -> "SetCondition":
        def meets_both(group: TileSet, hand: Hand) -> bool:
            return self.test(group, hand) and other.test(group, hand)

        return SetCondition(_join_phrases(self.phrase, other.phrase), meets_both)


def _join_phrases(phrase: str, other_phrase: str) -> str:
    if not phrase or not other_phrase:
        return phrase or other_phrase
    return phrase + (" " if other_phrase.startswith("of ") else ", ") + other_phrase


class MarkQuestion(Protocol):
    """Whatever asks something of a hand's marks: `marks & mask == want`."""

    @property
    def mask(self) -> int: ...
    @property
    def want(self) -> int: ...


class ConditionMask(NamedTuple):
    """What a condition asks of a hand's marks."""

    mask: int
    want: int

    @property
    def not_wanted(self) -> int:
        """The marks that must not be there."""
        return self.mask & ~self.want


class Chosen(NamedTuple):
    """Holds only where the rule set plays the open point of that name so."""

    name: str
    value: bool | int


class Lifted(NamedTuple):
    """A condition that the open point of that name, when yes, lifts."""

    name: str
    condition: "HandCondition"


@dataclass(frozen=True)
class HandCondition:
    """A question about a whole hand: marks it must have, and marks it must not.

    `&` joins two conditions, and nothing else may be done with them, so that every rule is a list
    of things that must all hold. `phrase` are empty where nothing is asked but an open point;
    `unmet` says what is amiss with a hand that does not meet the condition.
    """

    phrase: str
    all_of: int = 0
    none_of: int = 0
    chosen: tuple[Chosen, ...] = ()
    lifted: tuple[Lifted, ...] = ()
    unmet: str = ""
    joined_conditions: tuple["HandCondition", ...] = ()

    @property
    def conditions(self) -> tuple["HandCondition", ...]:
        """The conditions that `&` joined, one by one; none where nothing is asked."""
        asks = self.all_of or self.none_of or self.chosen or self.lifted
        return self.joined_conditions or ((self,) if asks else ())

    def __and__(self, other: "HandCondition") -> "HandCondition":
        return HandCondition(
            _join_phrases(self.phrase, other.phrase),
            self.all_of | other.all_of,
            self.none_of | other.none_of,
            self.chosen + other.chosen,
            self.lifted + other.lifted,
            joined_conditions=self.conditions + other.conditions,
        )

    def parts(self, choices: Choices) -> "HandCondition | None":
        """The condition with every open point played as chosen; None where it never holds."""
        if any(choices[point.name] != point.value for point in self.chosen):
            return None
        whole_condition = HandCondition("")
        for condition in self.conditions:
            if not condition.chosen and not condition.lifted:
                whole_condition &= condition
        for point in self.lifted:
            if not choices[point.name]:
                whole_condition &= point.condition
        return whole_condition

    def question(self, choices: Choices) -> ConditionMask | None:
        """The question to the marks with the open points so chosen; None: it never holds."""
        whole_condition = self.parts(choices)
        if whole_condition is None or whole_condition.all_of & whole_condition.none_of:
            return None
        return ConditionMask(
            whole_condition.all_of | whole_condition.none_of, whole_condition.all_of
        )


def _kind_condition(description: str, *kinds: Kind) -> SetCondition:
    return SetCondition(description, lambda group, _hand: group.kind in kinds)


def made_of(description: str, tiles: Collection[Tile]) -> SetCondition:
    """The set is made of one of these tiles (a chow: its lowest is)."""
    return SetCondition(description, lambda group, _hand: group.tile in tiles)


chow = _kind_condition("chow", Kind.CHOW)
pung = _kind_condition("pung", Kind.PUNG)
kong = _kind_condition("kong", Kind.KONG)
pair = _kind_condition("pair", Kind.PAIR)
pung_or_kong = _kind_condition("pung or kong", Kind.PUNG, Kind.KONG)
major = made_of("of 1s, 9s, winds or dragons", MAJORS)
minor = made_of("of 2s to 8s", frozenset(PLAYING_TILES) - MAJORS)
of_honours = made_of("of winds or dragons", HONOURS)
of_suit_tiles = made_of("of suit tiles", frozenset(PLAYING_TILES) - HONOURS)
of_terminals = made_of("of 1s or 9s", TERMINALS)
of_dragons = made_of("of dragons", DRAGON_TILES)
of_own_wind = SetCondition(
    "of the player's own wind", lambda group, hand: group.tile == TILE_OF_WIND[hand.seat_wind]
)
of_prevailing_wind = SetCondition(
    "of the prevailing wind",
    lambda group, hand: (
        hand.prevailing_wind is not None and group.tile == TILE_OF_WIND[hand.prevailing_wind]
    ),
)

of_other_winds = SetCondition(
    "of a wind that is neither the player's own nor the prevailing wind",
    lambda group, hand: (
        group.tile in WIND_TILES
        and not of_own_wind.test(group, hand)
        and not of_prevailing_wind.test(group, hand)
    ),
)


def chosen(name: str, value: bool | int) -> HandCondition:  # noqa: FBT001 - the value of a choice
    """True where the rule set's open point of that name is played so."""
    return HandCondition("", chosen=(Chosen(name, value),))


def unless_chosen(name: str, condition: HandCondition) -> HandCondition:
    """The condition, which the rule set's choice of that name (when yes) lifts."""
    return HandCondition("", lifted=(Lifted(name, condition),))


def _requires(description: str, *having: int, unmet: str = "") -> HandCondition:
    return HandCondition(description, all_of=reduce(or_, having), unmet=unmet)


def _excludes(description: str, *excluded_marks: int, unmet: str = "") -> HandCondition:
    return HandCondition(description, none_of=reduce(or_, excluded_marks), unmet=unmet)


def _win_condition(win_text: str, mark: int) -> HandCondition:
    return _requires(win_text, mark, unmet=f"it must be won {win_text}")


def _last_tile_condition(description: str, mark: int) -> HandCondition:
    return _requires(f"last tile {description}", mark, unmet=f"the last tile must be {description}")


any_hand = HandCondition("")
drawn_from_the_wall = _requires("last tile drawn from the live wall", marks.DRAWN)
drawn = _requires("last tile drawn, a loose tile included", marks.DRAWN_OR_LOOSE)
loose_tile = _last_tile_condition("a loose tile, from the kong box", marks.WON_BY[WonBy.LOOSE_TILE])
from_the_dead_wall = _requires(
    "last tile from the dead wall",
    marks.WON_BY[WonBy.LOOSE_TILE],
    unmet="the last tile must come from the dead wall",
)
last_wall_tile = _last_tile_condition(
    "the last of the live wall", marks.WON_BY[WonBy.LAST_WALL_TILE]
)
not_the_last_wall_tile = _excludes("not the last of it", marks.WON_BY[WonBy.LAST_WALL_TILE])
last_discard = _requires(
    "on the discard after the last tile of the wall", marks.WON_BY[WonBy.LAST_DISCARD]
)
robbed_kong = _requires("by robbing a kong", marks.WON_BY[WonBy.ROBBED_KONG])
on_the_dealt_hand = _win_condition("on the dealt tiles", marks.WON_BY[WonBy.DEALT])
on_the_first_discard = _win_condition(
    "on the first discard of the hand", marks.WON_BY[WonBy.FIRST_DISCARD]
)
on_the_first_turn = _win_condition(
    "on the first discard of the hand or on the player's own first draw", marks.FIRST_TURN
)
not_claimed = _excludes("last tile not claimed", marks.CLAIMED, unmet="the last tile was claimed")
no_third_tile_claimed = _excludes(
    "last tile not claimed to make three of a kind",
    marks.CLAIMED_THIRD,
    unmet="the claimed tile made three of a kind",
)
original_call = _requires(
    "fishing after the first discard, hand never altered since", marks.FACT[Fact.ORIGINAL_CALL]
)
twofold_fortune = _requires(
    "a kong's loose tile makes a second kong, whose loose tile is the last tile",
    marks.FACT[Fact.TWOFOLD_FORTUNE],
    unmet="a kong's loose tile must make a second kong, whose loose tile is the last tile",
)
thirteenth_win = _requires(
    "the thirteenth Mah-Jong in a row",
    marks.FACT[Fact.THIRTEENTH_WIN],
    unmet="it must be the thirteenth Mah-Jong in a row",
)
only_possible_tile = _requires("on the only kind of tile that could complete it", marks.ONLY_TILE)
two_kongs = _requires("two kongs or more", marks.TWO_KONGS, unmet="there must be two kongs or more")
three_kongs = _requires(
    "three kongs or more", marks.THREE_KONGS, unmet="there must be three kongs or more"
)
east = _requires("East", marks.EAST, unmet="only East can have it")
not_east = _excludes("not East", marks.EAST, unmet="East cannot have it")
dealer = _requires("the dealer", marks.DEALER, unmet="only the dealer can have it")
not_the_dealer = _excludes("not the dealer", marks.DEALER, unmet="the dealer cannot have it")
goulash = _requires("a goulash", marks.GOULASH, unmet="it must be a goulash")
not_a_goulash = _excludes("not a goulash", marks.GOULASH)


def last_tile_is(tile: Tile) -> HandCondition:
    """The winning tile is that tile."""
    return _last_tile_condition(f"the {TILE_NAMES[tile]}", marks.LAST_TILE[tile])


own_flower = _requires("own flower", marks.OWN_FLOWER)
own_season = _requires("own season", marks.OWN_SEASON)
own_flower_or_season = _requires("own flower, own season or both", marks.OWN_BONUS_TILE)
all_flowers = _requires("all four flowers", marks.ALL_FLOWERS)
all_seasons = _requires("all four seasons", marks.ALL_SEASONS)
not_all_flowers = _excludes("without all four flowers", marks.ALL_FLOWERS)
not_all_seasons = _excludes("without all four seasons", marks.ALL_SEASONS)

no_chows = _excludes("no chows", marks.CHOW)
sets_and_a_pair = _excludes("four sets and a pair", marks.LOOSE)
all_pungs = _excludes("four pungs or kongs", marks.CHOW, marks.LOOSE)
all_chows = _excludes("four chows", marks.PUNG, marks.KONG, marks.LOOSE)
no_kongs = _excludes("no kongs", marks.KONG, unmet="a kong was declared")
all_kongs = _excludes("every set a kong", marks.PUNG, marks.CHOW, marks.LOOSE)
one_suit = _requires("all suit tiles of one suit", marks.ONE_SUIT)
with_suit_tiles = _requires("with suit tiles", marks.SUITED)
no_suit_tiles = _excludes("no suit tiles", marks.SUITED)
with_honours = _requires("with winds or dragons", marks.HONOUR)
with_winds_and_dragons = _requires("with both winds and dragons", marks.WIND, marks.DRAGON)
no_honours = _excludes("no winds or dragons", marks.HONOUR)
with_terminals = _requires("with 1s or 9s", marks.TERMINAL)
no_terminals = _excludes("no 1s or 9s", marks.TERMINAL)
three_suits = _requires("with all three suits", *marks.SUIT.values())
all_concealed = _excludes(
    "no set exposed and no tile claimed", marks.EXPOSED, marks.CLAIMED, unmet="a tile was claimed"
)
pungs_concealed = _excludes("no pung exposed", marks.EXPOSED_PUNG, unmet="a pung is exposed")
concealed_before_the_last_tile = _excludes(
    "no set exposed before the last tile", marks.OPENED, unmet="a set was claimed"
)
three_concealed_pungs = _requires(
    "three concealed pungs or kongs or more",
    marks.THREE_CONCEALED,
    unmet="three pungs or kongs must be concealed",
)
four_concealed_pungs = _requires(
    "four concealed pungs or kongs",
    marks.FOUR_CONCEALED,
    unmet="four pungs or kongs must be concealed",
)
two_dragon_sets = _requires("pungs or kongs of two dragons or more", marks.TWO_DRAGON_SETS)
three_wind_sets = _requires("pungs or kongs of three winds or more", marks.THREE_WIND_SETS)


def only_tiles(description: str, tiles: Collection[Tile]) -> HandCondition:
    return _excludes(
        description, *(marks.HOLDS[tile] for tile in PLAYING_TILES if tile not in tiles)
    )


def holds_tiles(description: str, tiles: Collection[Tile]) -> HandCondition:
    return _requires(description, *(marks.HOLDS[tile] for tile in tiles))


def sets_of_all(description: str, tiles: Collection[Tile]) -> HandCondition:
    """A pung or kong of each of these tiles."""
    return _requires(description, *(marks.SET_OF[tile] for tile in tiles))


def no_sets_but(description: str, tiles: Collection[Tile]) -> HandCondition:
    """No pung or kong is of another tile than these; the pair may be."""
    return _excludes(
        description, *(marks.SET_OF[tile] for tile in PLAYING_TILES if tile not in tiles)
    )


only_majors = only_tiles("only 1s, 9s, winds and dragons", MAJORS)
only_terminals = only_tiles("only 1s and 9s", TERMINALS)
only_honours = only_tiles("only winds and dragons", HONOURS)
only_jade = only_tiles("only green dragons and bamboos 2, 3, 4, 6 and 8", JADE_TILES)
jade_sets = no_sets_but(
    "every pung and kong of green dragons or bamboos 2, 3, 4, 6 or 8, and any pair", JADE_TILES
)
with_green_dragons = holds_tiles("with green dragons", [Tile("DG")])
all_majors = holds_tiles("one of each 1, 9, wind and dragon", MAJORS)
dragon_sets = sets_of_all("pungs or kongs of all three dragons", DRAGON_TILES)
wind_sets = sets_of_all("pungs or kongs of all four winds", WIND_TILES)
red_dragon_set = sets_of_all("a pung or kong of red dragons", [Tile("DR")])
green_dragon_set = sets_of_all("a pung or kong of green dragons", [Tile("DG")])
white_dragon_set = sets_of_all("a pung or kong of white dragons", [Tile("DW")])
little_dragons = two_dragon_sets & holds_tiles("with all three dragons", DRAGON_TILES)
little_winds = three_wind_sets & holds_tiles("with all four winds", WIND_TILES)
only_2_to_8 = only_tiles("only 2s to 8s", frozenset(PLAYING_TILES) - MAJORS)
