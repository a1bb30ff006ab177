"""A simulated season, evening after evening: `python -m benchmarks.season`."""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from clubs.seating import Request, plan
from clubs.seating.history import IN_TURN, Evening, company, turns_due, turns_taken

EVENINGS = 24
CLUBS = (9, 10, 11, 13, 14, 16, 17, 19, 22, 23, 27, 30)
LATELY = 4
SIZES = (4, 5, 3)


def season(members: int, *, comes: float, evenings: int = EVENINGS) -> list[Evening]:
    """A season of so many members, each of whom comes with that likelihood of an evening."""
    chance = random.Random(members)
    names = [str(number) for number in range(members)]
    past: list[Evening] = []
    while len(past) < evenings:
        here = tuple(name for name in names if chance.random() < comes)
        if len(here) > 5:
            past.append(seated(past, here))
    return past


def seated(past: Sequence[Evening], here: tuple[str, ...]) -> Evening:
    """The next evening, as an evening's page seats it."""
    request = Request(
        players=here,
        rounds=1,
        seed=len(past),
        seconds=2,
        table_sizes=SIZES,
        met=company(past, here),
        turns=turns_due(past, here),
    )
    laid = plan(request).rounds[0]
    return Evening(tuple(table.names for table in laid.tables), laid.sitting_out)


def meetings(evenings: Sequence[Evening]) -> Counter[frozenset[str]]:
    """How often each pair sat together."""
    return Counter(pair for evening in evenings for pair in pairs(evening))


def pairs(evening: Evening) -> Iterator[frozenset[str]]:
    """Every pair that shared a table."""
    for table in evening.tables:
        yield from map(frozenset, combinations(table, 2))


def unevenness(evenings: Sequence[Evening]) -> tuple[float, int]:
    """The root of the mean square of what pairs met beyond their share, and the most beyond it.

    A pair's share of an evening to which both came: the pairs at tables over all pairs there.
    """
    share: Counter[frozenset[str]] = Counter()
    for evening in evenings:
        there = list(map(frozenset, combinations(sorted(evening.here), 2)))
        for pair in there:
            share[pair] += sum(1 for _ in pairs(evening)) / len(there)  # type: ignore[assignment]
    met = meetings(evenings)
    off = [met[pair] - due for pair, due in share.items()]
    return (sum(x * x for x in off) / len(off)) ** 0.5, round(max(off))


def again(evenings: Sequence[Evening], back: int) -> float:
    """Of the pairs of an evening, how many in a hundred sat together in the last `back`."""
    result = [
        sum(pair in meetings(evenings[max(0, at - back) : at]) for pair in pairs(evening))
        for at, evening in enumerate(evenings)
    ]
    return 100 * sum(result) / sum(1 for evening in evenings for _ in pairs(evening))


def spread(evenings: Sequence[Evening]) -> str:
    """For threes and fives: the fewest and the most turns of those who missed no more than half."""
    came = Counter(name for evening in evenings for name in evening.here)
    regulars = [name for name, times in came.items() if 2 * times >= len(evenings)]
    taken = turns_taken(evenings)
    said = []
    for size in IN_TURN:
        times = [taken[size][name] for name in regulars]
        said.append(f"{min(times)}–{max(times)}" if any(times) else "–")
    return " | ".join(said)


def row(members: int, comes: float) -> str:
    """One line of the table that benchmarks/README.md keeps."""
    began = time.process_time()
    past = season(members, comes=comes)
    seconds = (time.process_time() - began) / len(past)
    off, most = unevenness(past)
    figures = f"{off:.2f} | {most} | {again(past, 1):.0f} | {again(past, LATELY):.0f}"
    return f"| {members} | {comes:.0%} | {figures} | {spread(past)} | {seconds:.2f} |"


def main() -> int:
    """Print the table."""
    print("| members | come | uneven | most | last | last 4 | threes | fives | out | CPU s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for comes in (1.0, 0.8):
        for members in CLUBS:
            print(row(members, comes), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
