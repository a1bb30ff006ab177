"""What the evenings before leave for the next: who met whom how often, and whose turn it is."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from clubs.language.numbers import ordinal
from clubs.seating.why import Said, listed, times_in_words

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


AT = {3: "at a table of three", 5: "at a table of five", OUT: "without a table"}


@dataclass(frozen=True, slots=True)
class InTurn:
    """An evening's seats and the turns before it; everyone by what the evenings know them by.

    tables: who sits at each table, by its number. words: the time for which turns are counted.
    """

    tables: Mapping[int, Sequence[str]]
    sitting_out: Sequence[str]
    taken: Mapping[int, Counter[str]]
    due: Turns
    words: str

    def group(self, size: int) -> list[str]:
        """Everyone who sits at a table of that size, or out."""
        if size == OUT:
            return list(self.sitting_out)
        return [name for names in self.tables.values() if len(names) == size for name in names]

    @property
    def here(self) -> list[str]:
        """Everyone who has a seat, or none."""
        return [*(name for names in self.tables.values() for name in names), *self.sitting_out]

    def before(self, size: int, group: Sequence[str]) -> list[str]:
        """Who is not of the group though they have done so less often than someone of it."""
        due = self.due[size]
        most = max((due[name] for name in group), default=0)
        return [name for name in self.here if name not in group and due[name] < most]


def in_turn(
    tables: Mapping[int, Sequence[str]],
    sitting_out: Sequence[str],
    season: Sequence[Evening],
    words: str,
) -> InTurn:
    """The turns of an evening with these tables, after the season's evenings before it."""
    here = {name for names in tables.values() for name in names} | set(sitting_out)
    return InTurn(tables, sitting_out, turns_taken(season), turns_due(season, here), words)


def turns_told(found: InTurn, names: Mapping[str, str]) -> Iterator[Said]:
    """For every table that is not of four, and for sitting out: whose turn it was, with counts."""
    for number, seated in found.tables.items():
        if len(seated) in IN_TURN:
            yield _told(found, len(seated), seated, names, f"At table {number}")
    if found.sitting_out:
        yield _told(found, OUT, found.sitting_out, names, "For those who sit out")


def _told(
    found: InTurn, size: int, group: Sequence[str], names: Mapping[str, str], where: str
) -> Said:
    counts = _counts(found, size, group, names)
    everybody = found.group(size)
    if len(everybody) == len(found.here):
        return Said(f"{where}: {counts}.")
    if late := found.before(size, everybody):
        fewer = listed(sorted(names[name] for name in late))
        have = "has" if len(late) == 1 else "have"
        why = "Seating preferences, late arrivals or manual moves came first"
        return Said(f"{where}: {counts}. {fewer} {have} had fewer turns. {why}.", is_kept=False)
    return Said(f"{where} it was their turn: {counts}.", is_kept=True)


def _counts(found: InTurn, size: int, group: Sequence[str], names: Mapping[str, str]) -> str:
    """`Cy has never sat at a table of three this season, Ann and Ben have once`."""
    by_times: dict[int, list[str]] = defaultdict(list)
    for name in group:
        by_times[found.taken[size][name]].append(names[name])
    if set(by_times) == {0}:
        return f"none of them has sat {AT[size]} {found.words} yet"
    said: list[str] = []
    for times, who in sorted(by_times.items()):
        have = "has" if len(who) == 1 else "have"
        did = "never" if times == 0 else times_in_words(times)
        rest = f" sat {AT[size]} {found.words}" if not said else ""
        said.append(f"{listed(sorted(who))} {have} {did}{rest}")
    return ", ".join(said)


def turn_costs(before: InTurn, after: InTurn, names: Mapping[str, str]) -> Iterator[Said]:
    """What a move changes in the turns: who comes to a three or five or out, and who leaves it."""
    for size in IN_TURN:
        was, now = before.group(size), after.group(size)
        late = after.before(size, now)
        for name in now:
            if name not in was:
                nth = ordinal(after.taken[size][name] + 1)
                said = f"{names[name]} would sit {AT[size]}, for the {nth} time {after.words}."
                due = after.due[size]
                yield Said(said, is_kept=not any(due[other] < due[name] for other in late))
        for name in was:
            if name not in now and name in late:
                times = after.taken[size][name]
                so_far = times_in_words(times) if times else "never"
                said = f"{names[name]} would no longer sit {AT[size]}, where it is their turn"
                yield Said(f"{said}: so far {so_far} {after.words}.", is_kept=False)
