"""What a server without a club says when it starts, and what it answers."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.config.served import Served

CODE = re.compile(r"the set-up code, which is (?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$", re.MULTILINE)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Served]:
    """An installation without anything, not even tables."""
    house = Served(tmp_path)
    (tmp_path / "static").mkdir()
    yield house
    house.close()


def stop_and_read(house: Served) -> str:
    """What the server has printed by the time that it has ended."""
    house.processes[-1].send_signal(signal.SIGTERM)
    return house.processes[-1].communicate(timeout=10)[0]


@pytest.mark.sampled(law="long plays")
def test_a_server_without_a_club_prints_the_code_and_shows_the_page(empty: Served) -> None:
    empty.manage("migrate", "--verbosity", "0")
    empty.open()
    with urlopen(f"{empty.address}/") as page:  # noqa: S310
        assert page.url == f"{empty.address}/set-up/"
        assert "Set up your club" in page.read().decode()
    assert len(CODE.findall(stop_and_read(empty))) == 1
    empty.manage("found_club", "Hill Top", "ann@example.org")
    empty.open()
    with urlopen(f"{empty.address}/") as page:  # noqa: S310
        assert page.url == f"{empty.address}/accounts/login/?next=/c/hill-top/"
    assert "set-up code" not in stop_and_read(empty)


@pytest.mark.sampled(law="long plays")
def test_a_database_that_cannot_be_read_yet_does_not_stop_the_server(empty: Served) -> None:
    empty.open()
    with urlopen(f"{empty.address}/healthz/") as page:  # noqa: S310
        assert page.status == 200
    assert "Whether there is a club yet could not be read." in stop_and_read(empty)
