"""House rules as they are declared: a rule set of a book, and what a club plays otherwise."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import and_
from typing import Final, NamedTuple, TypeVar

from scoring.rules import conditions, marks
from scoring.rules.conditions import HandCondition, any_hand
from scoring.rules.declarations import (
    BonusPoints,
    Double,
    Fixed,
    Form,
    Points,
    SetDouble,
    SetPoints,
    Share,
    SpecialHand,
    Value,
)
from scoring.rules.fingerprint import kept_fingerprint
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import Shape, in_words, listed
from scoring.rulesets import rule_set

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
        return SpecialHand(self.key, self.name, self._form, when, self.won, self.fishing, SOURCE)

    @property
    def _form(self) -> Form | Shape:
        return Form.PUNGS if self.tiles is None else listed(in_words(self.tiles), self.tiles)

    def as_data(self) -> dict[str, object]:
        """The hand as it is written in the data."""
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
        base = rule_set(self.base)
        house = replace(
            base.choosing(**self.choices),
            name=self.name,
            limit=self.limit,
            limit_source=base.limit_source if self.limit == base.limit else SOURCE,
            set_points=_sets(base.set_points, self.points),
            bonus_points=self._bonus_points(base.bonus_points),
            points=_points(base.points, self.points),
            set_doubles=_doubled(base.set_doubles, self.doubles),
            doubles=_doubled(base.doubles, self.doubles),
            doubled_hands=tuple(
                hand._replace(also=_points(hand.also, self.points))
                for hand in base.doubled_hands
                if hand.key not in self.without
            ),
            specials=(
                *(hand.special for hand in self.specials),
                *(hand for hand in base.specials if hand.key not in self.without),
            ),
        )
        return replace(house, key=f"{base.key}~{kept_fingerprint(house)[:8]}")

    def _bonus_points(self, line: BonusPoints | None) -> BonusPoints | None:
        if line is None or line.name not in self.points:
            return line
        return line._replace(points=self.points[line.name][0], source=SOURCE)

    def as_data(self) -> dict[str, object]:
        """The rules as the data from which they were read, what is as in the base left out."""
        base = rule_set(self.base)
        house: dict[str, object] = {"base": self.base, "name": self.name}
        if self.limit != base.limit:
            house["limit"] = self.limit
        fields = {
            "choices": dict(self.choices),
            "points": {name: _worth_as_data(worth) for name, worth in self.points.items()},
            "doubles": dict(self.doubles),
            "without": list(self.without),
            "specials": [hand.as_data() for hand in self.specials],
        }
        return house | {name: value for name, value in fields.items() if value}


def _worth_as_data(worth: Worth) -> int | list[int]:
    exposed, concealed = worth
    return exposed if exposed == concealed else [exposed, concealed]


def _sets(lines: tuple[SetPoints, ...], worths: Mapping[str, Worth]) -> tuple[SetPoints, ...]:
    return tuple(
        line._replace(exposed=worths[line.name][0], concealed=worths[line.name][1], source=SOURCE)
        if line.name in worths
        else line
        for line in lines
    )


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
    """Every number and hand of the house rules that would be printed and never be scored so."""
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
        yield from _of_hand(hand, rules, f"specials.{place}")


def _of_hand(hand: HouseHand, rules: RuleSet, where: str) -> Iterator[Unscored]:
    when = hand.special.when
    for name, value in (("won", hand.won), ("fishing", hand.fishing)):
        if value and rules.limit is not None and value.points(rules.limit) > rules.limit:
            expected = f"{rules.limit:,} at most, the limit of a hand, for “{hand.name}”"
            yield Unscored(f"{where}.{name}", _shown(value, rules.limit), expected)
    if not _can_be_met(when, rules, of_tiles=hand.tiles is not None):
        expected = "made of conditions that can all be met at once"
        yield Unscored(where, hand.name, expected)
    if hand.fishing and not rules.losers_score:
        expected = f"left out for “{hand.name}”: only the winner scores"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)
    elif hand.fishing and when.all_of & _OF_THE_END:
        expected = f"left out for “{hand.name}”, which depends on how it is won"
        yield Unscored(f"{where}.fishing", _shown(hand.fishing, rules.limit), expected)


def _can_be_met(when: HandCondition, rules: RuleSet, *, of_tiles: bool) -> bool:
    """Whether a hand of tiles named one by one, or else of pungs or kongs, can be so."""
    if when.question(rules.choice) is None:
        return False
    if of_tiles:
        return not (when.none_of & marks.LOOSE or when.all_of & _OF_SETS)
    return bool((marks.PUNG | marks.KONG) & ~when.none_of)


def _shown(value: Value, limit: int | None) -> str:
    points = f"{value.points(limit):,}"
    if isinstance(value, Share):
        return f"{points} ({value.part}/{value.of} of the limit)"
    return points
