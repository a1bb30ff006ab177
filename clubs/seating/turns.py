"""Whose turn it was for the table of three, the table of five and sitting out, in sentences."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clubs.language.numbers import ordinal
from clubs.seating.season import IN_TURN, OUT, Evening, Turns, turns_due, turns_taken
from clubs.seating.why import Said
from clubs.seating.words import listed, times_in_words

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
