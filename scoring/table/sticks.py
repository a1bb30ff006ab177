"""Counting sticks, the tallies: who hands which to whom, and what they say beside the ledger."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import gcd
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

from scoring.hands.tiles import Wind
from scoring.table.settlement import Payment

SeatT = TypeVar("SeatT", bound=Hashable)
Sticks = Mapping[int, int]
"""How many sticks of each value in points."""

START: Final[Sticks] = MappingProxyType({500: 2, 100: 9, 10: 8, 2: 10})
"""What each player begins with: 2,000 points. Source: Gregory, accessories."""

START_POINTS: Final = 2000
"""What the sticks come to with which each player begins, in points."""


def sticks_worth(sticks: Sticks) -> int:
    """What the sticks come to, in points."""
    return sum(value * number for value, number in sticks.items())


def sticks_text(sticks: Sticks) -> str:
    """The sticks from the largest down: `1 × 100, 3 × 2`."""
    parts = [f"{number} × {value}" for value, number in sorted(sticks.items(), reverse=True)]
    return ", ".join(parts) or "nothing"


def starting_sticks(points: int) -> Sticks:
    """What someone begins with who gets so many points: small sticks first, up to the usual.

    What no stick comes to (an odd point) is left out.
    """
    sticks, points_left = {}, points
    for value in sorted(START)[:-1]:
        sticks[value] = min(START[value], points_left // value)
        points_left -= value * sticks[value]
    all_sticks = Counter(sticks) + Counter(tally(points_left - points_left % min(START)))
    return dict(sorted(all_sticks.items(), reverse=True))


def tally(points: int, values: Iterable[int] = START) -> Sticks:
    """The fewest sticks of these values that come to the points, however many there are.

    Raises ValueError for points below 0, and where no sticks come to them (an odd number).
    """
    sticks: dict[int, int] = {}
    points_left = points
    for value in sorted(values, reverse=True):
        number, points_left = divmod(points_left, value)
        if number:
            sticks[value] = number
    if points < 0 or points_left:
        raise ValueError(f"No sticks come to {points} points.")
    return sticks


@dataclass(frozen=True, slots=True)
class PassedSticks:
    """The sticks that one player gives and gets back, and the points he still owes on paper."""

    given_sticks: Sticks
    returned_sticks: Sticks
    owed: int = 0

    @property
    def points(self) -> int:
        """What was paid by it."""
        return sticks_worth(self.given_sticks) - sticks_worth(self.returned_sticks)

    def describe(self, payer: str, payee: str) -> str:
        """`West gives East 1 × 500 and gets back 3 × 100.`"""
        back_text = (
            f" and gets back {sticks_text(self.returned_sticks)}" if self.returned_sticks else ""
        )
        owed = f" and owes {self.owed} on paper" if self.owed else ""
        return f"{payer} gives {payee} {sticks_text(self.given_sticks)}{back_text}{owed}."


def pass_sticks(points: int, sticks: Sticks, *, change: Sticks | None = None) -> PassedSticks:
    """How someone who holds these sticks pays so many points, moving the fewest sticks.

    He gets change where that moves fewer than sticks that fit; `change` is what the other can
    give back (None: whatever is needed). What the payer has not, what cannot be changed and what
    is less than the smallest stick is owed on paper.
    Raises ValueError for points below 0.
    """
    if points < 0:
        raise ValueError(f"No one can pay {points} points.")
    kinds = sorted({*START, *sticks} if change is None else {*sticks, *change}, reverse=True)
    # Enough sticks of each kind to change one of the next larger.
    enough = {smaller: larger // smaller for larger, smaller in pairwise(kinds)}
    available_change = enough if change is None else change
    limits = [_Limit(kind, available_change.get(kind, 0), sticks.get(kind, 0)) for kind in kinds]
    most = min(points, sticks_worth(sticks))
    step = gcd(*kinds) or 1
    for paid in range(most - most % step, 0, -step):
        if stick_counts := _fewest_sticks(paid, limits):
            numbers = dict(zip(kinds, stick_counts, strict=True))
            given_sticks = {value: number for value, number in numbers.items() if number > 0}
            returned_sticks = {value: -number for value, number in numbers.items() if number < 0}
            return PassedSticks(given_sticks, returned_sticks, points - paid)
    return PassedSticks({}, {}, points)


class _Limit(NamedTuple):
    value: int
    returned_count: int
    given_count: int


def _fewest_sticks(points: int, limits: Sequence[_Limit]) -> tuple[int, ...] | None:
    """How many sticks of each kind to give (below 0: get back), the fewest in all; None if none."""
    limit, *other_limits = limits
    if not other_limits:
        number, remainder = divmod(points, limit.value)
        return (
            (number,)
            if not remainder and -limit.returned_count <= number <= limit.given_count
            else None
        )
    least = points - sum(
        other_limit.value * other_limit.given_count for other_limit in other_limits
    )
    most = points + sum(
        other_limit.value * other_limit.returned_count for other_limit in other_limits
    )
    numbers = range(
        max(-limit.returned_count, -(-least // limit.value)),
        min(limit.given_count, most // limit.value) + 1,
    )
    choices = (
        (number, *other_numbers)
        for number in numbers
        if (other_numbers := _fewest_sticks(points - number * limit.value, other_limits))
        is not None
    )
    return min(choices, key=_count_moved, default=None)


def _count_moved(numbers: Iterable[int]) -> tuple[int, int]:
    """Sticks moved in all, then those given back."""
    return sum(map(abs, numbers)), -sum(number for number in numbers if number < 0)


@dataclass(frozen=True, slots=True)
class Handing:
    """One player hands sticks to another, to pay or (as much given as got back) for change."""

    payer: Wind
    payee: Wind
    passed_sticks: PassedSticks


@dataclass(frozen=True, slots=True)
class PaidInSticks:
    """A settlement in sticks: each handing in turn, what each seat then holds, what is owed."""

    handings: tuple[Handing, ...]
    held_sticks: Mapping[Wind, Sticks]
    debts: tuple[Payment, ...]


def pay_in_sticks(payments: Iterable[Payment], sticks: Mapping[Wind, Sticks]) -> PaidInSticks:
    """Pay a settlement's payments in their order out of what each seat holds.

    A payer whom the payee cannot give change first changes a stick with another at the table.
    """
    table = _Table(sticks)
    for payment in payments:
        table.pay(payment)
    held_now = {wind: dict(sticks) for wind, sticks in table.held_sticks.items()}
    return PaidInSticks(tuple(table.handings), held_now, tuple(table.debts))


class _Table:
    def __init__(self, sticks: Mapping[Wind, Sticks]) -> None:
        self.held_sticks = {wind: Counter(sticks) for wind, sticks in sticks.items()}
        self.handings: list[Handing] = []
        self.debts: list[Payment] = []

    def pay(self, payment: Payment) -> None:
        sticks = self.held_sticks[payment.payer]
        handings = [self._paid(payment, sticks)]
        if handings[-1].passed_sticks.owed and sticks_worth(sticks) >= payment.points:
            handings = min([handings, *self._ways_with_change(payment)], key=_way_cost)
        for handing in handings:
            given_sticks = Counter(handing.passed_sticks.given_sticks)
            returned_sticks = Counter(handing.passed_sticks.returned_sticks)
            self.held_sticks[handing.payer] = (
                self.held_sticks[handing.payer] - given_sticks + returned_sticks
            )
            self.held_sticks[handing.payee] = (
                self.held_sticks[handing.payee] + given_sticks - returned_sticks
            )
            if given_sticks:
                self.handings.append(handing)
        if owed := handings[-1].passed_sticks.owed:
            self.debts.append(Payment(payment.payer, payment.payee, owed))

    def _paid(self, payment: Payment, sticks: Sticks) -> Handing:
        passed_sticks = pass_sticks(payment.points, sticks, change=self.held_sticks[payment.payee])
        return Handing(payment.payer, payment.payee, passed_sticks)

    def _ways_with_change(self, payment: Payment) -> Iterator[list[Handing]]:
        """For each stick that another than the payee can change: that, and then the payment."""
        sticks = self.held_sticks[payment.payer]
        other_winds = [
            wind for wind in self.held_sticks if wind not in {payment.payer, payment.payee}
        ]
        for other_wind, value in product(other_winds, sticks):
            # The fewest of the other's smaller sticks that come to the value.
            kinds = sorted(
                (kind for kind in self.held_sticks[other_wind] if kind < value), reverse=True
            )
            smaller = [_Limit(kind, 0, self.held_sticks[other_wind][kind]) for kind in kinds]
            numbers = _fewest_sticks(value, smaller) if smaller else None
            if numbers is not None:
                returned_sticks = {
                    kind: number for kind, number in zip(kinds, numbers, strict=True) if number
                }
                exchange = PassedSticks({value: 1}, returned_sticks)
                sticks_after = sticks - Counter(exchange.given_sticks) + Counter(returned_sticks)
                yield [
                    Handing(payment.payer, other_wind, exchange),
                    self._paid(payment, sticks_after),
                ]


def _way_cost(handings: Sequence[Handing]) -> tuple[int, int]:
    """What stays owed at the end, then the sticks moved."""
    moved_sticks = [
        *(handing.passed_sticks.given_sticks for handing in handings),
        *(handing.passed_sticks.returned_sticks for handing in handings),
    ]
    return handings[-1].passed_sticks.owed, sum(sum(sticks.values()) for sticks in moved_sticks)


@dataclass(frozen=True, slots=True)
class Comparison(Generic[SeatT]):
    """By how much each seat's sticks differ from the ledger (above 0: too many), in points."""

    differences: Mapping[SeatT, int]

    @property
    def agree(self) -> bool:
        """Whether every seat holds what the ledger says."""
        return not any(self.differences.values())

    @property
    def astray(self) -> int:
        """Points that have left the table with sticks (below 0: come to it), or were miscounted."""
        return -sum(self.differences.values())


def compare(
    counted_sticks: Mapping[SeatT, Sticks],
    gains: Mapping[SeatT, int],
    *,
    start: int = 2000,
    owed: Mapping[SeatT, int] | None = None,
) -> Comparison[SeatT]:
    """The sticks that each seat has counted beside its gains in the ledger.

    `start` is what each seat began with and `owed` what a seat owes on paper (below 0: is owed),
    in points. Raises KeyError for a seat that has no gains.
    """
    debts = owed or {}
    expected_points = {seat: start + gains[seat] + debts.get(seat, 0) for seat in counted_sticks}
    return Comparison(
        {
            seat: sticks_worth(counted_sticks[seat]) - points
            for seat, points in expected_points.items()
        }
    )
