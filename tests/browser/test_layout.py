"""Every page of the sample club has all the rules that its parts need, on a phone and at a desk."""

from collections import defaultdict

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, NARROW
from tests.browser.layout import unsized_pictures
from tests.browser.tour import stops, visit
from tests.sample import lay_down_sample_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_every_picture_has_a_size_of_its_own(live_server: LiveServer, browser: Browser) -> None:
    lay_down_sample_club()
    visitors: dict[str, Page] = {}
    found = defaultdict[str, list[str]](list)
    for stop in stops():
        if stop.who not in visitors:
            visitors[stop.who] = visit(browser, live_server.url, stop.who, reduced_motion="reduce")
        page = visitors[stop.who]
        page.goto(f"{live_server.url}{stop.address}")
        for size in (NARROW, DESK):
            page.set_viewport_size(size)
            found[stop.name] += unsized_pictures(page)
    for page in visitors.values():
        page.context.close()
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
