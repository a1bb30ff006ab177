"""The pages of the sample club in Firefox: no error said, nothing off the side."""

from pathlib import Path

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from clubs.models import User
from tests.browser import firefox
from tests.browser.conftest import leave_out
from tests.browser.firefox import Firefox, open_firefox
from tests.browser.test_every_page import first_of_each_page
from tests.browser.tour import stops
from tests.people import session_key_of
from tests.sample import lay_down_sample_club
from tests.sampling import SampleOf

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((320, 640), (1280, 800))
HANGS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
ANSWER = "performance.getEntriesByType('navigation')[0].responseStatus"


@pytest.fixture
def _program() -> None:
    """Without Firefox this test says so and is left out."""
    if firefox.PROGRAM is None:
        leave_out(f"There is no Firefox here; install {firefox.PACKAGE}.")


@pytest.mark.usefixtures("_program")
def test_every_page_opens_in_firefox(
    live_server: LiveServer, tmp_path: Path, sample_of: SampleOf
) -> None:
    lay_down_sample_club()
    tour_stops = stops()
    stop_names = set(sample_of(sorted(first_of_each_page(tour_stops))))
    wrong: dict[str, list[str]] = {}
    with open_firefox(tmp_path) as visitor:
        for stop in sorted(
            (stop for stop in tour_stops if stop.name in stop_names), key=lambda s: s.person
        ):
            sign_in(visitor, live_server.url, stop.person)
            if faults := faults_of(visitor, f"{live_server.url}{stop.address}"):
                wrong[stop.name] = faults
    assert wrong == {}


def sign_in(visitor: Firefox, server: str, person: str) -> None:
    """Carry the session of this person of the sample club, or of nobody."""
    key = session_key_of(User.objects.get(email=f"{person}@example.org")) if person else ""
    visitor.set_cookie(server, settings.SESSION_COOKIE_NAME, key)


def faults_of(visitor: Firefox, address: str) -> list[str]:
    """The errors that the page logs, and how far it hangs off the side at each size."""
    visitor.errors.clear()
    visitor.go(address)
    faults = [] if visitor.run(ANSWER) >= 400 else list(visitor.errors)
    for width, height in SIZES:
        visitor.resize(width, height)
        if (overflow := visitor.run(HANGS)) > 0:
            faults.append(f"{overflow} px off the side at {width}")
    return faults
