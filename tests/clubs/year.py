"""A club that meets on Tuesdays, for the tests of its year."""

from datetime import date, time

from clubs.evenings.selectors.calendar import Pattern
from clubs.evenings.services import calendar
from clubs.models import Club, Series

TUESDAY = date(2026, 11, 17)
CHRISTMAS = (date(2026, 12, 22), date(2027, 1, 1))


def make_series(club: Club, *, last_on: date = TUESDAY, name: str = "Club evening") -> Series:
    """Tuesdays from 17 November 2026 at 2pm in the Village Hall, Christmas left out."""
    if not club.holidays.exists():
        first, last = CHRISTMAS
        calendar.add_holiday(club=club, name="Christmas", first_on=first, last_on=last)
    return calendar.save_series(
        club=club,
        series=None,
        name=name,
        place="Village Hall",
        pattern=Pattern(TUESDAY, last_on),
        starts_at=time(14),
        ends_at=time(16, 30),
    )
