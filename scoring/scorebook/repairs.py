"""Reading what was put right at a game, for its table and for whoever may take it back."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from scoring.scorebook.models import Repair, RepairedGame

UNDONE_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RepairRow:
    """One repair: what was done, why, by whom and when, and until when it can be taken back."""

    pk: int
    words: str
    reason: str
    made_by: str
    made_at: datetime
    undone_at: datetime | None
    undone_by: str
    game_ids: tuple[int, ...]

    @property
    def until(self) -> datetime:
        """The last moment at which it can be taken back."""
        return self.made_at + UNDONE_WITHIN

    def can_be_undone(self, now: datetime) -> bool:
        """Whether it still holds and is not a day old."""
        return self.undone_at is None and now <= self.until


def repairs_of(game_ids: Collection[int]) -> tuple[RepairRow, ...]:
    """What was put right at these games, the last first; one query.

    ``RepairRow.game_ids`` are those of these games that a repair was about.
    """
    pieces = RepairedGame.objects.filter(game__in=game_ids).defer("before", "after")
    found = pieces.select_related("repair").order_by("-repair", "pk")
    return tuple(
        _row(one, tuple(piece.game_id for piece in there))
        for one, there in groupby(found, key=attrgetter("repair"))
    )


def _row(one: Repair, games: tuple[int, ...]) -> RepairRow:
    return RepairRow(
        pk=one.pk,
        words=one.words,
        reason=one.reason,
        made_by=one.made_by,
        made_at=one.made_at,
        undone_at=one.undone_at,
        undone_by=one.undone_by,
        game_ids=games,
    )
