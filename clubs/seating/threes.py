"""Stored plans in which some sit at tables of three, for players whom four does not divide."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from clubs.seating.request import table_sizes_for
from clubs.seating.search import Tables
from clubs.seating.sitting_out import stored_places

CATALOGUE = Path(__file__).parent / "plans_with_threes.json"  # a round: tables of four first


def stored_threes(players: int, rounds: int, sizes: Sequence[int]) -> list[Tables]:
    """The stored plan for exactly so many, where a search meets again more often; or empty.

    sizes: of every round's tables, largest first; none but as few of three as there can be is
    stored. Turns at the tables of three differ by two at most.
    """
    if list(sizes) != table_sizes_for(players, (4, 3)):
        return []
    plan = []
    for places in stored_places(CATALOGUE, players, rounds):
        place_queue = iter(places)
        plan.append([list(islice(place_queue, size)) for size in sizes])
    return plan
