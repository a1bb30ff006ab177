"""A club's house rules as data: a rule set of a book, and what the club plays otherwise.

    {"base": "bmja/2008", "name": "Purbeck", "limit": 500,
     "choices": {"knitting_in_any_two_suits": true},
     "points": {"Flower or season": 2, "Pung of 2s to 8s": [2, 4]},
     "doubles": {"No chows": 0},
     "without": ["triple_knitting"],
     "specials": [{"key": "gerties_garter", "name": "Gertie's Garter", "tiles": "a1-7 b1-7",
                   "won": {"share": [1, 2]}, "fishing": {"share": [1, 5]}}]}

What is left out is as in the base. A special hand is of `tiles` (`scoring.rules.shapes`) or of
`pungs`, the names of conditions of `scoring.rules.conditions`. The outcome is a rule
set like any other, whole.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, partial, reduce
from operator import and_
from typing import Final, NamedTuple, TypeVar

from scoring.hands.problems import BadInput
from scoring.reading.notation import Fields, flag, items, whole_number
from scoring.rules import conditions, marks
from scoring.rules.conditions import HandCondition, any_hand
from scoring.rules.declarations import (
    Double,
    Fixed,
    Form,
    Points,
    SetDouble,
    Share,
    SpecialHand,
    Value,
)
from scoring.rules.fingerprint import kept_fingerprint
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import BadPattern, in_words, listed
from scoring.rulesets import UnknownRuleSet, rule_set
from scoring.sheet import Row, tables

SOURCE: Final = "house rule"
VOCABULARY: Final[Mapping[str, HandCondition]] = {
    name: condition
    for name, condition in vars(conditions).items()
    if isinstance(condition, HandCondition) and condition is not any_hand
}

Worth = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class HouseHand:
    """A club's own special hand: tiles by a pattern, or pungs or kongs and a pair.

    `when`: conditions by their names in VOCABULARY that the hand must meet besides. `concealed`:
    no set may have been claimed before the last tile; tiles by a pattern are never claimed.
    """

    key: str
    name: str
    tiles: str | None
    when: tuple[str, ...]
    won: Value
    fishing: Value | None
    concealed: bool

    @property
    def special(self) -> SpecialHand:
        """The hand as the rules declare it."""
        names = list(self.when)
        if self.concealed and self.tiles is None:
            names.append("concealed_before_the_last_tile")
        when = reduce(and_, (VOCABULARY[name] for name in names), any_hand)
        form = Form.PUNGS if self.tiles is None else listed(in_words(self.tiles), self.tiles)
        return SpecialHand(self.key, self.name, form, when, self.won, self.fishing, SOURCE)

    def as_data(self) -> dict[str, object]:
        made_of: dict[str, object] = {"pungs": list(self.when)}
        if self.tiles is not None:
            made_of = {"tiles": self.tiles} | ({"when": list(self.when)} if self.when else {})
        fishing = {} if self.fishing is None else {"fishing": _value_as_data(self.fishing)}
        concealed = {"concealed": True} if self.concealed else {}
        won = {"won": _value_as_data(self.won)}
        return {"key": self.key, "name": self.name} | made_of | won | fishing | concealed


def _value_as_data(value: Value) -> object:
    return value.value if isinstance(value, Fixed) else {"share": [value.part, value.of]}


@dataclass(frozen=True, kw_only=True)
class HouseRules:
    """What a club plays otherwise than the rule set `base`, which is named by its key.

    `points` are by the name of the line, for an exposed and a concealed set; both are the same for
    what is no set. `doubles` are by the name of the line; 0 takes a line away. `without`: keys of
    special hands that are not played.
    """

    base: str
    name: str
    limit: int | None
    choices: Mapping[str, bool | int] = field(default_factory=dict)
    points: Mapping[str, Worth] = field(default_factory=dict)
    doubles: Mapping[str, int] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    specials: tuple[HouseHand, ...] = ()

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set, whole; its key is that of the base and the rules' own fingerprint.

        The club's own special hands come first: of hands of one value theirs is named.
        """
        base, worths = rule_set(self.base), self.points
        bonus = base.bonus_points
        if bonus and bonus.name in worths:
            bonus = bonus._replace(points=worths[bonus.name][0], source=SOURCE)
        house = replace(
            base.choosing(**self.choices),
            name=self.name,
            limit=self.limit,
            limit_source=base.limit_source if self.limit == base.limit else SOURCE,
            set_points=tuple(
                line._replace(exposed=worth[0], concealed=worth[1], source=SOURCE)
                if (worth := worths.get(line.name))
                else line
                for line in base.set_points
            ),
            bonus_points=bonus,
            points=_points(base.points, worths),
            set_doubles=_doubled(base.set_doubles, self.doubles),
            doubles=_doubled(base.doubles, self.doubles),
            doubled_hands=tuple(
                hand._replace(also=_points(hand.also, worths))
                for hand in base.doubled_hands
                if hand.key not in self.without
            ),
            specials=(
                *(hand.special for hand in self.specials),
                *(hand for hand in base.specials if hand.key not in self.without),
            ),
        )
        return replace(house, key=f"{base.key}~{kept_fingerprint(house)[:8]}")

    def as_data(self) -> dict[str, object]:
        """The rules as the data from which they were read, what is as in the base left out."""
        house: dict[str, object] = {"base": self.base, "name": self.name}
        if self.limit != rule_set(self.base).limit:
            house["limit"] = self.limit
        fields = {
            "choices": dict(self.choices),
            "points": {
                name: exposed if exposed == concealed else [exposed, concealed]
                for name, (exposed, concealed) in self.points.items()
            },
            "doubles": dict(self.doubles),
            "without": list(self.without),
            "specials": [hand.as_data() for hand in self.specials],
        }
        return house | {name: value for name, value in fields.items() if value}


def _points(lines: tuple[Points, ...], worths: Mapping[str, Worth]) -> tuple[Points, ...]:
    counted = (
        line._replace(points=worths[line.name][0], source=SOURCE) if line.name in worths else line
        for line in lines
    )
    return tuple(line for line in counted if line.points)


_Doubling = TypeVar("_Doubling", SetDouble, Double)


def _doubled(lines: tuple[_Doubling, ...], worths: Mapping[str, int]) -> tuple[_Doubling, ...]:
    counted = (
        line._replace(doubles=worths[line.name], source=SOURCE) if line.name in worths else line
        for line in lines
    )
    return tuple(line for line in counted if line.doubles)


_OF_THE_END: Final = (
    sum(marks.WON_BY.values())
    | sum(marks.LAST_TILE.values())
    | marks.DRAWN
    | marks.DRAWN_OR_LOOSE
    | marks.CLAIMED
    | marks.CLAIMED_THIRD
    | marks.FIRST_TURN
    | marks.ONLY_TILE
)
_OF_SETS: Final = (
    sum(marks.SET_OF.values())
    | marks.CHOW
    | marks.PUNG
    | marks.KONG
    | marks.TWO_KONGS
    | marks.EXPOSED
    | marks.OPENED
)


class Unscored(NamedTuple):
    """A value without effect: the path of its field, what it is, and what it must be."""

    where: str
    found: str
    expected: str


def unscored(house: HouseRules, base: RuleSet) -> Iterator[Unscored]:
    """Every number and hand of the house rules that would be printed but could never count."""
    rules = house.rules
    for name, value in house.choices.items():
        book = base.choice[name]
        if not isinstance(book, bool) and not 1 <= value <= book:
            yield Unscored(f"choices.{name}", str(value), f"a whole number from 1 to {book}")
    for line in rules.set_points:
        if line.name in house.points and not line.is_played(rules.choice):
            # The words of the open point that puts the line into play.
            open_point = next(
                choice.words
                for choice in base.choices
                if line.chosen and choice.name == line.chosen.name
            )
            expected = f"left out unless “{open_point}” is yes"
            yield Unscored(f"points.{line.name}", f"“{line.name}”", expected)
    for place, hand in enumerate(house.specials):
        yield from _unscored_in_hand(hand, rules, f"specials.{place}")


def _unscored_in_hand(hand: HouseHand, rules: RuleSet, where: str) -> Iterator[Unscored]:
    when = hand.special.when
    for name, value in (("won", hand.won), ("fishing", hand.fishing)):
        if value and rules.limit is not None and value.points(rules.limit) > rules.limit:
            expected = f"{rules.limit:,} at most, the limit of a hand, for “{hand.name}”"
            yield Unscored(f"{where}.{name}", _shown(value, rules.limit), expected)
    if hand.tiles is None:
        can_be_met = bool((marks.PUNG | marks.KONG) & ~when.none_of)
    else:
        can_be_met = not (when.none_of & marks.LOOSE or when.all_of & _OF_SETS)
    if not can_be_met or when.question(rules.choice) is None:
        yield Unscored(where, hand.name, "made of conditions that can all be met at once")
    if hand.fishing and not rules.losers_score:
        expected = f"left out for “{hand.name}”: only the winner scores"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)
    elif hand.fishing and when.all_of & _OF_THE_END:
        expected = f"left out for “{hand.name}”, which depends on how it is won"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)


def _shown(value: Value, limit: int | None) -> str:
    points = f"{value.points(limit):,}"
    if isinstance(value, Share):
        return f"{points} ({value.part}/{value.of} of the limit)"
    return points


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

    def limit(self, read: Fields, where: str, value: object) -> int | None:
        """Points, or none where no special hand is worth a share of them."""
        shares = any(isinstance(hand.value, Share) for hand in self.base.specials)
        if value is None and not shares:
            return None
        return _number(read, where, value, least=1) or self.base.limit

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
        return _by_name(read, where, value, names, partial(_number, most=_MOST_DOUBLES))

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


def house_rules(data: object) -> RuleSet:
    """The rule set that the data declares; BadHouseRules carries everything wrong with it."""
    return read_house_rules(data).rules


class Change(Enum):
    """How a line of house rules stands to the book."""

    NONE = "as in the rule book"
    OTHER = "changed"
    NEW = "added"
    GONE = "left out"


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A line of the page; one that is left out has the book's cells.

    ``said`` is what the book says instead, in words; empty where it says the same.
    """

    cells: Row
    change: Change
    said: str = ""


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A table of the page with every line marked."""

    title: str
    note: str
    columns: Row
    rows: tuple[MarkedRow, ...]

    @property
    def changes(self) -> tuple[MarkedRow, ...]:
        """The lines that are not as in the rule book."""
        return tuple(row for row in self.rows if row.change is not Change.NONE)


def marked(rules: RuleSet, book: RuleSet) -> tuple[MarkedSection, ...]:
    """The whole page of the rules in the order of `sheet.sections`, marked against the book's.

    Sources are not compared; a line that is left out comes last in its table.
    """
    sections = []
    for house, printed in zip(tables(rules), tables(book), strict=True):
        there, here = _numbered(printed.rows), _numbered(house.rows)
        rows = [_marked_row(row, there.get(key), house.columns) for key, row in here.items()]
        rows += [
            MarkedRow(row, Change.GONE, "Not played here.")
            for key, row in there.items()
            if key not in here
        ]
        if rows:
            sections.append(MarkedSection(house.title, house.note, house.columns, tuple(rows)))
    return tuple(sections)


def _numbered(rows: Sequence[Row]) -> dict[tuple[str, int], Row]:
    """Every row by its name, and by how many of that name come before it."""
    seen: Counter[str] = Counter()
    numbered = {}
    for row in rows:
        numbered[row[0], seen[row[0]]] = row
        seen[row[0]] += 1
    return numbered


def _marked_row(row: Row, printed: Row | None, columns: Row) -> MarkedRow:
    if printed is None:
        return MarkedRow(row, Change.NEW, "Not in the rule book.")
    other = [
        (column, before)
        for column, now, before in zip(columns[1:-1], row[1:-1], printed[1:-1], strict=True)
        if now != before
    ]
    if not other:
        return MarkedRow(row, Change.NONE)
    is_plain = len(columns) == 3
    said = "; ".join(before if is_plain else f"{column}: {before}" for column, before in other)
    return MarkedRow(row, Change.OTHER, f"In the rule book: {said}.")
