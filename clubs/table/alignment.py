"""Aligns two lists of the same hands, although a hand may be missing from one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

ALONE: Final = 1.6
"""The cost of an unpaired hand: more than a pair with nothing in common, which costs 1."""
AGREED: Final = 0.75
"""The bonus for a pair that agrees: it suggests that a hand before it is missing."""
OF_THE_WINNER: Final = 2

Pair = tuple[int | None, int | None]
"""Indexes into both lists; None if the hand is missing from one."""
_Costs = list[list[float]]


@dataclass(frozen=True, slots=True)
class Account:
    """A hand as a list has it: its winner (or ``nobody``; empty: unknown) and figures."""

    winner: str = ""
    figures: Mapping[int, int] = field(default_factory=dict)


def unlikeness(first: Account, second: Account) -> float:
    """From 0 (they agree wherever both have a value) to 1 (nothing in common)."""
    parts = (
        [(OF_THE_WINNER, first.winner == second.winner)] if first.winner and second.winner else []
    )
    both = first.figures.keys() & second.figures.keys()
    parts += [(1, first.figures[seat] == second.figures[seat]) for seat in both]
    whole = sum(weight for weight, _ in parts)
    return sum(weight for weight, is_alike in parts if not is_alike) / whole if whole else 0.0


def _cost(first: Account, second: Account) -> float:
    return unlikeness(first, second) or -AGREED


def aligned(first: Sequence[Account], second: Sequence[Account]) -> tuple[Pair, ...]:
    """The likeliest pairs, in order; a surplus at the end of one list stays unpaired.

    The end costs nothing: the rest of a half-typed sheet is unknown.
    """
    # The minimal cost of each pair of prefixes.
    costs: _Costs = [[ALONE * column for column in range(len(second) + 1)]]
    for row, account in enumerate(first, start=1):
        line = [ALONE * row]
        for column, beside in enumerate(second, start=1):
            together = costs[-1][column - 1] + _cost(account, beside)
            line.append(min(together, costs[-1][column] + ALONE, line[-1] + ALONE))
        costs.append(line)
    # The cheapest end at which one list is exhausted, as far along the other as possible.
    rows, columns = len(costs) - 1, len(costs[0]) - 1
    ends = [
        *((rows, column) for column in range(columns + 1)),
        *((row, columns) for row in range(rows)),
    ]
    at, other = min(ends, key=lambda end: (costs[end[0]][end[1]], abs(end[0] - end[1])))
    pairs = list(_back(costs, at, other, first, second))[::-1]
    pairs += [(place, None) for place in range(at, len(first))]
    return (*pairs, *((None, place) for place in range(other, len(second))))


def _back(
    costs: _Costs, at: int, beside: int, first: Sequence[Account], second: Sequence[Account]
) -> Iterator[Pair]:
    """The pairs, traced back from the end."""
    while at or beside:
        here = costs[at][beside]
        if (
            at
            and beside
            and _is(here, costs[at - 1][beside - 1] + _cost(first[at - 1], second[beside - 1]))
        ):
            at, beside = at - 1, beside - 1
            yield at, beside
        elif at and _is(here, costs[at - 1][beside] + ALONE):
            at -= 1
            yield at, None
        else:
            beside -= 1
            yield None, beside


def _is(first: float, second: float) -> bool:
    return abs(first - second) < 1e-9
