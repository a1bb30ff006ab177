"""Records that are perhaps one person, and those that were made one."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from clubs.core.people_names import known_names, standing
from clubs.core.similar_names import twins
from clubs.models import Attendance, Club, Player, PlayerMerge


@dataclass(frozen=True, slots=True)
class TwinRow:
    """Two records with like names; the one with more evenings would be kept."""

    kept_id: int
    kept: str
    kept_evenings: int
    gone_id: int
    gone: str
    gone_evenings: int


@dataclass(frozen=True, slots=True)
class MergeRow:
    """Two records that were made one."""

    pk: int
    kept_id: int
    kept: str
    gone: str
    made_at: datetime
    undone_at: datetime | None


def likely_twins(club: Club) -> tuple[TwinRow, ...]:
    """Pairs with like names that were never here on the same evening, by name; three queries."""
    named = standing(club).annotate(evenings=Count("attendances")).order_by("name_key", "pk")
    people = {one.pk: one for one in named}
    pairs = twins(known_names(club, people.values()))
    evenings: dict[int, set[int]] = defaultdict(set)
    asked = {person for pair in pairs for person in pair}
    rows = Attendance.objects.filter(player__in=asked).values_list("player_id", "session_id")
    for player, session in rows:
        evenings[player].add(session)
    return tuple(
        _row(people[one], people[other], evenings)
        for one, other in pairs
        if not evenings[one] & evenings[other]
    )


def merges_of(club: Club) -> tuple[MergeRow, ...]:
    """The records that were made one, newest first; one query."""
    merges = club.merges.filter(kept__erased_on=None, gone__erased_on=None)
    return tuple(map(merge_row, merges.select_related("kept", "gone")))


def merge_row(merge: PlayerMerge) -> MergeRow:
    """Two records that were made one, as a row."""
    return MergeRow(
        merge.pk,
        merge.kept_id,
        merge.kept.name,
        merge.gone.name,
        merge.made_at,
        merge.undone_at,
    )


def kept_instead(player: Player) -> int | None:
    """The key of the record that this one was made one with, None where it stands; one query."""
    merged = PlayerMerge.objects.filter(gone=player, undone_at=None)
    return merged.values_list("kept_id", flat=True).first()


def _row(one: Player, other: Player, evenings: dict[int, set[int]]) -> TwinRow:
    kept, gone = sorted((one, other), key=lambda who: (-len(evenings[who.pk]), who.pk))
    return TwinRow(
        kept.pk,
        kept.name,
        len(evenings[kept.pk]),
        gone.pk,
        gone.name,
        len(evenings[gone.pk]),
    )
