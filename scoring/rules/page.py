"""Mistakes at the table as a rule set declares them: what each costs, and who is paid."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from scoring.hands.hand import quantity
from scoring.rules.declarations import (
    Adding,
    BonusPoints,
    Choice,
    Chows,
    Double,
    DoubledHand,
    Jokers,
    Losers,
    Minimum,
    OneSuit,
    Passing,
    Payments,
    Points,
    SetDouble,
    SetPoints,
    Share,
    SpecialHand,
    SpecialRules,
)


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

    `divided_if` is the open point, if there is one, that divides the fine among the others when
    it is yes.
    """

    amount: int | Share
    payee: Payee
    divided_if: str | None = None

    def points(self, limit: int | None) -> int:
        """The fine in points; raises ValueError for a share where there is no limit."""
        return self.amount if isinstance(self.amount, int) else self.amount.points(limit)

    def played(self, choices: Mapping[str, bool | int]) -> "Fine":
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
    def voids_the_hand(self) -> bool:
        """Whether nobody scores the hand."""
        return self.consequence is Consequence.VOID

    @property
    def pays_for_all(self) -> bool:
        """Whether the offender is the one whom `settle` is told as paying for all."""
        return self.consequence is Consequence.PAYS_FOR_ALL

    def played(self, choices: Mapping[str, bool | int]) -> "Incident":
        """The incident with the open points so chosen."""
        return self._replace(fine=self.fine.played(choices)) if self.fine else self

    def words(self, limit: int | None) -> str:
        """What the incident costs, in English; raises ValueError as its fine does."""
        if self.fine is None:
            return self.consequence.value
        points = quantity(self.fine.points(limit), "point")
        return f"{points} to {self.fine.payee}; {self.consequence}"


@dataclass(frozen=True, kw_only=True)
class Page:
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

    def capped(self, points: int) -> int:
        """The points, or the limit where they are more."""
        return points if self.limit is None else min(points, self.limit)

    @property
    def bonus_tiles_beside(self) -> bool:
        """Whether flowers and seasons are counted beside a special hand."""
        return self.special_rules is not None and self.special_rules.bonus_tiles_beside

    @property
    def face_of_any_shape(self) -> bool:
        """Whether a Mah-Jong that is not sets and a pair has an ordinary score too."""
        return self.special_rules is not None and self.special_rules.face_of_any_shape

    @property
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
