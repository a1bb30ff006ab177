"""The club's wishes for its seating: the secretary's list, and those that hold on a day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from clubs.models import Club, Session, Wish
from clubs.seating.wishes import Wanted
from clubs.seating.wishwords import asked


@dataclass(frozen=True, slots=True)
class WishRow:
    """A wish as the secretary's list has it."""

    pk: int
    kind: str
    sentence: str
    until: date | None
    reason: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """The wishes that hold on a day, and the names of whom they name, by their keys as text."""

    wishes: tuple[Wanted, ...]
    names: Mapping[str, str]


def wanted(wish: Wish) -> Wanted:
    """The wish as the seating knows it."""
    other = str(wish.other_id) if wish.other_id else ""
    return Wanted(wish.kind, str(wish.player_id), other, wish.table or 0)


def wishes_on(club_id: int, day: date) -> QuerySet[Wish]:
    """What holds on that day, with the people."""
    holds = Q(until=None) | Q(until__gte=day)
    return Wish.objects.filter(holds, club=club_id).select_related("player", "other")


def noted(session: Session) -> Noted:
    """The wishes that the evening's seating heeds; one query."""
    return _noted(list(wishes_on(session.club_id, session.held_on)))


def _noted(wishes: Sequence[Wish]) -> Noted:
    people = [wish.player for wish in wishes] + [wish.other for wish in wishes if wish.other]
    return Noted(tuple(map(wanted, wishes)), {str(one.pk): one.name for one in people})


def wish_list(club: Club, today: date) -> tuple[WishRow, ...]:
    """Every wish, those that are over last; one query."""
    wishes = list(club.wishes.select_related("player", "other"))
    names = _noted(wishes).names
    rows = [
        WishRow(
            wish.pk,
            wish.kind,
            asked(wanted(wish), names),
            wish.until,
            wish.reason,
            is_over=wish.until is not None and wish.until < today,
        )
        for wish in wishes
    ]
    return tuple(sorted(rows, key=lambda row: row.is_over))
