"""The API's pages stand under the strict policy and ask nothing of anyone else."""

import re

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from config.apidocs import areas

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_page_shows_every_operation_of_its_area_without_a_complaint(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{live_server.url}/api/", wait_until="networkidle")
    page.get_by_role("link", name=re.compile(r"^Table \(card link\)")).click()
    (area,) = (area for area in areas() if area.title == "Table (card link)")
    expect(page.locator("details.api")).to_have_count(len(area.operations))
    page.locator("summary").filter(has_text="Send hands that were entered offline").click()
    opened = page.locator("details.api[open]")
    expect(opened.get_by_text("6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10").first).to_be_visible()
    assert complaints == []
    outside = [url for url in requests if not url.startswith((live_server.url, "data:"))]
    assert outside == []
