"""Backups: digested alike everywhere, let go by a rule, and what a secretary reads of them."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from hypothesis import given, strategies as st

from clubs.backup.archive import (
    LineValue,
    RetentionCounts,
    RotatedBackup,
    backup_news,
    backup_news_at,
    encode_line,
    expired_backups,
    lines_digest,
)
from clubs.models import Backup, User
from tests.clubs.visits import Visitor
from tests.people import Cast

TOLD = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.dates() | st.fractions()


def test_a_line_is_plain_letters_in_the_order_of_telling() -> None:
    values: list[LineValue] = ["Zoë", 7, Fraction(6, 4), date(2026, 11, 22), None, True]
    assert encode_line(*values) == '["Zo\\u00eb",7,"3/2","2026-11-22",null,true]'


@pytest.mark.parametrize("fickle", [1.5, Decimal("1.50"), datetime(2026, 11, 22, tzinfo=UTC)])
def test_what_databases_round_in_their_own_way_is_refused(fickle: Any) -> None:
    with pytest.raises(TypeError, match="not written alike"):
        encode_line(fickle)


def test_the_digest_is_that_of_the_lines_with_their_ends() -> None:
    of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert lines_digest([]) == of_nothing
    assert lines_digest(["a", "b"]) != lines_digest(["ab"])
    assert lines_digest(["a", "b"]) != lines_digest(["b", "a"])


@given(st.lists(TOLD, max_size=5), st.lists(TOLD, max_size=5))
def test_two_lines_are_the_same_only_where_the_same_was_told(
    line: list[LineValue], other_line: list[LineValue]
) -> None:
    def typed_values(lot: list[LineValue]) -> list[tuple[type, str]]:
        return [(type(value), str(value)) for value in lot]

    if any(isinstance(value, date | Fraction) for value in (*line, *other_line)):
        return  # a date and the text that names it are written alike
    assert (encode_line(*line) == encode_line(*other_line)) == (
        typed_values(line) == typed_values(other_line)
    )


START = datetime(2025, 1, 1, 3, tzinfo=UTC)
A_DAY = timedelta(days=1)
USUAL = RetentionCounts()

LOTS = st.lists(st.tuples(st.integers(0, 24 * 800), st.booleans()), max_size=60).map(
    lambda lot: [
        RotatedBackup(key, START + timedelta(hours=hours), good)
        for key, (hours, good) in enumerate(lot)
    ]
)
RULES = st.builds(RetentionCounts, st.integers(0, 9), st.integers(0, 9), st.integers(0, 14))


def nightly(nights: int) -> list[RotatedBackup]:
    return [RotatedBackup(night, START + night * A_DAY, is_good=True) for night in range(nights)]


def days_kept(lot: list[RotatedBackup], counts: RetentionCounts = USUAL) -> list[str]:
    expired_keys = expired_backups(lot, counts)
    return [f"{backup.made_at:%Y-%m-%d}" for backup in lot if backup.key not in expired_keys]


def test_after_two_years_of_nights_there_are_days_weeks_and_months() -> None:
    days = days_kept(nightly(730))
    last_days = [f"{START + night * A_DAY:%Y-%m-%d}" for night in range(723, 730)]
    assert days[-7:] == last_days
    assert days[:11] == [
        *("2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"),
        *("2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30"),
    ]
    assert days[11:14] == ["2026-12-06", "2026-12-13", "2026-12-20"]
    assert len(days) == 21


def test_the_second_of_a_day_takes_the_place_of_the_first() -> None:
    lot = [
        RotatedBackup(number, START + timedelta(hours=number), is_good=True) for number in range(3)
    ]
    assert expired_backups(lot, USUAL) == {0, 1}


def test_a_bad_one_does_not_take_a_good_ones_place() -> None:
    lot = [*nightly(3), RotatedBackup(3, START + 2 * A_DAY + timedelta(hours=1), is_good=False)]
    assert expired_backups(lot, RetentionCounts(1, 1, 1)) == {0, 1}


def test_a_bad_one_goes_once_a_good_one_came_after_it() -> None:
    lot = [RotatedBackup(0, START, is_good=False), RotatedBackup(1, START + A_DAY, is_good=True)]
    assert expired_backups(lot, USUAL) == {0}


@given(LOTS, RULES)
def test_the_last_good_one_always_stays(lot: list[RotatedBackup], counts: RetentionCounts) -> None:
    good = [backup.key for backup in lot if backup.is_good]
    assert not good or good[-1] not in expired_backups(lot, counts)


@given(LOTS, RULES)
def test_there_are_never_more_good_ones_than_the_rule_says(
    lot: list[RotatedBackup], counts: RetentionCounts
) -> None:
    expired_keys = expired_backups(lot, counts)
    stays = [backup for backup in lot if backup.is_good and backup.key not in expired_keys]
    assert len(stays) <= counts.days + counts.weeks + counts.months + 1


@given(LOTS, RULES)
def test_good_ones_stay_as_if_there_were_no_bad_ones(
    lot: list[RotatedBackup], counts: RetentionCounts
) -> None:
    good = [backup for backup in lot if backup.is_good]
    assert {backup.key for backup in good} & expired_backups(lot, counts) == expired_backups(
        good, counts
    )


@given(LOTS, RULES)
def test_what_was_let_go_once_would_be_let_go_again(
    lot: list[RotatedBackup], counts: RetentionCounts
) -> None:
    expired_keys = expired_backups(lot, counts)
    assert (
        expired_backups([backup for backup in lot if backup.key not in expired_keys], counts)
        == set()
    )


@given(LOTS, RULES, st.integers(0, 24 * 800))
def test_one_more_with_the_clock_anywhere_lets_at_most_one_of_each_kind_go(
    lot: list[RotatedBackup], counts: RetentionCounts, hours: int
) -> None:
    """A clock set back or on, once, costs no more than a night with the right clock does."""
    expired_keys = expired_backups(lot, counts)
    good_backups = [backup for backup in lot if backup.key not in expired_keys and backup.is_good]
    extra_backup = RotatedBackup(len(lot), START + timedelta(hours=hours), is_good=True)
    assert len(expired_backups([*good_backups, extra_backup], counts)) <= 4


def test_a_clock_set_back_by_years_lets_no_newer_one_go() -> None:
    lot = days_kept(nightly(7))
    backups = [*nightly(7), RotatedBackup(7, START - 3_000 * A_DAY, is_good=True)]
    assert days_kept(backups)[: len(lot)] == lot


@pytest.mark.parametrize("rule_text", ["", "7", "7,5", "7,5,-1", "a,b,c", "7,5,12,1"])
def test_a_rule_that_is_none_is_refused(rule_text: str) -> None:
    with pytest.raises(ValueError, match=r"days,weeks,months|invalid literal"):
        RetentionCounts.read(rule_text)
    assert RetentionCounts.read("7,5,12") == USUAL


NOW = timezone.now()
PAGES = ("/c/riverside/", "/c/riverside/evenings/", "/c/riverside/settings/privacy/")


def make_backup(**fields: object) -> Backup:
    values = {"made_at": NOW, "file": "f", "is_good": True, **fields}
    return Backup.objects.create(**values)


def test_while_all_is_well_nobody_reads_of_it(alice: Visitor) -> None:
    make_backup()
    for path in PAGES:
        page = alice.read(path)
        assert "notice--error" not in page
    assert "The last good backup was made on" in page


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"is_good": False, "fault": "There is no room left."}, "The last backup failed its test."),
        ({"is_good": None, "fault": "No database could be made."}, "could not be tested"),
        ({"is_good": None, "made_at": NOW - A_DAY}, "has not been tested"),
        ({"is_good": None, "made_at": NOW - A_DAY, "file": ""}, "did not finish"),
        ({"made_at": NOW - 3 * A_DAY}, "no successful backup for more than two days"),
    ],
)
def test_whatever_is_wrong_is_said_on_the_secretarys_pages(
    alice: Visitor, fields: dict[str, object], message: str
) -> None:
    make_backup(made_at=NOW - 4 * A_DAY)
    make_backup(**fields)
    for path in PAGES:
        page = alice.read(path)
        assert message in page, path
        assert "Tell your Tongbox administrator today" in page
        assert str(fields.get("fault", "ask them to make a backup")) in page


def test_players_and_strangers_are_not_told(cast: Cast) -> None:
    make_backup(is_good=False)
    for path in PAGES[:2]:
        assert "backup" not in Visitor(cast.player).read(path)


def test_one_that_is_just_being_made_is_no_trouble(cast: Cast) -> None:
    make_backup(made_at=NOW - A_DAY)
    make_backup(is_good=None, file="")
    assert backup_news_at(NOW).trouble == ""


def test_a_book_that_was_put_back_says_from_which_backup(alice: Visitor) -> None:
    backup = make_backup(made_at=NOW - 4 * A_DAY, put_back_at=NOW - A_DAY)
    assert backup_news_at(NOW).trouble == ""
    page = alice.read(PAGES[-1])
    day = date_format(timezone.localtime(backup.made_at), "l j F Y")
    assert f"from the backup of {day}" in page
    assert "The last good backup" not in page


def test_where_none_was_ever_made_it_is_said_after_two_days(cast: Cast) -> None:
    assert backup_news_at(timezone.now()).trouble == ""
    User.objects.update(date_joined=NOW - 3 * A_DAY)
    assert backup_news_at(NOW).trouble == "No backup has ever been made."


def test_it_is_asked_once_for_everybody(cast: Cast, django_assert_num_queries: object) -> None:
    make_backup()
    with django_assert_num_queries(1):  # type: ignore[operator]
        backup_news()
        backup_news()
