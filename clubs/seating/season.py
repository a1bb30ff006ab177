"""What the evenings before leave for the next: who met whom how often, and whose turn it is."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Met = dict[frozenset[str], int]
Turns = dict[int, dict[str, int]]

OUT = 0  # the size that stands for sitting out
IN_TURN = (3, 5, OUT)
MEETING = 6
LATELY = (12, 6, 3, 1)  # what a meeting of the last evening weighs more, of the one before it …
MOST_COMPANY = 150  # six such meetings stay below one turn (`board.TURN`)
MOST_TURNS = 8  # eight turns stay below a wish (`board.FORBIDDEN`)


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening that was seated: who sat at each table, and who was there without a seat."""

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...] = ()

    @property
    def here(self) -> set[str]:
        """Everyone who was there."""
        return {name for table in self.tables for name in table} | set(self.sitting_out)

    def in_turn(self) -> Iterator[tuple[int, str]]:
        """Who sat at a table of three or five, or sat out: the size and the player."""
        for table in self.tables:
            if len(table) in IN_TURN:
                yield from ((len(table), name) for name in table)
        yield from ((OUT, name) for name in self.sitting_out)


def company(evenings: Sequence[Evening], here: Collection[str]) -> Met:
    """What another meeting of each pair of those here weighs, for `Request.met`.

    evenings: the first first. Every meeting counts, those of the last four evenings more. What
    all pairs have in common is taken off, as it decides nothing.
    """
    weights: Counter[frozenset[str]] = Counter()
    for age, one in enumerate(reversed(evenings)):
        weight = MEETING + (LATELY[age] if age < len(LATELY) else 0)
        for table in one.tables:
            for pair in combinations([name for name in table if name in here], 2):
                weights[frozenset(pair)] += weight
    pairs = len(here) * (len(here) - 1) // 2
    least = min(weights.values(), default=0) if len(weights) == pairs else 0
    above = {pair: min(MOST_COMPANY, weight - least) for pair, weight in weights.items()}
    return {pair: weight for pair, weight in above.items() if weight}


def turns_taken(evenings: Sequence[Evening]) -> Mapping[int, Counter[str]]:
    """How often each player sat at a table of three, of five, or sat out, by its size."""
    taken: dict[int, Counter[str]] = {size: Counter() for size in IN_TURN}
    for one in evenings:
        for size, name in one.in_turn():
            taken[size][name] += 1
    return taken


def turns_due(evenings: Sequence[Evening], here: Collection[str]) -> Turns:
    """How far each of those here is ahead in their turns, for `Request.turns`.

    Someone who came later than the others begins level with whoever had had the fewest turns
    then; so a newcomer is not at the table of three until all others are caught up with.
    """
    levels: dict[int, Counter[str]] = {size: Counter() for size in IN_TURN}
    known: set[str] = set()
    for one in evenings:
        _welcome(levels, known, one.here)
        for size, name in one.in_turn():
            levels[size][name] += 1
    _welcome(levels, known, set(here))
    least = {size: min((taken[name] for name in here), default=0) for size, taken in levels.items()}
    return {
        size: {name: min(MOST_TURNS, taken[name] - least[size]) for name in here}
        for size, taken in levels.items()
    }


def _welcome(levels: Mapping[int, Counter[str]], known: set[str], here: set[str]) -> None:
    """Whoever is new begins level with the fewest turns of those who are not."""
    others = here & known
    for taken in levels.values():
        least = min((taken[name] for name in others), default=0)
        for name in here - known:
            taken[name] = least
    known |= here
