"""The hand behind a row of a score sheet: its settlement, and what a slip makes of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from scoring.detective.findings import Slip, signed
from scoring.policies import Role
from scoring.rules import RuleSet
from scoring.settlement import Payment, Settlement, settle
from scoring.tiles import Wind

Gains = Mapping[Wind, int]


class Suspicion(NamedTuple):
    """A slip, the gains that it leads to, and the right gains if it is true.

    `kinds` holds two where two slips came together; `totals` are the scores that it corrects.
    """

    kinds: tuple[Slip, ...]
    seats: tuple[Wind, ...]
    reason: str
    gains: Gains
    right: Gains
    totals: Mapping[Wind, int] = {}


@dataclass(frozen=True)
class Table:
    """One hand to be settled: the fields of `settle`. The scores are sound."""

    scores: Gains
    winner: Wind
    rules: RuleSet
    dealer: Wind = Wind.E
    won_by: str | None = None
    discarder: Wind | None = None
    pays_for_all: Wind | None = None

    def settled(self) -> Settlement:
        """What the engine says."""
        return settle(
            self.scores,
            winner=self.winner,
            rules=self.rules,
            dealer=self.dealer,
            won_by=self.won_by,
            discarder=self.discarder,
            pays_for_all=self.pays_for_all,
        )

    @cached_property
    def truth(self) -> Settlement:
        """The settlement of the hand."""
        return self.settled()

    @cached_property
    def losers(self) -> tuple[Wind, ...]:
        """Everyone but the winner."""
        return tuple(seat for seat in self.scores if seat != self.winner)

    def scoring(self, scores: Gains) -> Gains:
        """The gains if these seats had scored so; the limit is not looked at."""
        unlimited = replace(self.rules, limit=None)
        return replace(self, scores={**self.scores, **scores}, rules=unlimited).settled().gain

    @cached_property
    def units(self) -> Mapping[Wind, Settlement]:
        """For each seat, the settlement if it had scored one point and the others nothing."""
        nothing = dict.fromkeys(self.scores, 0)
        return {seat: replace(self, scores={**nothing, seat: 1}).settled() for seat in self.scores}

    def matters(self, seat: Wind) -> bool:
        """Whether the seat's total moves any gain: a loser's does not where he is never paid."""
        return any(self.units[seat].gain.values())

    @cached_property
    def factors(self) -> Mapping[tuple[Wind, Wind], int]:
        """By payer and payee, how many times a point is paid between them."""
        payments = chain.from_iterable(unit.payments for unit in self.units.values())
        return {(paid.payer, paid.payee): paid.points for paid in payments}

    @property
    def doubling(self) -> Wind:
        """The seat whose payments are doubled."""
        policy = self.rules.payments
        return Wind.E if policy and policy.multiplied is Role.EAST else self.dealer

    @cached_property
    def doubled(self) -> tuple[Payment, ...]:
        """The payments that are doubled, or of which a part is."""
        return tuple(paid for paid in self.truth.payments if self.undoubled(paid) != paid.points)

    @cached_property
    def between_losers(self) -> tuple[Payment, ...]:
        """What the losers settle among themselves."""
        return tuple(paid for paid in self.truth.payments if self.winner != paid.payee)

    @cached_property
    def to_the_winner(self) -> tuple[Payment, ...]:
        """What the winner is paid."""
        return tuple(paid for paid in self.truth.payments if self.winner == paid.payee)

    def undoubled(self, payment: Payment) -> int:
        """What the payment comes to if it is not doubled (or once less, where twice)."""
        if self.pays_for_all:
            return self.scores[self.winner] * len(self.losers)
        factor = self.factors.get((payment.payer, payment.payee), 1)
        return payment.points if factor % 2 else payment.points // 2

    def counting(self, counted: Mapping[Payment, int]) -> Gains:
        """The gains if these payments had been counted as so much; one of 0 is not due at all."""
        gains = dict(self.truth.gain)
        for payment, points in counted.items():
            gains[payment.payer] -= points - payment.points
            gains[payment.payee] += points - payment.points
        return gains

    def miscounted(
        self, kind: Slip, seats: Iterable[Wind], reason: str, counted: Mapping[Payment, int]
    ) -> Suspicion:
        """The suspicion that these payments were counted as so much."""
        return Suspicion((kind,), tuple(seats), reason, self.counting(counted), self.truth.gain)


def fits(gains: Gains, written: Gains) -> bool:
    """Whether every gain that is written down is as expected."""
    return all(gains[seat] == points for seat, points in written.items())


def amiss(right: Gains, written: Gains) -> tuple[Wind, ...]:
    """The seats whose written gain is not the right one."""
    return tuple(seat for seat, points in written.items() if right[seat] != points)


def due(right: Gains, written: Gains) -> str:
    """What the seats should have whose gain is wrong: West should have +64, not −64."""
    parts = [
        f"{seat.label} should have {signed(right[seat])}, not {signed(written[seat])}"
        for seat in amiss(right, written)
    ]
    return f"{'; '.join(parts)}." if parts else ""
