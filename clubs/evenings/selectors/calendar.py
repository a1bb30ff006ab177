"""The calendar, also as an iCalendar file (RFC 5545), substitutes, and table money."""

from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Annotated, Final
from urllib.parse import quote

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.http import Http404
from icalendar import Calendar, Event

from clubs.language.moments import weekday
from clubs.models import (
    Answer,
    Club,
    Invitation,
    Player,
    Series,
    Session,
    SessionState,
    StandBy,
    counting_evenings,
)
from clubs.models.names import by_surname, surname_key
from clubs.seating.why import join_with_and

LAST_WEEK = 5
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", LAST_WEEK: "last"}
WEEK = timedelta(days=7)
MAX_WEEKS: Final = 3_000  # that are looked at: 57 years of weeks, far more than can be saved
MONEY_YEARS: Final = range(1920, 2201)
JANUARY: Final = 1
ANSWER_PROMPT: Final = "Please answer yes or no here, without a password:"
REFRESH_INTERVAL = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Evenings on the weekday of ``first_on``, until ``last_on``.

    ``weeks``: the weeks of the month, 1 to 4, and 5 for the last. Without: every ``every`` weeks.
    """

    first_on: date
    last_on: date
    every: int = 1
    weeks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosedDates:
    """Closed dates, first and last included."""

    name: str
    first_on: date
    last_on: date


def pattern_days(pattern: Pattern) -> tuple[date, ...]:
    """Every day of the pattern, earliest first; of an endless one those of the first decades."""
    if not pattern.weeks:
        return tuple(_weekly_days(pattern.first_on, pattern.last_on, pattern.every))
    days = []
    for day in _weekly_days(pattern.first_on, pattern.last_on, 1):
        number = (day.day - 1) // 7 + 1
        is_last = day.day + 7 > monthrange(day.year, day.month)[1]
        if (number < LAST_WEEK and number in pattern.weeks) or (
            is_last and LAST_WEEK in pattern.weeks
        ):
            days.append(day)
    return tuple(days)


def closed_reason(day: date, breaks: Iterable[ClosedDates]) -> str:
    """Why the club does not meet on that day; empty if it does."""
    return next((pause.name for pause in breaks if pause.first_on <= day <= pause.last_on), "")


def pattern_in_words(pattern: Pattern) -> str:
    """``Every Tuesday``, ``Every other Tuesday`` or ``The 1st and 3rd Friday of the month``."""
    day = weekday(pattern.first_on)
    if pattern.weeks:
        weeks = [ORDINALS[week] for week in sorted(set(pattern.weeks))]
        return f"The {join_with_and(weeks)} {day} of the month"
    phrases = {1: f"Every {day}", 2: f"Every other {day}"}
    return phrases.get(pattern.every, f"{day}, every {pattern.every} weeks")


def _weekly_days(first: date, last: date, interval: int) -> Iterator[date]:
    step = max(interval, 1) * WEEK
    for number in range(min((last - first) // step + 1, MAX_WEEKS)):
        yield first + number * step


@dataclass(frozen=True, slots=True)
class ClubDay:
    """A date of a regular evening."""

    held_on: date
    series_id: int
    name: str
    place: str
    starts_at: time
    ends_at: time
    closed_reason: Annotated[str, "why the club does not meet; empty if it does"] = ""
    session_id: Annotated[int | None, "the evening opened for the date"] = None
    is_finished: Annotated[bool, "that evening is over"] = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """An all-day event of the club, such as a tournament; ``key`` is unique."""

    key: str
    name: str
    held_on: date
    version: Annotated[int, "goes up with every change"] = 0


@dataclass(frozen=True, slots=True)
class SeriesRow:
    pk: int
    name: str
    place: str
    description: str
    starts_at: time
    ends_at: time
    last_on: date
    feed_key: str


@dataclass(frozen=True, slots=True)
class ClubYear:
    """What comes in a club's year.

    The dates from today on, in order, and the series that are still running.
    """

    days: tuple[ClubDay, ...]
    series: tuple[SeriesRow, ...]

    @property
    def next(self) -> ClubDay | None:
        return next(
            (day for day in self.days if not day.closed_reason and not day.is_finished), None
        )

    @property
    def meetings(self) -> int:
        return sum(not day.closed_reason for day in self.days)


OccasionSource = Callable[[Club], Iterable[Occasion]]
OCCASION_SOURCES: Final[list[OccasionSource]] = []


def register_occasions(source: OccasionSource) -> None:
    """Register a source of occasions for the clubs' calendars; called when the program starts."""
    if source not in OCCASION_SOURCES:
        OCCASION_SOURCES.append(source)


def occasions_of(club: Club) -> list[Occasion]:
    return [occasion for source in OCCASION_SOURCES for occasion in source(club)]


def pattern_of(series: Series) -> Pattern:
    weeks = tuple(week for week in series.weeks if week in ORDINALS)
    return Pattern(series.first_on, series.last_on, series.every, weeks)


def closed_dates_of(club: Club) -> tuple[ClosedDates, ...]:
    """The club's days without an evening; one query."""
    return tuple(
        ClosedDates(*row) for row in club.holidays.values_list("name", "first_on", "last_on")
    )


def club_year(club: Club, today: date) -> ClubYear:
    """The dates from today on; three queries."""
    series, breaks = list(club.series.all()), closed_dates_of(club)
    coming = Session.objects.filter(counting_evenings(), club=club, held_on__gte=today)
    evenings_by_date = {evening.held_on: evening for evening in coming.only("held_on", "state")}
    days = [
        day
        for club_series in series
        for day in _club_days(club_series, breaks, evenings_by_date)
        if day.held_on >= today
    ]
    days.sort(key=lambda day: (day.held_on, day.starts_at, day.series_id))
    running = (
        SeriesRow(
            club_series.pk,
            club_series.name,
            club_series.place,
            pattern_in_words(pattern_of(club_series)),
            club_series.starts_at,
            club_series.ends_at,
            club_series.last_on,
            club_series.feed_key,
        )
        for club_series in series
        if club_series.last_on >= today
    )
    return ClubYear(tuple(days), tuple(running))


def days_of_series(series: Series) -> tuple[ClubDay, ...]:
    """The dates of a series, those on which the club does not meet among them; one query."""
    return tuple(_club_days(series, closed_dates_of(series.club), {}))


def preview_days(club: Club, pattern: Pattern) -> tuple[tuple[date, str], ...]:
    """Each date of a series not yet saved, and why the club does not meet then; one query."""
    breaks = closed_dates_of(club)
    return tuple((day, closed_reason(day, breaks)) for day in pattern_days(pattern))


def _club_days(
    series: Series, breaks: Iterable[ClosedDates], evenings_by_date: Mapping[date, Session]
) -> list[ClubDay]:
    return [
        ClubDay(
            day,
            series.pk,
            series.name,
            series.place,
            series.starts_at,
            series.ends_at,
            closed_reason(day, breaks),
            session_id=evening.pk if evening else None,
            is_finished=evening is not None and evening.state == SessionState.CLOSED,
        )
        for day in pattern_days(pattern_of(series))
        for evening in (evenings_by_date.get(day),)
    ]


def parse_day_or_404(text: str) -> date:
    """The date in an address (``2026-11-24``); raises ``Http404`` if it is not one."""
    try:
        return date.fromisoformat(text)
    except ValueError as unread:
        raise Http404 from unread


def series_by_link() -> QuerySet[Series]:
    return Series.objects.select_related("club")


@dataclass(frozen=True, slots=True)
class ListedSubstitute:
    """Someone on the substitutes list."""

    player_id: int
    name: str
    asked_at: Annotated[datetime | None, "last asked; null: never"]


@dataclass(frozen=True, slots=True)
class InvitedSubstitute:
    """Someone who was asked for a date."""

    name: str
    email: str
    key: str
    answer: Annotated[Answer, "yes, no, or empty for none yet"]
    player_id: int


@dataclass(frozen=True, slots=True)
class DateSubstitutes:
    """A date's substitutes: those already asked, and whom to ask next, longest not asked first."""

    held_on: date
    day: ClubDay | None
    invited_substitutes: tuple[InvitedSubstitute, ...]
    waiting: tuple[ListedSubstitute, ...]


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    yes: tuple[str, ...]
    no: tuple[str, ...]
    none: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvitationMessage:
    """A message to copy and send; ``mail`` is a ``mailto:`` link with the same text."""

    text: str
    mail: str


def substitutes_for(club: Club, held_on: date) -> DateSubstitutes:
    """The substitutes for that date; five queries."""
    columns = ("player__name", "player__email", "key", "answer", "player_id")
    invitations = Invitation.objects.filter(club=club, held_on=held_on).values_list(*columns)
    invited_substitutes = tuple(
        by_surname(
            InvitedSubstitute(name, email, key, Answer(answer), player)
            for name, email, key, answer, player in invitations
        )
    )
    waiting = (
        StandBy.objects.filter(club=club, player__is_active=True)
        .exclude(player__in=[person.player_id for person in invited_substitutes])
        .annotate(asked_at=Max("player__invitations__asked_at"))
        .order_by(F("asked_at").asc(nulls_first=True), "since", "pk")
        .values_list("player_id", "player__name", "asked_at")
    )
    to_ask = tuple(ListedSubstitute(*row) for row in waiting)
    return DateSubstitutes(held_on, club_day(club, held_on), invited_substitutes, to_ask)


def club_day(club: Club, held_on: date) -> ClubDay | None:
    """When and where the club meets on that date; None if it does not; three queries."""
    days = club_year(club, held_on).days
    return next((day for day in days if day.held_on == held_on and not day.closed_reason), None)


def members_not_listed(club: Club) -> list[Player]:
    """The active members who are not on the list of substitutes, by surname; one query."""
    return by_surname(club.players.filter(is_active=True, stand_by=None))


def count_answers(session: Session) -> AnswerCounts:
    """The answers of those asked for the evening; one query."""
    invitations = Invitation.objects.filter(club_id=session.club_id, held_on=session.held_on)
    answers = sorted(
        invitations.values_list("answer", "player__name"),
        key=lambda player_answer: surname_key(player_answer[1]),
    )
    names_by_answer = {
        answer: tuple(name for player_answer, name in answers if player_answer == answer)
        for answer in Answer
    }
    return AnswerCounts(
        names_by_answer[Answer.YES], names_by_answer[Answer.NO], names_by_answer[Answer.NONE]
    )


def invitation_message(
    substitute: InvitedSubstitute, *, club: str, time_and_place: str, link: str, sender: str
) -> InvitationMessage:
    text = (
        f"Dear {substitute.name},\n\nCould you play as a substitute at {club} on "
        f"{time_and_place}?\n"
        f"{ANSWER_PROMPT}\n{link}\n\nThank you, {sender}"
    )
    subject = quote(f"Can you come on {time_and_place}?")
    return InvitationMessage(
        text, f"mailto:{quote(substitute.email)}?subject={subject}&body={quote(text)}"
    )


def invitations_by_link() -> QuerySet[Invitation]:
    return Invitation.objects.select_related("club", "player")


@dataclass(frozen=True, slots=True)
class Payment:
    """Someone at an evening, and what they paid."""

    player_id: int
    name: str
    is_guest: bool
    pence: Annotated[int | None, "null: nothing yet"]


@dataclass(frozen=True, slots=True)
class CashSheet:
    """An evening’s table money."""

    rows: tuple[Payment, ...]

    @property
    def total(self) -> Annotated[int, "in pence"]:
        return sum(row.pence or 0 for row in self.rows)

    @property
    def paid(self) -> Annotated[int, "how many have paid"]:
        return sum(row.pence is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class MoneyYear:
    """Twelve months of a treasurer, by the calendar year in which they begin."""

    begins_in: int
    month: int

    @property
    def starts_on(self) -> date:
        return date(self.begins_in, self.month, 1)

    @property
    def ends_on(self) -> date:
        return date(self.begins_in + 1, self.month, 1) - timedelta(days=1)

    @property
    def name(self) -> str:
        """``2026``, or ``2026/27`` where it ends in the next year."""
        if self.month == JANUARY:
            return f"{self.begins_in}"
        return f"{self.begins_in}/{(self.begins_in + 1) % 100:02}"

    @property
    def file_part(self) -> str:
        return self.name.replace("/", "-")


@dataclass(frozen=True, slots=True)
class MoneyYears:
    """A club's year of table money, and the nearest years before and after with evenings."""

    year: MoneyYear
    earlier_year: MoneyYear | None
    later_year: MoneyYear | None


@dataclass(frozen=True, slots=True)
class EveningMoney:
    """One evening of a year’s table money."""

    pk: int
    held_on: date
    attendance: Annotated[int, "how many came"]
    paid: Annotated[int, "how many paid"]
    pence: int


def cash_sheet(session: Session) -> CashSheet:
    """Everyone who is here or has paid, by surname; two queries."""
    paid = dict(session.money.values_list("player_id", "pence"))
    is_listed = Q(attendances__session=session) | Q(pk__in=paid)
    players = session.club.players.filter(is_listed).distinct()
    return CashSheet(
        tuple(
            Payment(player.pk, player.name, player.kind == "guest", paid.get(player.pk))
            for player in sorted(players, key=lambda player: surname_key(player.name))
        )
    )


def money_year(club: Club, year: int) -> MoneyYear:
    """The club's year of table money that begins in this calendar year.

    Raises ``Http404`` for a year that no club has evenings of.
    """
    ends_later = club.year_begins > JANUARY
    if year not in MONEY_YEARS and not (ends_later and year + 1 in MONEY_YEARS):
        raise Http404
    return MoneyYear(year, club.year_begins)


def money_years(club: Club, year: int) -> MoneyYears:
    """The same with the years beside it; one query."""
    chosen_year = money_year(club, year)
    sessions = Session.objects.filter(counting_evenings(), club=club)
    nearest_dates = sessions.aggregate(
        before=Max("held_on", filter=Q(held_on__lt=chosen_year.starts_on)),
        after=Min("held_on", filter=Q(held_on__gt=chosen_year.ends_on)),
    )
    earlier_year, later_year = (
        money_year_of(club, day) if day else None
        for day in (nearest_dates["before"], nearest_dates["after"])
    )
    return MoneyYears(chosen_year, earlier_year, later_year)


def money_year_of(club: Club, day: date) -> MoneyYear:
    """The club's year of table money with this day in it."""
    is_earlier = day.month < club.year_begins
    return MoneyYear(day.year - is_earlier, club.year_begins)


def evenings_of_money_year(club: Club, year: int) -> tuple[EveningMoney, ...]:
    """Every evening of that year of table money, earliest first; two queries."""
    chosen_year = money_year(club, year)
    days = (chosen_year.starts_on, chosen_year.ends_on)
    sessions = Session.objects.filter(counting_evenings(), club=club, held_on__range=days).order_by(
        "held_on"
    )
    sums = sessions.annotate(paid=Count("money"), pence=Sum("money__pence"))
    money = {pk: (paid, pence or 0) for pk, paid, pence in sums.values_list("pk", "paid", "pence")}
    attendance_counts = sessions.annotate(here=Count("attendances")).values_list(
        "pk", "held_on", "here"
    )
    return tuple(EveningMoney(pk, day, count, *money[pk]) for pk, day, count in attendance_counts)


def in_pounds(pence: int) -> str:
    """``£12.50``, exact."""
    return f"£{pence // 100:,}.{pence % 100:02}"


def plain_pounds(pence: int) -> str:
    """``12.50``, as a spreadsheet adds it up."""
    return f"{pence // 100}.{pence % 100:02}"


def calendar_file(
    series: Series, days: Iterable[ClubDay], *, zone: tzinfo, occasions: Iterable[Occasion] = ()
) -> bytes:
    """The evenings in the club's local time, with its time zone rules; a closed date is cancelled.

    ``occasions`` are all-day events. An event keeps its ``UID``, whatever address the file was
    asked from, and its ``SEQUENCE`` goes up, so that calendars update it instead of adding another.
    Unchanged, the file is the same to the byte.
    """
    club = series.club
    calendar = Calendar()
    calendar.add("prodid", "-//Tongbox//Club evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", club.name)
    calendar.add("x-wr-calname", club.name)
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    for day in days:
        starts = datetime.combine(day.held_on, day.starts_at, zone)
        ends = datetime.combine(day.held_on, day.ends_at, zone)
        event = _calendar_event(
            series, f"series-{day.series_id}-{day.held_on:%Y%m%d}", starts, ends
        )
        event.add("summary", f"{day.name}, {club.name}")
        event.add("sequence", series.version)
        event.add("status", "CANCELLED" if day.closed_reason else "CONFIRMED")
        if day.place:
            event.add("location", day.place)
        if day.closed_reason:
            event.add("description", f"The club does not meet: {day.closed_reason}.")
        calendar.add_component(event)
    for occasion in occasions:
        next_day = occasion.held_on + timedelta(days=1)
        event = _calendar_event(series, occasion.key, occasion.held_on, next_day)
        event.add("summary", f"{occasion.name}, {club.name}")
        event.add("sequence", occasion.version)
        calendar.add_component(event)
    calendar.add_missing_timezones()
    body: bytes = calendar.to_ical()
    return body


def _calendar_event(series: Series, key: str, starts: date, ends: date) -> Event:
    event = Event()
    event.add("uid", f"{key}@{series.club.uid}")
    event.add("dtstamp", series.changed_at)
    event.add("last-modified", series.changed_at)
    event.add("dtstart", starts)
    event.add("dtend", ends)
    return event
