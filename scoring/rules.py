"""The vocabulary in which a rule set is declared: one frozen line for each rule."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from scoring.conditions import HandCondition, SetCondition
from scoring.policies import Passing, Payments


class Who(StrEnum):
    """Whose hand a line is for."""

    EVERYONE = "everyone"
    WINNER = "winner"


class Reach(StrEnum):
    """What a double multiplies: ordinary hands always, and of a special hand so much."""

    ORDINARY = "ordinary hands"
    BONUS_TILES = "also the bonus tiles beside a special hand"
    EVERYTHING = "also a special hand's points and its bonus tiles"


class Form(StrEnum):
    """What a special hand is made of."""

    PUNGS = "pungs or kongs and a pair"
    OTHER = "a shape of its own"
    ANY = "any Mah-Jong"


class SetPoints(NamedTuple):
    """Points for each set of a kind."""

    name: str
    when: SetCondition
    exposed: int
    concealed: int
    source: str


class SetDouble(NamedTuple):
    """Doubles for each set of a kind."""

    name: str
    when: SetCondition
    doubles: int
    source: str


class BonusPoints(NamedTuple):
    """Points for each flower or season."""

    name: str
    points: int
    source: str


class Points(NamedTuple):
    """Points for something true of the winner's hand."""

    name: str
    when: HandCondition
    points: int
    source: str


class Double(NamedTuple):
    """Doubles for something true of the hand; a line may stand instead of others."""

    name: str
    when: HandCondition
    doubles: int
    who: Who
    source: str
    reach: Reach = Reach.ORDINARY
    instead_of: tuple[str, ...] = ()


class Share(NamedTuple):
    """A part of the limit; what does not divide is rounded down."""

    part: int
    of: int

    def points(self, limit: int | None) -> int:
        """The share in points; raises ValueError where there is no limit to share."""
        if limit is None:
            raise ValueError("A share of the limit needs a limit.")
        return limit * self.part // self.of


class SpecialHand(NamedTuple):
    """A hand with a value of its own when won, and another when one tile short."""

    key: str
    name: str
    form: Form
    when: HandCondition
    value: Share
    fishing: Share | None
    source: str


class DoubledHand(NamedTuple):
    """A special hand of pungs or kongs and a pair whose own points are doubled."""

    key: str
    name: str
    when: HandCondition
    doubles: int
    also: tuple[Points, ...]
    source: str


class Minimum(NamedTuple):
    """What a Mah-Jong must reach at a table of so few players: doubles or points."""

    players: int
    doubles: int
    points: int
    source: str


class Choice(NamedTuple):
    """An open point of the rules and how it is played."""

    name: str
    value: bool | int
    words: str
    source: str


class Chows(NamedTuple):
    """How many chows a Mah-Jong may hold, and from how many players on."""

    most: int
    players: int
    in_a_goulash: bool
    source: str


class Jokers(NamedTuple):
    """How many jokers may stand in a set."""

    in_a_pung: int
    in_a_kong: int
    source: str


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """One edition of a club's rules, whole."""

    key: str
    name: str
    limit: int | None
    limit_source: str
    seats: tuple[int, ...]
    set_points: tuple[SetPoints, ...]
    bonus_points: BonusPoints
    points: tuple[Points, ...]
    set_doubles: tuple[SetDouble, ...]
    doubles: tuple[Double, ...]
    doubled_hands: tuple[DoubledHand, ...]
    specials: tuple[SpecialHand, ...]
    chows: Chows
    jokers: Jokers
    minimum: Minimum | None
    choices: tuple[Choice, ...]
    payments: Payments | None
    passing: Passing

    def capped(self, points: int) -> int:
        """The points, or the limit where they are more."""
        return points if self.limit is None else min(points, self.limit)

    @property
    def zero_sum(self) -> bool:
        """Whether players pay one another, so that the gains of a hand add to nothing."""
        return self.payments is not None

    @cached_property
    def choice(self) -> dict[str, bool | int]:
        """How each open point is played, by name."""
        return {choice.name: choice.value for choice in self.choices}

    def choosing(self, **values: bool | int) -> "RuleSet":
        """A house rule: the same rules with these open points played otherwise.

        Raises KeyError for a name that is no open point of these rules.
        """
        unknown = values.keys() - self.choice.keys()
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        choices = tuple(
            line._replace(value=values.get(line.name, line.value)) for line in self.choices
        )
        return replace(self, choices=choices)
