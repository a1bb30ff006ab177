"""What the secretary reads of the copies of backups in another place."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.utils.html import strip_tags
from pytest_django.fixtures import Settings

from clubs.models import AwayCopy, Backup, Club
from tests.clubs.visits import Visitor
from tests.people import Cast

NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
SETTINGS = "/c/riverside/settings/"
CLOUD, S3 = "cloud.example.org/remote.php/dav/files/anna/Tongbox", "s3.example.org/club"
FULL = "The storage at s3.example.org is full."


@pytest.fixture(autouse=True)
def now() -> object:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def places(settings: Settings) -> None:
    settings.BACKUPS_AWAY = [f"webdavs://anna:bamboo@{CLOUD}", f"s3://anna:bamboo@{S3}"]


@pytest.fixture(autouse=True)
def one_club(cast: Cast) -> None:
    """Where several clubs share a Tongbox, no secretary reads where copies are."""
    Club.objects.exclude(pk=cast.club.pk).update(rehearsal_of=cast.club)


def moment(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def make_backup(made_at: datetime, *places: str) -> Backup:
    """A good backup, with good copies at these places."""
    backup: Backup = Backup.objects.create(made_at=made_at, is_good=True, file="x")
    for place in places:
        sent_at = made_at.replace(minute=12)
        AwayCopy.objects.create(
            backup=backup, place=place, name="x", is_good=True, sent_at=sent_at, tried_at=sent_at
        )
    return backup


def page_text(visitor: Visitor, page: str) -> str:
    return " ".join(strip_tags(visitor.get(f"{SETTINGS}{page}").content.decode()).split())


def test_a_good_copy_is_shown_with_its_place_and_times(alice: Visitor) -> None:
    make_backup(moment(27, 3), CLOUD)
    text = page_text(alice, "privacy/")
    assert (
        "cloud.example.orgThe backup of Friday 27 November 2026, 3am. Sent at 3:12am, then "
        "downloaded again, restored as a test and compared." in text
    )
    assert "s3.example.orgThere is no good copy yet." in text
    assert "anna" not in text
    assert "bamboo" not in text
    assert (
        "There is a good copy at cloud.example.org. There is no good copy at s3.example.org yet."
        in page_text(alice, "")
    )


def test_a_copy_that_failed_is_shown_with_its_reason_and_the_next_try(alice: Visitor) -> None:
    make_backup(moment(26, 3), S3)
    AwayCopy.objects.create(
        backup=make_backup(moment(27, 3), CLOUD),
        place=S3,
        name="x",
        fault=FULL,
        try_at=moment(27, 9, 30),
    )
    text = page_text(alice, "privacy/")
    assert f"has failed so far: “{FULL}” Tongbox will try again after 9:30am." in text
    assert "more than three days" not in text


def test_three_days_without_a_good_copy_are_shown_at_home(alice: Visitor) -> None:
    make_backup(moment(23, 3), S3)
    AwayCopy.objects.create(
        backup=make_backup(moment(27, 3), CLOUD), place=S3, name="x", fault=FULL
    )
    trouble = "There has been no good copy at s3.example.org for more than three days."
    home = " ".join(strip_tags(alice.get("/c/riverside/").content.decode()).split())
    assert f"{trouble} If the computer were stolen or broken" in home
    assert f"Message for them: “{FULL}”" in home
    assert trouble in page_text(alice, "")


def test_a_program_reads_the_same(alice: Visitor) -> None:
    make_backup(moment(27, 3), CLOUD)
    cloud, s3 = alice.get("/api/v1/clubs/riverside/backup/").json()["away"]
    assert cloud == {
        "place": "cloud.example.org",
        "made_at": "2026-11-27T03:00:00Z",
        "sent_at": "2026-11-27T03:12:00Z",
        "tried_at": "2026-11-27T03:12:00Z",
        "trouble": "",
        "fault": "",
        "try_at": None,
    }
    assert (s3["place"], s3["made_at"]) == ("s3.example.org", None)
