"""The list at the door with what it comes to: how many are here, and at which tables they fit."""

from collections import Counter
from dataclasses import dataclass

from clubs.models import Session
from clubs.seating import BadRequest
from clubs.seating.sizes import table_sizes_for
from clubs.selectors.evenings import TickRow, tick_list

IN_WORDS = {3: "three", 4: "four", 5: "five"}
LEAST = 3


@dataclass(frozen=True, slots=True)
class DoorList:
    """Everybody on the list, the most regular first."""

    rows: tuple[TickRow, ...]

    @property
    def here(self) -> int:
        """How many are ticked."""
        return sum(row.is_here for row in self.rows)

    @property
    def is_laid(self) -> bool:
        """Whether somebody sits at a table already."""
        return any(row.table is not None for row in self.rows)

    @property
    def unseated(self) -> tuple[str, ...]:
        """Who is here but has no table."""
        return tuple(row.name for row in self.rows if row.is_here and row.table is None)

    @property
    def can_be_seated(self) -> bool:
        """Whether those who are here make a table."""
        return self.here >= LEAST

    @property
    def tables(self) -> str:
        """``3 tables of four and 1 of five``, or what is missing for a table."""
        return tables_in_words(self.here)

    def row(self, player_id: int) -> TickRow | None:
        """One person's line."""
        return next((row for row in self.rows if row.player_id == player_id), None)


def tables_in_words(players: int) -> str:
    """The tables that so many players make, in words."""
    try:
        sizes = Counter(table_sizes_for(players))
    except BadRequest:
        return "Three people make the first table."
    (size, count), *others = sorted(sizes.items(), key=lambda pair: (pair[0] != 4, -pair[0]))
    first = f"{count} table{'s' if count > 1 else ''} of {IN_WORDS[size]}"
    return " and ".join([first, *(f"{count} of {IN_WORDS[size]}" for size, count in others)])


def door_list(session: Session) -> DoorList:
    """The list at the door of this evening; three queries."""
    return DoorList(tick_list(session))
