"""The hand behind a row of a score sheet: its settlement, and what a slip makes of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

from scoring.detective.slips import Slip, pen_slip, plain, signed
from scoring.hands.tiles import Wind
from scoring.rules.declarations import Role
from scoring.rules.rule_set import RuleSet
from scoring.table.settlement import Payment, Settlement, settle
from scoring.totals import check_totals

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


def figure_slips(table: Table, written: Gains) -> Iterator[Suspicion]:
    """The slips in one or two figures that lead to just what is written."""
    return chain(
        _gains(table, written),
        _swapped_gains(table, written),
        _amounts(table, written),
        _totals(table, written),
        _swapped_totals(table, written),
    )


def _gains(table: Table, written: Gains) -> Iterator[Suspicion]:
    wrong = amiss(table.truth.gain, written)
    if len(wrong) != 1:
        return
    seat = wrong[0]
    wrong_gain, right = written[seat], table.truth.gain[seat]
    slips = [*_pen(seat, right, wrong_gain)]
    slips += [((kind,), reason) for kind, sum_, reason in _sums(table, seat) if sum_ == wrong_gain]
    slips = slips or [*_pen_and_sign(seat, right, wrong_gain)]
    slips = slips or [((Slip.WRONG_SUM,), f"{seat.label}'s gain is added up wrongly.")]
    for kinds, reason in slips:
        gains = {**table.truth.gain, seat: wrong_gain}
        yield Suspicion(kinds, (seat,), reason, gains, table.truth.gain)


def _pen(seat: Wind, right: int, written: int) -> Iterator[tuple[tuple[Slip, ...], str]]:
    pen = pen_slip(right, written)
    if pen:
        yield (pen.kind,), f"In {seat.label}'s gain {pen.words}."


def _pen_and_sign(seat: Wind, right: int, written: int) -> Iterator[tuple[tuple[Slip, ...], str]]:
    pen, sign = pen_slip(-right, written), pen_slip(right, -right)
    if pen and sign:
        reason = f"In {seat.label}'s gain {sign.words} and {pen.words}."
        yield (sign.kind, pen.kind), reason


def _sums(table: Table, seat: Wind) -> Iterator[tuple[Slip, int, str]]:
    """What the seat's gain comes to if one payment is added up wrongly, for this seat alone."""
    right = table.truth.gain[seat]
    for paid in table.truth.payments:
        if seat not in {paid.payer, paid.payee}:
            continue
        sign = 1 if seat == paid.payee else -1
        points = sign * paid.points
        what = f"{paid.payer.label}'s {paid.points:,} to {paid.payee.label}"
        where = f"in {seat.label}'s gain"
        yield Slip.LEFT_OUT_OF_A_SUM, right - points, f"{what} is left out {where}."
        yield Slip.TURNED_IN_A_SUM, right - 2 * points, f"{what} has the wrong sign {where}."
        if paid in table.doubled:
            less = right - points + sign * table.undoubled(paid)
            yield Slip.NOT_DOUBLED_IN_A_SUM, less, f"{what} is not doubled {where}."
        yield Slip.DOUBLED_IN_A_SUM, right + points, f"{what} is counted twice {where}."


def _swapped_gains(table: Table, written: Gains) -> Iterator[Suspicion]:
    right = table.truth.gain
    for first, other in combinations(table.scores, 2):
        gains = {**right, first: right[other], other: right[first]}
        if gains != right and fits(gains, written):
            reason = f"{first.label}'s and {other.label}'s gains are swapped."
            yield Suspicion((Slip.SEATS_SWAPPED,), (first, other), reason, gains, right)


def _amounts(table: Table, written: Gains) -> Iterator[Suspicion]:
    """One payment counted as another amount: two seats are off, by as much."""
    wrong = amiss(table.truth.gain, written)
    if len(wrong) != 2:
        return
    payment = _between(table, *wrong)
    more = written[payment.payee] - table.truth.gain[payment.payee]
    if table.truth.gain[payment.payer] - written[payment.payer] != more:
        return
    counted = payment.points + more
    pen = pen_slip(payment.points, counted) if payment.points and counted >= 0 else None
    kind = pen.kind if pen else Slip.WRONG_PAYMENT
    words = f": {pen.words}" if pen else ""
    payer, payee = payment.payer.label, payment.payee.label
    amounts = f"{plain(payment.points)}, not {plain(counted)}"
    reason = f"{payer} pays {payee} {amounts}{words}."
    yield table.miscounted(kind, (payment.payer, payment.payee), reason, {payment: counted})


def _between(table: Table, first: Wind, other: Wind) -> Payment:
    pair = {first, other}
    payments = (paid for paid in table.truth.payments if {paid.payer, paid.payee} == pair)
    return next(payments, Payment(first, other, 0))


def _totals(table: Table, written: Gains) -> Iterator[Suspicion]:
    """One total other than it is written: the one that the gains were worked out with."""
    for seat, score in table.scores.items():
        used = total_used(table, seat, written)
        if used is None or used == score:
            continue
        if score == table.rules.limit and used > score:
            kind, words = Slip.LIMIT_NOT_APPLIED, ": the limit was not applied"
        elif used == 2 * score and used:
            kind, words = Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once more"
        elif score == 2 * used and used:
            kind, words = Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once less"
        else:
            pen = pen_slip(used, score)
            kind, words = (pen.kind, f": {pen.words}") if pen else (Slip.ANOTHER_TOTAL, "")
        gains = table.scoring({seat: used})
        instead = f"{plain(used)} for {seat.label} instead of {plain(score)}"
        scores = {**table.scores, seat: used}
        problems = check_totals(scores, winner=table.winner, rules=table.rules)
        if all(problem.where != f"scores.{seat}" for problem in problems):
            reason = f"With {instead} the row is right{words}."
            yield Suspicion((kind,), (seat,), reason, gains, gains, {seat: used})
        else:
            reason = f"The gains are worked out with {instead}{words}."
            yield Suspicion((kind,), (seat,), reason, gains, table.truth.gain)


def total_used(table: Table, seat: Wind, written: Gains) -> int | None:
    """The only total of this seat that leads to what is written; None where none does.

    Each gain goes up and down with each total by a fixed number of points a point.
    """
    slope = table.units[seat].gain
    telling = (other for other in written if slope[other])
    for other in telling:
        more, rest = divmod(written[other] - table.truth.gain[other], slope[other])
        used = table.scores[seat] + more
        if rest or used < 0 or not fits(table.scoring({seat: used}), written):
            return None
        return used
    return None


def _swapped_totals(table: Table, written: Gains) -> Iterator[Suspicion]:
    for first, other in combinations(table.scores, 2):
        swapped = {first: table.scores[other], other: table.scores[first]}
        gains = replace(table, scores={**table.scores, **swapped}).truth.gain
        if gains != table.truth.gain and fits(gains, written):
            reason = f"The row is right if {first.label}'s and {other.label}'s totals are swapped."
            yield Suspicion((Slip.TOTALS_SWAPPED,), (first, other), reason, gains, gains, swapped)
