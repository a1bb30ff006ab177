"""What a seating by standing gave up for what, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from clubs.language.words import counted
from clubs.seating.answer import Round
from clubs.seating.words import in_rounds

Company = Sequence[Sequence[str]]  # the names at each table, table 1 first
Met = Mapping[frozenset[str], Sequence[int]]  # in which rounds each pair sat together


def trades(
    order: Sequence[str], strict: Company, near: Company, played: Sequence[Round]
) -> Iterator[str]:
    """Whom the standing would have brought together again, who moved for it, who meets again.

    order: everyone, best placed first; strict: the tables by standing alone; near: as seated.
    """
    met = rounds_met(played)
    would, do = (_meeting_again(tables, met) for tables in (strict, near))
    if len(do) < len(would):
        spared = counted(len(would) - len(do), "pair")
        yield f"With strict seating by standings, {spared} more would meet again."
    moved = list(_moved(order, strict, near, met))
    if not moved:
        yield "Everyone is seated by standings: the leaders at table 1, the next at table 2."
    yield from moved
    for one, other in do:
        rounds = in_rounds(met[frozenset((one, other))])
        yield f"{one} and {other} meet again; they met in {rounds}."


def rounds_met(rounds: Sequence[Round]) -> Met:
    """In which rounds (from 1) each pair that met sat together."""
    met: dict[frozenset[str], list[int]] = {}
    for number, one in enumerate(rounds, 1):
        for table in one.tables:
            for pair in combinations(table.names, 2):
                met.setdefault(frozenset(pair), []).append(number)
    return met


def _meeting_again(tables: Company, met: Met) -> list[tuple[str, str]]:
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return [pair for pair in pairs if frozenset(pair) in met]


def _moved(order: Sequence[str], strict: Company, near: Company, met: Met) -> Iterator[str]:
    """Who sits at another table than the standing alone would have given them, and why."""
    own, taken = _tables(strict), _tables(near)
    for place, name in enumerate(order, 1):
        if own.get(name) != taken.get(name):
            why = _reason(name, strict[own[name] - 1], met)
            yield f"{name}, in place {place}, sits at table {taken[name]}, not {own[name]}, {why}."


def _reason(name: str, company: Sequence[str], met: Met) -> str:
    """Whom of that table the player has met, or that others come to sit there."""
    mates = [
        f"{mate} in {in_rounds(rounds)}"
        for mate in company
        if (rounds := met.get(frozenset((name, mate)), ()))
    ]
    return f"having met {' and '.join(mates)}" if mates else "to make room"


def _tables(company: Company) -> dict[str, int]:
    return {name: number for number, table in enumerate(company, 1) for name in table}
