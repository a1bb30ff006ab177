"""Tiles and sets in the words of a sentence: an 8 of bamboos, a pung of red dragons."""

from collections import Counter
from collections.abc import Collection, Iterable

from scoring.hands import Kind, TileSet
from scoring.tiles import SUITS, TILE_NAMES, Tile, in_order


def listed(words: Iterable[str], *, last: str = "and") -> str:
    """Words in a row: `East, South and West`; at least one word."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def quantity(count: int, noun: str) -> str:
    """So many of a thing: `1 double`, `2 doubles`, `no jokers`; the noun takes an s."""
    if count == 1:
        return f"1 {noun}"
    return f"{f'{count:,}' if count else 'no'} {noun}s"


def times(count: int) -> str:
    """How often: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def with_article(name: str) -> str:
    """The name after `a` or `an`."""
    return f"an {name}" if name[0] in "8E" else f"a {name}"


def any_of(tiles: Collection[Tile]) -> str:
    """One of these tiles: `a 2, 3 or 8 of bamboos or a green dragon`; at least one tile."""
    names: list[str] = []
    for suit in SUITS:
        of_suit = [tile for tile in in_order(tiles) if tile[0] == suit]
        if of_suit:
            _number, _space, suit_name = TILE_NAMES[of_suit[0]].partition(" ")
            numbers = listed([tile[1] for tile in of_suit], last="or")
            names.append(with_article(f"{numbers} {suit_name}"))
    others = [tile for tile in in_order(tiles) if tile[0] not in SUITS]
    return listed([*names, *(with_article(TILE_NAMES[tile]) for tile in others)], last="or")


def set_names(groups: Iterable[TileSet]) -> str:
    """Several sets in words, equal ones together: `two chows 1 2 3 of circles and pung of …`."""
    counts = Counter(groups)
    return listed(
        set_name(group) if many == 1 else _several(many, set_name(group))
        for group, many in counts.items()
    )


def _several(many: int, name: str) -> str:
    kind, _space, rest = name.partition(" ")
    return f"{('two', 'three', 'four')[many - 2]} {kind}s {rest}"


def set_name(group: TileSet) -> str:
    """The set in words: `pung of 5s of circles`, `chow 1 2 3 of bamboos`, `pair of East winds`."""
    name = TILE_NAMES[group.tile]
    number, _space, rest = name.partition(" ")
    if group.kind is Kind.CHOW:
        return f"chow {' '.join(tile[1] for tile in group.tiles)} {rest}"
    several = f"{number}s {rest}" if number.isdigit() else f"{name}s"
    return f"{group.kind} of {several}"
