"""Whose subscription is due, and which guests are asked to join."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Max

from clubs.core.people_names import standing
from clubs.models import Club, Player, PlayerKind

SOON = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DueRow:
    """A member whose subscription has run out, or soon will; no day: nothing is written down."""

    player_id: int
    name: str
    email: str
    phone: str
    paid_until: date | None
    is_over: bool


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A guest, how often they came, and whether that is often enough to be asked to join."""

    player_id: int
    name: str
    visits: int
    last_seen: date | None
    is_to_ask: bool


@dataclass(frozen=True, slots=True)
class LapsedRow:
    """Someone who is no longer a member, since when, and the last day that they paid for."""

    player_id: int
    name: str
    since: date
    paid_until: date | None


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """Who is due, the longest first; who never paid; who has left; the guests."""

    due: tuple[DueRow, ...]
    unknown: tuple[DueRow, ...]
    lapsed: tuple[LapsedRow, ...]
    guests: tuple[GuestRow, ...]


def subscriptions(club: Club, today: date) -> Subscriptions:
    """The club's subscriptions and guests on this day; one query."""
    people = standing(club).annotate(
        visits=Count("attendances"), last_seen=Max("attendances__session__held_on")
    )
    everybody = list(people.order_by("name_key"))
    members = [one for one in everybody if one.is_active and one.kind == PlayerKind.MEMBER]
    rows = [_due_row(member, today) for member in members]
    return Subscriptions(
        due=tuple(sorted((row for row in rows if _is_due(row, today)), key=_paid_until)),
        unknown=tuple(row for row in rows if row.paid_until is None),
        lapsed=tuple(
            LapsedRow(one.pk, one.name, one.lapsed_on, one.paid_until)
            for one in everybody
            if one.lapsed_on
        ),
        guests=tuple(
            GuestRow(
                guest.pk,
                guest.name,
                guest.visits,
                guest.last_seen,
                is_to_be_asked(guest.visits, club),
            )
            for guest in sorted(everybody, key=lambda one: -one.visits)
            if guest.is_active and guest.kind == PlayerKind.GUEST
        ),
    )


def is_to_be_asked(visits: int, club: Club) -> bool:
    """Whether a guest who came so often is asked to join; never where the club asks nobody."""
    return club.guest_visits is not None and visits >= club.guest_visits


def visit_to_join(player: Player, visit: int, club: Club) -> int | None:
    """The visit that this evening is, where a guest is to be asked to join; else None."""
    is_asked = player.kind == PlayerKind.GUEST and is_to_be_asked(visit, club)
    return visit if is_asked else None


def is_over(player: Player, today: date) -> bool:
    """Whether the subscription has run out."""
    return player.paid_until is not None and player.paid_until < today


def _due_row(member: Player, today: date) -> DueRow:
    over = is_over(member, today)
    return DueRow(member.pk, member.name, member.email, member.phone, member.paid_until, over)


def _is_due(row: DueRow, today: date) -> bool:
    return row.paid_until is not None and row.paid_until < today + SOON


def _paid_until(row: DueRow) -> date:
    return row.paid_until or date.max
