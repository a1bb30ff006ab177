"""How the tiles of a draft are shown: as sets, pairs and tiles alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scoring.arrangements import concealed_set
from scoring.building.asking import last_tile
from scoring.building.draft import Draft, changing, with_tiles
from scoring.building.notation import written_set, written_tiles
from scoring.hands import EXPOSED_FROM, Hand, Kind, TileSet, chow_from, known_set
from scoring.problems import BadHand
from scoring.reckoning import Reckoning, score
from scoring.rules import RuleSet
from scoring.tiles import JOKER, Tile, in_order

_A_MAHJONG: Final = 14
# A pung stands whatever is tapped after it; of chows and pairs the better cut is shown.
_WORTH: Final = {Kind.PUNG: 70, Kind.CHOW: 39, Kind.PAIR: 22}
_ALL_KINDS: Final = frozenset(_WORTH)
_PAIRS: Final = frozenset({Kind.PAIR})


class Place(StrEnum):
    """Where a group lies."""

    HAND = "in the hand"
    EXPOSED = "exposed"
    CONCEALED = "concealed"


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a draft that are shown together; `made` is the set they make, None for a tile
    alone. `claimed`: the last tile came here from another player.
    """

    tiles: tuple[Tile, ...]
    place: Place
    made: TileSet | None = None
    claimed: bool = False

    @property
    def kind(self) -> Kind | None:
        """The kind of set, if it is one."""
        return self.made.kind if self.made else None

    @property
    def word(self) -> str:
        """What names the group in a tap: its tiles, marked where they lie on the table."""
        if self.made and self.place is not Place.HAND:
            return written_set(self.made)
        return written_tiles(self.tiles)


def to_hand(draft: Draft, rules: RuleSet) -> Hand:
    """The draft as the engine takes it; the set that a claimed tile completed is in the hand.

    Nothing is checked: `scoring.check` says whether the hand can be scored.
    """
    draft = _with_the_last_set_in_the_hand(draft, rules)
    return Hand(
        seat_wind=draft.seat,
        prevailing_wind=draft.prevailing if rules.passing.prevailing else None,
        dealer=draft.deals,
        sets=draft.table,
        concealed=in_order(draft.tiles),
        bonus=in_order(draft.bonus),
        mahjong=draft.won,
        winning_tile=last_tile(draft, rules),
        won_by=draft.way if draft.won else None,
        facts=draft.facts,
        players=draft.players,
        goulash=draft.goulash,
    )


def _with_the_last_set_in_the_hand(draft: Draft, rules: RuleSet) -> Draft:
    last = last_tile(draft, rules)
    if last is None or last in draft.tiles:
        return draft
    group = next(
        group
        for group in draft.table
        if group.exposed and group.kind is not Kind.KONG and last in group.stands_for
    )
    return with_tiles(changing(draft, group), group.tiles)


def reckoned_whole(draft: Draft, rules: RuleSet) -> Reckoning | None:
    """The score of a Mah-Jong that is all there; None of anything else."""
    if not draft.won or draft.size != _A_MAHJONG:
        return None
    try:
        return score(to_hand(draft, rules), rules)
    except BadHand:
        return None


def groups(draft: Draft, rules: RuleSet) -> tuple[Group, ...]:
    """The draft's groups: what lies on the table, then the hand, sets before pairs before tiles.

    A whole Mah-Jong is cut as it scores best; anything else so that pungs come first.
    """
    return (*on_table(draft), *sorted(_in_hand(draft, rules), key=_order))


def on_table(draft: Draft) -> tuple[Group, ...]:
    """The sets on the table, as they were laid."""
    return tuple(
        Group(one.tiles, Place.EXPOSED if one.exposed else Place.CONCEALED, one)
        for one in draft.table
    )


def _order(group: Group) -> int:
    return -len(group.tiles)


def _in_hand(draft: Draft, rules: RuleSet) -> list[Group]:
    whole = reckoned_whole(draft, rules)
    held = Counter(draft.tiles)
    if whole and Counter(t for group in whole.arrangement for t in group.tiles) == held:
        return [_read(group) for group in whole.arrangement]
    is_of_pairs = whole is not None and not whole.arrangement
    return [*_cut(draft, rules, runs=not is_of_pairs)]


def _read(group: TileSet) -> Group:
    in_hand = known_set(group.code - EXPOSED_FROM) if group.exposed else group
    return Group(group.tiles, Place.HAND, in_hand, claimed=group.exposed)


def _cut(draft: Draft, rules: RuleSet, *, runs: bool) -> Iterator[Group]:
    genuine = in_order(tile for tile in draft.tiles if tile != JOKER)
    jokers = draft.tiles.count(JOKER)
    kinds = _ALL_KINDS if runs else _PAIRS
    alone = Counter(genuine)
    for group in _best_cut(genuine, kinds, {})[1]:
        alone -= Counter(group.tiles)
        if jokers and rules.jokers and group.kind is Kind.PAIR:
            jokers -= 1
            group = concealed_set(Kind.PUNG, group.tile, jokers=1)  # noqa: PLW2901
        yield Group(group.tiles, Place.HAND, group)
    for tile in (*in_order(alone.elements()), *[JOKER] * jokers):
        yield Group((tile,), Place.HAND)


_Tiles = tuple[Tile, ...]
_Cut = tuple[int, tuple[TileSet, ...]]


def _best_cut(tiles: _Tiles, kinds: frozenset[Kind], known: dict[_Tiles, _Cut]) -> _Cut:
    """The sets and pairs worth most that may be taken out of the tiles, and what they are worth."""
    if not tiles:
        return 0, ()
    if tiles not in known:
        best = _best_cut(tiles[1:], kinds, known)
        for group in _beginning(tiles):
            if group.kind in kinds:
                worth, sets = _best_cut(_rest(tiles, group), kinds, known)
                whole = worth + _WORTH[group.kind], (group, *sets)
                best = max(best, whole, key=lambda cut: cut[0])
        known[tiles] = best
    return known[tiles]


def _beginning(tiles: _Tiles) -> Iterator[TileSet]:
    """The sets and pairs that hold the first of the tiles."""
    first = tiles[0]
    run = chow_from(first)
    if tiles[:3].count(first) == 3:
        yield concealed_set(Kind.PUNG, first)
    if run and run[1] in tiles and run[2] in tiles:
        yield concealed_set(Kind.CHOW, first)
    if tiles[:2].count(first) == 2:
        yield concealed_set(Kind.PAIR, first)


def _rest(tiles: _Tiles, group: TileSet) -> _Tiles:
    left = list(tiles)
    for tile in group.tiles:
        left.remove(tile)
    return tuple(left)


def group_of(word: str, draft: Draft, rules: RuleSet) -> Group | None:
    """The group of that name; None where there is none (any more)."""
    return next((group for group in groups(draft, rules) if group.word == word), None)


def exposed(group: TileSet) -> TileSet:
    """The same set, exposed."""
    return replace(group, exposed=True)
