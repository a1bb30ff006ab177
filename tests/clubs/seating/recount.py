"""Plans counted afresh in the plainest way, to hold the seating's own report to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from clubs.seating import Plan, Request, Round, plan

WINDS = ("E", "S", "W", "N")


def numbered_names(players: int) -> tuple[str, ...]:
    return tuple(f"P{number}" for number in range(1, players + 1))


def seat(players: int, rounds: int, **wishes: Any) -> Plan:
    return plan(Request(players=numbered_names(players), rounds=rounds, **wishes))


def companies(round_: Round) -> list[frozenset[str]]:
    return [frozenset(table.seats.values()) for table in round_.tables]


def places(round_: Round) -> list[str]:
    """Everyone as often as they have a place, seated or not, in order."""
    seated_names = [name for table in round_.tables for name in table.seats.values()]
    return sorted([*seated_names, *round_.sitting_out])


def meetings(rounds: Sequence[Round]) -> Counter[tuple[str, ...]]:
    return Counter(
        pair
        for round_ in rounds
        for company in companies(round_)
        for pair in combinations(sorted(company), 2)
    )


def repeats(rounds: Sequence[Round]) -> int:
    return sum(times - 1 for times in meetings(rounds).values())


def seats_held(rounds: Sequence[Round]) -> Mapping[str, list[str]]:
    """The seats of every player, in the order of the rounds in which they had one."""
    seats_by_name: dict[str, list[str]] = {}
    for round_ in rounds:
        for table in round_.tables:
            for wind, name in table.seats.items():
                seats_by_name.setdefault(name, []).append(wind)
    return seats_by_name


def tables_of(rounds: Sequence[Round], name: str) -> list[int]:
    return [table.number for round_ in rounds for table in round_.tables if name in table.names]
