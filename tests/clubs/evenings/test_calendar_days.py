"""On which days evenings come round."""

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from clubs.evenings.selectors.calendar import Break, Pattern, break_on, days_of, in_words

AUTUMN = (date(2026, 9, 1), date(2026, 12, 31))  # a Tuesday first
days = st.dates(date(2000, 1, 1), date(2060, 1, 1))


def short(pattern: Pattern) -> list[str]:
    return [f"{day.day}/{day.month}" for day in days_of(pattern)]


def test_every_second_tuesday() -> None:
    pattern = Pattern(date(2026, 9, 1), date(2026, 10, 13), every=2)
    assert short(pattern) == ["1/9", "15/9", "29/9", "13/10"]


def test_the_first_and_third_friday() -> None:
    pattern = Pattern(date(2026, 9, 4), date(2026, 11, 30), weeks=(1, 3))
    assert short(pattern) == ["4/9", "18/9", "2/10", "16/10", "6/11", "20/11"]


def test_the_last_tuesday_is_the_fourth_or_the_fifth() -> None:
    assert short(Pattern(*AUTUMN, weeks=(5,))) == ["29/9", "27/10", "24/11", "29/12"]


def test_a_tuesday_that_is_both_the_fourth_and_the_last_comes_once() -> None:
    pattern = Pattern(date(2026, 11, 3), date(2026, 11, 30), weeks=(4, 5))
    assert short(pattern) == ["24/11"]


def test_a_series_that_begins_in_the_middle_of_a_month_waits_for_its_week() -> None:
    assert short(Pattern(date(2026, 9, 8), date(2026, 10, 10), weeks=(1,))) == ["6/10"]


def test_a_series_that_ends_before_it_begins_has_no_days() -> None:
    assert days_of(Pattern(date(2026, 9, 8), date(2026, 9, 1))) == ()


def test_february_29_is_a_day_like_any_other() -> None:
    assert short(Pattern(date(2028, 2, 29), date(2028, 3, 7))) == ["29/2", "7/3"]


def test_both_ends_of_a_holiday_are_without_an_evening() -> None:
    christmas = [Break("Christmas", date(2026, 12, 22), date(2026, 12, 29))]
    said = [break_on(date(2026, 12, day), christmas) for day in (21, 22, 29, 30)]
    assert said == ["", "Christmas", "Christmas", ""]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (Pattern(*AUTUMN), "Every Tuesday"),
        (Pattern(*AUTUMN, every=2), "Every other Tuesday"),
        (Pattern(*AUTUMN, every=5), "Tuesday, every 5 weeks"),
        (Pattern(*AUTUMN, weeks=(5,)), "The last Tuesday of the month"),
        (Pattern(*AUTUMN, weeks=(3, 1)), "The 1st and 3rd Tuesday of the month"),
        (Pattern(*AUTUMN, weeks=(1, 2, 4)), "The 1st, 2nd and 4th Tuesday of the month"),
    ],
)
def test_a_series_is_said_as_a_poster_would(pattern: Pattern, said: str) -> None:
    assert in_words(pattern) == said


@given(days, st.integers(0, 400), st.integers(1, 8))
def test_evenings_are_all_on_one_weekday_and_evenly_apart(
    first: date, length: int, every: int
) -> None:
    days = days_of(Pattern(first, first + timedelta(days=length), every))
    assert days[0] == first
    assert {(day - first).days % (7 * every) for day in days} == {0}
    assert len(days) == length // (7 * every) + 1


@given(days, st.integers(0, 400), st.sets(st.integers(1, 5), min_size=1))
def test_days_of_the_month_are_among_the_weekly_ones_and_every_month_has_its_share(
    first: date, length: int, weeks: set[int]
) -> None:
    last = first + timedelta(days=length)
    days = days_of(Pattern(first, last, weeks=tuple(weeks)))
    assert set(days) <= set(days_of(Pattern(first, last)))
    assert list(days) == sorted(set(days))
    whole = {(day.year, day.month) for day in days[1:-1]} - {
        (day.year, day.month) for day in (first, last)
    }
    for month in whole:
        count = sum((day.year, day.month) == month for day in days)
        assert count in {len(weeks), len(weeks) - (4 in weeks and 5 in weeks)}
