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
    join_words,
    read_set,
    set_codes,
    set_of,
)
from scoring.hands.problems import BadHand, Code, Problem, shorten
from scoring.hands.tiles import BONUS_TILES, SORT_ORDER, Tile, Wind, read_tile
from scoring.reading.checking import NO_SUCH_SET, UnreadFields, hand_problems
from scoring.rules.rule_set import RuleSet

_TILE_BY_CODE: Final = {str(tile): tile for tile in SORT_ORDER}
_SET_BY_TILES: Final = {
    (group.tiles, group.exposed): group
    for kind in (Kind.CHOW, Kind.PUNG, Kind.KONG)
    for exposed in (False, True)
    for group in map(set_of, set_codes(kind, exposed=exposed))
}
_PLAYER_COUNTS: Final = frozenset({2, 3, 4, 5})
_WIND_BY_CODE: Final = {wind.value: wind for wind in Wind}
_FACT_BY_NAME: Final = {fact.value: fact for fact in Fact}
_NULL: Final[dict[object, None]] = {None: None}
FieldT = TypeVar("FieldT")
FieldReader = Callable[["JsonFields", str, object], FieldT]
MemberT = TypeVar("MemberT", bound=StrEnum)


class _NotPlainError(ValueError):
    """The value is not of the plain form."""


def plain_hand(fields: object) -> Hand | None:
    """The hand of a line of `score`, its tiles unchecked; None where any field is odd."""
    if type(fields) is not dict:
        return None
    values = {}
    try:
        for name, value in fields.items():
            if name != "id":
                values[name] = _PARSERS[name](value)
    except (LookupError, TypeError, _NotPlainError):
        return None
    if "concealed" not in values or "mahjong" not in values:
        return None
    return Hand(**values)


def _parse_flag(value: object) -> bool:
    if value is True or value is False:
        return value
    raise _NotPlainError


def _parse_list(value: object) -> list[Any]:
    if type(value) is list:
        return value
    raise _NotPlainError


def _parse_tiles(value: object) -> tuple[Tile, ...]:
    return tuple(map(_TILE_BY_CODE.__getitem__, _parse_list(value)))


def _parse_sets(value: object) -> tuple[TileSet, ...]:
    groups = []
    for entry in _parse_list(value):
        if len(entry) > 2:
            raise _NotPlainError
        groups.append(
            _SET_BY_TILES[tuple(_parse_list(entry["tiles"])), _parse_flag(entry["exposed"])]
        )
    return tuple(groups)


def _parse_facts(value: object) -> frozenset[Fact]:
    return frozenset(map(_FACT_BY_NAME.__getitem__, _parse_list(value)))


def _parse_players(value: object) -> int:
    if type(value) is int and value in _PLAYER_COUNTS:
        return value
    raise _NotPlainError


_PARSERS: Final[dict[str, Callable[[Any], Any]]] = {
    "seat_wind": _WIND_BY_CODE.__getitem__,
    "prevailing_wind": (_NULL | _WIND_BY_CODE).__getitem__,
    "dealer": _parse_flag,
    "sets": _parse_sets,
    "concealed": _parse_tiles,
    "bonus": _parse_tiles,
    "mahjong": _parse_flag,
    "winning_tile": (_NULL | _TILE_BY_CODE).__getitem__,
    "won_by": (_NULL | {won_by.value: won_by for won_by in WonBy}).__getitem__,
    "facts": _parse_facts,
    "players": _parse_players,
    "goulash": _parse_flag,
}
HAND_FIELDS: Final = frozenset(_PARSERS)


class JsonFields:
    """The fields of one JSON object, read one by one while problems and notices are gathered."""

    def __init__(self, fields: object, expected: str) -> None:
        self.problems: list[Problem] = []
        self.notices: list[Problem] = []
        self.names: list[str] = []
        self.of_no_set: list[Tile] = []
        self.is_object = isinstance(fields, Mapping)
        self.raw_fields: Mapping[object, object] = fields if isinstance(fields, Mapping) else {}
        if not self.is_object:
            self.say(Code.NOT_AN_OBJECT, "", expected=expected)

    def say(self, code: Code, path: str, **params: int | str) -> None:
        self.problems.append(Problem(code, path, params))

    def bad_value(self, path: str, value: object, expected: str) -> None:
        """Note that the value is not what is expected there."""
        self.say(Code.BAD_VALUE, path, found=shorten(value), expected=expected)

    def take(self, path: str, inner: "JsonFields") -> None:
        """Note the problems and the notices of an object that stands in this one."""
        self.problems += [_nested_problem(path, problem) for problem in inner.problems]
        self.notices += [_nested_problem(path, notice) for notice in inner.notices]

    def notice_unknown(self, subject: str) -> None:
        """Note every field that was not read; `subject` is what the object describes."""
        for name in self.raw_fields:
            if name not in self.names and name != "id":
                field = shorten(name)
                # Which field was perhaps meant by one of another name.
                matches = get_close_matches(field, self.names, n=1)
                suggestion = f"the fields are {join_words(self.names)}"
                if matches:
                    suggestion = f"perhaps “{matches[0]}” was meant"
                params = {"field": field, "whole": subject, "meant": suggestion}
                self.notices.append(Problem(Code.UNKNOWN_FIELD, field, params))

    def required(self, name: str, reader: FieldReader[FieldT], *, default: FieldT) -> FieldT:
        """The field, read; `default` and a problem where it is missing."""
        self.names.append(name)
        if name in self.raw_fields:
            return reader(self, name, self.raw_fields[name])
        if self.is_object:
            self.say(Code.MISSING_FIELD, name, field=name)
        return default

    def optional(
        self, name: str, reader: FieldReader[FieldT], *, default: FieldT, null: bool = False
    ) -> FieldT:
        """The field, read; `default` where it is missing, or null where `null` is allowed."""
        self.names.append(name)
        if name not in self.raw_fields or (null and self.raw_fields[name] is None):
            return default
        return reader(self, name, self.raw_fields[name])


def _nested_problem(path: str, problem: Problem) -> Problem:
    return Problem(problem.code, f"{path}.{problem.path}".rstrip("."), problem.params)


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
    json_fields = JsonFields(fields, "the JSON object of a hand")
    seat = json_fields.optional("seat_wind", read_wind, default=Wind.E)
    hand = Hand(
        seat_wind=seat,
        prevailing_wind=json_fields.optional("prevailing_wind", read_wind, default=None, null=True),
        dealer=json_fields.optional("dealer", read_flag, default=seat is Wind.E),
        sets=json_fields.optional("sets", _read_sets, default=()),
        concealed=json_fields.required("concealed", _read_tiles, default=()),
        bonus=json_fields.optional("bonus", _read_tiles, default=()),
        mahjong=json_fields.required("mahjong", read_flag, default=False),
        winning_tile=json_fields.optional("winning_tile", _read_one_tile, default=None, null=True),
        won_by=json_fields.optional("won_by", read_won_by, default=None, null=True),
        facts=json_fields.optional("facts", _read_facts, default=frozenset()),
        players=json_fields.optional("players", _read_players, default=4),
        goulash=json_fields.optional("goulash", read_flag, default=False),
    )
    json_fields.notice_unknown("a hand")
    hand = replace(hand, notices=tuple(json_fields.notices))
    problems = json_fields.problems
    if json_fields.is_object:
        in_hand = [problem for problem in problems if problem.path.startswith("concealed.")]
        fields = {problem.path.partition(".")[0] for problem in problems if problem not in in_hand}
        unread = UnreadFields(frozenset(fields), len(in_hand), tuple(json_fields.of_no_set))
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


def read_wind(json_fields: JsonFields, path: str, value: object) -> Wind:
    """A wind by its letter."""
    if isinstance(value, str) and value in tuple(Wind):
        return Wind(value)
    json_fields.say(Code.BAD_WIND, path, found=shorten(value))
    return Wind.E


def read_flag(json_fields: JsonFields, path: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    json_fields.bad_value(path, value, "true or false")
    return False


def read_won_by(json_fields: JsonFields, path: str, value: object) -> WonBy | None:
    return _read_member(json_fields, path, value, WonBy)


def whole_number(value: object) -> int | None:
    """The value where it is a whole number, which true and false are not."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def read_items(
    json_fields: JsonFields, path: str, value: object, expected: str
) -> list[tuple[str, object]]:
    """The entries of a list, each with its path."""
    if isinstance(value, list | tuple):
        return [(f"{path}.{place}", entry) for place, entry in enumerate(value)]
    json_fields.bad_value(path, value, expected)
    return []


def _read_member(
    json_fields: JsonFields, path: str, value: object, members: type[MemberT]
) -> MemberT | None:
    if isinstance(value, str) and value in tuple(members):
        return members(value)
    json_fields.bad_value(path, value, f"one of {', '.join(members)}")
    return None


def _read_facts(json_fields: JsonFields, path: str, value: object) -> frozenset[Fact]:
    entries = read_items(json_fields, path, value, "a list of facts")
    return frozenset(
        fact for place, entry in entries if (fact := _read_member(json_fields, place, entry, Fact))
    )


def _read_players(json_fields: JsonFields, path: str, value: object) -> int:
    number = whole_number(value)
    if number in _PLAYER_COUNTS:
        return number or 4
    json_fields.bad_value(path, value, "2, 3, 4 or 5")
    return 4


def _read_one_tile(json_fields: JsonFields, path: str, value: object) -> Tile | None:
    tile = read_tile(value)
    if tile is None:
        json_fields.say(
            Code.UNKNOWN_TILE, path, found=shorten(value), expected="the code of a tile"
        )
    return tile


def _read_tiles(json_fields: JsonFields, path: str, value: object) -> tuple[Tile, ...]:
    entries = read_items(json_fields, path, value, "a list of tiles")
    return tuple(
        tile for place, entry in entries if (tile := _read_one_tile(json_fields, place, entry))
    )


def _read_sets(json_fields: JsonFields, path: str, value: object) -> tuple[TileSet, ...]:
    entries = read_items(json_fields, path, value, "a list of sets")
    return tuple(
        group for place, entry in entries if (group := _read_one_set(json_fields, place, entry))
    )


def _read_one_set(outer: JsonFields, path: str, value: object) -> TileSet | None:
    json_fields = JsonFields(value, "a set with “tiles” and “exposed”")
    tiles: tuple[Tile, ...] = json_fields.required("tiles", _read_tiles, default=())
    exposed = json_fields.required("exposed", read_flag, default=False)
    json_fields.notice_unknown("a set")
    outer.take(path, json_fields)
    if json_fields.problems:
        outer.of_no_set += tiles
        return None
    bonus = [tile for tile in tiles if tile in BONUS_TILES]
    for tile in bonus:
        outer.say(Code.BONUS_IN_HAND, f"{path}.tiles", tile=tile)
    tile_set = None if bonus else read_set(tiles, exposed=exposed)
    if tile_set is None:
        outer.of_no_set += tiles
    if tile_set is None and not bonus:
        tiles_shown = shorten(" ".join(tiles)) or "Nothing"
        outer.say(Code.BAD_SET, path, tiles=tiles_shown, reason=NO_SUCH_SET)
    return tile_set
