"""The same background work by real workers that Redis wakes; collected where REDIS_URL is set."""

import pytest
from django.conf import settings

from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    MailServer,
    Serve,
    Visitor,
    finish_evening_again,
    make_pack,
    two_minutes_later,
    until,
)

pytestmark = pytest.mark.services


def own_redis() -> str:
    """Where no worker of a test beside this one takes its jobs."""
    return str(settings.CACHES["default"]["LOCATION"])


def test_with_redis_a_real_worker_does_the_same(serve: Serve) -> None:
    house = serve(REDIS_URL=own_redis())
    schedule = str(house.folder / "beat")
    house.begin("celery", "-A", "config", "worker", "-B", "-c", "1", "-l", "ERROR", "-s", schedule)
    house.open()
    visitor = Visitor(house.address, SECRETARY)
    assert make_pack(house, visitor)[:5] == b"%PDF-"
    finish_evening_again(house, visitor)
    assert until(lambda: house.rows(LAST_JOB) == SENT)
    letters = "".join(house.mails())
    assert [letters.count(f"To: {reader}\n") for reader in READERS] == [1] * 4


def test_a_killed_worker_leaves_the_job_to_the_next(serve: Serve) -> None:
    with MailServer(stalls_at=2) as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=own_redis())
        command = ("celery", "-A", "config", "worker", "-B", "-c", "1", "-l", "ERROR", "-s")
        worker = house.begin(*command, str(house.folder / "beat"))
        house.open()
        finish_evening_again(house, Visitor(house.address, SECRETARY))
        assert post_office.stalled.wait(20)
        house.kill(worker)
        two_minutes_later(house)
        house.begin(*command, str(house.folder / "beat-2"))
        assert until(lambda: house.rows(LAST_JOB) == SENT, seconds=90)
        assert sorted(post_office.taken) == READERS
        post_office.shutdown()
