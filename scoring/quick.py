"""Reads a well-told hand at once; whatever is odd about another is left to `scoring.notation`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scoring.hands import Fact, Hand, Kind, TileSet, WonBy, codes_of, known_set
from scoring.tiles import IN_ORDER, Tile, Wind

_TILES: Final = {str(tile): tile for tile in IN_ORDER}
_SETS: Final = {
    (group.tiles, group.exposed): group
    for kind in (Kind.CHOW, Kind.PUNG, Kind.KONG)
    for exposed in (False, True)
    for group in map(known_set, codes_of(kind, exposed=exposed))
}
_PLAYERS: Final = frozenset({2, 3, 4, 5})
_REQUIRED: Final = frozenset({"concealed", "mahjong"})


class _OddError(ValueError):
    """The value is not of the plain form."""


def hand_told_plainly(fields: object) -> Hand | None:
    """The hand of a line of `score`, its tiles unchecked; None where any field is odd."""
    if not isinstance(fields, Mapping):
        return None
    try:
        told = {name: _READ[name](value) for name, value in fields.items() if name in _READ}
    except (LookupError, TypeError, _OddError):
        return None
    if not told.keys() >= _REQUIRED or len(told) + ("id" in fields) < len(fields):
        return None
    if "dealer" not in told:
        told["dealer"] = told.get("seat_wind", Wind.E) is Wind.E
    return Hand(**told)


def _flag(value: object) -> bool:
    if value is True or value is False:
        return value
    raise _OddError


def _list(value: object) -> list[Any]:
    if type(value) is list:
        return value
    raise _OddError


def _tiles(value: object) -> tuple[Tile, ...]:
    return tuple(map(_TILES.__getitem__, _list(value)))


def _sets(value: object) -> tuple[TileSet, ...]:
    return tuple(map(_set, _list(value)))


def _set(value: Any) -> TileSet:
    group = _SETS[tuple(_list(value["tiles"])), _flag(value["exposed"])]
    if len(value) > 2:
        raise _OddError
    return group


def _facts(value: object) -> frozenset[Fact]:
    return frozenset(map(_FACTS.__getitem__, _list(value)))


def _players(value: object) -> int:
    if type(value) is int and value in _PLAYERS:
        return value
    raise _OddError


_WINDS: Final = {wind.value: wind for wind in Wind}
_FACTS: Final = {fact.value: fact for fact in Fact}
_NO: Final[dict[object, None]] = {None: None}
_READ: Final[dict[str, Callable[[Any], Any]]] = {
    "seat_wind": _WINDS.__getitem__,
    "prevailing_wind": (_NO | _WINDS).__getitem__,
    "dealer": _flag,
    "sets": _sets,
    "concealed": _tiles,
    "bonus": _tiles,
    "mahjong": _flag,
    "winning_tile": (_NO | _TILES).__getitem__,
    "won_by": (_NO | {way.value: way for way in WonBy}).__getitem__,
    "facts": _facts,
    "players": _players,
    "goulash": _flag,
}
HAND_FIELDS: Final = frozenset(_READ)
