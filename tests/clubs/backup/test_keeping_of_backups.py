"""Seven days, five weeks, twelve months; the newest always, and no bad one in place of a good."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from clubs.backup.archive import Kept, Made, expired_backups

START = datetime(2025, 1, 1, 3, tzinfo=UTC)
A_DAY = timedelta(days=1)
USUAL = Kept()

LOTS = st.lists(st.tuples(st.integers(0, 24 * 800), st.booleans()), max_size=60).map(
    lambda lot: [Made(key, START + timedelta(hours=at), good) for key, (at, good) in enumerate(lot)]
)
RULES = st.builds(Kept, st.integers(0, 9), st.integers(0, 9), st.integers(0, 14))


def nightly(nights: int) -> list[Made]:
    return [Made(night, START + night * A_DAY, is_good=True) for night in range(nights)]


def days_kept(lot: list[Made], kept: Kept = USUAL) -> list[str]:
    gone = expired_backups(lot, kept)
    return [f"{one.at:%Y-%m-%d}" for one in lot if one.key not in gone]


def test_after_two_years_of_nights_there_are_days_weeks_and_months() -> None:
    kept = days_kept(nightly(730))
    last_days = [f"{START + night * A_DAY:%Y-%m-%d}" for night in range(723, 730)]
    assert kept[-7:] == last_days
    assert kept[:11] == [
        *("2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"),
        *("2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30"),
    ]
    assert kept[11:14] == ["2026-12-06", "2026-12-13", "2026-12-20"]
    assert len(kept) == 21


def test_the_second_of_a_day_takes_the_place_of_the_first() -> None:
    lot = [Made(number, START + timedelta(hours=number), is_good=True) for number in range(3)]
    assert expired_backups(lot, USUAL) == {0, 1}


def test_a_bad_one_does_not_take_a_good_ones_place() -> None:
    lot = [*nightly(3), Made(3, START + 2 * A_DAY + timedelta(hours=1), is_good=False)]
    assert expired_backups(lot, Kept(1, 1, 1)) == {0, 1}


def test_a_bad_one_goes_once_a_good_one_came_after_it() -> None:
    lot = [Made(0, START, is_good=False), Made(1, START + A_DAY, is_good=True)]
    assert expired_backups(lot, USUAL) == {0}


@given(LOTS, RULES)
def test_the_last_good_one_always_stays(lot: list[Made], kept: Kept) -> None:
    good = [one.key for one in lot if one.is_good]
    assert not good or good[-1] not in expired_backups(lot, kept)


@given(LOTS, RULES)
def test_there_are_never_more_good_ones_than_the_rule_says(lot: list[Made], kept: Kept) -> None:
    gone = expired_backups(lot, kept)
    stays = [one for one in lot if one.is_good and one.key not in gone]
    assert len(stays) <= kept.days + kept.weeks + kept.months + 1


@given(LOTS, RULES)
def test_good_ones_stay_as_if_there_were_no_bad_ones(lot: list[Made], kept: Kept) -> None:
    good = [one for one in lot if one.is_good]
    assert {one.key for one in good} & expired_backups(lot, kept) == expired_backups(good, kept)


@given(LOTS, RULES)
def test_what_was_let_go_once_would_be_let_go_again(lot: list[Made], kept: Kept) -> None:
    gone = expired_backups(lot, kept)
    assert expired_backups([one for one in lot if one.key not in gone], kept) == set()


@given(LOTS, RULES, st.integers(0, 24 * 800))
def test_one_more_with_the_clock_anywhere_lets_at_most_one_of_each_kind_go(
    lot: list[Made], kept: Kept, at: int
) -> None:
    """A clock set back or on, once, costs no more than a night with the right clock does."""
    before = expired_backups(lot, kept)
    rest = [one for one in lot if one.key not in before and one.is_good]
    late = Made(len(lot), START + timedelta(hours=at), is_good=True)
    assert len(expired_backups([*rest, late], kept)) <= 4


def test_a_clock_set_back_by_years_lets_no_newer_one_go() -> None:
    lot = days_kept(nightly(7))
    back = [*nightly(7), Made(7, START - 3_000 * A_DAY, is_good=True)]
    assert days_kept(back)[: len(lot)] == lot


@pytest.mark.parametrize("told", ["", "7", "7,5", "7,5,-1", "a,b,c", "7,5,12,1"])
def test_a_rule_that_is_none_is_refused(told: str) -> None:
    with pytest.raises(ValueError, match=r"days,weeks,months|invalid literal"):
        Kept.read(told)
    assert Kept.read("7,5,12") == USUAL
