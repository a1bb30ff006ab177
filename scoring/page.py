"""The page of a rule set: one edition as it is declared, line by line."""

from dataclasses import dataclass
from functools import cached_property

from scoring.declarations import (
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
    Points,
    SetDouble,
    SetPoints,
    SpecialHand,
    SpecialRules,
)
from scoring.incidents import Incident
from scoring.policies import Passing, Payments


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
