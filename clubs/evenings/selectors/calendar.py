"""The calendar, who fills in at short notice, and table money."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final
from urllib.parse import quote

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from clubs.evenings.recurrence import Break, Pattern, break_on, days_of, in_words
from clubs.models import Answer, Club, Invitation, Player, Series, Session, StandBy


@dataclass(frozen=True, slots=True)
class ClubDay:
    """A day of a series; ``off`` says what keeps the club from meeting then.

    ``session_id`` is the evening that is open for the day already.
    """

    held_on: date
    series_id: int
    name: str
    place: str
    starts_at: time
    ends_at: time
    off: str = ""
    session_id: int | None = None


@dataclass(frozen=True, slots=True)
class Occasion:
    """A whole day of the club besides its evenings; ``key`` is its own among all of them."""

    key: str
    name: str
    held_on: date


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in words, with its secret key."""

    pk: int
    name: str
    place: str
    words: str
    starts_at: time
    ends_at: time
    last_on: date
    feed_key: str


@dataclass(frozen=True, slots=True)
class ClubYear:
    """What comes: the days from today on, in their order, and the series they are of."""

    days: tuple[ClubDay, ...]
    series: tuple[SeriesRow, ...]

    @property
    def next(self) -> ClubDay | None:
        """The next day on which the club meets."""
        return next((day for day in self.days if not day.off), None)

    @property
    def meetings(self) -> int:
        """On how many days the club meets."""
        return sum(not day.off for day in self.days)


Occasions = Callable[[Club], Iterable[Occasion]]
OTHERS: Final[list[Occasions]] = []


def tell_occasions(others: Occasions) -> None:
    """Let another app put its days in the club's calendars; once, when the program starts."""
    if others not in OTHERS:
        OTHERS.append(others)


def occasions_of(club: Club) -> list[Occasion]:
    """The whole days of the club, such as its tournaments."""
    return [one for others in OTHERS for one in others(club)]


def pattern_of(series: Series) -> Pattern:
    """A series' days as the dates know them."""
    return Pattern(series.first_on, series.last_on, series.every, tuple(series.weeks))


def breaks_of(club: Club) -> tuple[Break, ...]:
    """The club's days without an evening; one query."""
    rows = club.holidays.values_list("name", "first_on", "last_on")
    return tuple(Break(*row) for row in rows)


def club_year(club: Club, today: date) -> ClubYear:
    """Everything from today on; three queries however much there is."""
    series, breaks = list(club.series.all()), breaks_of(club)
    opened = dict(
        Session.objects.filter(club=club, held_on__gte=today).values_list("held_on", "pk")
    )
    days = [day for one in series for day in _days(one, breaks, opened) if day.held_on >= today]
    days.sort(key=lambda day: (day.held_on, day.starts_at, day.series_id))
    return ClubYear(tuple(days), tuple(_row(one) for one in series if one.last_on >= today))


def days_of_series(series: Series) -> tuple[ClubDay, ...]:
    """All days of one series on which the club meets; one query."""
    return tuple(day for day in _days(series, breaks_of(series.club), {}) if not day.off)


def previewed(club: Club, pattern: Pattern) -> tuple[tuple[date, str], ...]:
    """Each day of a series not yet saved, and what keeps the club from meeting; one query."""
    breaks = breaks_of(club)
    return tuple((day, break_on(day, breaks)) for day in days_of(pattern))


def _days(series: Series, breaks: Iterable[Break], opened: dict[date, int]) -> list[ClubDay]:
    return [
        ClubDay(
            day,
            series.pk,
            series.name,
            series.place,
            series.starts_at,
            series.ends_at,
            break_on(day, breaks),
            opened.get(day),
        )
        for day in days_of(pattern_of(series))
    ]


def _row(series: Series) -> SeriesRow:
    return SeriesRow(
        series.pk,
        series.name,
        series.place,
        in_words(pattern_of(series)),
        series.starts_at,
        series.ends_at,
        series.last_on,
        series.feed_key,
    )


def series_by_link() -> QuerySet[Series]:
    """Series of evenings with their club, for whoever holds the key of the feed."""
    return Series.objects.select_related("club")


@dataclass(frozen=True, slots=True)
class ToAsk:
    """Someone who stands by, and when they were last asked."""

    player_id: int
    name: str
    asked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Asked:
    """Someone who was asked for the day."""

    name: str
    email: str
    key: str
    answer: Answer
    player_id: int


@dataclass(frozen=True, slots=True)
class FillingIn:
    """A day's stand-bys: those already asked, and whom to ask next, the longest not asked first."""

    held_on: date
    day: ClubDay | None
    asked: tuple[Asked, ...]
    waiting: tuple[ToAsk, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Names of those asked for an evening, by what they said."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    none: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """What is written to someone; nothing is sent by itself."""

    text: str
    mail: str


def filling_in(club: Club, held_on: date) -> FillingIn:
    """Everything about filling in on that day; five queries."""
    asked = Invitation.objects.filter(club=club, held_on=held_on).select_related("player")
    there = list(asked)
    waiting = (
        StandBy.objects.filter(club=club, player__is_active=True)
        .exclude(player__in=[one.player_id for one in there])
        .annotate(asked_at=Max("player__invitations__asked_at"))
        .order_by(F("asked_at").asc(nulls_first=True), "since", "pk")
        .values_list("player_id", "player__name", "asked_at")
    )
    return FillingIn(
        held_on,
        club_day(club, held_on),
        tuple(
            Asked(one.player.name, one.player.email, one.key, Answer(one.answer), one.player_id)
            for one in there
        ),
        tuple(ToAsk(*row) for row in waiting),
    )


def club_day(club: Club, held_on: date) -> ClubDay | None:
    """When and where the club meets on that day, if it is planned; three queries."""
    days = club_year(club, held_on).days
    return next((day for day in days if day.held_on == held_on and not day.off), None)


def not_standing_by(club: Club) -> list[Player]:
    """Who could still be put on the list of those glad to fill in; one query."""
    return list(club.players.filter(is_active=True, stand_by=None))


def answers_for(session: Session) -> Answers:
    """What those asked for the evening have said; one query."""
    asked = Invitation.objects.filter(club_id=session.club_id, held_on=session.held_on)
    said = list(asked.values_list("answer", "player__name"))
    by = {answer: tuple(name for told, name in said if told == answer) for answer in Answer}
    return Answers(by[Answer.YES], by[Answer.NO], by[Answer.NONE])


def message_to(asked: Asked, *, club: str, when: str, link: str, sender: str) -> Message:
    """The words to copy, and the same as a draft for a mail program."""
    text = (
        f"Dear {asked.name},\n\ncould you play as a substitute at {club} on {when}?\n"
        f"Please answer yes or no here. You do not need a password:\n{link}\n\nThank you, {sender}"
    )
    about = quote(f"Can you come on {when}?")
    return Message(text, f"mailto:{quote(asked.email)}?subject={about}&body={quote(text)}")


def asked_by_link() -> QuerySet[Invitation]:
    """Whoever was asked to come, with their club, for whoever holds the key of it."""
    return Invitation.objects.select_related("club", "player")


@dataclass(frozen=True, slots=True)
class Payment:
    """Someone of the evening, and what they paid in pence; None: nothing yet."""

    player_id: int
    name: str
    is_guest: bool
    pence: int | None


@dataclass(frozen=True, slots=True)
class CashSheet:
    """An evening's money."""

    rows: tuple[Payment, ...]

    @property
    def total(self) -> int:
        """What is in the tin, in pence."""
        return sum(row.pence or 0 for row in self.rows)

    @property
    def paid(self) -> int:
        """How many have paid."""
        return sum(row.pence is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class EveningMoney:
    """One evening of a year's cash sheet."""

    pk: int
    held_on: date
    here: int
    paid: int
    pence: int


def cash_sheet(session: Session) -> CashSheet:
    """Everyone who is here or has paid, by name; two queries."""
    paid = dict(session.money.values_list("player_id", "pence"))
    players = session.club.players.filter(
        Q(attendances__session=session) | Q(pk__in=paid)
    ).distinct()
    return CashSheet(
        tuple(Payment(one.pk, one.name, one.kind == "guest", paid.get(one.pk)) for one in players)
    )


def year_of_money(club: Club, year: int) -> tuple[EveningMoney, ...]:
    """Every evening of the calendar year with its money, earliest first; two queries."""
    sessions = Session.objects.filter(club=club, held_on__year=year).order_by("held_on")
    money = {
        pk: (paid, pence or 0)
        for pk, paid, pence in sessions.annotate(
            paid=Count("money"), pence=Sum("money__pence")
        ).values_list("pk", "paid", "pence")
    }
    here = sessions.annotate(here=Count("attendances")).values_list("pk", "held_on", "here")
    return tuple(EveningMoney(pk, day, count, *money[pk]) for pk, day, count in here)


def in_pounds(pence: int) -> str:
    """``£12.50``, exact."""
    return f"£{pence // 100:,}.{pence % 100:02}"


def plain_pounds(pence: int) -> str:
    """``12.50``, as a spreadsheet adds it up."""
    return f"{pence // 100}.{pence % 100:02}"
