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


PREVIEWS: list[Callable[[Page], None]] = [checked_import, previewed_correction, refused_member]


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
