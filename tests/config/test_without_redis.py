"""Redis was asked for and is not there: pages open, and what is asked for waits."""

import pytest

from tests.config.served import LAST_JOB, SECRETARY, Serve, Visitor, finish_evening_again, free_port


@pytest.mark.sampled(law="long plays")
def test_letters_that_are_sent_without_redis_wait_for_it(serve: Serve) -> None:
    house = serve(REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    house.open()
    visitor = Visitor(house.address, SECRETARY)
    finish_evening_again(house, visitor)
    assert visitor.get("/c/riverside/")[0] == 200
    assert house.rows(LAST_JOB) == [("waiting", "")]
