"""Plans counted afresh in the plainest way, to hold the seating's own report to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from clubs.seating import Plan, Request, Round, plan

WINDS = ("E", "S", "W", "N")


def numbered(players: int) -> tuple[str, ...]:
    return tuple(f"P{number}" for number in range(1, players + 1))


def seat(players: int, rounds: int, **wishes: Any) -> Plan:
    return plan(Request(players=numbered(players), rounds=rounds, **wishes))


def companies(one: Round) -> list[frozenset[str]]:
    return [frozenset(table.seats.values()) for table in one.tables]


def places(one: Round) -> list[str]:
    """Everyone as often as they have a place, seated or not, in order."""
    seated = [name for table in one.tables for name in table.seats.values()]
    return sorted([*seated, *one.sitting_out])


def meetings(rounds: Sequence[Round]) -> Counter[tuple[str, ...]]:
    return Counter(
        pair
        for one in rounds
        for company in companies(one)
        for pair in combinations(sorted(company), 2)
    )


def repeats(rounds: Sequence[Round]) -> int:
    return sum(times - 1 for times in meetings(rounds).values())


def seats_held(rounds: Sequence[Round]) -> Mapping[str, list[str]]:
    """The seats of every player, in the order of the rounds in which they had one."""
    held: dict[str, list[str]] = {}
    for one in rounds:
        for table in one.tables:
            for wind, name in table.seats.items():
                held.setdefault(name, []).append(wind)
    return held


def tables_of(rounds: Sequence[Round], name: str) -> list[int]:
    return [table.number for one in rounds for table in one.tables if name in table.names]
