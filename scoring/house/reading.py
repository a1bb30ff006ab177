"""Reads house rules from data, and says everything wrong with them at once."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, TypeVar

from scoring.hands.problems import BadInput
from scoring.house.declared import VOCABULARY, HouseHand, HouseRules, Worth, unscored
from scoring.reading.notation import Fields, flag, items, whole_number
from scoring.rules.declarations import Fixed, Share, Value
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import BadPattern, listed
from scoring.rulesets import UnknownRuleSet, rule_set

_FIELDS: Final = ("base", "name", "limit", "choices", "points", "doubles", "without", "specials")
_HAND_FIELDS: Final = ("key", "name", "tiles", "pungs", "when", "won", "fishing", "concealed")
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")
_MOST: Final = 1_000_000
_MOST_DOUBLES: Final = 20
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
    _known_fields(read, "", read.given, _FIELDS)
    reading = _Reading(base)
    house = HouseRules(
        base=base.key,
        name=read.optional("name", _name, default=f"{base.name} (house rules)"),
        limit=read.optional("limit", reading.limit, default=base.limit),
        choices=read.optional("choices", reading.choices, default={}),
        points=read.optional("points", reading.points, default={}),
        doubles=read.optional("doubles", reading.doubles, default={}),
        without=read.optional("without", reading.without, default=()),
        specials=read.optional("specials", reading.specials, default=()),
    )
    if not read.problems and not kept:
        for value in unscored(house, base):
            read.bad_value(*value)
    if read.problems:
        raise BadHouseRules(read.problems)
    return house


class _Reading:
    """Reads what must fit the rule set that the house rules are made from."""

    def __init__(self, base: RuleSet) -> None:
        self.base = base
        self.sets = {line.name for line in base.set_points}
        self.hands = [hand.key for hand in base.doubled_hands]
        self.hands += [hand.key for hand in base.specials]

    def limit(self, read: Fields, where: str, value: object) -> int | None:
        """Points, or none where no special hand is worth a share of them."""
        shares = any(isinstance(hand.value, Share) for hand in self.base.specials)
        if value is None and not shares:
            return None
        limit = _number(read, where, value, least=1)
        return limit if limit else self.base.limit

    def choices(self, read: Fields, where: str, value: object) -> Mapping[str, bool | int]:
        """Open points of the base and how they are played."""

        def played(read: Fields, where: str, value: object) -> bool | int:
            if isinstance(self.base.choice[where.partition(".")[2]], bool):
                return flag(read, where, value)
            return _number(read, where, value, most=_MOST_DOUBLES)

        return _by_name(read, where, value, self.base.choice, played)

    def points(self, read: Fields, where: str, value: object) -> Mapping[str, Worth]:
        """Points by line; two numbers for an exposed and a concealed set."""
        also = [line for hand in self.base.doubled_hands for line in hand.also]
        names = [line.name for line in self.base.set_points]
        names += [line.name for line in (*self.base.points, *also)]
        names += [self.base.bonus_points.name] if self.base.bonus_points else []

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

        return _by_name(read, where, value, names, worth)

    def doubles(self, read: Fields, where: str, value: object) -> Mapping[str, int]:
        """Doubles by line."""
        names = [line.name for line in self.base.set_doubles]
        names += [line.name for line in self.base.doubles]

        def doubles(read: Fields, where: str, value: object) -> int:
            return _number(read, where, value, most=_MOST_DOUBLES)

        return _by_name(read, where, value, names, doubles)

    def without(self, read: Fields, where: str, value: object) -> tuple[str, ...]:
        """Keys of special hands of the base."""
        return _names(read, where, value, self.hands)

    def specials(self, read: Fields, where: str, value: object) -> tuple[HouseHand, ...]:
        """The club's own special hands, each with a key of its own."""
        hands: list[HouseHand] = []
        taken = [*self.hands]
        for place, entry in items(read, where, value, "a list of special hands"):
            hand = self._hand(read, place, entry, taken)
            if hand:
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
        when = read.optional("when", _conditions, default=nothing)
        if read.is_object and ("tiles" in read.given) == ("pungs" in read.given):
            read.bad_value("", key or "This hand", "made of either “tiles” or “pungs”")
        if key in taken:
            read.bad_value("key", key, "a key that no other hand has")
        no_value: Value = Fixed(0)
        hand = HouseHand(
            key=key,
            name=read.required("name", _name, default=""),
            tiles=tiles,
            when=(*pungs, *when),
            won=read.required("won", self._value, default=no_value),
            fishing=read.optional("fishing", self._fishing, default=None, null=True),
            concealed=read.optional("concealed", flag, default=False),
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
        if (
            len(numbers) != 2
            or not all(number and number > 0 for number in numbers)
            or len(value) > 1
        ):
            read.bad_value(where, value, 'points, or a share of the limit like {"share": [1, 2]}')
            return Fixed(0)
        if self.base.limit is None:
            read.bad_value(where, value, f"points: {self.base.name} have no limit")
            return Fixed(0)
        return Share(numbers[0] or 1, numbers[1] or 1)


def _base(read: Fields, where: str, value: object) -> RuleSet | None:
    try:
        return rule_set(str(value))
    except UnknownRuleSet as unknown:
        read.bad_value(where, value, f"the key of a rule set. {str(unknown).rstrip('.')}")
        return None


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
