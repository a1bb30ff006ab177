"""Help and the account menu: opened with or without scripts, closed by going elsewhere."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from tests.people import PASSWORD, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((320, 640), (390, 844), (1280, 800))


def signed_in(browser: Browser, server: str, *, has_scripts: bool = True) -> Page:
    page = browser.new_context(locale="en-GB", java_script_enabled=has_scripts).new_page()
    page.goto(f"{server}{reverse('account_login')}")
    page.get_by_label("Email").fill("alice@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.goto(f"{server}{reverse('members', args=['riverside'])}")
    return page


def menu(page: Page, words: str) -> Locator:
    return page.locator("summary", has_text=words)


@pytest.mark.parametrize("size", SIZES)
def test_both_menus_stay_on_the_screen(
    live_server: LiveServer, browser: Browser, cast: Cast, size: tuple[int, int]
) -> None:
    page = signed_in(browser, live_server.url, has_scripts=False)
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    for words, last in (("Help", "API documentation"), (str(cast.secretary), "Sign out")):
        menu(page, words).click()
        shown = page.locator("details[open] .menu__list")
        expect(shown.get_by_text(last)).to_be_visible()
        box = shown.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    expect(page.locator("details[open]")).to_have_count(1)
    page.context.close()


def test_a_menu_closes_by_escape_and_by_a_press_elsewhere(
    live_server: LiveServer, browser: Browser, cast: Cast
) -> None:
    page = signed_in(browser, live_server.url)
    menu(page, str(cast.secretary)).click()
    page.get_by_role("link", name="API keys").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="API keys")).to_be_hidden()
    expect(menu(page, str(cast.secretary))).to_be_focused()
    menu(page, "Help").click()
    page.get_by_role("heading", name="Members").click()
    expect(page.get_by_role("link", name="API documentation")).to_be_hidden()
    menu(page, "Help").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("link", name="API documentation")).to_be_hidden()
    page.context.close()


def test_signing_out_is_in_the_menu(live_server: LiveServer, browser: Browser, cast: Cast) -> None:
    page = signed_in(browser, live_server.url)
    menu(page, str(cast.secretary)).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()
    page.context.close()
