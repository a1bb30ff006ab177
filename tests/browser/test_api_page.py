"""The API's page draws itself although the policy allows no script or style of its own."""

import pytest
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_shows_every_operation_without_a_complaint(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = context.new_page()
    complaints: list[str] = []
    elsewhere: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: elsewhere.append(asked.url))
    page.goto(f"{live_server.url}/api/", wait_until="networkidle")
    page.get_by_role("button", name="POST /api/v1/token/", exact=True).click()
    page.get_by_role("button", name="Try it out").click()
    assert page.locator(".opblock").count() == 19
    assert complaints == []
    outside = [url for url in elsewhere if not url.startswith((live_server.url, "data:"))]
    assert outside == []
