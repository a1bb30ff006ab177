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


def checked_entries(page: Page) -> None:
    open_stop(page, "entrants-import")
    page.get_by_label("Or paste a list").fill("Name,Club\nZed Smith,Bath\nZed Smith,York\n")
    page.get_by_role("button", name="Check the list").click()
    expect(page.get_by_role("heading", name="Check your import")).to_be_visible()


def asked_before_a_step(page: Page) -> None:
    open_stop(page, "before-round-close")


PREVIEWS: list[Callable[[Page], None]] = [
    checked_import,
    checked_entries,
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
    methods: list[str] = []
    secretary.on("request", lambda request: methods.append(request.method))
    secretary.goto(reverse("members", args=["riverside"]))
    secretary.go_back()
    expect(secretary.get_by_role("heading", level=1)).to_be_visible()
    secretary.reload()
    expect(secretary.get_by_role("heading", level=1)).to_be_visible()
    assert set(methods) == {"GET"}


def go_on(page: Page) -> None:
    expect(page.get_by_text("It is still here, with your corrections")).to_be_visible()
    page.get_by_role("button", name="Go on checking the list").click()
    expect(page.get_by_role("heading", name="Check your import")).to_be_visible()


def test_a_list_being_checked_outlasts_reload_and_back(secretary: Page) -> None:
    open_stop(secretary, "members-import")
    offer = secretary.get_by_role("button", name="Go on checking the list")
    expect(offer).to_be_hidden()
    secretary.get_by_label("Or paste a list").fill("name,email\nZed Smith,zed\nZoë Ash,\n")
    secretary.get_by_role("button", name="Check the list").click()
    secretary.get_by_label("Email on line 2").fill("zed@example.org")
    secretary.reload()
    expect(secretary.get_by_label("Or paste a list")).to_have_value(
        "name,email\nZed Smith,zed\nZoë Ash,\n"
    )
    go_on(secretary)
    expect(secretary.get_by_text("email: zed@example.org")).to_be_visible()
    secretary.get_by_label("Line 3: Zoë Ash").select_option("Skip this line")
    secretary.goto(reverse("members", args=["riverside"]))
    secretary.go_back()
    go_on(secretary)
    secretary.get_by_role("button", name="Import", exact=True).first.click()
    expect(secretary.get_by_text("1 line was skipped: Zoë Ash.")).to_be_visible()
    open_stop(secretary, "members-import")
    expect(offer).to_be_hidden()


def test_an_entry_list_being_checked_outlasts_reload(secretary: Page) -> None:
    checked_entries(secretary)
    secretary.get_by_label("Correct the list here").fill("Name,Club\nZed Smith,Bath\n")
    secretary.reload()
    go_on(secretary)
    expect(secretary.get_by_role("button", name="Import 1 entry")).to_be_visible()


def test_a_list_being_checked_goes_when_its_reader_signs_out(secretary: Page) -> None:
    checked_import(secretary)
    script = "sessionStorage.getItem('list being checked')"
    assert "Zed Smith" in secretary.evaluate(script)
    secretary.locator("form[action$='/logout/'] button").first.evaluate("it => it.click()")
    secretary.wait_for_load_state()
    expect(secretary.get_by_role("link", name="Sign in").first).to_be_attached()
    assert secretary.evaluate(script) is None
