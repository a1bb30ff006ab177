"""The report on rounds that anyone laid: drawn, changed by hand, or read from a list."""

import time
from collections.abc import Mapping, Sequence

from clubs.seating.answer import WINDS, Plan, Round
from clubs.seating.audit import audited
from clubs.seating.request import Request


def review(
    rounds: Sequence[Round], players: Sequence[str], *, teams: Mapping[str, str] | None = None
) -> Plan:
    """The rounds as they are, with the report that a drawn plan would have.

    players: everyone who has a place in some round, and whoever else is to be counted.
    Raises AssertionError where someone has two places in a round.
    """
    sizes = {len(table.seats) for one in rounds for table in one.tables}
    asked = Request(
        players=tuple(players),
        rounds=len(rounds),
        table_sizes=tuple(sorted(sizes)) or (len(WINDS),),
        absent={
            number: set(players) - set(places(one)) for number, one in enumerate(rounds, start=1)
        },
        teams=teams or {},
    )
    return audited(asked, rounds, began=time.monotonic(), cut_short=False)


def places(one: Round) -> list[str]:
    """Everyone who has a place in the round, seated or sitting out."""
    return [*(name for table in one.tables for name in table.names), *one.sitting_out]
