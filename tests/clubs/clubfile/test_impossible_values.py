"""Every column of a club file refuses what no form of Tongbox would have saved."""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations_with_replacement
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.db.models import (
    CharField,
    DateField,
    DateTimeField,
    DecimalField,
    Field,
    IntegerField,
    JSONField,
)
from django.forms import Form

from clubs.clubfile.checks import UNKNOWN_RULES_MESSAGE, ImpossibleValue, check_row
from clubs.clubfile.columns import COLUMN_SHAPES, RETENTION_FIELDS
from clubs.clubfile.contents import CLUB_TABLES, ClubTable
from clubs.clubfile.services import read_club_file
from clubs.core.forms import day_field
from clubs.evenings.forms import HolidayForm
from clubs.league.forms import SeasonForm
from clubs.members.person_columns import read_day
from scoring.scorebook.models import Edition
from scoring.scorebook.refusals import Refused
from tests.clubs.clubfile.moving import change_file, file_of, rows_in
from tests.people import Cast
from tests.test_other_clubs import make_everything

Row = dict[str, Any]
MAY_BE_BELOW_NOUGHT: Final = {
    "scorebook.Seat.points",
    *(f"scorebook.Hand.gain_{seat}" for seat in (1, 2, 3, 4, 5)),
    "scorebook.LedgerEntry.points",
    "clubs.Handicap.points",
    "tournaments.Tournament.sitting_out_points",
    "tournaments.Round.minutes_added",
    "tournaments.Table.minutes_added",
}
NUMBERS: Final = (10**9, -(10**9), -1, 2**70, 1.5, True, "7")
SHAPES: Final = ("text", 7, 1.5, True, [[["deep"]]], {"strange": {"deep": [1]}})
ANYTHING_WITHIN: Final = {"tournaments.Drawing.asked"}  # it is only downloaded
ODD_DAYS: Final = ("0001-01-01", "1066-10-14", "9999-12-31")
EDGES: Final = ("1900-01-01", "2026-11-24", "9999-12-31")
CHECK_THE_YEAR: Final = "Check the year. It must be 1900 or later."
NO_DAYS: Final = ("2026-02-30", "today", "24/11/2026", 20261124)
MOMENTS: Final = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "now", 1)


NOW: Final = "2026-11-24T19:30:00.000001+00:00"
SAID: Final = {"reason": "as agreed", "made_by": "user 1", "made_at": NOW}
RARE: Final[dict[str, Row]] = {  # rows of tables of which the club below has none
    "scorebook.Agreement": {
        "hand": 1,
        "seat": 2,
        "agrees": True,
        "note": "",
        "digest": "a" * 64,
        "said_by": "table 12",
        "said_at": NOW,
    },
    "scorebook.Decision": {"hand": 1, **SAID},
    "clubs.TwoPeople": {"one": 1, "other": 2, "made_at": NOW},
    "clubs.Retention": {**dict.fromkeys(RETENTION_FIELDS, 12), "ran_on": "2026-11-24"},
    "clubs.Erasure": {"player": None, "what": "1 guest", "made_at": NOW},
    "clubs.Handicap": {"season": 1, "player": 1, "points": -20},
    "clubs.SentResult": {"session": 1, "player": 1, "digest": "a" * 64, "sent_at": NOW},
    "clubs.Invitation": {
        "held_on": "2026-11-24",
        "player": 1,
        "answer": "",
        "answered_at": None,
        "asked_at": NOW,
    },
    "clubs.StandBy": {"player": 1, "since": NOW},
    "clubs.TableMoney": {"session": 1, "player": 1, "pence": 250, "taken_at": NOW},
    "clubs.AuditEntry": {
        "by": "",
        "what": "add-player",
        "about": {"pk": 1},
        "request_id": "",
        "at": NOW,
    },
    "tournaments.Round_sitting_out": {"round": 1, "entrant": 1},
    "tournaments.Call": {
        "table": 1,
        "what": "",
        "called_at": NOW,
        "answered_at": None,
        "answered_by": "",
    },
    "tournaments.StepBack": {"tournament": 1, "what": "round 1 was reopened", **SAID},
}


@pytest.fixture
def rows(cast: Cast) -> dict[str, Row]:
    """A row of each table, as Tongbox writes it."""
    make_everything(cast.club, cast.secretary)
    file, _ = file_of(cast.club)
    rows_by_table = {table.label: rows_in(file, table.label) for table in CLUB_TABLES}
    assert {label for label, lines in rows_by_table.items() if not lines} <= RARE.keys()
    return RARE | {label: lines[0] for label, lines in rows_by_table.items() if lines}


def columns_of(*kinds: type) -> Iterator[tuple[ClubTable, str, Any]]:
    for table in CLUB_TABLES:
        for column in table.columns:
            if isinstance(column, kinds):
                yield table, f"{table.label}.{column.name}", column


def is_refused(table: ClubTable, row: Row, name: str, value: Any) -> bool:
    try:
        check_row(table, row | {name: value})
    except ImpossibleValue as why:
        return str(why) == name
    except Refused as why:  # house rules of another Tongbox
        return table.model is Edition and str(why) == UNKNOWN_RULES_MESSAGE
    return False


def accepted_values(
    rows: dict[str, Row], kinds: tuple[type, ...], values: tuple[Any, ...]
) -> set[str]:
    """The columns of these kinds that take one of the values, with it."""
    return {
        f"{name} = {value!r}"
        for table, name, column in columns_of(*kinds)
        for value in values
        if not is_refused(table, rows[table.label], column.name, value)
    }


def test_every_number_and_every_json_says_what_it_may_hold() -> None:
    bounded_columns = {name for _, name, _ in columns_of(IntegerField, JSONField)}
    assert bounded_columns - COLUMN_SHAPES.keys() == set()
    all_columns = {name for _, name, _ in columns_of(Field)}
    assert COLUMN_SHAPES.keys() - all_columns == set()


def test_a_row_of_each_table_is_taken(rows: dict[str, Row]) -> None:
    for table in CLUB_TABLES:
        check_row(table, rows[table.label])


def test_no_number_is_out_of_range(rows: dict[str, Row]) -> None:
    negative_columns = {f"{name} = -1" for name in MAY_BE_BELOW_NOUGHT}
    assert accepted_values(rows, (IntegerField,), NUMBERS) == negative_columns
    assert not accepted_values(
        rows, (DecimalField,), ("-1", "1000000000", "NaN", "5.00", 5, "1.999")
    )


def test_no_choice_is_unknown(rows: dict[str, Row]) -> None:
    choice_columns = [column_entry for column_entry in columns_of(Field) if column_entry[2].choices]
    assert len(choice_columns) > 20
    for table, name, column in choice_columns:
        may_be_empty = column.blank or "" in dict(column.flatchoices)
        for value in ("none of these", 7, *([] if may_be_empty else [""])):
            assert is_refused(table, rows[table.label], column.name, value), (name, value)


def test_what_is_no_day_is_refused(rows: dict[str, Row]) -> None:
    days = {f"{name} = {day!r}" for _, name, _ in columns_of(DateTimeField) for day in NO_DAYS}
    assert not accepted_values(rows, (DateField,), NO_DAYS) - days


def test_no_evening_and_no_moment_is_of_another_age(rows: dict[str, Row]) -> None:
    day_columns = [
        column_entry for column_entry in columns_of(DateField) if column_entry[2].name == "held_on"
    ]
    assert len(day_columns) == 3
    for table, name, column in day_columns:
        for day in ODD_DAYS:
            assert is_refused(table, rows[table.label], column.name, day), (name, day)
    assert not accepted_values(rows, (DateTimeField,), MOMENTS)


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("clubs.Player", "joined_on", "paid_until"),
        ("clubs.Player", "lapsed_on", "paid_until"),
        ("clubs.Season", "starts_on", "ends_on"),
        ("clubs.Holiday", "first_on", "last_on"),
        ("clubs.Wish", "until", "until"),
    ],
)
@pytest.mark.parametrize("days", [("1900-01-01", "9999-12-31"), ("0026-11-24", "2999-12-31")])
def test_a_day_that_a_form_ever_took_is_taken(
    rows: dict[str, Row], label: str, first: str, last: str, days: tuple[str, str]
) -> None:
    (table,) = (table for table in CLUB_TABLES if table.label == label)
    check_row(table, rows[label] | dict(zip((first, last), days, strict=True)))


def test_every_day_that_a_form_takes_is_taken(cast: Cast, rows: dict[str, Row]) -> None:
    for first, last in combinations_with_replacement(EDGES, 2):
        days = {"starts_on": first, "ends_on": last, "first_on": first, "last_on": last}
        data = {"name": "Autumn", "ranking": "total", **days}
        forms: tuple[tuple[Form, str], ...] = (
            (SeasonForm(data, club=cast.club), "clubs.Season"),
            (HolidayForm(data), "clubs.Holiday"),
        )
        for form, label in forms:
            assert form.is_valid(), form.errors
            (table,) = (table for table in CLUB_TABLES if table.label == label)
            check_row(
                table, rows[label] | {name: days[name] for name in days.keys() & form.fields.keys()}
            )
    assert [f"{read_day(day)}" for day in EDGES] == list(EDGES)


@pytest.mark.parametrize("day", ["0026-11-24", "1899-12-31"])
def test_a_mistyped_year_is_said_in_words(cast: Cast, day: str) -> None:
    data = {"name": "Autumn", "ranking": "total", "starts_on": day, "first_on": day}
    end_dates = {"ends_on": "2026-12-31", "last_on": "2026-12-31"}
    season, holiday = SeasonForm(data | end_dates, club=cast.club), HolidayForm(data | end_dates)
    assert season.errors == {"starts_on": [CHECK_THE_YEAR]}
    assert holiday.errors == {"first_on": [CHECK_THE_YEAR]}
    with pytest.raises(ValidationError, match=CHECK_THE_YEAR):
        day_field("Joined on").clean(day)


def test_a_name_is_never_empty(rows: dict[str, Row]) -> None:
    name_columns = [
        column_entry for column_entry in columns_of(CharField) if column_entry[2].name == "name"
    ]
    assert len(name_columns) == 10
    for table, name, column in name_columns:
        assert is_refused(table, rows[table.label], column.name, ""), name


def test_no_json_is_of_another_shape(rows: dict[str, Row]) -> None:
    assert not accepted_values(rows, (JSONField,), SHAPES)


def test_no_part_of_a_json_is_of_another_shape(rows: dict[str, Row]) -> None:
    changed_parts = 0
    for table, name, column in columns_of(JSONField):
        stored_value = rows[table.label][column.name]
        for value in with_one_part_changed(stored_value) if name not in ANYTHING_WITHIN else ():
            assert is_refused(table, rows[table.label], column.name, value), (name, value)
            changed_parts += 1
    assert changed_parts > 80


def with_one_part_changed(value: Any) -> Iterator[Any]:
    """The value with each number, text or truth in it replaced by a list and by an object."""
    if isinstance(value, dict):
        parts: Any = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    else:
        yield from ([[]], {"x": [1]})
        return
    for key, part in parts:
        for changed_part in with_one_part_changed(part):
            changed_value = deepcopy(value)
            changed_value[key] = changed_part
            yield changed_value


def test_each_table_is_called_by_an_english_plural_of_its_own() -> None:
    plurals = [table.plural for table in CLUB_TABLES]
    assert len(set(plurals)) == len(plurals)
    wrong_plural = re.compile(r"ss$|[sc]hs$|moneys$|series$|relationship|[A-Z_.]")
    assert not [plural for plural in plurals if wrong_plural.search(plural)]


def test_a_file_is_refused_in_plain_words_before_anybody_waits(
    cast: Cast, django_assert_num_queries: Any
) -> None:
    make_everything(cast.club, cast.secretary)
    file, _ = file_of(cast.club)

    def never(rows: list[Row]) -> None:
        rows[0]["every"] = 0

    bad_file = change_file(file, "clubs.Series", never)
    with django_assert_num_queries(0), pytest.raises(Refused) as refusal, read_club_file(bad_file):
        pass
    assert str(refusal.value) == (
        "This file is damaged or was changed after it was made. Row 1 of the regular evenings "
        "has an impossible value for “every”. Download the club again."
    )
