"""Asked to end, a worker first ends the job it has in hand; collected where REDIS_URL is set."""

import os
import signal

import pytest

from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    MailServer,
    Serve,
    Visitor,
    finish_evening_again,
    until,
)

pytestmark = pytest.mark.services


# The tests beside this one empty the databases that they use themselves.
OWN_REDIS = os.environ.get("REDIS_URL", "").rpartition("/")[0] + "/14"


def test_a_worker_sends_the_whole_batch_before_it_ends(serve: Serve) -> None:
    with MailServer(seconds=1) as post_office:
        house = serve(EMAIL_URL=post_office.url, REDIS_URL=OWN_REDIS)
        worker = house.begin("celery", "-A", "config", "worker", "-c", "1", "-l", "ERROR")
        house.open()
        finish_evening_again(house, Visitor(house.address, SECRETARY))
        assert until(lambda: len(post_office.taken) == 1)
        os.kill(worker.pid, signal.SIGTERM)
        worker.communicate(timeout=60)
        assert worker.returncode == 0
        assert sorted(post_office.taken) == READERS
        assert house.rows(LAST_JOB) == SENT
        post_office.shutdown()
