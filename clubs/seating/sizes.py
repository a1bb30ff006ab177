"""How many players sit at each table when four does not divide them."""

from functools import lru_cache

from clubs.seating.answer import SeatingProblem
from clubs.seating.request import BadRequest

Counts = tuple[int, ...]


def table_sizes_for(n: int, preferred: tuple[int, ...] = (4, 5, 3)) -> list[int]:
    """Sizes of the tables for `n` players, most liked size first.

    As few as possible are left without a seat; then the least liked size is used
    as seldom as can be, then the next: 13 gives [4, 4, 5], 6 gives [3, 3].
    Raises BadRequest when `n` players do not make one table.
    """
    counts = _counts_for(n, tuple(preferred)) if n > 0 else ()
    if not any(counts):
        raise BadRequest([too_few(n, preferred, "players")])
    return [size for size, count in zip(preferred, counts, strict=True) for _ in range(count)]


def too_few(n: int, preferred: tuple[int, ...], where: str) -> SeatingProblem:
    """The problem of `n` players not making one table of the smallest size."""
    sentence = f"A table needs at least {min(preferred)} players; there are only {n}."
    return SeatingProblem("too_few_players", where, sentence)


@lru_cache(maxsize=256)
def _counts_for(n: int, preferred: tuple[int, ...]) -> Counts:
    options = _options(n, preferred)
    return min(options, key=lambda counts: (n - _seated(counts, preferred), counts[::-1]))


def _seated(counts: Counts, preferred: tuple[int, ...]) -> int:
    return sum(size * count for size, count in zip(preferred, counts, strict=True))


def _options(n: int, preferred: tuple[int, ...]) -> list[Counts]:
    """Every way to take tables of the less liked sizes, filled up with the most liked."""
    first, *others = preferred
    partial: list[Counts] = [()]
    for _ in others:
        # More than `first` tables of one size can always be exchanged for liked ones.
        partial = [(*counts, count) for counts in partial for count in range(first + 1)]
    options = []
    for counts in partial:
        left = n - _seated(counts, tuple(others))
        if left >= 0:
            options.append((left // first, *counts))
    return options
