"""Rounds written down by hand, for the tests that seat them."""

from collections.abc import Sequence

from tournaments.models import Placement, Tournament
from tournaments.seating.services.by_hand import WrittenRound, WrittenTable

Fours = list[list[str]]


def fours(cup: Tournament, number: int) -> Fours:
    """The names at each table of a round, East first."""
    places = Placement.objects.filter(round__tournament=cup, round__number=number)
    tables: dict[int, list[str]] = {}
    for table, name in places.values_list("table__number", "entrant__name"):
        tables.setdefault(table, []).append(name)
    return list(tables.values())


def written(number: int, tables: Sequence[Sequence[str]], *, rests: bool = False) -> WrittenRound:
    """The round with these names, East first."""
    told = (WrittenTable(at, tuple(names)) for at, names in enumerate(tables, start=1))
    return WrittenRound(number, tuple(told), rests)


def turned(tables: Fours) -> Fours:
    """The same tables with the first seats of the first two tables exchanged."""
    first, second, *others = tables
    return [[second[0], *first[1:]], [first[0], *second[1:]], *others]
