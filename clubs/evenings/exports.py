"""A club's evenings as a file that every calendar reads (RFC 5545)."""

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo

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
    """These evenings at the club's own time of day, with the rules of its time zone.

    ``occasions`` take whole days.

    The same day of a series keeps its ``UID``, so that a calendar changes it and adds none.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Tongbox//Club evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", club)
    calendar.add("refresh-interval", READ_AGAIN, parameters={"value": "DURATION"})
    for day in days:
        calendar.add_component(_event(day, club, zone, made_at, host))
    for occasion in occasions:
        calendar.add_component(_whole_day(occasion, club, made_at, host))
    calendar.add_missing_timezones()
    body: bytes = calendar.to_ical()
    return body


def _event(day: ClubDay, club: str, zone: tzinfo, made_at: datetime, host: str) -> Event:
    event = Event()
    event.add("uid", f"series-{day.series_id}-{day.held_on:%Y%m%d}@{host}")
    event.add("dtstamp", made_at)
    event.add("dtstart", datetime.combine(day.held_on, day.starts_at, zone))
    event.add("dtend", datetime.combine(day.held_on, day.ends_at, zone))
    event.add("summary", f"{day.name}, {club}")
    if day.place:
        event.add("location", day.place)
    return event


def _whole_day(occasion: Occasion, club: str, made_at: datetime, host: str) -> Event:
    event = Event()
    event.add("uid", f"{occasion.key}@{host}")
    event.add("dtstamp", made_at)
    event.add("dtstart", occasion.held_on)
    event.add("dtend", occasion.held_on + timedelta(days=1))
    event.add("summary", f"{occasion.name}, {club}")
    return event
