"""Which sticks the players of a table hand one another, hand after hand from the first."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from clubs.rows import HandView
from scoring import Payment, Wind
from scoring.scorebook.models import Recording
from scoring.scorebook.selectors import HandRow
from scoring.sticks import Handing, PaidInSticks, Sticks, begun_with, pay_in_sticks

UNBROKEN = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"


class Paid(NamedTuple):
    """What was paid for a hand: seats with their winds, and each payment by winds."""

    winds: tuple[tuple[int, Wind], ...]
    payments: tuple[Payment, ...]


def handings(hand: HandView, before: Sequence[HandRow], *, start: int) -> list[str]:
    """A sentence for each time that someone hands sticks over for a hand.

    ``before`` are the hands played until then: everyone began with ``start`` points in sticks
    and passed them as it was said. Nothing where no sticks are due, or where they were counted.
    """
    if not hand.row.payments or hand.row.way == Recording.TALLIES:
        return []
    names = {wind: hand.names[seat] for seat, wind in hand.row.winds.items()}
    paid = _pass(start, tuple(_paid(row) for row in before), _paid(hand.row))
    said = [_said(handing, names) for handing in paid.handings]
    short = {(handing.payer, handing.payee) for handing in paid.handings if handing.passed.owed}
    return said + [
        f"{names[debt.payer]} owes {names[debt.payee]} {debt.points:,} on paper."
        for debt in paid.debts
        if (debt.payer, debt.payee) not in short
    ]


def _said(handing: Handing, names: Mapping[Wind, str]) -> str:
    said = handing.passed.sentence(names[handing.payer], names[handing.payee])
    return said.replace(" × ", UNBROKEN)


def _paid(row: HandRow) -> Paid:
    winds = row.winds
    return Paid(
        tuple(winds.items()),
        tuple(Payment(winds[payer], winds[payee], points) for payer, payee, points in row.payments),
    )


def _pass(start: int, before: tuple[Paid, ...], paid: Paid) -> PaidInSticks:
    held = dict(_held(start, before))
    begun = begun_with(start)
    return pay_in_sticks(paid.payments, {wind: held.get(seat, begun) for seat, wind in paid.winds})


@lru_cache(512)
def _held(start: int, paid: tuple[Paid, ...]) -> tuple[tuple[int, Sticks], ...]:
    """What each seat holds after these hands, of those that have played."""
    if not paid:
        return ()
    *before, last = paid
    now = _pass(start, tuple(before), last).held
    return tuple(
        {**dict(_held(start, tuple(before))), **{s: now[w] for s, w in last.winds}}.items()
    )
