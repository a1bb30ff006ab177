"""Back and Reload after a preview lead to a page, and never ask to send a form again."""

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK
from tests.browser.tour import stops, visit
from tests.sample import lay_down_sample_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_stop(page: Page, name: str) -> None:
    page.goto(next(stop.address for stop in stops() if stop.name == name))


def checked_import(page: Page) -> None:
    open_stop(page, "members-import")
    page.get_by_label("Or paste a list").fill("Name,Email\nZed Smith,zed@example.org\n")
    page.get_by_role("button", name="Check the list").click()
    expect(page.get_by_role("heading", name="Check your import")).to_be_visible()


def previewed_correction(page: Page) -> None:
    open_stop(page, "hand-correct")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def refused_member(page: Page) -> None:
    open_stop(page, "member-add")
    page.get_by_role("button", name="Add member").click()
    expect(page.get_by_role("alert")).to_be_visible()


def checked_names(page: Page) -> None:
    """The list is checked twice: each answer takes the place of the page before it."""
    open_stop(page, "members-import")
    page.get_by_label("Or paste a list").fill("name,joined\nZed Smith,2019\n")
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("button", name="Leave out this date").click()
    expect(page.get_by_text("Joined 2019 is left out")).to_be_visible()


def previewed_change(page: Page) -> None:
    open_stop(page, "evening-change")
    leaves = page.locator("section", has=page.get_by_role("heading", name="Record a departure"))
    leaves.locator("select").first.select_option(index=1)
    leaves.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def compared_records(page: Page) -> None:
    open_stop(page, "member-merge")
    expect(page.get_by_role("heading", name="Merge these records?")).to_be_visible()


def asked_before_a_step(page: Page) -> None:
    open_stop(page, "before-round-close")


PREVIEWS: list[Callable[[Page], None]] = [
    checked_import,
    checked_names,
    previewed_correction,
    previewed_change,
    compared_records,
    asked_before_a_step,
    refused_member,
]


@pytest.fixture
def secretary(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    lay_down_sample_club()
    page = visit(browser, live_server.url, "secretary", viewport=DESK, base_url=live_server.url)
    yield page
    page.context.close()


@pytest.mark.parametrize("preview", PREVIEWS)
def test_back_and_reload_ask_for_a_page_and_send_nothing(
    secretary: Page, preview: Callable[[Page], None]
) -> None:
    preview(secretary)
    sent: list[str] = []
    secretary.on("request", lambda request: sent.append(request.method))
    secretary.goto(reverse("members", args=["riverside"]))
    secretary.go_back()
    expect(secretary.get_by_role("heading", level=1)).to_be_visible()
    secretary.reload()
    expect(secretary.get_by_role("heading", level=1)).to_be_visible()
    assert set(sent) == {"GET"}
