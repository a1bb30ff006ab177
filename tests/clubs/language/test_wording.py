"""Days, times and counts as people say them, in code and in templates."""

import re
from datetime import UTC, date, datetime, time

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import timezone

from clubs.language import moments
from clubs.language.words import count_words

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.*"))
CODE = [
    file
    for app in ("clubs", "config", "scoring", "tournaments")
    for file in sorted((settings.BASE_DIR / app).rglob("*.py"))
]
MACHINE = {"Y-m-d", "Y", "U"}
FORMATTED = re.compile(r"\|(?:date|time)\b(?::([\"'])(.*?)\1)?")
BY_HAND = re.compile(r"%-?[ABbIp]|:%d|%H:%M|\b(?:date|time)_format\(")
READS_OR_RENDERS = {
    "clubs/language/moments.py": "the wordings themselves",
    "clubs/members/person_columns.py": "dates that people type are read",
    "clubs/evenings/forms.py": "what an input of the type time takes",
    "clubs/language/spreadsheets.py": "a file for programs",
}

DAY, EVENING = date(2026, 11, 4), datetime(2026, 11, 24, 19, 30, tzinfo=UTC)


def test_a_day_is_worded_in_full_and_in_short() -> None:
    assert moments.full_date(DAY) == "Wednesday 4 November 2026"
    assert moments.long_date(DAY) == "4 November 2026"
    assert moments.short_date(DAY) == "4 Nov 2026"
    assert moments.typed_date(DAY) == "4/11/2026"
    assert moments.weekday_and_date(DAY) == "Wednesday 4 November"
    assert moments.day_and_month(DAY) == "4 November"
    assert moments.day_and_short_month(DAY) == "4 Nov"
    assert moments.month_and_year(DAY) == "November 2026"
    assert moments.short_month(DAY) == "Nov 2026"


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (time(19, 30), "7:30pm"),
        (time(19), "7pm"),
        (time(9, 5), "9:05am"),
        (time(12), "12 noon"),
        (time(12, 15), "12:15pm"),
        (time(0), "12 midnight"),
        (time(0, 40), "12:40am"),
    ],
)
def test_a_time_is_worded_as_people_say_it(clock: time, text: str) -> None:
    assert moments.time_of_day(clock) == text


def test_logs_have_the_time_of_24_hours() -> None:
    assert moments.time_on_the_clock(EVENING) == "19:30"
    assert moments.logged_moment(EVENING) == "24 November 2026, 19:30"


def test_a_moment_is_shown_in_the_clubs_time_zone() -> None:
    summer = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)

    assert moments.long_moment(summer) == "1 July 2026, 12:30am"
    assert moments.short_moment(summer) == "1 July, 12:30am"
    assert moments.weekday(summer) == "Wednesday"


def test_only_another_day_is_named() -> None:
    now = timezone.now()

    assert moments.moment(now) == moments.time_of_day(now)
    assert moments.moment(datetime(2020, 11, 21, 14, 5, tzinfo=UTC)) == "2:05pm on 21 November"


def test_templates_have_the_wordings_without_loading_them() -> None:
    template = Template(
        "{{ day|full_date }}, {{ at|time_of_day }}, {{ never|long_date|default:'–' }}"
    )

    text = template.render(Context({"day": DAY, "at": EVENING, "never": None}))
    assert text == "Wednesday 4 November 2026, 7:30pm, –"


def test_no_template_makes_a_format_of_its_own() -> None:
    local_formats = {
        f"{file.name}: {match[0]}"
        for file in TEMPLATES
        for match in FORMATTED.finditer(file.read_text())
        if match[2] not in MACHINE
    }

    assert local_formats == set()


def test_no_code_makes_a_format_of_its_own() -> None:
    files = [file for file in CODE if BY_HAND.search(file.read_text())]
    assert {str(file.relative_to(settings.BASE_DIR)) for file in files} == set(READS_OR_RENDERS)


def test_a_number_is_followed_by_what_it_counts() -> None:
    assert count_words(1, "hand") == "1 hand"
    assert count_words(0, "hand") == "0 hands"
    assert count_words(1204, "hand") == "1,204 hands"
    assert count_words(2, "Mah-Jong", "Mah-Jongs") == "2 Mah-Jongs"
    assert count_words(3, "entry", "entries") == "3 entries"


def test_templates_count_without_loading_anything() -> None:
    template = Template('{{ tables|counted:"table" }}')

    assert template.render(Context({"tables": 4})) == "4 tables"
