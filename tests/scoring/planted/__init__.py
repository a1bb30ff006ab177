"""Slips planted on purpose, to measure how well the detective names them."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.detective import Finding, Slip


class Told(NamedTuple):
    """Whether a planted slip was named first, or in the first three; whether the first mends it."""

    first: bool
    in_three: bool
    mended: bool


class Rates(NamedTuple):
    """The shares of planted slips that were `Told` so."""

    first: float
    in_three: float
    mended: float


def told(found: Sequence[Finding], kind: Slip, seats: set[str], *, mended: bool) -> Told:
    """How the findings name a slip of this kind at these seats."""
    named = [slip.kind == kind and set(slip.seats) == seats for slip in found]
    return Told(named[0], any(named[:3]), mended)


def shares(outcomes: Sequence[Told]) -> Rates:
    """The share of each answer."""
    first, in_three, mended = (
        sum(answers) / len(outcomes) for answers in zip(*outcomes, strict=True)
    )
    return Rates(first, in_three, mended)
