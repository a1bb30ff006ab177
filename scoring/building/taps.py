"""Taps, one word each, and what they do to a draft; and the drafts before, so that undo works.

A tap is a tile (`B1`), several at once (`pair:B1`, `pung:B1`, `kong:B1`, `chow:B1` by its lowest),
something done with a group (`expose:B111`, `conceal:-B111`, `split:~B1111`, `joker:B11Jk`,
`take:B111`), or something told (`won:no`, `way:discard`, `last:B1`, `fact:original_call`, `seat:S`,
`prevailing:S`, `dealer:yes`, `players:3`, `goulash:yes`). `again` starts the next hand, `clear`
this one, `undo` takes the last tap back.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar

from scoring.building.draft import (
    MAX_SETS,
    MAX_TILES,
    NO_TILES_USED,
    Draft,
    add_set,
    add_tiles,
    copies_of,
    fit_draft,
    remove_bonus,
    remove_tiles,
    replace_set,
    tiles_left,
)
from scoring.building.groups import Group, GroupPlace, find_group
from scoring.hands.hand import Fact, Kind, TileSet, WonBy, chow_from, read_set, with_article
from scoring.hands.tiles import BONUS_TILES, JOKER, TILE_NAMES, Tile, Wind, read_tile
from scoring.reading.layouts import concealed_set
from scoring.rules.rule_set import RuleSet

MAX_UNDO_STEPS: Final = 15
ParsedT = TypeVar("ParsedT")
_YES_OR_NO: Final = {"yes": True, "no": False}

_OPPOSITE_FACT: Final = {
    Fact.ONLY_POSSIBLE_TILE: Fact.NOT_ONLY_POSSIBLE_TILE,
    Fact.NOT_ONLY_POSSIBLE_TILE: Fact.ONLY_POSSIBLE_TILE,
}

_BARE_TAPS: Final = frozenset({"again", "clear"})
_PLAYER_NUMBERS: Final = {str(number): number for number in (2, 3, 4, 5)}


class CannotTap(ValueError):
    """The tap does nothing; the message says why."""


class Bag(NamedTuple):
    """What a tap depends on beside the draft: the rules, and the tiles that others hold."""

    rules: RuleSet
    used: Mapping[Tile, int] = NO_TILES_USED


@dataclass(frozen=True, slots=True)
class Steps:
    """A draft and those that came before it, MAX_UNDO_STEPS at most, the oldest first."""

    draft: Draft
    previous_drafts: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What taps led to, and a sentence for each that could do nothing."""

    steps: Steps
    refusals: tuple[str, ...] = ()


def play(steps: Steps, taps: Iterable[str], bag: Bag) -> PlayResult:
    """All taps one after the other; one that can do nothing changes nothing."""
    refusals: list[str] = []
    for tap in taps:
        if tap == "undo":
            if steps.previous_drafts:
                steps = Steps(steps.previous_drafts[-1], steps.previous_drafts[:-1])
            continue
        try:
            draft = apply_tap(steps.draft, tap, bag)
        except CannotTap as cannot:
            refusals.append(str(cannot))
            continue
        if draft != steps.draft:
            steps = Steps(draft, (*steps.previous_drafts, steps.draft)[-MAX_UNDO_STEPS:])
    return PlayResult(steps, tuple(refusals))


def apply_tap(draft: Draft, tap: str, bag: Bag) -> Draft:
    """The draft after one tap; raises CannotTap."""
    word, _colon, argument = tap.rpartition(":")
    act = _ACTIONS.get(word or (tap if tap in _BARE_TAPS else "tile"))
    if act is None:
        raise CannotTap("This button does not work here. Reload the page.")
    return fit_draft(act(draft, argument, bag), bag.rules)


def _tap_tile(draft: Draft, argument: str, bag: Bag) -> Draft:
    tile = _parse(argument, read_tile)
    if tile in BONUS_TILES and bag.rules.bonus_points is None:
        raise CannotTap(f"There are no flowers or seasons under {bag.rules.name}.")
    if tile == JOKER and not (bag.rules.jokers and draft.goulash):
        raise CannotTap("Jokers are only used in a goulash.")
    # The draft with a kong, where the tile is the fourth.
    with_a_kong = None
    pungs = [group for group in draft.table if group.kind is Kind.PUNG and group.tile == tile]
    if pungs:
        kong = read_set((*pungs[0].tiles, tile), exposed=pungs[0].exposed)
        with_a_kong = replace_set(draft, pungs[0], kong or pungs[0])
    elif draft.tiles.count(tile) == 3 and tile != JOKER and len(draft.table) < MAX_SETS:
        with_a_kong = add_set(remove_tiles(draft, [tile] * 3), concealed_set(Kind.KONG, tile))
    _check_tiles_left([tile], draft, bag, growing=0 if with_a_kong else 1)
    return with_a_kong or add_tiles(draft, [tile])


def _tap_several(number: int) -> Callable[[Draft, str, Bag], Draft]:
    def act(draft: Draft, argument: str, bag: Bag) -> Draft:
        tile = _parse(argument, read_tile)
        if tile in BONUS_TILES or tile == JOKER:
            return _tap_tile(draft, argument, bag)
        _check_tiles_left([tile] * number, draft, bag, growing=min(number, 3))
        if number == 4:
            _check_table_room(draft)
            return add_set(draft, concealed_set(Kind.KONG, tile))
        return add_tiles(draft, [tile] * number)

    return act


def _tap_chow(draft: Draft, argument: str, bag: Bag) -> Draft:
    lowest = _parse(argument, read_tile)
    if lowest in BONUS_TILES or lowest == JOKER:
        return _tap_tile(draft, argument, bag)
    chow = chow_from(lowest)
    if chow is None:
        raise CannotTap(f"No chow starts with {with_article(TILE_NAMES[lowest])}.")
    _check_tiles_left(chow, draft, bag, growing=3)
    return add_tiles(draft, chow)


def _check_tiles_left(tiles: Iterable[Tile], draft: Draft, bag: Bag, *, growing: int) -> None:
    new_tiles = [*tiles]
    for tile in new_tiles:
        left_count, most = tiles_left(tile, draft, bag.used), copies_of(tile)
        if left_count >= new_tiles.count(tile):
            continue
        if left_count:
            are = "is" if left_count == 1 else "are"
            raise CannotTap(
                f"Only {left_count} of the {most} tiles “{TILE_NAMES[tile]}” {are} left."
            )
        if most == 1:
            raise CannotTap(f"There is only 1 tile “{TILE_NAMES[tile]}”, and it is already used.")
        raise CannotTap(f"None of the {most} tiles “{TILE_NAMES[tile]}” is left.")
    if new_tiles[0] not in BONUS_TILES:
        _check_room(draft, growing=growing)


def _check_room(draft: Draft, *, growing: int) -> None:
    if draft.size + growing > MAX_TILES:
        raise CannotTap("The hand already has too many tiles.")


def _check_table_room(draft: Draft) -> None:
    if len(draft.table) == MAX_SETS:
        raise CannotTap("There are already 4 sets on the table.")


def _expose(draft: Draft, argument: str, bag: Bag) -> Draft:
    group, tile_set = _require_set(draft, argument, bag)
    if group.place is GroupPlace.CONCEALED:
        return replace_set(draft, tile_set, replace(tile_set, exposed=True))
    if group.place is not GroupPlace.HAND or tile_set.kind is Kind.PAIR:
        raise CannotTap("Only chows, pungs and kongs can be exposed.")
    _check_table_room(draft)
    return add_set(remove_tiles(draft, group.tiles), replace(tile_set, exposed=True))


def _conceal(draft: Draft, argument: str, bag: Bag) -> Draft:
    group, tile_set = _require_set(draft, argument, bag)
    if group.place is not GroupPlace.EXPOSED:
        raise CannotTap("That set is already concealed.")
    if tile_set.kind is Kind.KONG:
        return replace_set(draft, tile_set, replace(tile_set, exposed=False))
    return add_tiles(replace_set(draft, tile_set), group.tiles)


def _split(draft: Draft, argument: str, bag: Bag) -> Draft:
    group, tile_set = _require_set(draft, argument, bag)
    if tile_set.kind is not Kind.KONG:
        raise CannotTap("Only a kong can be split.")
    _check_room(draft, growing=1)
    return add_tiles(replace_set(draft, tile_set), group.tiles)


def _add_joker(draft: Draft, argument: str, bag: Bag) -> Draft:
    """A joker of the hand makes the pung a kong."""
    group, tile_set = _require_set(draft, argument, bag)
    jokers = bag.rules.jokers
    if tile_set.kind is not Kind.PUNG or not jokers or tile_set.jokers == jokers.in_a_kong:
        raise CannotTap("You cannot use a joker there.")
    on_table = group.place is not GroupPlace.HAND
    cleared_draft = replace_set(draft, tile_set) if on_table else remove_tiles(draft, group.tiles)
    if JOKER not in cleared_draft.tiles:
        raise CannotTap("There is no joker in the hand.")
    _check_table_room(cleared_draft)
    kong = read_set((*tile_set.tiles, JOKER), exposed=tile_set.exposed)
    return add_set(remove_tiles(cleared_draft, [JOKER]), kong or tile_set)


def _take_away(draft: Draft, argument: str, bag: Bag) -> Draft:
    tile = read_tile(argument)
    if tile in draft.bonus:
        return remove_bonus(draft, tile)
    group = _require_group(draft, argument, bag)
    if group.place is GroupPlace.HAND or group.tile_set is None:
        return remove_tiles(draft, group.tiles)
    return replace_set(draft, group.tile_set)


def _require_group(draft: Draft, argument: str, bag: Bag) -> Group:
    group = find_group(argument, draft, bag.rules)
    if group is None:
        raise CannotTap("That is no longer in the hand.")
    return group


def _require_set(draft: Draft, argument: str, bag: Bag) -> tuple[Group, TileSet]:
    group = _require_group(draft, argument, bag)
    if group.tile_set is None:
        raise CannotTap("One tile is not a set.")
    return group, group.tile_set


def _parse(argument: str, reader: Callable[[str], ParsedT | None]) -> ParsedT:
    try:
        value = reader(argument)
    except (ValueError, KeyError):
        value = None
    if value is None:
        raise CannotTap("This button does not work here. Reload the page.")
    return value


def _setter(name: str, reader: Callable[[str], object]) -> Callable[[Draft, str, Bag], Draft]:
    def act(draft: Draft, argument: str, _bag: Bag) -> Draft:
        changes: dict[str, Any] = {name: _parse(argument, reader)}
        return replace(draft, **changes)

    return act


def _toggle_fact(draft: Draft, argument: str, _bag: Bag) -> Draft:
    """Stated or taken back; of the two that say the opposite only one stands."""
    fact = _parse(argument, Fact)
    other_facts = (
        draft.facts - {fact} - ({_OPPOSITE_FACT[fact]} if fact in _OPPOSITE_FACT else set())
    )
    return replace(draft, facts=other_facts if fact in draft.facts else other_facts | {fact})


def _start_again(draft: Draft, _argument: str, _bag: Bag) -> Draft:
    """An empty hand at the same table."""
    return Draft(
        seat=draft.seat, prevailing=draft.prevailing, dealer=draft.dealer, players=draft.players
    )


def _clear(draft: Draft, _argument: str, _bag: Bag) -> Draft:
    """The same deal without a tile; who went Mah-Jong is still known."""
    return replace(draft, tiles=(), table=(), bonus=(), won_by=None, last=None, facts=frozenset())


_ACTIONS: Final[Mapping[str, Callable[[Draft, str, Bag], Draft]]] = {
    "tile": _tap_tile,
    "pair": _tap_several(2),
    "pung": _tap_several(3),
    "kong": _tap_several(4),
    "chow": _tap_chow,
    "expose": _expose,
    "conceal": _conceal,
    "split": _split,
    "joker": _add_joker,
    "take": _take_away,
    "won": _setter("won", _YES_OR_NO.get),
    "way": _setter("won_by", WonBy),
    "last": _setter("last", read_tile),
    "fact": _toggle_fact,
    "seat": _setter("seat", Wind),
    "prevailing": _setter("prevailing", Wind),
    "dealer": _setter("dealer", _YES_OR_NO.get),
    "players": _setter("players", _PLAYER_NUMBERS.get),
    "goulash": _setter("goulash", _YES_OR_NO.get),
    "again": _start_again,
    "clear": _clear,
}
