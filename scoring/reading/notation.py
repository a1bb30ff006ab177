"""Hands as JSON: read at once where every field is plain, else field by field; and written."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final, TypeVar

from scoring.hands.hand import (
    Fact,
    Hand,
    Kind,
    TileSet,
    WonBy,
    codes_of,
    known_set,
    listed,
    read_set,
)
from scoring.hands.problems import BadHand, Code, Problem, shown
from scoring.hands.tiles import BONUS_TILES, IN_ORDER, Tile, Wind, read_tile
from scoring.reading.checking import NO_SUCH_SET, Unread, hand_problems
from scoring.rules.rule_set import RuleSet

_TILES: Final = {str(tile): tile for tile in IN_ORDER}
_SETS: Final = {
    (group.tiles, group.exposed): group
    for kind in (Kind.CHOW, Kind.PUNG, Kind.KONG)
    for exposed in (False, True)
    for group in map(known_set, codes_of(kind, exposed=exposed))
}
_PLAYERS: Final = frozenset({2, 3, 4, 5})


class _OddError(ValueError):
    """The value is not of the plain form."""


def plain_hand(fields: object) -> Hand | None:
    """The hand of a line of `score`, its tiles unchecked; None where any field is odd."""
    if type(fields) is not dict:
        return None
    values = {}
    try:
        for name, value in fields.items():
            if name != "id":
                values[name] = _READ[name](value)
    except (LookupError, TypeError, _OddError):
        return None
    if "concealed" not in values or "mahjong" not in values:
        return None
    return Hand(**values)


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
    groups = []
    for entry in _list(value):
        if len(entry) > 2:
            raise _OddError
        groups.append(_SETS[tuple(_list(entry["tiles"])), _flag(entry["exposed"])])
    return tuple(groups)


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


T = TypeVar("T")
Read = Callable[["Fields", str, object], T]


class Fields:
    """The fields of one JSON object, read one by one while problems and notices are gathered."""

    def __init__(self, fields: object, expected: str) -> None:
        self.problems: list[Problem] = []
        self.notices: list[Problem] = []
        self.names: list[str] = []
        self.of_no_set: list[Tile] = []
        self.is_object = isinstance(fields, Mapping)
        self.given: Mapping[object, object] = fields if isinstance(fields, Mapping) else {}
        if not self.is_object:
            self.say(Code.NOT_AN_OBJECT, "", expected=expected)

    def say(self, code: Code, where: str, **params: int | str) -> None:
        self.problems.append(Problem(code, where, params))

    def bad_value(self, where: str, value: object, expected: str) -> None:
        """Note that the value is not what is expected there."""
        self.say(Code.BAD_VALUE, where, found=shown(value), expected=expected)

    def take(self, where: str, inner: "Fields") -> None:
        """Note the problems and the notices of an object that stands in this one."""
        self.problems += [_within(where, problem) for problem in inner.problems]
        self.notices += [_within(where, notice) for notice in inner.notices]

    def notice_unknown(self, whole: str) -> None:
        """Note every field that has not been read by now; `whole` is what the object describes."""
        for name in self.given:
            if name not in self.names and name != "id":
                field = shown(name)
                # Which field was perhaps meant by one of another name.
                near = get_close_matches(field, self.names, n=1)
                meant = f"the fields are {listed(self.names)}"
                if near:
                    meant = f"perhaps “{near[0]}” was meant"
                params = {"field": field, "whole": whole, "meant": meant}
                self.notices.append(Problem(Code.UNKNOWN_FIELD, field, params))

    def required(self, name: str, read: Read[T], *, default: T) -> T:
        """The field, read; `default` and a problem where it is missing."""
        self.names.append(name)
        if name in self.given:
            return read(self, name, self.given[name])
        if self.is_object:
            self.say(Code.MISSING_FIELD, name, field=name)
        return default

    def optional(self, name: str, read: Read[T], *, default: T, null: bool = False) -> T:
        """The field, read; `default` where it is missing, or null where `null` is allowed."""
        self.names.append(name)
        if name not in self.given or (null and self.given[name] is None):
            return default
        return read(self, name, self.given[name])


def _within(where: str, problem: Problem) -> Problem:
    return Problem(problem.code, f"{where}.{problem.where}".rstrip("."), problem.params)


def hand_from_json(fields: object, rules: RuleSet) -> Hand:
    """Read the fields of a line of `score`; BadHand has every problem of fields and tiles."""
    hand = plain_hand(fields)
    if hand is None:
        return _hand_by_fields(fields, rules)
    if problems := hand_problems(hand, rules):
        raise BadHand(problems)
    hand.mark_sound(rules)
    return hand


def _hand_by_fields(fields: object, rules: RuleSet) -> Hand:
    read = Fields(fields, "the JSON object of a hand")
    seat = read.optional("seat_wind", wind, default=Wind.E)
    hand = Hand(
        seat_wind=seat,
        prevailing_wind=read.optional("prevailing_wind", wind, default=None, null=True),
        dealer=read.optional("dealer", flag, default=seat is Wind.E),
        sets=read.optional("sets", _notation_sets, default=()),
        concealed=read.required("concealed", _notation_tiles, default=()),
        bonus=read.optional("bonus", _notation_tiles, default=()),
        mahjong=read.required("mahjong", flag, default=False),
        winning_tile=read.optional("winning_tile", _tile, default=None, null=True),
        won_by=read.optional("won_by", won_by, default=None, null=True),
        facts=read.optional("facts", _notation_facts, default=frozenset()),
        players=read.optional("players", _notation_players, default=4),
        goulash=read.optional("goulash", flag, default=False),
    )
    read.notice_unknown("a hand")
    hand = replace(hand, notices=tuple(read.notices))
    problems = read.problems
    if read.is_object:
        in_hand = [problem for problem in problems if problem.where.startswith("concealed.")]
        fields = {problem.where.partition(".")[0] for problem in problems if problem not in in_hand}
        unread = Unread(frozenset(fields), len(in_hand), tuple(read.of_no_set))
        problems = problems + hand_problems(hand, rules, unread)
    if problems:
        raise BadHand(problems)
    return hand


def hand_as_json(hand: Hand) -> dict[str, object]:
    """The fields of the hand; `hand_from_json` reads them back to the same hand."""
    return {
        "seat_wind": hand.seat_wind.value,
        "prevailing_wind": hand.prevailing_wind,
        "dealer": hand.dealer,
        "sets": [tile_set.as_json() for tile_set in hand.sets],
        "concealed": list(hand.concealed),
        "bonus": list(hand.bonus),
        "mahjong": hand.mahjong,
        "winning_tile": hand.winning_tile,
        "won_by": hand.won_by,
        "facts": sorted(hand.facts),
        "players": hand.players,
        "goulash": hand.goulash,
    }


def wind(read: Fields, where: str, value: object) -> Wind:
    """A wind by its letter."""
    if isinstance(value, str) and value in tuple(Wind):
        return Wind(value)
    read.say(Code.BAD_WIND, where, found=shown(value))
    return Wind.E


def flag(read: Fields, where: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    read.bad_value(where, value, "true or false")
    return False


def won_by(read: Fields, where: str, value: object) -> WonBy | None:
    return _member(read, where, value, WonBy)


def whole_number(value: object) -> int | None:
    """The value where it is a whole number, which true and false are not."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def items(read: Fields, where: str, value: object, expected: str) -> list[tuple[str, object]]:
    """The entries of a list, each with its path."""
    if isinstance(value, list | tuple):
        return [(f"{where}.{place}", entry) for place, entry in enumerate(value)]
    read.bad_value(where, value, expected)
    return []


Member = TypeVar("Member", bound=StrEnum)


def _member(read: Fields, where: str, value: object, members: type[Member]) -> Member | None:
    if isinstance(value, str) and value in tuple(members):
        return members(value)
    read.bad_value(where, value, f"one of {', '.join(members)}")
    return None


def _notation_facts(read: Fields, where: str, value: object) -> frozenset[Fact]:
    entries = items(read, where, value, "a list of facts")
    return frozenset(fact for at, entry in entries if (fact := _member(read, at, entry, Fact)))


def _notation_players(read: Fields, where: str, value: object) -> int:
    number = whole_number(value)
    if number in _PLAYERS:
        return number or 4
    read.bad_value(where, value, "2, 3, 4 or 5")
    return 4


def _tile(read: Fields, where: str, value: object) -> Tile | None:
    tile = read_tile(value)
    if tile is None:
        read.say(Code.UNKNOWN_TILE, where, found=shown(value), expected="the code of a tile")
    return tile


def _notation_tiles(read: Fields, where: str, value: object) -> tuple[Tile, ...]:
    entries = items(read, where, value, "a list of tiles")
    return tuple(tile for place, entry in entries if (tile := _tile(read, place, entry)))


def _notation_sets(read: Fields, where: str, value: object) -> tuple[TileSet, ...]:
    entries = items(read, where, value, "a list of sets")
    return tuple(group for place, entry in entries if (group := _notation_set(read, place, entry)))


def _notation_set(outer: Fields, where: str, value: object) -> TileSet | None:
    read = Fields(value, "a set with “tiles” and “exposed”")
    tiles: tuple[Tile, ...] = read.required("tiles", _notation_tiles, default=())
    exposed = read.required("exposed", flag, default=False)
    read.notice_unknown("a set")
    outer.take(where, read)
    if read.problems:
        outer.of_no_set += tiles
        return None
    bonus = [tile for tile in tiles if tile in BONUS_TILES]
    for tile in bonus:
        outer.say(Code.BONUS_IN_HAND, f"{where}.tiles", tile=tile)
    tile_set = None if bonus else read_set(tiles, exposed=exposed)
    if tile_set is None:
        outer.of_no_set += tiles
    if tile_set is None and not bonus:
        tiles_shown = shown(" ".join(tiles)) or "Nothing"
        outer.say(Code.BAD_SET, where, tiles=tiles_shown, reason=NO_SUCH_SET)
    return tile_set
