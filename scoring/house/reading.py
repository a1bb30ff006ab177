"""House rules read from data, with every problem of the data."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeVar, cast

from scoring.hands.problems import BadInput
from scoring.house.declared import (
    EVERY_HAND,
    LIMITED,
    SETS_VOCABULARY,
    VOCABULARY,
    Bounds,
    Discarder,
    HandValue,
    HouseHand,
    HouseLine,
    HouseRules,
    Least,
    PassingChanges,
    PaymentsChanges,
    Worth,
)
from scoring.house.effects import unscored
from scoring.reading.notation import Fields, flag, items, whole_number
from scoring.rules.declarations import Fixed, Form, Share, Value, Who
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import BadPattern, listed
from scoring.rulesets import UnknownRuleSet, rule_set

FIELDS: Final = (
    *("base", "name", "limit", "limits", "choices", "points", "more_points"),
    *("doubles", "more_doubles", "without", "values", "fishing", "bonus_tiles_beside", "specials"),
    *("chows", "one_suit", "minimum", "minimum_with_two", "losers_score", "payments", "passing"),
)
_HAND_FIELDS: Final = (
    *("key", "name", "tiles", "pungs", "any"),
    *("when", "won", "fishing", "concealed"),
)
_MADE_OF: Final = {"tiles": None, "pungs": Form.PUNGS, "any": Form.ANY}
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")
_MOST: Final = 1_000_000
_MOST_DOUBLES: Final = 20
_MOST_TIMES: Final = 10
_MOST_CHOWS: Final = 4
_MOST_SEATS: Final = 4
_LONGEST_RUN: Final = 99
_LONGEST_NAME: Final = 60

T = TypeVar("T")


class BadHouseRules(BadInput):
    """House rules that cannot be played; carries every problem found."""


def read_house_rules(data: object, *, kept: bool = False) -> HouseRules:
    """The house rules that the data declares.

    Rules that were `kept` before are read as they were then; of new ones each number must be able
    to count. Raises BadHouseRules with every problem of the data.
    """
    read = Fields(data, "the JSON object of a club's house rules")
    base = read.required("base", _base, default=None)
    if base is None:
        raise BadHouseRules(read.problems)
    _known_fields(read, "", read.given, FIELDS)
    reading = _Reading(base)
    as_in_the_book: PaymentsChanges | None = PaymentsChanges()
    house = HouseRules(
        base=base.key,
        name=read.optional("name", _name, default=f"{base.name} (house rules)"),
        limit=read.optional("limit", _or_none(_limit), default=base.limit),
        choices=read.optional("choices", reading.choices, default={}),
        points=read.optional("points", reading.points, default={}),
        more_points=read.optional("more_points", reading.more_points, default=()),
        doubles=read.optional("doubles", reading.doubles, default={}),
        more_doubles=read.optional("more_doubles", reading.more_doubles, default=()),
        without=read.optional("without", reading.without, default=()),
        values=read.optional("values", reading.values, default={}),
        specials=read.optional("specials", reading.specials, default=()),
        bounds=reading.bounds(read),
        payments=read.optional("payments", reading.payments, default=as_in_the_book),
        passing=read.optional("passing", reading.passing, default=PassingChanges()),
    )
    if not read.problems and not kept:
        for value in unscored(house, base):
            read.bad_value(*value)
    if read.problems:
        raise BadHouseRules(read.problems)
    return house


def _base(read: Fields, where: str, value: object) -> RuleSet | None:
    try:
        return rule_set(str(value))
    except UnknownRuleSet as unknown:
        read.bad_value(where, value, f"the key of a rule set. {str(unknown).rstrip('.')}")
        return None


class _Reading:
    """Reads what must fit the rule set that the house rules are made from."""

    def __init__(self, base: RuleSet) -> None:
        self.base = base
        self.sets = {line.name for line in base.set_points}
        self.hands = [hand.key for hand in base.doubled_hands]
        self.hands += [hand.key for hand in base.specials]
        also = [line for hand in base.doubled_hands for line in hand.also]
        self.lines_of_points = [line.name for line in base.set_points]
        self.lines_of_points += [line.name for line in (*base.points, *also)]
        self.lines_of_points += [base.bonus_points.name] if base.bonus_points else []
        self.lines_of_doubles = [line.name for line in base.set_doubles]
        self.lines_of_doubles += [line.name for line in base.doubles]

    def choices(self, read: Fields, where: str, value: object) -> Mapping[str, bool | int]:
        """Open points of the base and how they are played."""

        def played(read: Fields, where: str, value: object) -> bool | int:
            if isinstance(self.base.choice[where.partition(".")[2]], bool):
                return flag(read, where, value)
            return _number(read, where, value, most=_MOST_DOUBLES)

        return _by_name(read, where, value, self.base.choice, played)

    def points(self, read: Fields, where: str, value: object) -> Mapping[str, Worth]:
        """Points by line; two numbers for an exposed and a concealed set."""

        def worth(read: Fields, where: str, value: object) -> Worth:
            of_sets = where.partition(".")[2] in self.sets
            if not (of_sets and isinstance(value, list)):
                points = _number(read, where, value)
                return points, points
            both = [_number(read, *entry) for entry in items(read, where, value, "two numbers")]
            if len(both) != 2:
                read.bad_value(where, value, "the points of an exposed and of a concealed set")
                return 0, 0
            return both[0], both[1]

        return _by_name(read, where, value, self.lines_of_points, worth)

    def doubles(self, read: Fields, where: str, value: object) -> Mapping[str, int]:
        """Doubles by line."""
        doubles = partial(_number, most=_MOST_DOUBLES)
        return _by_name(read, where, value, self.lines_of_doubles, doubles)

    def more_points(self, read: Fields, where: str, value: object) -> tuple[HouseLine, ...]:
        """Lines of points that the book does not have."""
        return _lines(read, where, value, self.lines_of_points, "points")

    def more_doubles(self, read: Fields, where: str, value: object) -> tuple[HouseLine, ...]:
        """Lines of doubles that the book does not have."""
        if self.base.adding:
            read.bad_value(where, value, f"left out: {self.base.name} only add up points")
            return ()
        return _lines(read, where, value, self.lines_of_doubles, "doubles")

    def values(self, read: Fields, where: str, value: object) -> Mapping[str, HandValue]:
        """What special hands of the base are worth instead."""
        doubled = {hand.key for hand in self.base.doubled_hands}

        def worth(read: Fields, where: str, value: object) -> HandValue:
            if where.partition(".")[2] in doubled:
                worth = _read_by(read, where, value, {"doubles": _doubles})
            else:
                readers = {"won": self._value, "fishing": _or_none(self._fishing)}
                worth = _read_by(read, where, value, readers)
            return cast("HandValue", worth)

        return _by_name(read, where, value, self.hands, worth)

    def bounds(self, read: Fields) -> Bounds:
        """What a Mah-Jong may be and must reach, and who scores: fields of the rules themselves."""
        readers: dict[str, Callable[[Fields, str, object], Any]] = {
            "limits": self._limits,
            "chows": _chows,
            "one_suit": _one_suit,
            "minimum": _or_none(self._least),
            "minimum_with_two": _or_none(self._least),
            "losers_score": self._losers,
            "fishing": flag,
            "bonus_tiles_beside": self._beside,
        }
        given = {name: read.given[name] for name in readers if name in read.given}
        return cast(
            "Bounds", {name: readers[name](read, name, value) for name, value in given.items()}
        )

    def _limits(self, read: Fields, where: str, value: object) -> Mapping[str, int | None]:
        """The most of a kind of hand; null for none."""
        if self.base.adding:
            read.bad_value(where, value, f"left out: {self.base.name} have one limit for all")
            return {}
        if value is None:
            return dict.fromkeys(LIMITED)
        return _by_name(read, where, value, LIMITED, _or_none(_limit))

    def _least(self, read: Fields, where: str, value: object) -> Least:
        """Doubles or points that a Mah-Jong must reach."""
        fields = ("points",) if self.base.adding else ("doubles", "points")
        least = _by_name(read, where, value, fields, partial(_number, least=1))
        if not least:
            read.bad_value(where, value, "the least doubles or points, or null for none")
        return Least(least.get("doubles"), least.get("points"))

    def _losers(self, read: Fields, where: str, value: object) -> bool:
        if self.base.losers.unless:
            read.bad_value(where, value, "left out: an open point of the rule book says it")
        return flag(read, where, value)

    def _beside(self, read: Fields, where: str, value: object) -> bool:
        if self.base.special_rules is None or self.base.bonus_points is None:
            expected = f"left out: {self.base.name} have no values of special hands to add to"
            read.bad_value(where, value, expected)
        return flag(read, where, value)

    def payments(self, read: Fields, where: str, value: object) -> PaymentsChanges | None:
        """Who pays whom, where anyone does; null where nobody pays."""
        if value is None:
            return None
        if self.base.payments is None:
            read.bad_value(where, value, f"left out: under {self.base.name} nobody pays")
        readers: Mapping[str, Callable[[Fields, str, object], Any]] = {
            "east": partial(_number, least=1, most=_MOST_TIMES),
            "with_two": flag,
            "losers_settle": flag,
            "discarder": _or_none(_discarder),
            "unclaimed": partial(_number, least=1, most=_MOST_TIMES),
        }
        return cast("PaymentsChanges", _read_by(read, where, value, readers))

    def passing(self, read: Fields, where: str, value: object) -> PassingChanges:
        """How the winds and the deal move."""
        readers = {
            "goulash": flag,
            "prevailing": self._prevailing,
            "draw_moves": flag,
            "most_hands": _or_none(_run),
            "most_wins": _or_none(_run),
            "most_draws": _or_none(partial(_number, least=2, most=_LONGEST_RUN)),
        }
        return cast("PassingChanges", _read_by(read, where, value, readers))

    def _prevailing(self, read: Fields, where: str, value: object) -> bool:
        prevails = flag(read, where, value)
        if prevails and not self.base.passing.prevailing:
            read.bad_value(where, value, f"left out: under {self.base.name} no wind prevails")
        return prevails

    def without(self, read: Fields, where: str, value: object) -> tuple[str, ...]:
        """Keys of special hands of the base."""
        return _names(read, where, value, self.hands)

    def specials(self, read: Fields, where: str, value: object) -> tuple[HouseHand, ...]:
        """The club's own special hands, each with a key of its own."""
        hands: list[HouseHand] = []
        taken = [*self.hands]
        for place, entry in items(read, where, value, "a list of special hands"):
            if hand := self._hand(read, place, entry, taken):
                hands.append(hand)
                taken.append(hand.key)
        return tuple(hands)

    def _hand(
        self, outer: Fields, where: str, value: object, taken: Collection[str]
    ) -> HouseHand | None:
        read = Fields(value, "a special hand")
        _known_fields(read, "", read.given, _HAND_FIELDS)
        key = read.required("key", _key, default="")
        tiles = read.optional("tiles", _tiles, default=None)
        nothing: tuple[str, ...] = ()
        pungs = read.optional("pungs", _conditions, default=nothing)
        of_any = read.optional("any", _conditions, default=nothing)
        when = read.optional("when", _conditions, default=nothing)
        made_of = [name for name in _MADE_OF if name in read.given]
        if read.is_object and len(made_of) != 1:
            read.bad_value("", key or "This hand", "made of either “tiles”, “pungs” or “any”")
        if key in taken:
            read.bad_value("key", key, "a key that no other hand has")
        no_value: Value = Fixed(0)
        hand = HouseHand(
            key=key,
            name=read.required("name", _name, default=""),
            tiles=tiles,
            when=(*pungs, *of_any, *when),
            won=read.required("won", self._value, default=no_value),
            fishing=read.optional("fishing", self._fishing, default=None, null=True),
            concealed=read.optional("concealed", flag, default=False),
            form=_MADE_OF[made_of[0]] if made_of else None,
        )
        outer.take(where, read)
        return None if read.problems else hand

    def _fishing(self, read: Fields, where: str, value: object) -> Value:
        """The same, where the rules give anything to a hand that is one tile short."""
        if self.base.adding:
            read.bad_value(where, value, "left out: these rules only add up what is whole")
        return self._value(read, where, value)

    def _value(self, read: Fields, where: str, value: object) -> Value:
        """Points, or a share of the limit."""
        if not isinstance(value, Mapping):
            return Fixed(_number(read, where, value, least=1))
        share = value.get("share")
        numbers = [whole_number(part) for part in share] if isinstance(share, list) else []
        if len(numbers) != 2 or len(value) > 1 or not all(part and part > 0 for part in numbers):
            read.bad_value(where, value, 'points, or a share of the limit like {"share": [1, 2]}')
            return Fixed(0)
        if self.base.limit is None:
            read.bad_value(where, value, f"points: {self.base.name} have no limit")
            return Fixed(0)
        return Share(numbers[0] or 1, numbers[1] or 1)


def _known_fields(
    read: Fields, where: str, given: Iterable[object], known: Collection[str]
) -> None:
    for name in given:
        if name not in known:
            read.bad_value(f"{where}{name}", name, f"one of {', '.join(known)}")


def _by_name(
    read: Fields,
    where: str,
    value: object,
    names: Collection[str],
    read_one: Callable[[Fields, str, object], T],
) -> dict[str, T]:
    """What is said under each name, where the names are among those known."""
    if not isinstance(value, Mapping):
        read.bad_value(where, value, "an object by name")
        return {}
    _known_fields(read, f"{where}.", value, names)
    return {
        name: read_one(read, f"{where}.{name}", entry)
        for name, entry in value.items()
        if name in names
    }


def _read_by(
    read: Fields,
    where: str,
    value: object,
    readers: Mapping[str, Callable[[Fields, str, object], Any]],
) -> dict[str, Any]:
    """What is said under each of these names, read as that name is."""

    def read_named(read: Fields, where: str, value: object) -> object:
        return readers[where.rpartition(".")[2]](read, where, value)

    return _by_name(read, where, value, readers, read_named)


def _or_none(
    reader: Callable[[Fields, str, object], T],
) -> Callable[[Fields, str, object], T | None]:
    """The reader, of null too."""

    def read_or_none(read: Fields, where: str, value: object) -> T | None:
        return None if value is None else reader(read, where, value)

    return read_or_none


def _names(read: Fields, where: str, value: object, known: Collection[str]) -> tuple[str, ...]:
    entries = items(read, where, value, "a list of names")
    for place, entry in entries:
        if entry not in known:
            read.bad_value(place, entry, f"one of {', '.join(known)}")
    return tuple(entry for _place, entry in entries if isinstance(entry, str) and entry in known)


def _conditions(read: Fields, where: str, value: object) -> tuple[str, ...]:
    return _names(read, where, value, VOCABULARY)


def _key(read: Fields, where: str, value: object) -> str:
    if isinstance(value, str) and _KEY.fullmatch(value):
        return value
    read.bad_value(where, value, "small letters, digits and _, such as gerties_garter")
    return ""


def _name(read: Fields, where: str, value: object) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if 0 < len(name) <= _LONGEST_NAME and name.isprintable():
        return name
    read.bad_value(where, value, f"a name of {_LONGEST_NAME} characters or fewer")
    return ""


def _tiles(read: Fields, where: str, value: object) -> str | None:
    if not isinstance(value, str):
        read.bad_value(where, value, "the tiles of a hand, such as a1-7 b1-7")
        return None
    try:
        listed("", value)
    except BadPattern as bad:
        read.bad_value(where, "This", f"fourteen tiles of a hand. {str(bad).rstrip('.')}")
        return None
    return value


def _number(read: Fields, where: str, value: object, *, least: int = 0, most: int = _MOST) -> int:
    number = whole_number(value)
    if number is not None and least <= number <= most:
        return number
    read.bad_value(where, value, f"a whole number from {least} to {most:,}")
    return 0


def _doubles(read: Fields, where: str, value: object) -> int:
    return _number(read, where, value, least=1, most=_MOST_DOUBLES)


def _run(read: Fields, where: str, value: object) -> int:
    return _number(read, where, value, least=1, most=_LONGEST_RUN)


def _limit(read: Fields, where: str, value: object) -> int:
    return _number(read, where, value, least=1)


def _chows(read: Fields, where: str, value: object) -> dict[str, Any]:
    """The most chows of a Mah-Jong, null for any number; with fewer players, and in a goulash."""
    most = _or_none(partial(_number, most=_MOST_CHOWS))
    if not isinstance(value, Mapping):
        return {"most": most(read, where, value)}
    players = _or_none(partial(_number, least=2, most=_MOST_SEATS))
    return _read_by(read, where, value, {"most": most, "players": players, "in_a_goulash": flag})


def _one_suit(read: Fields, where: str, value: object) -> bool | str:
    """Whether a Mah-Jong is of one suit: unless it is a special hand, or every hand."""
    return EVERY_HAND if value == EVERY_HAND else flag(read, where, value)


def _discarder(read: Fields, where: str, value: object) -> Discarder:
    """Who pays for a claimed winning tile."""
    if value == "for_all":
        return Discarder("for_all")
    if isinstance(value, Mapping) and len(value) == 1:
        how, times = next(iter(value.items()))
        if how in {"alone", "times"}:
            least = 1 if how == "alone" else 2
            return Discarder(how, _number(read, where, times, least=least, most=_MOST_TIMES))
    read.bad_value(where, value, 'null, “for_all”, {"alone": 2} or {"times": 2}')
    return Discarder("for_all")


def _lines(
    read: Fields, where: str, value: object, taken: Iterable[str], of: str
) -> tuple[HouseLine, ...]:
    """The club's own lines of points or doubles, each with a name of its own."""
    names, lines = {*taken}, []
    for place, entry in items(read, where, value, "a list of lines"):
        inner = Fields(entry, f"a line of {of}")
        line = _line(inner, of)
        if line.name in names:
            inner.bad_value("name", line.name, "a name that no other line has")
        names.add(line.name)
        read.take(place, inner)
        lines.append(line)
    return tuple(lines)


def _line(read: Fields, of: str) -> HouseLine:
    nothing: tuple[str, ...] = ()
    _known_fields(read, "", read.given, ("name", "when", "sets", of, "who"))
    line = HouseLine(
        name=read.required("name", _name, default=""),
        when=read.optional("when", _conditions, default=nothing),
        sets=read.optional("sets", _set_conditions, default=nothing),
        worth=(0, 0),
        who=read.optional("who", _who, default=Who.WINNER),
    )
    if read.is_object and not read.problems and bool(line.when) == bool(line.sets):
        read.bad_value("", line.name, "either for a hand (“when”) or for each set (“sets”)")
    if line.sets and "who" in read.given:
        read.bad_value(
            "who", read.given["who"], "left out: a set counts for every player who scores"
        )
    if of == "doubles":
        doubles = read.required("doubles", _doubles, default=1)
        return line._replace(worth=(doubles, doubles))
    worth = _worth_of_sets if line.sets else _points_of_hands
    return line._replace(worth=read.required("points", worth, default=(1, 1)))


def _points_of_hands(read: Fields, where: str, value: object) -> Worth:
    points = _number(read, where, value, least=1)
    return points, points


def _worth_of_sets(read: Fields, where: str, value: object) -> Worth:
    """Points of an exposed and of a concealed set, one number where they are the same."""
    if not isinstance(value, list):
        return _points_of_hands(read, where, value)
    both = [_number(read, *entry) for entry in items(read, where, value, "two numbers")]
    if len(both) == 2 and any(both):
        return both[0], both[1]
    read.bad_value(where, value, "the points of an exposed and of a concealed set")
    return 0, 0


def _who(read: Fields, where: str, value: object) -> Who:
    if value in {Who.WINNER.value, Who.EVERYONE.value}:
        return Who(value)
    read.bad_value(where, value, "“winner” or “everyone”")
    return Who.WINNER


def _set_conditions(read: Fields, where: str, value: object) -> tuple[str, ...]:
    return _names(read, where, value, SETS_VOCABULARY)
