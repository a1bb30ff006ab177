"""What a club keeps and for how long, what the next run lets go, and what was let go."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db.models import Count, Max, Q, QuerySet, Value

from clubs.core.people_names import standing
from clubs.language.moments import long_date
from clubs.language.words import counted
from clubs.models import (
    Club,
    Deed,
    Erasure,
    Invitation,
    MemberImport,
    Membership,
    Message,
    MessageState,
    Player,
    PlayerKind,
    Retention,
    Role,
    StandBy,
    TableMoney,
)
from clubs.privacy.selectors.erasure import has, tables_to_people

A_DAY: Final = timedelta(days=1)
OCCASIONS: Final = ("session", "tournament")
MOST_LOGGED: Final = 100


@dataclass(frozen=True, slots=True)
class Timetable:
    """A club's timetable; ``next_on`` is None until the secretary has agreed to one."""

    terms: Retention
    next_on: date | None

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is kept for how long, a sentence each."""
        terms = self.terms
        return (
            _term("Guests’ names are deleted", terms.guests, "after their last visit"),
            _term("Names of people who have left are deleted", terms.lapsed, "afterwards"),
            _term("Messages, invitations and imports are deleted", terms.letters, "later"),
            _term("Table money records are deleted", terms.money, "after the evening"),
            _term("Activity log entries are deleted", terms.deeds, "later"),
        )


@dataclass(frozen=True, slots=True)
class DuePerson:
    """Someone whose name the next run lets go, and why."""

    player_id: int
    name: str
    why: str
    last_known: date


@dataclass(frozen=True, slots=True)
class Due:
    """What a run on a day would let go: people by name, and rows to count."""

    people: tuple[DuePerson, ...]
    messages: QuerySet[Message]
    others: tuple[QuerySet[Any], ...]

    @property
    def rows(self) -> tuple[QuerySet[Any], ...]:
        """All that is counted rather than named."""
        return (self.messages, *self.others)

    @property
    def counted(self) -> tuple[str, ...]:
        """``14 messages``, ``3 invitations``: what there is, in words; one query."""
        first, *others = (
            rows.order_by().values(of=Value(rows.model._meta.model_name)).annotate(rows=Count("*"))
            for rows in self.rows
        )
        found = {one["of"]: one["rows"] for one in first.union(*others, all=True)}
        return tuple(counted(found[of], *nouns) for of, nouns in NOUNS.items() if found.get(of))

    @property
    def is_nothing(self) -> bool:
        """Whether everything stays."""
        return not self.people and not self.counted


@dataclass(frozen=True, slots=True)
class Gone:
    """A line of what was let go; it names nobody."""

    what: str
    at: datetime
    by: str


NOUNS: Final = {
    "message": ("message", "messages"),
    "invitation": ("invitation", "invitations"),
    "memberimport": ("member import", "member imports"),
    "tablemoney": ("payment of table money", "payments of table money"),
    "deed": ("activity log entry", "activity log entries"),
}


def timetable(club: Club) -> Timetable:
    """The club's timetable, or the one that it is offered; one query."""
    agreed = Retention.objects.filter(club=club).first()
    if agreed is None:
        return Timetable(Retention(club=club), None)
    return Timetable(agreed, agreed.ran_on + A_DAY if agreed.ran_on else None)


def schedule_state(told: Timetable) -> str:
    """What a form about the schedule carries: which one is in use, if any."""
    return str(told.terms.pk or "off")


def due(club: Club, terms: Retention, on: date) -> Due:
    """What goes by these terms on a day; officers, whoever has paid or fills in, all stay.

    Three queries, but for what is counted.
    """
    letters, money, deeds = (
        months_before(on, months) if months is not None else date.min
        for months in (terms.letters, terms.money, terms.deeds)
    )
    people = tuple(_due(club, terms, on))
    return Due(people, _messages(club, letters), _others(club, letters, money, deeds))


def log_of(club: Club) -> tuple[Gone, ...]:
    """What was let go, the last first; one query."""
    rows = Erasure.objects.filter(club=club).select_related("made_by")[:MOST_LOGGED]
    return tuple(
        Gone(one.what, one.made_at, str(one.made_by) if one.made_by else "") for one in rows
    )


def months_before(day: date, months: int) -> date:
    """The same day so many months earlier; the month's last where it has none."""
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(years, month + 1, min(day.day, monthrange(years, month + 1)[1]))


def _term(what: str, months: int | None, when: str) -> str:
    if months is None:
        return f"{what} only when you do it yourself."
    return f"{what} {in_time(months)} {when}."


def in_time(months: int) -> str:
    """``12 months`` is ``a year``, ``84`` are ``7 years``."""
    if months % 12:
        return counted(months, "month", "months")
    return "a year" if months == 12 else f"{months // 12} years"


def _due(club: Club, terms: Retention, on: date) -> Iterator[DuePerson]:
    """Guests first, then those who have left, each by name."""
    guests, left = Q(kind=PlayerKind.GUEST), Q(kind=PlayerKind.MEMBER, is_active=False)
    people = standing(club).filter(guests | left).order_by("kind", "name_key")
    stays, last_seen = _who_stays(club, on), _last_seen(people)
    for one in people:
        is_guest = one.kind == PlayerKind.GUEST
        months = terms.guests if is_guest else terms.lapsed
        known = [one.joined_on, one.lapsed_on, one.paid_until, last_seen.get(one.pk)]
        last = max(day for day in known if day)
        if months is not None and one.pk not in stays and last <= months_before(on, months):
            who = "A guest" if is_guest else "Left"
            yield DuePerson(
                one.pk, one.name, f"{who}; last here or paid for {long_date(last)}", last
            )


def _who_stays(club: Club, on: date) -> set[int | None]:
    """Officers, those who fill in at short notice, and whoever has paid beyond the day."""
    officers = Membership.objects.filter(club=club).exclude(role=Role.PLAYER)
    fill_in = StandBy.objects.filter(club=club)
    paid = Player.objects.filter(club=club, paid_until__gte=on)
    found = officers.order_by().values_list("player_id", flat=True)
    others = (
        fill_in.order_by().values_list("player_id", flat=True),
        paid.order_by().values_list("pk", flat=True),
    )
    return set(found.union(*others))


def _last_seen(people: QuerySet[Player]) -> dict[int, date]:
    """The last day on which each was anywhere, entered or asked; one query."""
    keys = people.order_by().values("pk")
    first, *others = (
        model._default_manager.filter(**{f"{column}__in": keys})
        .order_by()
        .values_list(column)
        .annotate(last=Max(day))
        for model, columns in tables_to_people().items()
        if (day := _way_to_day(model))
        for column in columns
    )
    found: dict[int, date] = {}
    for key, last in first.union(*others, all=True):
        found[key] = max(last, found.get(key, last))
    return found


def _way_to_day(model: Any) -> str:
    if has(model, "held_on"):
        return "held_on"
    return next((f"{name}__held_on" for name in OCCASIONS if has(model, name)), "")


def _messages(club: Club, before: date) -> QuerySet[Message]:
    """Messages from before the day, but those that are just being sent."""
    old = Message.objects.filter(batch__club=club, batch__made_at__date__lt=before)
    return old.exclude(state=MessageState.WAITING)


def _others(club: Club, letters: date, money: date, deeds: date) -> tuple[QuerySet[Any], ...]:
    return (
        Invitation.objects.filter(club=club, held_on__lt=letters),
        MemberImport.objects.filter(club=club, made_at__date__lt=letters),
        TableMoney.objects.filter(session__club=club, session__held_on__lt=money),
        Deed.objects.filter(club=club, at__date__lt=deeds),
    )
