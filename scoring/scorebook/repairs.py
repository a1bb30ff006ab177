"""Reading what was put right at a game, for its table and for whoever may take it back."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from scoring.scorebook.models import Repair

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
    """What was put right at these games, the last first; two queries, one where there is none."""
    found = Repair.objects.filter(games__game__in=game_ids).distinct().prefetch_related("games")
    return tuple(
        RepairRow(
            pk=one.pk,
            words=one.words,
            reason=one.reason,
            made_by=one.made_by,
            made_at=one.made_at,
            undone_at=one.undone_at,
            undone_by=one.undone_by,
            game_ids=tuple(piece.game_id for piece in one.games.all()),
        )
        for one in found
    )
