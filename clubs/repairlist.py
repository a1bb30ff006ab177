"""What was put right at one table or at all tables of an event, and where it is taken back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from clubs.seating.words import listed
from scoring.scorebook.repairs import RepairRow, repairs_of


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table by its name, and where its organisers' page is."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class ListedRepair:
    """One repair as pages list it; ``back`` is where it is taken back, empty when it cannot be."""

    where: str
    words: str
    reason: str
    made_at: datetime
    until: datetime
    undone_at: datetime | None
    back: str


def repair_list(tables: Mapping[int, TableAt]) -> tuple[ListedRepair, ...]:
    """What was put right at these tables, by the key of their game, the last first; one query."""
    return tuple(_row(one, tables) for one in repairs_of(tables.keys()))


def _row(one: RepairRow, tables: Mapping[int, TableAt]) -> ListedRepair:
    here = [tables[key] for key in one.game_ids if key in tables]
    is_open = one.can_be_undone(timezone.now())
    return ListedRepair(
        where=listed([table.title for table in here]),
        words=one.words,
        reason=one.reason,
        made_at=one.made_at,
        until=one.until,
        undone_at=one.undone_at,
        back=f"{here[0].address}corrections/{one.pk}/undo/" if is_open else "",
    )
