"""Rounds as someone wrote them down, with names: what is wrong with them, in sentences."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from clubs.models.names import name_key, tidy_name
from clubs.seating.words import listed
from scoring.scorebook.refusals import Refusal, Refused
from tournaments.models import Capacity, Entrant, EntrantState
from tournaments.services.laying import LaidRound, LaidTable, Sitter

WIND_NAMES = ("East", "South", "West", "North")


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table with four names as typed, East first; an empty name is an empty seat."""

    number: int
    names: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nobody sits there."""
        return not any(map(tidy_name, self.names))


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as written; `out` are names that sit out, `rests`: so does whoever is not named."""

    number: int
    tables: tuple[WrittenTable, ...]
    rests: bool = False
    out: tuple[str, ...] = ()


def read_written(
    entrants: Sequence[Entrant],
    written: Sequence[WrittenRound],
    filled: Mapping[int, Set[int]] = MappingProxyType({}),
) -> list[LaidRound]:
    """The rounds with entrants for names, empty tables left out.

    ``filled`` has by round the entrants whose seat a substitute has: they need not play themselves.
    Raises ``Refused`` with everything that is wrong: names that nobody has, empty seats,
    someone who sits twice or not at all.
    """
    by_key = {one.name_key: one for one in entrants}
    several = len(written) > 1
    problems = [
        Refusal(found.code, f"Round {one.number}: {found.sentence}" if several else found.sentence)
        for one in written
        for found in _problems(one, by_key, filled.get(one.number, frozenset()))
    ]
    if problems:
        raise Refused(problems)
    return [_laid(one, by_key) for one in sorted(written, key=lambda one: one.number)]


def _problems(
    one: WrittenRound, by_key: Mapping[str, Entrant], filled: Set[int]
) -> Iterator[Refusal]:
    tables = [table for table in one.tables if not table.is_empty]
    if not tables:
        yield Refusal("no_table", "No one is seated at any table.")
        return
    seats: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        for wind, name in zip(WIND_NAMES, table.names, strict=True):
            if tidy_name(name):
                seats[name_key(name)].append(f"at table {table.number} as {wind}")
            else:
                yield Refusal("empty_seat", f"Table {table.number} has no {wind}.")
    yield from _of_names([*tables, WrittenTable(0, one.out)], by_key, filled)
    for key, held in seats.items():
        if len(held) > 1 and key in by_key:
            yield Refusal(
                "seated_twice", f"{by_key[key].name} has more than one seat: {listed(held)}."
            )
    there = seats.keys() | set(map(name_key, one.out))
    missing = [
        entrant.name for key, entrant in by_key.items() if key not in there and _plays(entrant)
    ]
    if missing and not one.rests:
        has = "has" if len(missing) == 1 else "have"
        yield Refusal("no_seat", f"{listed(missing)} {has} no seat.")


def _of_names(
    tables: Sequence[WrittenTable], by_key: Mapping[str, Entrant], filled: Set[int]
) -> Iterator[Refusal]:
    typed = {name_key(name): tidy_name(name) for table in tables for name in table.names}
    for key, name in typed.items():
        if not name:
            continue
        if key not in by_key:
            yield Refusal("unknown_player", f"No player called {name[:80]} is in this tournament.")
        elif by_key[key].state != EntrantState.ENTERED and by_key[key].pk not in filled:
            state = by_key[key].get_state_display()
            yield Refusal("does_not_play", f"{by_key[key].name} is {state}.")


def _laid(one: WrittenRound, by_key: Mapping[str, Entrant]) -> LaidRound:
    tables = tuple(
        LaidTable(table.number, tuple(_sitter(by_key[name_key(name)]) for name in table.names))
        for table in sorted(one.tables, key=lambda table: table.number)
        if not table.is_empty
    )
    seated = {sitter.entrant for table in tables for sitter in table.seats}
    out = (
        entrant.pk for entrant in by_key.values() if entrant.pk not in seated and _plays(entrant)
    )
    return LaidRound(one.number, tables, tuple(out))


def _plays(entrant: Entrant) -> bool:
    return entrant.state == EntrantState.ENTERED and not entrant.is_house


def _sitter(entrant: Entrant) -> Sitter:
    return Sitter(entrant.pk, Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT)
