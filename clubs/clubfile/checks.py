"""What no form of Tongbox would have saved, in the rows of a club file."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Model

from clubs.evenings.forms import MOST_WEEKS_APART
from clubs.evenings.selectors.calendar import MONEY_YEARS, ORDINALS, pattern_of
from clubs.evenings.services.calendar import check_pattern
from clubs.models import Holiday, Retention, Season, Series
from clubs.privacy.forms import MOST_MONTHS

TERMS: Final = ("guests", "lapsed", "letters", "money", "deeds")


def check_row(row: Model) -> None:
    """Raises ``ValueError`` or ``Refused`` for a row that only another program can have made."""
    for column in row._meta.concrete_fields:
        value = getattr(row, column.attname)
        if isinstance(value, (date, datetime)) and value.year not in MONEY_YEARS:
            raise ValueError(f"{column.name} {value}")
    if check := CHECKS.get(type(row)):
        check(row)


def _check_series(row: Any) -> None:
    weeks = row.weeks
    if not isinstance(weeks, list) or not all(type(week) is int for week in weeks):
        raise ValueError(weeks)
    if not 1 <= row.every <= MOST_WEEKS_APART or not ORDINALS.keys() >= {*weeks}:
        raise ValueError(row.every, weeks)
    check_pattern(pattern=pattern_of(row), starts_at=row.starts_at, ends_at=row.ends_at)


def _check_holiday(row: Any) -> None:
    if row.last_on < row.first_on:
        raise ValueError(row.first_on, row.last_on)


def _check_season(row: Any) -> None:
    if row.ends_on < row.starts_on:
        raise ValueError(row.starts_on, row.ends_on)


def _check_terms(row: Any) -> None:
    for name in TERMS:
        months = getattr(row, name)
        if months is not None and not 1 <= months <= MOST_MONTHS:
            raise ValueError(name, months)


CHECKS: Final[Mapping[type[Model], Callable[[Any], None]]] = {
    Series: _check_series,
    Holiday: _check_holiday,
    Season: _check_season,
    Retention: _check_terms,
}
