"""Stored plans in which some sit at tables of three, for players whom four does not divide."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from clubs.seating.request import table_sizes_for
from clubs.seating.search import Tables
from clubs.seating.sitting_out import LETTERS

CATALOGUE = Path(__file__).parent / "plans_with_threes.json"


@lru_cache(maxsize=1)
def _catalogue() -> Mapping[str, list[str]]:
    """The stored plans, each under its players and rounds (``17x4``).

    A round is a word: a letter for each player, table after table, those of four first.
    """
    catalogue: dict[str, list[str]] = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return catalogue


def stored_threes(players: int, rounds: int, sizes: Sequence[int]) -> list[Tables]:
    """The stored plan for exactly so many, where a search meets again more often; or empty.

    sizes: of every round's tables, largest first; none but as few of three as there can be is
    stored. Turns at the tables of three differ by two at most.
    """
    if list(sizes) != table_sizes_for(players, (4, 3)):
        return []
    plan = []
    for word in _catalogue().get(f"{players}x{rounds}", ()):
        places = map(LETTERS.index, word)
        plan.append([list(islice(places, size)) for size in sizes])
    return plan
