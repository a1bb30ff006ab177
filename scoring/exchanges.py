"""Two players who sat in each other's place for a while, beside the exchanges known before."""

from collections.abc import Sequence

from scoring.progression import Exchange


def exchanged_between(
    known: Sequence[Exchange], seats: tuple[int, int], first: int, last: int | None
) -> tuple[Exchange, ...]:
    """The exchanges by which two seats also have each other's place from `first` to `last`.

    Both are numbers of hands; None: to the end. An exchange that was known within that stretch
    is one of places, so that it is told of whoever now sits there. What cancels is left out.
    """
    one, other = seats
    comes = {one: other, other: one}
    ends = [] if last is None else [(last + 1, one, other)]
    told = [
        *(exchange for exchange in known if exchange[0] < first),
        (first, one, other),
        *(
            (hand, comes.get(a, a), comes.get(b, b))
            for hand, a, b in known
            if hand >= first and not _is_after(hand, last)
        ),
        *ends,
        *(exchange for exchange in known if _is_after(exchange[0], last)),
    ]
    return _without_what_cancels(told)


def _is_after(hand: int, last: int | None) -> bool:
    return last is not None and hand > last


def _without_what_cancels(told: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """An exchange and the same again before the same hand are none."""
    left: list[Exchange] = []
    for hand, one, other in told:
        exchange = (hand, min(one, other), max(one, other))
        if left and left[-1] == exchange:
            left.pop()
        else:
            left.append(exchange)
    return tuple(left)
