"""A club's evenings as an iCalendar file (RFC 5545)."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo

from icalendar import Calendar, Event

from clubs.evenings.selectors.calendar import ClubDay, Occasion

READ_AGAIN = timedelta(hours=12)


def calendar_file(
    days: Iterable[ClubDay],
    *,
    club: str,
    zone: tzinfo,
    made_at: datetime,
    host: str,
    occasions: Iterable[Occasion] = (),
) -> bytes:
    """The evenings in the club's local time, with its time zone rules.

    ``occasions`` are all-day events. A date of a series keeps its ``UID``, so that calendars
    update the event instead of adding another.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Tongbox//Club evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", club)
    calendar.add("refresh-interval", READ_AGAIN, parameters={"value": "DURATION"})
    for day in days:
        uid = f"series-{day.series_id}-{day.held_on:%Y%m%d}@{host}"
        starts = datetime.combine(day.held_on, day.starts_at, zone)
        ends = datetime.combine(day.held_on, day.ends_at, zone)
        event = _event(uid, made_at, starts, ends, f"{day.name}, {club}")
        if day.place:
            event.add("location", day.place)
        calendar.add_component(event)
    for occasion in occasions:
        uid, name = f"{occasion.key}@{host}", f"{occasion.name}, {club}"
        next_day = occasion.held_on + timedelta(days=1)
        calendar.add_component(_event(uid, made_at, occasion.held_on, next_day, name))
    calendar.add_missing_timezones()
    body: bytes = calendar.to_ical()
    return body


def _event(uid: str, made_at: datetime, starts: date, ends: date, summary: str) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", made_at)
    event.add("dtstart", starts)
    event.add("dtend", ends)
    event.add("summary", summary)
    return event
