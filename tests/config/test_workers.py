"""The same background work by real workers that Redis wakes; collected where REDIS_URL is set."""

from subprocess import Popen

import pytest
from django.conf import settings

from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    Serve,
    Served,
    StallingMailServer,
    Visitor,
    finish_evening_again,
    try_background_work,
    two_minutes_later,
    wait_until,
)

pytestmark = pytest.mark.services


def own_redis() -> str:
    """Where no worker of a test beside this one takes its jobs."""
    return str(settings.CACHES["default"]["LOCATION"])


def begin_worker(house: Served, schedule: str) -> Popen[str]:
    """A worker that is the clock too."""
    command = ("celery", "-A", "config", "worker", "-B", "-c", "1", "-l", "ERROR", "-s")
    return house.begin(*command, str(house.folder / schedule))


def test_with_redis_a_real_worker_does_the_same(serve: Serve) -> None:
    with StallingMailServer() as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=own_redis())
        begin_worker(house, "beat")
        house.open()
        try_background_work(house, post_office)
        post_office.shutdown()


def test_a_killed_worker_leaves_the_job_to_the_next(serve: Serve) -> None:
    with StallingMailServer(stalls_at=2) as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=own_redis())
        worker = begin_worker(house, "beat")
        house.open()
        finish_evening_again(house, Visitor(house.address, SECRETARY))
        assert post_office.stall_event.wait(20)
        house.kill(worker)
        two_minutes_later(house)
        begin_worker(house, "beat-2")
        assert wait_until(lambda: house.rows(LAST_JOB) == SENT, seconds=90)
        assert sorted(post_office.recipients) == READERS
        post_office.shutdown()
