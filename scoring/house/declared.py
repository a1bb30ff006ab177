"""House rules as they are declared, and the rule set that they come to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import product
from operator import and_
from typing import Any, Final, NamedTuple, TypedDict, TypeVar

from scoring.hands.hand import Hand, Kind, set_codes, set_of
from scoring.hands.tiles import Wind
from scoring.rules import conditions
from scoring.rules.conditions import HandCondition, SetCondition, any_hand
from scoring.rules.declarations import (
    DiscarderPays,
    Double,
    DoubledHand,
    Fixed,
    Form,
    Limits,
    Losers,
    Minimum,
    OneSuit,
    Points,
    Rounds,
    SetDouble,
    SetPoints,
    Share,
    SpecialHand,
    Succession,
    Value,
    Who,
)
from scoring.rules.fingerprint import key_fingerprint
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import describe_pattern, listed_shape
from scoring.rulesets import rule_set

SOURCE: Final = "house rule"
VOCABULARY: Final[Mapping[str, HandCondition]] = {
    name: condition
    for name, condition in vars(conditions).items()
    if isinstance(condition, HandCondition) and condition is not any_hand
}
SETS_VOCABULARY: Final[Mapping[str, SetCondition]] = {
    name: condition
    for name, condition in vars(conditions).items()
    if isinstance(condition, SetCondition)
}

EVERY_HAND: Final = "every hand"
LIMIT_KINDS: Final = ("ordinary", "special", "losers")
_ALL_SETS: Final = tuple(
    set_of(code)
    for kind, exposed in product(Kind, (False, True))
    for code in set_codes(kind, exposed=exposed)
)

SetWorth = tuple[int, int]
_DoublingLineT = TypeVar("_DoublingLineT", SetDouble, Double)


@dataclass(frozen=True, kw_only=True)
class HouseHand:
    """A club's own special hand: tiles by a pattern, pungs or kongs and a pair, or any Mah-Jong.

    `form` is Form.PUNGS or Form.ANY; tiles by a pattern have none. `when`: conditions by their
    names in VOCABULARY that the hand must meet besides. `concealed`: no set may have been claimed
    before the last tile; tiles by a pattern are never claimed.
    """

    key: str
    name: str
    tiles: str | None
    when: tuple[str, ...]
    won: Value
    fishing: Value | None
    concealed: bool
    form: Form | None

    @property
    def special(self) -> SpecialHand:
        """The hand as the rules declare it."""
        names = list(self.when)
        if self.concealed and self.form:
            names.append("concealed_before_the_last_tile")
        hand_condition = join_hand_conditions(names)
        form = self.form or listed_shape(describe_pattern(self.tiles or ""), self.tiles or "")
        return SpecialHand(
            self.key, self.name, form, hand_condition, self.won, self.fishing, SOURCE
        )

    def as_data(self) -> dict[str, object]:
        made_of: dict[str, object] = {"any" if self.form is Form.ANY else "pungs": list(self.when)}
        if self.tiles is not None:
            made_of = {"tiles": self.tiles} | ({"when": list(self.when)} if self.when else {})
        fishing = {} if self.fishing is None else {"fishing": plain_value(self.fishing)}
        concealed = {"concealed": True} if self.concealed else {}
        won = {"won": plain_value(self.won)}
        return {"key": self.key, "name": self.name} | made_of | won | fishing | concealed


def join_hand_conditions(names: Iterable[str]) -> HandCondition:
    """These conditions of VOCABULARY together."""
    return reduce(and_, (VOCABULARY[name] for name in names), any_hand)


def join_set_conditions(names: Iterable[str]) -> SetCondition:
    """These conditions of SETS_VOCABULARY together, of which there is at least one."""
    return reduce(and_, (SETS_VOCABULARY[name] for name in names))


class HouseLine(NamedTuple):
    """A line of points or doubles that the book does not have.

    It is for a whole hand that meets the conditions `when`, or for each set that meets the
    conditions `sets`: one of the two is empty. `worth`: points of an exposed and of a concealed
    set, the same twice for a whole hand; or doubles, twice.
    """

    name: str
    when: tuple[str, ...]
    sets: tuple[str, ...]
    worth: SetWorth
    who: Who = Who.WINNER

    def as_data(self, unit: str) -> dict[str, object]:
        """The line as data; `unit`: "points" or "doubles"."""
        exposed, concealed = self.worth
        worth = exposed if exposed == concealed else [exposed, concealed]
        condition_data: dict[str, object] = {"sets": list(self.sets)} if self.sets else {}
        condition_data = condition_data or {"when": list(self.when)}
        everyone = {"who": self.who.value} if self.who is Who.EVERYONE else {}
        return {"name": self.name} | condition_data | {unit: worth} | everyone


class HandValue(TypedDict, total=False):
    """What a special hand of the book is worth instead; `doubles`: of one whose points double."""

    won: Value
    fishing: Value | None
    doubles: int


class LeastScore(NamedTuple):
    """What a Mah-Jong must reach: doubles or points; None: that does not help."""

    doubles: int | None
    points: int | None


class Discarder(NamedTuple):
    """What the discarder of the winning tile pays: `alone` or `for_all`, or so many `times`."""

    payment_kind: str
    times: int = 1


class Bounds(TypedDict, total=False):
    """What a Mah-Jong may be and must reach, and who scores."""

    limits: Mapping[str, int | None]
    chows: Mapping[str, Any]
    one_suit: bool | str
    minimum: LeastScore | None
    minimum_with_two: LeastScore | None
    losers_score: bool
    fishing: bool
    bonus_tiles_beside: bool


class PaymentsChanges(TypedDict, total=False):
    """Who pays whom: how many times East does, and what a tile costs, claimed or not."""

    east: int
    with_two: bool
    losers_settle: bool
    discarder: Discarder | None
    unclaimed: int


class PassingChanges(TypedDict, total=False):
    """How the winds and the deal move."""

    goulash: bool
    prevailing: bool
    draw_moves: bool
    most_hands: int | None
    most_wins: int | None
    most_draws: int | None


@dataclass(frozen=True, kw_only=True)
class HouseRules:
    """What a club plays otherwise than the rule set `base`, which is named by its key.

    `points` are by the name of the line, for an exposed and a concealed set; both are the same for
    what is no set. `doubles` are by the name of the line; 0 takes a line away. `without`: keys of
    special hands that are not played. `values` are by the keys of special hands. In `bounds`,
    `payments` and `passing`, what is left out is as in the base; `payments` None: nobody pays.
    """

    base: str
    name: str
    limit: int | None
    choices: Mapping[str, bool | int] = field(default_factory=dict)
    points: Mapping[str, SetWorth] = field(default_factory=dict)
    doubles: Mapping[str, int] = field(default_factory=dict)
    more_points: tuple[HouseLine, ...] = ()
    more_doubles: tuple[HouseLine, ...] = ()
    without: tuple[str, ...] = ()
    values: Mapping[str, HandValue] = field(default_factory=dict)
    specials: tuple[HouseHand, ...] = ()
    bounds: Bounds = field(default_factory=Bounds)
    payments: PaymentsChanges | None = field(default_factory=PaymentsChanges)
    passing: PassingChanges = field(default_factory=PassingChanges)

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
            doubled_hands=tuple(
                self._doubled_hand(hand)
                for hand in base.doubled_hands
                if hand.key not in self.without
            ),
            specials=(*(hand.special for hand in self.specials), *self._specials(base)),
            **self._lines(base),
        )
        house = _apply_bounds(house, self.bounds)
        house = _apply_payments(house, self.payments)
        house = _apply_passing(house, self.passing)
        return replace(house, key=f"{base.key}~{key_fingerprint(house)[:8]}")

    def _lines(self, base: RuleSet) -> dict[str, Any]:
        """The lines of points and doubles, by the names of the fields of a rule set."""
        bonus = base.bonus_points
        if bonus and bonus.name in self.points:
            bonus = bonus._replace(points=self.points[bonus.name][0], source=SOURCE)
        more_points = (
            Points(line.name, join_hand_conditions(line.when), line.worth[0], SOURCE, line.who)
            for line in self.more_points
            if line.when
        )
        more_set_doubles = (
            SetDouble(line.name, join_set_conditions(line.sets), line.worth[0], SOURCE)
            for line in self.more_doubles
            if line.sets
        )
        more_doubles = (
            Double(line.name, join_hand_conditions(line.when), line.worth[0], line.who, SOURCE)
            for line in self.more_doubles
            if line.when
        )
        return {
            "set_points": self._set_points(base),
            "bonus_points": bonus,
            "points": (*self._points(base.points), *more_points),
            "set_doubles": (*self._changed_doubles(base.set_doubles), *more_set_doubles),
            "doubles": (*self._changed_doubles(base.doubles), *more_doubles),
        }

    def _set_points(self, base: RuleSet) -> tuple[SetPoints, ...]:
        lines = [
            line._replace(exposed=worth[0], concealed=worth[1], source=SOURCE)
            if (worth := self.points.get(line.name))
            else line
            for line in base.set_points
        ]
        lines += [
            SetPoints(line.name, join_set_conditions(line.sets), *line.worth, SOURCE)
            for line in self.more_points
            if line.sets
        ]
        return tuple(lines)

    def _points(self, lines: Iterable[Points]) -> tuple[Points, ...]:
        """The book's lines with the club's points; of 0 points a line is gone."""
        changed_lines = (
            line._replace(points=self.points[line.name][0], source=SOURCE)
            if line.name in self.points
            else line
            for line in lines
        )
        return tuple(line for line in changed_lines if line.points)

    def _changed_doubles(self, lines: Iterable[_DoublingLineT]) -> tuple[_DoublingLineT, ...]:
        """The book's lines with the club's doubles; of 0 doubles a line is gone."""
        changed_lines = (
            line._replace(doubles=self.doubles[line.name], source=SOURCE)
            if line.name in self.doubles
            else line
            for line in lines
        )
        return tuple(line for line in changed_lines if line.doubles)

    def _doubled_hand(self, hand: DoubledHand) -> DoubledHand:
        hand = hand._replace(also=self._points(hand.also))
        doubles = self.values.get(hand.key, {}).get("doubles")
        return hand if doubles is None else hand._replace(doubles=doubles, source=SOURCE)

    def _specials(self, base: RuleSet) -> tuple[SpecialHand, ...]:
        return tuple(
            hand._replace(
                value=value.get("won", hand.value),
                fishing=value.get("fishing", hand.fishing),
                source=SOURCE,
            )
            if (value := self.values.get(hand.key))
            else hand
            for hand in base.specials
            if hand.key not in self.without
        )

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
            "more_points": [line.as_data("points") for line in self.more_points],
            "doubles": dict(self.doubles),
            "more_doubles": [line.as_data("doubles") for line in self.more_doubles],
            "without": list(self.without),
            "values": {
                key: {part: plain_value(worth) for part, worth in value.items()}
                for key, value in self.values.items()
            },
            "specials": [hand.as_data() for hand in self.specials],
            "payments": {name: plain_value(part) for name, part in (self.payments or {}).items()},
            "passing": dict(self.passing),
        }
        house |= {name: value for name, value in fields.items() if value}
        house |= {"payments": None} if self.payments is None else {}
        return house | {name: plain_value(value) for name, value in self.bounds.items()}


def plain_value(value: object) -> object:
    """Values, minimums and what the discarder pays as data; anything else as it is."""
    match value:
        case Fixed():
            return value.value
        case Share():
            return {"share": [value.part, value.of]}
        case LeastScore():
            return {name: number for name, number in value._asdict().items() if number is not None}
        case Discarder():
            return (
                value.payment_kind
                if value.payment_kind == "for_all"
                else {value.payment_kind: value.times}
            )
        case _:
            return value


def _apply_bounds(house: RuleSet, bounds: Bounds) -> RuleSet:
    """The rules with what a Mah-Jong may be and must reach, and who scores."""
    limits = bounds.get("limits")
    if limits is not None:
        most = {kind: limits.get(kind, house.limit) for kind in LIMIT_KINDS}
        house = replace(house, limits=Limits(**most, source=SOURCE))
    if chows := bounds.get("chows"):
        house = replace(house, chows=house.chows._replace(**chows, source=SOURCE))
    if (suits := bounds.get("one_suit")) is not None:
        one_suit = OneSuit(SOURCE, but_special=suits is True) if suits else None
        house = replace(house, one_suit=one_suit)
    if "minimum" in bounds:
        house = replace(house, minimum_of_all=_minimum(bounds["minimum"], max(house.seats)))
    if "minimum_with_two" in bounds:
        house = replace(house, minimum=_minimum(bounds["minimum_with_two"], min(house.seats)))
    if "losers_score" in bounds:
        house = replace(house, losers=Losers(bounds["losers_score"], SOURCE))
    if "bonus_tiles_beside" in bounds and (special := house.special_rules):
        is_bonus_added = bounds["bonus_tiles_beside"]
        special = special._replace(bonus_tiles_beside=is_bonus_added, source=SOURCE)
        house = replace(house, special_rules=special)
    return house if bounds.get("fishing", True) else _remove_fishing(house)


def _remove_fishing(house: RuleSet) -> RuleSet:
    """The rules with nothing for a hand one tile short of a special hand."""
    return replace(
        house,
        specials=tuple(
            hand._replace(fishing=None, source=SOURCE) if hand.fishing else hand
            for hand in house.specials
        ),
        doubled_hands=tuple(
            hand._replace(who=Who.WINNER, source=SOURCE) for hand in house.doubled_hands
        ),
    )


def _minimum(least: LeastScore | None, players: int) -> Minimum | None:
    return None if least is None else Minimum(players, *least, source=SOURCE)


def _apply_payments(house: RuleSet, changes: PaymentsChanges | None) -> RuleSet:
    """The rules with who pays whom."""
    payments = house.payments
    if payments is None or changes is None:
        return replace(house, payments=None)
    if changes:
        payments = payments._replace(
            by=changes.get("east", payments.by),
            multiplied_with_two=changes.get("with_two", payments.multiplied_with_two),
            losers_settle=changes.get("losers_settle", payments.losers_settle),
            unclaimed=changes.get("unclaimed", payments.unclaimed),
            source=f"{payments.source}; {SOURCE}",
        )
    if "discarder" in changes:
        discarder = changes["discarder"]
        alone = discarder is not None and discarder.payment_kind == "alone"
        pays = discarder and DiscarderPays(discarder.payment_kind == "for_all", discarder.times)
        payments = payments._replace(
            discarder_alone=discarder.times if discarder and alone else None,
            discarder=None if alone else pays,
        )
    if payments.losers_settle and not house.losers_score:
        payments = payments._replace(losers_settle=False)
    return replace(house, payments=payments)


def _apply_passing(house: RuleSet, changes: PassingChanges) -> RuleSet:
    """The rules with how the winds and the deal move."""
    if not changes:
        return house
    passing = house.passing
    passing = passing._replace(
        goulash_after_a_draw=changes.get("goulash", passing.goulash_after_a_draw),
        moves_after_a_draw=changes.get("draw_moves", passing.moves_after_a_draw),
        most_hands=changes.get("most_hands", passing.most_hands),
        most_wins=changes.get("most_wins", passing.most_wins),
        most_draws=changes.get("most_draws", passing.most_draws),
        source=f"{passing.source}; {SOURCE}",
    )
    if changes.get("prevailing", True) or not passing.prevailing:
        return replace(house, passing=passing)
    # A game may still be of so many rounds.
    counts = passing.succession is not Succession.WINNER
    passing = passing._replace(
        prevailing=False, hands_of_a_wind=None, rounds=Rounds.OF_EASTS if counts else passing.rounds
    )
    return replace(
        house,
        passing=passing,
        set_points=tuple(line for line in house.set_points if can_be_met(line.when)),
        set_doubles=tuple(line for line in house.set_doubles if can_be_met(line.when)),
    )


def can_be_met(set_condition: SetCondition, prevailing: Wind | None = None) -> bool:
    """Whether any set meets the condition while that wind prevails, or none."""
    hands = [Hand(seat_wind=seat, prevailing_wind=prevailing) for seat in Wind]
    return any(set_condition.test(group, hand) for hand, group in product(hands, _ALL_SETS))
