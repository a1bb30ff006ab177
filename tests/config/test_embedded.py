"""Background work with nothing but the web process."""

import signal

import pytest

from tests.config.served import (
    LAST_JOB,
    READERS,
    SECRETARY,
    SENT,
    Serve,
    StallingMailServer,
    Visitor,
    finish_evening_again,
    try_background_work,
    two_minutes_later,
    wait_until,
)


@pytest.mark.sampled(law="long plays")
def test_one_process_makes_the_pack_and_mails_the_result(serve: Serve) -> None:
    with StallingMailServer() as post_office:
        house = serve(EMAIL_URL=post_office.url)
        house.open()
        try_background_work(house, post_office)
        post_office.shutdown()


@pytest.mark.sampled(law="long plays")
def test_it_starts_with_one_line_and_ends_without_another(serve: Serve) -> None:
    house = serve()
    (house.folder / "static").mkdir()
    server = house.open()
    Visitor(house.address, SECRETARY)
    server.send_signal(signal.SIGTERM)
    output, _ = server.communicate(timeout=10)
    assert output == f"Tongbox is open at {house.address} (Ctrl-C ends it)\n"
    assert server.returncode == 0


SLOW_BIRTH = """
import time
from config.gunicorn import *
def post_fork(server, worker):
    time.sleep(1)
"""


@pytest.mark.sampled(law="long plays")
def test_a_stop_in_the_first_moment_is_not_lost(serve: Serve) -> None:
    house = serve()
    (house.folder / "slow.py").write_text(SLOW_BIRTH)
    server = house.open(str(house.folder / "slow.py"))
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=10)
    assert server.returncode == 0


@pytest.mark.sampled(law="long plays")
def test_a_power_cut_in_the_middle_sends_nobody_a_second_letter(serve: Serve) -> None:
    with StallingMailServer(stalls_at=3) as post_office:
        house = serve(EMAIL_URL=post_office.url)
        server = house.open()
        finish_evening_again(house, Visitor(house.address, SECRETARY))
        assert post_office.stall_event.wait(20)
        house.kill(server)
        assert len(post_office.recipients) == 2
        assert house.rows(LAST_JOB) == [("running", "")]
        two_minutes_later(house)
        house.open()
        assert wait_until(lambda: house.rows(LAST_JOB) == SENT)
        assert sorted(post_office.recipients) == READERS
        post_office.shutdown()


@pytest.mark.sampled(law="long plays")
def test_a_laptop_that_slept_at_night_makes_its_backup_when_it_starts(serve: Serve) -> None:
    house = serve(TONGBOX_BACK_UP_AT="0")
    house.open()
    good = "SELECT file FROM clubs_backup WHERE is_good AND night IS NOT NULL"
    assert wait_until(lambda: bool(house.rows(good)), seconds=90)
    ((file,),) = house.rows(good)
    assert [str(backup_file) for backup_file in (house.folder / "backups").glob("*.tar.gz")] == [
        file
    ]
