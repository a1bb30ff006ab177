"""A rule set: the page as it is declared, and the book worked out from it once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, reduce
from operator import or_
from typing import Final, NamedTuple

from scoring.hands.cuts import HONOURS_START, PART_STARTS
from scoring.hands.hand import Hand, Kind, TileSet, quantity, set_codes, set_of
from scoring.hands.tiles import BONUS_TILES, WIND_TILES, Tile, Wind
from scoring.rules import marks
from scoring.rules.conditions import ConditionMask, HandCondition
from scoring.rules.declarations import (
    Adding,
    BonusPoints,
    Choice,
    Chows,
    Double,
    DoubledHand,
    Form,
    Jokers,
    Limits,
    Losers,
    Minimum,
    OneSuit,
    Passing,
    Payments,
    Points,
    Reach,
    SetDouble,
    SetPoints,
    Share,
    SpecialHand,
    SpecialRules,
)
from scoring.rules.prices import Line, Lookup, PartPrices, Price, Prices, SetPrices, part_prices
from scoring.rules.shapes import ByChoice, Shape, Shapes
from scoring.rules.verdicts import (
    DoubledForm,
    LooseForm,
    Questions,
    SetForm,
    StandingForm,
    Verdicts,
    Vocabulary,
    Worth,
)

_WIND_SET_CODES: Final = [
    code
    for kind in Kind
    for exposed in (False, True)
    for code in set_codes(kind, exposed=exposed)
    if set_of(code).tile in WIND_TILES
]


class Payee(StrEnum):
    """Who is paid for someone's mistake."""

    CLAIMANT = "the claimant"
    EACH_OTHER = "each other player"
    ALL_OTHERS = "the other players, in equal parts"


class Consequence(StrEnum):
    """What becomes of the hand."""

    NONE = "play goes on"
    SET_STAYS = "the set stays, and the player cannot go Mah-Jong"
    NO_MAHJONG = "the player cannot go Mah-Jong and scores what the hand holds"
    NO_SCORE = "the player cannot go Mah-Jong and scores nothing"
    PAYS_FOR_ALL = "the player pays the winner for all, and no one else settles"
    VOID = "the hand is void"


class Status(StrEnum):
    """How sure the rule is."""

    INFERRED = "inferred"
    OPEN = "open"


class Fine(NamedTuple):
    """Points, or a share of the limit, and to whom they go; East never doubles them.

    `divided_if` is the open point, if any, that divides the fine among the others when it is yes.
    """

    amount: int | Share
    payee: Payee
    divided_if: str | None = None

    def points(self, limit: int | None) -> int:
        """The fine in points; raises ValueError for a share where there is no limit."""
        return self.amount if isinstance(self.amount, int) else self.amount.points(limit)

    def resolve(self, choices: Mapping[str, bool | int]) -> "Fine":
        """The fine with the open points so chosen."""
        is_divided = self.divided_if is not None and choices[self.divided_if]
        return self._replace(payee=Payee.ALL_OTHERS) if is_divided else self


class Incident(NamedTuple):
    """A mistake at the table and what it costs."""

    key: str
    name: str
    fine: Fine | None
    consequence: Consequence
    source: str
    status: Status

    @property
    def pays_for_all(self) -> bool:
        """Whether the offender is the one whom `settle` is told as paying for all."""
        return self.consequence is Consequence.PAYS_FOR_ALL

    def resolve(self, choices: Mapping[str, bool | int]) -> "Incident":
        """The incident with the open points so chosen."""
        return self._replace(fine=self.fine.resolve(choices)) if self.fine else self

    def describe(self, limit: int | None) -> str:
        """What the incident costs, in English; raises ValueError as its fine does."""
        if self.fine is None:
            return self.consequence.value
        points = quantity(self.fine.points(limit), "point")
        return f"{points} to {self.fine.payee}; {self.consequence}"


@dataclass(frozen=True, kw_only=True)
class RulesPage:
    """What one edition declares; points are doubled unless they are `adding`."""

    key: str
    name: str
    limit: int | None
    limit_source: str
    seats: tuple[int, ...]
    set_points: tuple[SetPoints, ...]
    bonus_points: BonusPoints | None
    points: tuple[Points, ...]
    set_doubles: tuple[SetDouble, ...]
    doubles: tuple[Double, ...]
    doubled_hands: tuple[DoubledHand, ...]
    specials: tuple[SpecialHand, ...]
    special_rules: SpecialRules | None
    losers: Losers
    chows: Chows
    one_suit: OneSuit | None = None
    jokers: Jokers | None
    minimum: Minimum | None
    choices: tuple[Choice, ...]
    payments: Payments | None
    passing: Passing
    adding: Adding | None = None
    penalties: tuple[Incident, ...] = ()
    limits: Limits | None = None
    minimum_of_all: Minimum | None = None

    def limit_of(self, *, won: bool, special: bool) -> int | None:
        """The most points of such a hand; None where it has no limit."""
        if self.limits is None:
            return self.limit
        of_a_winner = self.limits.special if special else self.limits.ordinary
        return of_a_winner if won else self.limits.losers

    def cap_points(self, points: int, *, won: bool, special: bool) -> int:
        """The points of such a hand, or its limit where they are more."""
        limit = self.limit_of(won=won, special=special)
        return points if limit is None else min(points, limit)

    @cached_property
    def highest(self) -> int | None:
        """The most points of any hand; None where some hands have no limit."""
        if self.limits is None:
            return self.limit
        ordinary, special, losers, _source = self.limits
        if ordinary is None or special is None or losers is None:
            return None
        return max(ordinary, special, losers)

    def capped_at_highest(self, points: int) -> int:
        """The points, or the most of any hand where they are more."""
        return points if self.highest is None else min(points, self.highest)

    def minimum_for(self, players: int) -> Minimum | None:
        """What a Mah-Jong must reach at a table of so many; None: nothing."""
        is_small_table = self.minimum is not None and players <= self.minimum.players
        return self.minimum if is_small_table else self.minimum_of_all

    @cached_property
    def bonus_tiles_beside(self) -> bool:
        """Whether flowers and seasons are counted beside a special hand."""
        return self.special_rules is not None and self.special_rules.bonus_tiles_beside

    @property
    def face_of_any_shape(self) -> bool:
        """Whether a Mah-Jong that is not sets and a pair has an ordinary score too."""
        return self.special_rules is not None and self.special_rules.face_of_any_shape

    @cached_property
    def losers_score(self) -> bool:
        """Whether players who did not go Mah-Jong score, as the open points are played."""
        unless = self.losers.unless
        return self.losers.score and not (unless and self.choice[unless])

    @property
    def zero_sum(self) -> bool:
        """Whether players pay one another, so that the gains of a hand add to nothing."""
        return self.payments is not None

    @cached_property
    def choice(self) -> dict[str, bool | int]:
        """How each open point is played, by name."""
        return {choice.name: choice.value for choice in self.choices}


class Book:
    """One rule set, looked up quickly."""

    def __init__(self, rules: RulesPage) -> None:
        self.rules = rules
        self.choices = rules.choice
        self.doubles_reaching = cache(self._doubles_reaching)
        self._prices: dict[tuple[Wind, Wind | None], Prices] = {}
        self._honours: dict[tuple[Price, ...], PartPrices] = {}
        self._value_lines: dict[tuple[str, int], Line] = {}

    def prices(self, seat: Wind, prevailing: Wind | None) -> Prices:
        """What sets are worth to a player of that wind while that wind prevails."""
        prices_there = self._prices.get((seat, prevailing))
        if prices_there is None:
            prices_there = self._prices[seat, prevailing] = self._prices_for(seat, prevailing)
        return prices_there

    def _prices_for(self, seat: Wind, prevailing: Wind | None) -> Prices:
        """Only what sets of winds are worth depends on these winds."""
        hand = Hand(seat_wind=seat, prevailing_wind=prevailing)

        def price(code: int) -> Price:
            group = set_of(code)
            return (
                self._price(group, hand)
                if group.tile in WIND_TILES
                else self._windless_prices[code]
            )

        sets = SetPrices(price)
        of_winds = tuple(sets[code] for code in _WIND_SET_CODES)
        if of_winds not in self._honours:
            self._honours[of_winds] = part_prices(HONOURS_START, sets)
        return Prices(sets, (*self._suits, self._honours[of_winds]))

    @cached_property
    def _windless_prices(self) -> SetPrices:
        """The prices of all sets but those of winds, whatever the winds."""
        return SetPrices(lambda code: self._price(set_of(code), Hand()))

    @cached_property
    def _suits(self) -> tuple[PartPrices, ...]:
        """The tables of the three suits."""
        of_suits = (first for first in PART_STARTS if first < HONOURS_START)
        return tuple(part_prices(first, self._windless_prices) for first in of_suits)

    def _price(self, group: TileSet, hand: Hand) -> Price:
        points = tuple(
            Line(rule.name, rule.source, group.tiles, points=worth)
            for rule in self.rules.set_points
            if rule.is_played(self.choices)
            and (worth := rule.exposed if group.exposed else rule.concealed)
            and rule.when.test(group, hand)
        )
        doubles = tuple(
            Line(rule.name, rule.source, group.tiles, doubles=rule.doubles)
            for rule in self.rules.set_doubles
            if rule.when.test(group, hand)
        )
        return Price(
            points=sum(line.points or 0 for line in points),
            doubles=sum(line.doubles or 0 for line in doubles),
            marks=marks.of_set(group),
            point_lines=points,
            double_lines=doubles,
            word=self._set_words[group.code],
            group=group,
        )

    @cached_property
    def _set_words(self) -> Lookup[int]:
        """The word of each set, by its code."""
        return Lookup(lambda code: self.vocabulary.word(marks.of_set(set_of(code))))

    def worth(self, lines: Iterable[Points]) -> tuple[Worth, ...]:
        """The lines of points that can hold as the open points are played."""
        return tuple(
            Worth(*question, rule.points, Line(rule.name, rule.source, points=rule.points))
            for rule in lines
            if (question := rule.when.question(self.choices))
        )

    @cached_property
    def points(self) -> tuple[Worth, ...]:
        """Points for what is true of a winner's hand."""
        return self.worth(self.rules.points)

    @cached_property
    def points_standing(self) -> tuple[Worth, ...]:
        """Points for what is true of a hand that did not win."""
        return self.worth(rule for rule in self.rules.points if not rule.winner_only)

    @cached_property
    def bonus_lines(self) -> dict[Tile, Line]:
        """The line of each flower and season; none where they are not played with."""
        rule = self.rules.bonus_points
        if rule is None:
            return {}
        return {
            tile: Line(rule.name, rule.source, (tile,), points=rule.points) for tile in BONUS_TILES
        }

    def value_line(self, special: SpecialHand, value: int) -> Line:
        """The line of a special hand that is worth so much, won or one tile short."""
        if (special.key, value) not in self._value_lines:
            line = Line(special.name, special.source, value=value)
            self._value_lines[special.key, value] = line
        return self._value_lines[special.key, value]

    @cached_property
    def doubles_won(self) -> tuple[Worth, ...]:
        """Every double of a winner's hand."""
        return self._doubles(lambda _rule: True)

    @cached_property
    def doubles_standing(self) -> tuple[Worth, ...]:
        """Every double of a hand that did not win."""
        return self._doubles(lambda rule: not rule.winner_only)

    def _doubles_reaching(self, reach: Reach, *, won: bool) -> tuple[Worth, ...]:
        """The doubles that reach so far into a special hand, or farther."""
        farther = [*Reach][[*Reach].index(reach) :]
        return self._doubles(lambda rule: rule.reach in farther and (won or not rule.winner_only))

    def _doubles(self, is_included: Callable[[Double], bool]) -> tuple[Worth, ...]:
        worths = []
        for rule in filter(is_included, self.rules.doubles):
            hand_condition = rule.when
            # A line that stands instead of others asks for one mark: its absence is a question.
            for other_rule in self.rules.doubles:
                if rule.name in other_rule.instead_of:
                    hand_condition &= HandCondition(
                        f"no {other_rule.name}", none_of=other_rule.when.all_of
                    )
            if question := hand_condition.question(self.choices):
                line = Line(rule.name, rule.source, doubles=rule.doubles)
                worths.append(Worth(*question, rule.doubles, line))
        return tuple(worths)

    @cached_property
    def set_forms(self) -> tuple[SetForm, ...]:
        """The special hands of pungs or kongs and a pair, and those of any Mah-Jong."""
        forms = []
        for special in self.rules.specials:
            hand_condition = special.when
            if special.of_pungs:
                hand_condition &= HandCondition("no chows", none_of=marks.CHOW | marks.LOOSE)
            question = hand_condition.question(self.choices)
            if question and not isinstance(special.form, Shape | ByChoice):
                forms.append(SetForm(*question, special))
        return tuple(forms)

    @cached_property
    def loose_forms(self) -> tuple[LooseForm, ...]:
        """The special hands of a shape of their own, as the open points are played."""
        return tuple(
            LooseForm(*question, shape, special)
            for special in self.rules.specials
            if (shape := self.shape(special)) and (question := special.when.question(self.choices))
        )

    @cached_property
    def loose_shapes(self) -> Shapes:
        """The shapes of the loose forms, in the same order."""
        return Shapes([form.shape for form in self.loose_forms])

    @cached_property
    def standing_forms(self) -> tuple[StandingForm, ...]:
        """What gives a special hand's value to a player who did not go Mah-Jong."""
        return tuple(
            StandingForm(*question, special.standing.value, special)
            for special in self.rules.specials
            if special.standing and (question := special.standing.when.question(self.choices))
        )

    def shape(self, special: SpecialHand) -> Shape | None:
        """The special hand's shape as it is played; None where it is sets and a pair."""
        return self._shapes.get(special.key)

    @cached_property
    def _shapes(self) -> dict[str, Shape]:
        forms = {special.key: special.resolve(self.choices) for special in self.rules.specials}
        return {key: form for key, form in forms.items() if not isinstance(form, Form)}

    @cached_property
    def doubled_forms(self) -> tuple[DoubledForm, ...]:
        return tuple(
            DoubledForm(
                question.mask | marks.CHOW | marks.LOOSE,
                question.want,
                self.worth(special.also),
                Line(special.name, special.source, doubles=special.doubles),
                special,
            )
            for special in self.rules.doubled_hands
            if (question := special.when.question(self.choices))
        )

    @cached_property
    def last_tile(self) -> ConditionMask | None:
        """What must hold for the last tile to count again what it completes; None: never."""
        adding = self.rules.adding
        return adding.last_tile.when.question(self.choices) if adding else None

    @cached_property
    def asks(self) -> int:
        """Every mark that some line of points or doubles asks about."""
        return reduce(or_, (line.mask for line in (*self.points, *self.doubles_won)), 0)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The marks of sets that any question asks about."""
        return Vocabulary(
            [*self._questions(won=True).mark_questions, *self._questions(won=False).mark_questions]
        )

    @cached_property
    def won(self) -> Verdicts:
        """What holds for a winner's hand."""
        return Verdicts(self._questions(won=True), self.vocabulary)

    @cached_property
    def lost(self) -> Verdicts:
        """What holds for a hand that did not win."""
        return Verdicts(self._questions(won=False), self.vocabulary)

    def _questions(self, *, won: bool) -> Questions:
        return Questions(
            points=self.points if won else self.points_standing,
            doubles=self.doubles_won if won else self.doubles_standing,
            through_doubles=self.doubles_reaching(Reach.EVERYTHING, won=won),
            bonus_doubles=self.doubles_reaching(Reach.BONUS_TILES, won=won),
            set_forms=self.set_forms,
            loose_forms=self.loose_forms,
            doubled_forms=self.doubled_forms,
            standing_forms=self.standing_forms,
        )

    @cached_property
    def tile_words(self) -> dict[Tile, int]:
        """The word of each tile that stands in no set."""
        return {
            tile: self.vocabulary.word(marks_held) for tile, marks_held in marks.OF_TILE.items()
        }

    @cached_property
    def loose_word(self) -> int:
        """The word of a hand that is not sets and a pair."""
        return self.vocabulary.word(marks.LOOSE)


@dataclass(frozen=True, kw_only=True)
class RuleSet(RulesPage):
    """One edition of a club's rules, whole, to score hands by."""

    def __repr__(self) -> str:
        return f"<RuleSet {self.key}: {self.name}>"

    def __hash__(self) -> int:
        """Of its key alone: rules are looked up for every seat of every hand."""
        return hash(self.key)

    @cached_property
    def book(self) -> Book:
        """The same rules, looked up quickly."""
        return Book(self)

    def choosing(self, **values: bool | int) -> "RuleSet":
        """The same rules with these open points played otherwise; KeyError for any other name."""
        if unknown := values.keys() - self.choice.keys():
            raise KeyError(", ".join(sorted(unknown)))
        choices = tuple(
            line._replace(value=values.get(line.name, line.value)) for line in self.choices
        )
        return replace(self, choices=choices)
