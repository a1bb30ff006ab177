"""What a secretary reads of the backups: nothing while all is well, else what to do today."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from clubs.backup.archive import backup_news, backup_news_at
from clubs.models import Backup, User
from tests.clubs.visits import Visitor
from tests.people import Cast

NOW = timezone.now()
A_DAY = timedelta(days=1)
PAGES = ("/c/riverside/", "/c/riverside/evenings/", "/c/riverside/settings/privacy/")


def made(**fields: object) -> Backup:
    told = {"made_at": NOW, "file": "f", "is_good": True, **fields}
    return Backup.objects.create(**told)


def test_while_all_is_well_nobody_reads_of_it(cast: Cast) -> None:
    made()
    for path in PAGES:
        page = Visitor(cast.secretary).get(path).content.decode()
        assert "notice--error" not in page
    assert "The last good backup was made on" in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"is_good": False, "fault": "There is no room left."}, "The last backup failed its test."),
        ({"is_good": None, "fault": "No database could be made."}, "could not be tested"),
        ({"is_good": None, "made_at": NOW - A_DAY}, "has not been tested"),
        ({"is_good": None, "made_at": NOW - A_DAY, "file": ""}, "did not finish"),
        ({"made_at": NOW - 3 * A_DAY}, "no successful backup for more than two days"),
    ],
)
def test_whatever_is_wrong_is_said_on_the_secretarys_pages(
    cast: Cast, fields: dict[str, object], words: str
) -> None:
    made(made_at=NOW - 4 * A_DAY)
    made(**fields)
    for path in PAGES:
        page = Visitor(cast.secretary).get(path).content.decode()
        assert words in page, path
        assert "Tell your Tongbox administrator today" in page
        assert str(fields.get("fault", "manage.py back_up")) in page


def test_players_and_strangers_are_not_told(cast: Cast) -> None:
    made(is_good=False)
    for path in PAGES[:2]:
        assert "backup" not in Visitor(cast.player).get(path).content.decode()


def test_one_that_is_just_being_made_is_no_trouble(cast: Cast) -> None:
    made(made_at=NOW - A_DAY)
    made(is_good=None, file="")
    assert backup_news_at(NOW).trouble == ""


def test_a_book_that_was_put_back_says_from_which_backup(cast: Cast) -> None:
    backup = made(made_at=NOW - 4 * A_DAY, put_back_at=NOW - A_DAY)
    assert backup_news_at(NOW).trouble == ""
    page = Visitor(cast.secretary).get(PAGES[-1]).content.decode()
    day = date_format(timezone.localtime(backup.made_at), "l j F Y")
    assert f"from the backup of {day}" in page
    assert "The last good backup" not in page


def test_where_none_was_ever_made_it_is_said_after_two_days(cast: Cast) -> None:
    assert backup_news_at(timezone.now()).trouble == ""
    User.objects.update(date_joined=NOW - 3 * A_DAY)
    assert backup_news_at(NOW).trouble == "No backup has ever been made."


def test_it_is_asked_once_for_everybody(cast: Cast, django_assert_num_queries: object) -> None:
    made()
    with django_assert_num_queries(1):  # type: ignore[operator]
        backup_news()
        backup_news()
