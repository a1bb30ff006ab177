"""Slips in one figure of a row: a gain, a total, a payment's amount, or two exchanged."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations

from scoring.detective.findings import Slip, plain
from scoring.detective.pen import pen_slip
from scoring.detective.table import Gains, Suspicion, Table, amiss, fits
from scoring.settlement import Payment
from scoring.tiles import Wind
from scoring.totals import check_totals


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
    found, right = written[seat], table.truth.gain[seat]
    slips = [*_pen(seat, right, found)]
    slips += [((kind,), reason) for kind, sum_, reason in _sums(table, seat) if sum_ == found]
    slips = slips or [*_pen_and_sign(seat, right, found)]
    slips = slips or [((Slip.WRONG_SUM,), f"{seat.label}'s gain is added up wrongly.")]
    for kinds, reason in slips:
        gains = {**table.truth.gain, seat: found}
        yield Suspicion(kinds, (seat,), reason, gains, table.truth.gain)


def _pen(seat: Wind, right: int, found: int) -> Iterator[tuple[tuple[Slip, ...], str]]:
    pen = pen_slip(right, found)
    if pen:
        yield (pen.kind,), f"In {seat.label}'s gain {pen.words}."


def _pen_and_sign(seat: Wind, right: int, found: int) -> Iterator[tuple[tuple[Slip, ...], str]]:
    pen, sign = pen_slip(-right, found), pen_slip(right, -right)
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
    for one, other in combinations(table.scores, 2):
        gains = {**right, one: right[other], other: right[one]}
        if gains != right and fits(gains, written):
            reason = f"{one.label}'s and {other.label}'s gains are swapped."
            yield Suspicion((Slip.SEATS_SWAPPED,), (one, other), reason, gains, right)


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


def _between(table: Table, one: Wind, other: Wind) -> Payment:
    pair = {one, other}
    payments = (paid for paid in table.truth.payments if {paid.payer, paid.payee} == pair)
    return next(payments, Payment(one, other, 0))


def _totals(table: Table, written: Gains) -> Iterator[Suspicion]:
    """One total other than it is written: the one that the gains were worked out with."""
    for seat, score in table.scores.items():
        used = total_used(table, seat, written)
        if used is None or used == score:
            continue
        kind, words = _why_another(used, score, table)
        gains = table.scoring({seat: used})
        instead = f"{plain(used)} for {seat.label} instead of {plain(score)}"
        if _can_be(table, seat, used):
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


def _why_another(used: int, score: int, table: Table) -> tuple[Slip, str]:
    if score == table.rules.limit and used > score:
        return Slip.LIMIT_NOT_APPLIED, ": the limit was not applied"
    if used == 2 * score and used:
        return Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once more"
    if score == 2 * used and used:
        return Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once less"
    pen = pen_slip(used, score)
    return (pen.kind, f": {pen.words}") if pen else (Slip.ANOTHER_TOTAL, "")


def _can_be(table: Table, seat: Wind, used: int) -> bool:
    scores = {**table.scores, seat: used}
    problems = check_totals(scores, winner=table.winner, rules=table.rules)
    return all(problem.where != f"scores.{seat}" for problem in problems)


def _swapped_totals(table: Table, written: Gains) -> Iterator[Suspicion]:
    for one, other in combinations(table.scores, 2):
        swapped = {one: table.scores[other], other: table.scores[one]}
        gains = replace(table, scores={**table.scores, **swapped}).truth.gain
        if gains != table.truth.gain and fits(gains, written):
            reason = f"The row is right if {one.label}'s and {other.label}'s totals are swapped."
            yield Suspicion((Slip.TOTALS_SWAPPED,), (one, other), reason, gains, gains, swapped)
