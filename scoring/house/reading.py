"""House rules read from data, with every problem of the data."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeVar, cast

from scoring.hands.problems import BadInput
from scoring.house.declared import (
    EVERY_HAND,
    LIMIT_KINDS,
    SETS_VOCABULARY,
    VOCABULARY,
    Bounds,
    Discarder,
    HandValue,
    HouseHand,
    HouseLine,
    HouseRules,
    LeastScore,
    PassingChanges,
    PaymentsChanges,
    SetWorth,
)
from scoring.house.effects import unscored_values
from scoring.reading.notation import JsonFields, read_flag, read_items, whole_number
from scoring.rules.declarations import Fixed, Form, Share, Value, Who
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import BadPattern, listed_shape
from scoring.rulesets import UnknownRuleSet, rule_set

HOUSE_FIELDS: Final = (
    *("base", "name", "limit", "limits", "choices", "points", "more_points"),
    *("doubles", "more_doubles", "without", "values", "fishing", "bonus_tiles_beside", "specials"),
    *("chows", "one_suit", "minimum", "minimum_with_two", "losers_score", "payments", "passing"),
)
_HAND_FIELDS: Final = (
    *("key", "name", "tiles", "pungs", "any"),
    *("when", "won", "fishing", "concealed"),
)
_FORM_FIELDS: Final = {"tiles": None, "pungs": Form.PUNGS, "any": Form.ANY}
_KEY_PATTERN: Final = re.compile(r"[a-z][a-z0-9_]*")
_MAX_NUMBER: Final = 1_000_000
_MAX_DOUBLES: Final = 20
_MAX_TIMES: Final = 10
_MAX_CHOWS: Final = 4
_MAX_SEATS: Final = 4
_MAX_RUN: Final = 99
_MAX_NAME_LENGTH: Final = 60

EntryT = TypeVar("EntryT")


class BadHouseRules(BadInput):
    """House rules that cannot be played; carries every problem found."""


def read_house_rules(data: object, *, is_stored: bool = False) -> HouseRules:
    """The house rules that the data declares.

    Rules that were `is_stored` before are read as they were then; of new ones each number must be
    able to count. Raises BadHouseRules with every problem of the data.
    """
    json_fields = JsonFields(data, "the JSON object of a club's house rules")
    base = json_fields.required("base", _read_base, default=None)
    if base is None:
        raise BadHouseRules(json_fields.problems)
    _check_field_names(json_fields, "", json_fields.raw_fields, HOUSE_FIELDS)
    reading = _HouseReader(base)
    as_in_the_book: PaymentsChanges | None = PaymentsChanges()
    house = HouseRules(
        base=base.key,
        name=json_fields.optional("name", _read_name, default=f"{base.name} (house rules)"),
        limit=json_fields.optional("limit", _nullable(_read_limit), default=base.limit),
        choices=json_fields.optional("choices", reading.choices, default={}),
        points=json_fields.optional("points", reading.points, default={}),
        more_points=json_fields.optional("more_points", reading.more_points, default=()),
        doubles=json_fields.optional("doubles", reading.doubles, default={}),
        more_doubles=json_fields.optional("more_doubles", reading.more_doubles, default=()),
        without=json_fields.optional("without", reading.without, default=()),
        values=json_fields.optional("values", reading.values, default={}),
        specials=json_fields.optional("specials", reading.specials, default=()),
        bounds=reading.bounds(json_fields),
        payments=json_fields.optional("payments", reading.payments, default=as_in_the_book),
        passing=json_fields.optional("passing", reading.passing, default=PassingChanges()),
    )
    if not json_fields.problems and not is_stored:
        for value in unscored_values(house, base):
            json_fields.bad_value(*value)
    if json_fields.problems:
        raise BadHouseRules(json_fields.problems)
    return house


def _read_base(json_fields: JsonFields, path: str, value: object) -> RuleSet | None:
    try:
        return rule_set(str(value))
    except UnknownRuleSet as unknown:
        json_fields.bad_value(path, value, f"the key of a rule set. {str(unknown).rstrip('.')}")
        return None


class _HouseReader:
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

    def choices(
        self, json_fields: JsonFields, path: str, value: object
    ) -> Mapping[str, bool | int]:
        """Open points of the base and how they are played."""

        def read_choice(json_fields: JsonFields, path: str, value: object) -> bool | int:
            if isinstance(self.base.choice[path.partition(".")[2]], bool):
                return read_flag(json_fields, path, value)
            return _read_number(json_fields, path, value, most=_MAX_DOUBLES)

        return _read_by_name(json_fields, path, value, self.base.choice, read_choice)

    def points(self, json_fields: JsonFields, path: str, value: object) -> Mapping[str, SetWorth]:
        """Points by line; two numbers for an exposed and a concealed set."""

        def worth(json_fields: JsonFields, path: str, value: object) -> SetWorth:
            of_sets = path.partition(".")[2] in self.sets
            if not (of_sets and isinstance(value, list)):
                points = _read_number(json_fields, path, value)
                return points, points
            numbers = [
                _read_number(json_fields, *entry)
                for entry in read_items(json_fields, path, value, "two numbers")
            ]
            if len(numbers) != 2:
                json_fields.bad_value(
                    path, value, "the points of an exposed and of a concealed set"
                )
                return 0, 0
            return numbers[0], numbers[1]

        return _read_by_name(json_fields, path, value, self.lines_of_points, worth)

    def doubles(self, json_fields: JsonFields, path: str, value: object) -> Mapping[str, int]:
        """Doubles by line."""
        doubles = partial(_read_number, most=_MAX_DOUBLES)
        return _read_by_name(json_fields, path, value, self.lines_of_doubles, doubles)

    def more_points(
        self, json_fields: JsonFields, path: str, value: object
    ) -> tuple[HouseLine, ...]:
        """Lines of points that the book does not have."""
        return _read_lines(json_fields, path, value, self.lines_of_points, "points")

    def more_doubles(
        self, json_fields: JsonFields, path: str, value: object
    ) -> tuple[HouseLine, ...]:
        """Lines of doubles that the book does not have."""
        if self.base.adding:
            json_fields.bad_value(path, value, f"left out: {self.base.name} only add up points")
            return ()
        return _read_lines(json_fields, path, value, self.lines_of_doubles, "doubles")

    def values(self, json_fields: JsonFields, path: str, value: object) -> Mapping[str, HandValue]:
        """What special hands of the base are worth instead."""
        doubled_keys = {hand.key for hand in self.base.doubled_hands}

        def worth(json_fields: JsonFields, path: str, value: object) -> HandValue:
            if path.partition(".")[2] in doubled_keys:
                worth = _read_fields(json_fields, path, value, {"doubles": _read_doubles})
            else:
                readers = {"won": self._value, "fishing": _nullable(self._fishing)}
                worth = _read_fields(json_fields, path, value, readers)
            return cast("HandValue", worth)

        return _read_by_name(json_fields, path, value, self.hands, worth)

    def bounds(self, json_fields: JsonFields) -> Bounds:
        """What a Mah-Jong may be and must reach, and who scores: fields of the rules themselves."""
        readers: dict[str, Callable[[JsonFields, str, object], Any]] = {
            "limits": self._limits,
            "chows": _read_chows,
            "one_suit": _read_one_suit,
            "minimum": _nullable(self._least),
            "minimum_with_two": _nullable(self._least),
            "losers_score": self._losers,
            "fishing": read_flag,
            "bonus_tiles_beside": self._bonus_tiles_flag,
        }
        given_bounds = {
            name: json_fields.raw_fields[name] for name in readers if name in json_fields.raw_fields
        }
        return cast(
            "Bounds",
            {name: readers[name](json_fields, name, value) for name, value in given_bounds.items()},
        )

    def _limits(
        self, json_fields: JsonFields, path: str, value: object
    ) -> Mapping[str, int | None]:
        """The most of a kind of hand; null for none."""
        if self.base.adding:
            json_fields.bad_value(path, value, f"left out: {self.base.name} have one limit for all")
            return {}
        if value is None:
            return dict.fromkeys(LIMIT_KINDS)
        return _read_by_name(json_fields, path, value, LIMIT_KINDS, _nullable(_read_limit))

    def _least(self, json_fields: JsonFields, path: str, value: object) -> LeastScore:
        """Doubles or points that a Mah-Jong must reach."""
        fields = ("points",) if self.base.adding else ("doubles", "points")
        least = _read_by_name(json_fields, path, value, fields, partial(_read_number, least=1))
        if not least:
            json_fields.bad_value(path, value, "the least doubles or points, or null for none")
        return LeastScore(least.get("doubles"), least.get("points"))

    def _losers(self, json_fields: JsonFields, path: str, value: object) -> bool:
        if self.base.losers.unless:
            json_fields.bad_value(path, value, "left out: an open point of the rule book says it")
        return read_flag(json_fields, path, value)

    def _bonus_tiles_flag(self, json_fields: JsonFields, path: str, value: object) -> bool:
        if self.base.special_rules is None or self.base.bonus_points is None:
            expected = f"left out: {self.base.name} have no values of special hands to add to"
            json_fields.bad_value(path, value, expected)
        return read_flag(json_fields, path, value)

    def payments(self, json_fields: JsonFields, path: str, value: object) -> PaymentsChanges | None:
        """Who pays whom, where anyone does; null where nobody pays."""
        if value is None:
            return None
        if self.base.payments is None:
            json_fields.bad_value(path, value, f"left out: under {self.base.name} nobody pays")
        readers: Mapping[str, Callable[[JsonFields, str, object], Any]] = {
            "east": partial(_read_number, least=1, most=_MAX_TIMES),
            "with_two": read_flag,
            "losers_settle": read_flag,
            "discarder": _nullable(_read_discarder),
            "unclaimed": partial(_read_number, least=1, most=_MAX_TIMES),
        }
        return cast("PaymentsChanges", _read_fields(json_fields, path, value, readers))

    def passing(self, json_fields: JsonFields, path: str, value: object) -> PassingChanges:
        """How the winds and the deal move."""
        readers = {
            "goulash": read_flag,
            "prevailing": self._prevailing,
            "draw_moves": read_flag,
            "most_hands": _nullable(_read_run),
            "most_wins": _nullable(_read_run),
            "most_draws": _nullable(partial(_read_number, least=2, most=_MAX_RUN)),
        }
        return cast("PassingChanges", _read_fields(json_fields, path, value, readers))

    def _prevailing(self, json_fields: JsonFields, path: str, value: object) -> bool:
        prevails = read_flag(json_fields, path, value)
        if prevails and not self.base.passing.prevailing:
            json_fields.bad_value(path, value, f"left out: under {self.base.name} no wind prevails")
        return prevails

    def without(self, json_fields: JsonFields, path: str, value: object) -> tuple[str, ...]:
        """Keys of special hands of the base."""
        return _read_names(json_fields, path, value, self.hands)

    def specials(self, json_fields: JsonFields, path: str, value: object) -> tuple[HouseHand, ...]:
        """The club's own special hands, each with a key of its own."""
        hands: list[HouseHand] = []
        used_keys = [*self.hands]
        for place, entry in read_items(json_fields, path, value, "a list of special hands"):
            if hand := self._hand(json_fields, place, entry, used_keys):
                hands.append(hand)
                used_keys.append(hand.key)
        return tuple(hands)

    def _hand(
        self, outer: JsonFields, path: str, value: object, used_keys: Collection[str]
    ) -> HouseHand | None:
        json_fields = JsonFields(value, "a special hand")
        _check_field_names(json_fields, "", json_fields.raw_fields, _HAND_FIELDS)
        key = json_fields.required("key", _read_key, default="")
        tiles = json_fields.optional("tiles", _read_tiles, default=None)
        no_names: tuple[str, ...] = ()
        pungs = json_fields.optional("pungs", _read_conditions, default=no_names)
        of_any = json_fields.optional("any", _read_conditions, default=no_names)
        condition_names = json_fields.optional("when", _read_conditions, default=no_names)
        made_of = [name for name in _FORM_FIELDS if name in json_fields.raw_fields]
        if json_fields.is_object and len(made_of) != 1:
            json_fields.bad_value(
                "", key or "This hand", "made of either “tiles”, “pungs” or “any”"
            )
        if key in used_keys:
            json_fields.bad_value("key", key, "a key that no other hand has")
        no_value: Value = Fixed(0)
        hand = HouseHand(
            key=key,
            name=json_fields.required("name", _read_name, default=""),
            tiles=tiles,
            when=(*pungs, *of_any, *condition_names),
            won=json_fields.required("won", self._value, default=no_value),
            fishing=json_fields.optional("fishing", self._fishing, default=None, null=True),
            concealed=json_fields.optional("concealed", read_flag, default=False),
            form=_FORM_FIELDS[made_of[0]] if made_of else None,
        )
        outer.take(path, json_fields)
        return None if json_fields.problems else hand

    def _fishing(self, json_fields: JsonFields, path: str, value: object) -> Value:
        """The same, where the rules give anything to a hand that is one tile short."""
        if self.base.adding:
            json_fields.bad_value(path, value, "left out: these rules only add up what is whole")
        return self._value(json_fields, path, value)

    def _value(self, json_fields: JsonFields, path: str, value: object) -> Value:
        """Points, or a share of the limit."""
        if not isinstance(value, Mapping):
            return Fixed(_read_number(json_fields, path, value, least=1))
        share = value.get("share")
        numbers = [whole_number(part) for part in share] if isinstance(share, list) else []
        if len(numbers) != 2 or len(value) > 1 or not all(part and part > 0 for part in numbers):
            json_fields.bad_value(
                path, value, 'points, or a share of the limit like {"share": [1, 2]}'
            )
            return Fixed(0)
        if self.base.limit is None:
            json_fields.bad_value(path, value, f"points: {self.base.name} have no limit")
            return Fixed(0)
        return Share(numbers[0] or 1, numbers[1] or 1)


def _check_field_names(
    json_fields: JsonFields, path: str, field_names: Iterable[object], known_names: Collection[str]
) -> None:
    for name in field_names:
        if name not in known_names:
            json_fields.bad_value(f"{path}{name}", name, f"one of {', '.join(known_names)}")


def _read_by_name(
    json_fields: JsonFields,
    path: str,
    value: object,
    names: Collection[str],
    read_one: Callable[[JsonFields, str, object], EntryT],
) -> dict[str, EntryT]:
    """What is said under each name, where the names are among those known."""
    if not isinstance(value, Mapping):
        json_fields.bad_value(path, value, "an object by name")
        return {}
    _check_field_names(json_fields, f"{path}.", value, names)
    return {
        name: read_one(json_fields, f"{path}.{name}", entry)
        for name, entry in value.items()
        if name in names
    }


def _read_fields(
    json_fields: JsonFields,
    path: str,
    value: object,
    readers: Mapping[str, Callable[[JsonFields, str, object], Any]],
) -> dict[str, Any]:
    """What is said under each of these names, read as that name is."""

    def read_named(json_fields: JsonFields, path: str, value: object) -> object:
        return readers[path.rpartition(".")[2]](json_fields, path, value)

    return _read_by_name(json_fields, path, value, readers, read_named)


def _nullable(
    reader: Callable[[JsonFields, str, object], EntryT],
) -> Callable[[JsonFields, str, object], EntryT | None]:
    """The reader, of null too."""

    def read_or_none(json_fields: JsonFields, path: str, value: object) -> EntryT | None:
        return None if value is None else reader(json_fields, path, value)

    return read_or_none


def _read_names(
    json_fields: JsonFields, path: str, value: object, known_names: Collection[str]
) -> tuple[str, ...]:
    entries = read_items(json_fields, path, value, "a list of names")
    for place, entry in entries:
        if entry not in known_names:
            json_fields.bad_value(place, entry, f"one of {', '.join(known_names)}")
    return tuple(
        entry for _place, entry in entries if isinstance(entry, str) and entry in known_names
    )


def _read_conditions(json_fields: JsonFields, path: str, value: object) -> tuple[str, ...]:
    return _read_names(json_fields, path, value, VOCABULARY)


def _read_key(json_fields: JsonFields, path: str, value: object) -> str:
    if isinstance(value, str) and _KEY_PATTERN.fullmatch(value):
        return value
    json_fields.bad_value(path, value, "small letters, digits and _, such as gerties_garter")
    return ""


def _read_name(json_fields: JsonFields, path: str, value: object) -> str:
    name = value.strip() if isinstance(value, str) else ""
    if 0 < len(name) <= _MAX_NAME_LENGTH and name.isprintable():
        return name
    json_fields.bad_value(path, value, f"a name of {_MAX_NAME_LENGTH} characters or fewer")
    return ""


def _read_tiles(json_fields: JsonFields, path: str, value: object) -> str | None:
    if not isinstance(value, str):
        json_fields.bad_value(path, value, "the tiles of a hand, such as a1-7 b1-7")
        return None
    try:
        listed_shape("", value)
    except BadPattern as bad:
        json_fields.bad_value(path, "This", f"fourteen tiles of a hand. {str(bad).rstrip('.')}")
        return None
    return value


def _read_number(
    json_fields: JsonFields, path: str, value: object, *, least: int = 0, most: int = _MAX_NUMBER
) -> int:
    number = whole_number(value)
    if number is not None and least <= number <= most:
        return number
    json_fields.bad_value(path, value, f"a whole number from {least} to {most:,}")
    return 0


def _read_doubles(json_fields: JsonFields, path: str, value: object) -> int:
    return _read_number(json_fields, path, value, least=1, most=_MAX_DOUBLES)


def _read_run(json_fields: JsonFields, path: str, value: object) -> int:
    return _read_number(json_fields, path, value, least=1, most=_MAX_RUN)


def _read_limit(json_fields: JsonFields, path: str, value: object) -> int:
    return _read_number(json_fields, path, value, least=1)


def _read_chows(json_fields: JsonFields, path: str, value: object) -> dict[str, Any]:
    """The most chows of a Mah-Jong, null for any number; with fewer players, and in a goulash."""
    most = _nullable(partial(_read_number, most=_MAX_CHOWS))
    if not isinstance(value, Mapping):
        return {"most": most(json_fields, path, value)}
    players = _nullable(partial(_read_number, least=2, most=_MAX_SEATS))
    return _read_fields(
        json_fields, path, value, {"most": most, "players": players, "in_a_goulash": read_flag}
    )


def _read_one_suit(json_fields: JsonFields, path: str, value: object) -> bool | str:
    """Whether a Mah-Jong is of one suit: unless it is a special hand, or every hand."""
    return EVERY_HAND if value == EVERY_HAND else read_flag(json_fields, path, value)


def _read_discarder(json_fields: JsonFields, path: str, value: object) -> Discarder:
    """Who pays for a claimed winning tile."""
    if value == "for_all":
        return Discarder("for_all")
    if isinstance(value, Mapping) and len(value) == 1:
        method, times = next(iter(value.items()))
        if method in {"alone", "times"}:
            least = 1 if method == "alone" else 2
            return Discarder(
                method, _read_number(json_fields, path, times, least=least, most=_MAX_TIMES)
            )
    json_fields.bad_value(path, value, 'null, “for_all”, {"alone": 2} or {"times": 2}')
    return Discarder("for_all")


def _read_lines(
    json_fields: JsonFields, path: str, value: object, used_names: Iterable[str], unit: str
) -> tuple[HouseLine, ...]:
    """The club's own lines of points or doubles, each with a name of its own."""
    names, lines = {*used_names}, []
    for place, entry in read_items(json_fields, path, value, "a list of lines"):
        inner = JsonFields(entry, f"a line of {unit}")
        line = _read_line(inner, unit)
        if line.name in names:
            inner.bad_value("name", line.name, "a name that no other line has")
        names.add(line.name)
        json_fields.take(place, inner)
        lines.append(line)
    return tuple(lines)


def _read_line(json_fields: JsonFields, unit: str) -> HouseLine:
    no_names: tuple[str, ...] = ()
    _check_field_names(
        json_fields, "", json_fields.raw_fields, ("name", "when", "sets", unit, "who")
    )
    line = HouseLine(
        name=json_fields.required("name", _read_name, default=""),
        when=json_fields.optional("when", _read_conditions, default=no_names),
        sets=json_fields.optional("sets", _read_set_conditions, default=no_names),
        worth=(0, 0),
        who=json_fields.optional("who", _read_who, default=Who.WINNER),
    )
    if json_fields.is_object and not json_fields.problems and bool(line.when) == bool(line.sets):
        json_fields.bad_value("", line.name, "either for a hand (“when”) or for each set (“sets”)")
    if line.sets and "who" in json_fields.raw_fields:
        json_fields.bad_value(
            "who",
            json_fields.raw_fields["who"],
            "left out: a set counts for every player who scores",
        )
    if unit == "doubles":
        doubles = json_fields.required("doubles", _read_doubles, default=1)
        return line._replace(worth=(doubles, doubles))
    worth = _read_set_worth if line.sets else _read_hand_points
    return line._replace(worth=json_fields.required("points", worth, default=(1, 1)))


def _read_hand_points(json_fields: JsonFields, path: str, value: object) -> SetWorth:
    points = _read_number(json_fields, path, value, least=1)
    return points, points


def _read_set_worth(json_fields: JsonFields, path: str, value: object) -> SetWorth:
    """Points of an exposed and of a concealed set, one number where they are the same."""
    if not isinstance(value, list):
        return _read_hand_points(json_fields, path, value)
    numbers = [
        _read_number(json_fields, *entry)
        for entry in read_items(json_fields, path, value, "two numbers")
    ]
    if len(numbers) == 2 and any(numbers):
        return numbers[0], numbers[1]
    json_fields.bad_value(path, value, "the points of an exposed and of a concealed set")
    return 0, 0


def _read_who(json_fields: JsonFields, path: str, value: object) -> Who:
    if value in {Who.WINNER.value, Who.EVERYONE.value}:
        return Who(value)
    json_fields.bad_value(path, value, "“winner” or “everyone”")
    return Who.WINNER


def _read_set_conditions(json_fields: JsonFields, path: str, value: object) -> tuple[str, ...]:
    return _read_names(json_fields, path, value, SETS_VOCABULARY)
