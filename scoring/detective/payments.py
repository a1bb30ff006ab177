"""Slips in who pays whom: a payment not doubled, turned round, left out, and whole parts of it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Final

from scoring.detective.findings import Slip
from scoring.detective.table import Gains, Suspicion, Table
from scoring.hands import WonBy
from scoring.settlement import Payment
from scoring.tiles import Wind

_REASONS: Final = {
    Slip.NOT_DOUBLED: "{payment} was not doubled: it is {due:,}, not {counted:,}.",
    Slip.DOUBLED_TWICE: "{payment} was doubled twice: it is {due:,}, not {counted:,}.",
    Slip.WRONGLY_DOUBLED: "{payment} was doubled: it is {due:,}, not {counted:,}.",
    Slip.LEFT_OUT: "{payer}'s payment of {due:,} to {payee} was left out.",
    Slip.WRONG_WAY: "{difference} was counted the wrong way round: {payer} pays {due:,}.",
    Slip.WHOLE_SCORE_PAID: "{difference} is {due:,}, not {payee}'s whole score of {counted:,}.",
}


def payment_slips(table: Table) -> Iterator[Suspicion]:
    """Everything that is known to go wrong between the scores and the payments."""
    return chain(
        _single(table),
        _of_another(table),
        _by_the_double(table),
        _by_the_part(table),
        _as_if(table),
    )


def _single(table: Table) -> Iterator[Suspicion]:
    for payment in table.truth.payments:
        for kind, counted in _miscounts(table, payment):
            reason = _reason(kind, payment, counted)
            seats = (payment.payer, payment.payee)
            yield table.miscounted(kind, seats, reason, {payment: counted})


def _reason(kind: Slip, payment: Payment, counted: int) -> str:
    payer, payee = payment.payer.label, payment.payee.label
    return _REASONS[kind].format(
        payment=f"{payer}'s payment to {payee}",
        difference=f"{payer}'s difference with {payee}",
        payer=payer,
        payee=payee,
        due=payment.points,
        counted=counted,
    )


def _miscounts(table: Table, payment: Payment) -> Iterator[tuple[Slip, int]]:
    points = payment.points
    yield Slip.WRONG_WAY, -points
    yield Slip.LEFT_OUT, 0
    if payment in table.doubled:
        yield Slip.NOT_DOUBLED, table.undoubled(payment)
        yield Slip.DOUBLED_TWICE, points * 2
    else:
        yield Slip.WRONGLY_DOUBLED, points * 2
    if payment.payee != table.winner and table.scores[payment.payer]:
        factor = table.factors[payment.payer, payment.payee]
        yield Slip.WHOLE_SCORE_PAID, table.scores[payment.payee] * factor


def _of_another(table: Table) -> Iterator[Suspicion]:
    """A payment entered for the wrong player, where it is received or where it is paid."""
    for payment, other in product(table.truth.payments, table.scores):
        payer, payee, points = payment.payer, payment.payee, payment.points
        if other in {payer, payee}:
            continue
        what = f"{payer.label}'s {points:,} to {payee.label} was"
        for right, verb in ((payee, "entered for"), (payer, "taken from")):
            pair = (right, other) if right == payee else (other, right)
            reason = f"{what} {verb} {other.label}."
            moved = {Payment(*pair, 0): points}
            yield table.miscounted(Slip.WRONG_PLAYER, (right, other), reason, moved)


def _by_the_double(table: Table) -> Iterator[Suspicion]:
    if len(table.doubled) < 2:
        return
    name = table.doubling.label
    among = [paid for paid in table.doubled if paid.payee != table.winner]
    halved = {paid: table.undoubled(paid) for paid in table.doubled}
    twice = {paid: paid.points * 2 for paid in table.doubled}
    seats = (table.doubling,)
    reason = f"Nothing was doubled for {name}."
    yield table.miscounted(Slip.EAST_NOT_DOUBLED, seats, reason, halved)
    if 1 < len(among) < len(table.doubled):
        reason = f"{name}'s differences with the other losers were not doubled."
        some = {paid: table.undoubled(paid) for paid in among}
        yield table.miscounted(Slip.EAST_NOT_DOUBLED, seats, reason, some)
    reason = f"Everything was doubled twice for {name}."
    yield table.miscounted(Slip.DOUBLED_TWICE, seats, reason, twice)


def _by_the_part(table: Table) -> Iterator[Suspicion]:
    if len(table.between_losers) > 1:
        reason = "The losers did not settle among themselves."
        left_out = dict.fromkeys(table.between_losers, 0)
        yield table.miscounted(Slip.LOSERS_DID_NOT_SETTLE, table.losers, reason, left_out)
        reason = "The losers' differences were all counted the wrong way round."
        turned = {paid: -paid.points for paid in table.between_losers}
        yield table.miscounted(Slip.WRONG_WAY, table.losers, reason, turned)
    if len(table.to_the_winner) > 1:
        yield from _winner_underpaid(table)
    yield from _winner_pays(table)


def _winner_underpaid(table: Table) -> Iterator[Suspicion]:
    name, nothing = table.winner.label, dict.fromkeys(table.to_the_winner, 0)
    reason = f"No one paid {name}, who went Mah-Jong."
    yield table.miscounted(Slip.WINNER_NOT_PAID, (table.winner,), reason, nothing)
    if len(table.to_the_winner) < 3:
        return
    for paid in table.to_the_winner:
        reason = f"{name} went Mah-Jong and was paid by {paid.payer.label} alone: all losers pay."
        counted = {**nothing, paid: paid.points}
        yield table.miscounted(Slip.WINNER_PAID_ONCE, (table.winner,), reason, counted)


def _winner_pays(table: Table) -> Iterator[Suspicion]:
    for loser in _settling(table):
        factor = table.factors.get((loser, table.winner), 1)
        more = table.scores[loser] - table.scores[table.winner]
        name = f"{table.winner.label} went Mah-Jong and pays no one"
        seats = (table.winner, loser)
        for points, what in ((more, "a difference"), (table.scores[loser], "a score")):
            if points > 0:
                reason = f"{name}, but paid {loser.label} {what} of {points * factor:,}."
                paid = {Payment(table.winner, loser, 0): points * factor}
                yield table.miscounted(Slip.WINNER_PAID_A_LOSER, seats, reason, paid)


def _settling(table: Table) -> tuple[Wind, ...]:
    """The losers, where any of them is ever paid."""
    losers_are_paid = any(payee != table.winner for _payer, payee in table.factors)
    return table.losers if losers_are_paid else ()


def _as_if(table: Table) -> Iterator[Suspicion]:
    """The hand settled as another hand: another East, another winner, another payer."""
    east = table.doubling
    for other in table.scores:
        if other != east:
            reason = f"{other.label} was doubled instead of {east.label}."
            gains = _with_east(table, other)
            yield _mistaken(table, Slip.WRONG_EAST, (east, other), reason, gains)
    for other in table.losers if table.discarder is None else ():
        reason = f"The row is settled as if {other.label} had gone Mah-Jong."
        taken = replace(table, winner=other, pays_for_all=None)
        seats = (table.winner, other)
        yield _mistaken(table, Slip.WRONG_WINNER, seats, reason, taken.truth.gain)
    yield from _payer_mistaken(table)


def _payer_mistaken(table: Table) -> Iterator[Suspicion]:
    """Where one player pays for all, or the discarder alone: another paid, or all did."""
    payer = table.pays_for_all or table.discarder
    if payer is None:
        return
    shared = replace(table, pays_for_all=None, discarder=None, won_by=WonBy.WALL).truth.gain
    reason = f"{payer.label} pays alone, but everyone paid."
    yield _mistaken(table, Slip.PAID_BY_EACH, (payer,), reason, shared)
    for other in table.losers:
        if other != payer:
            liable = other if table.pays_for_all else None
            taken = replace(table, discarder=other, pays_for_all=liable)
            reason = f"{payer.label} pays alone, not {other.label}."
            yield _mistaken(table, Slip.WRONG_PAYER, (payer, other), reason, taken.truth.gain)


def _mistaken(
    table: Table, kind: Slip, seats: tuple[Wind, ...], reason: str, gains: Gains
) -> Suspicion:
    return Suspicion((kind,), seats, reason, gains, table.truth.gain)


def _with_east(table: Table, other: Wind) -> dict[Wind, int]:
    """The gains if another seat had been taken for the one whose payments are doubled."""
    swap = {table.doubling: other, other: table.doubling}

    def named(seat: Wind) -> Wind:
        return swap.get(seat, seat)

    taken = replace(
        table,
        scores={named(seat): points for seat, points in table.scores.items()},
        winner=named(table.winner),
        discarder=table.discarder and named(table.discarder),
        pays_for_all=table.pays_for_all and named(table.pays_for_all),
    )
    return {seat: taken.truth.gain[named(seat)] for seat in table.scores}
