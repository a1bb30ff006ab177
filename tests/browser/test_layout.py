"""Every page of the sample club has all the rules that its parts need, on a phone and at a desk."""

from collections import defaultdict

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, NARROW
from tests.browser.layout import cut_figures, missing_rules, our_sheets, unsized_pictures
from tests.browser.tour import stops, visit
from tests.sample import lay_down_sample_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONGEST_FIGURE = "−12,345"


def test_no_page_lacks_a_rule_or_cuts_a_figure(live_server: LiveServer, browser: Browser) -> None:
    """Pictures have a size, classes have their rules, and the longest figure is whole."""
    lay_down_sample_club()
    sheets = our_sheets()
    visitors: dict[str, Page] = {}
    found = defaultdict[str, list[str]](list)
    for stop in stops():
        if stop.who not in visitors:
            visitors[stop.who] = visit(browser, live_server.url, stop.who, reduced_motion="reduce")
        page = visitors[stop.who]
        page.goto(f"{live_server.url}{stop.address}")
        found[stop.name] += missing_rules(page, sheets)
        for size in (DESK, NARROW):
            page.set_viewport_size(size)
            found[stop.name] += unsized_pictures(page)
            if stop.sizes != ("wall",):
                found[stop.name] += cut_figures(page, LONGEST_FIGURE)
    for page in visitors.values():
        page.context.close()
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
