"""Tongbox on a home screen: what Chromium would install, and what it shows offline."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any, Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, SessionTable
from tests.browser.chromium import NO_SANDBOX
from tests.browser.conftest import PHONE, OpenBrowser, leave_out
from tests.browser.gate import Gate
from tests.browser.reading import look_by_day_and_night
from tests.browser.test_offline import go_offline, keep, open_page, strip
from tests.people import Cast, session_key_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHOLE_CHROMIUM: Final = which("chromium")  # the other one has no window, and installs nothing
WORKER: Final = "navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)"
KEPT: Final = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    kept[name] = requests.map((request) => new URL(request.url).pathname);
  }
  return kept;
}"""
RENEWED: Final = """async (before) => {
  for (let kept = [before]; kept.includes(before); kept = await caches.keys()) {
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
OFFLINE: Final = "You are offline"
BAIZE: Final = "rgb(11, 61, 44)"


@pytest.fixture
def gate(live_server: LiveServer) -> Iterator[Gate]:
    """The network between a device and the server."""
    network_gate = Gate(live_server.thread.host, live_server.thread.port)
    yield network_gate
    network_gate.close()


@pytest.fixture
def home(browser: Browser, gate: Gate, cast: Cast) -> Iterator[Page]:
    """The club's home page, as the secretary reads it; its worker has put away what it keeps."""
    context = browser.new_context(base_url=gate.url, viewport=PHONE, reduced_motion="reduce")
    key = session_key_of(cast.secretary)
    context.add_cookies([{"name": "sessionid", "value": key, "url": gate.url}])
    page = context.new_page()
    page.goto(reverse("club", args=[cast.club.slug]))
    page.evaluate(WORKER)
    yield page
    context.close()


@pytest.fixture
def installer(browser: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A Chromium that can install web apps."""
    if WHOLE_CHROMIUM is None:
        leave_out("There is no whole Chromium here; install Debian's chromium.")
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=WHOLE_CHROMIUM, args=[*NO_SANDBOX, "--headless=new"]
    )
    yield context
    context.close()


def ask_chromium(page: Page, method: str) -> dict[str, Any]:
    """What Chromium itself says of the page."""
    answer: dict[str, Any] = page.context.new_cdp_session(page).send(method)
    return answer


def hindrances(page: Page) -> list[str]:
    """Why Chromium would not install the page."""
    errors = ask_chromium(page, "Page.getInstallabilityErrors")["installabilityErrors"]
    return [error["errorId"] for error in errors]


def test_chromium_installs_the_club(
    installer: BrowserContext, live_server: LiveServer, cast: Cast
) -> None:
    key = session_key_of(cast.secretary)
    installer.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
    page = installer.new_page()
    page.goto(f"{live_server.url}{reverse('club', args=[cast.club.slug])}")
    assert hindrances(page) == []
    app_manifest = ask_chromium(page, "Page.getAppManifest")
    assert app_manifest["errors"] == []
    assert app_manifest["manifest"]["name"] == cast.club.name
    assert app_manifest["manifest"]["startUrl"] == page.url
    assert len(app_manifest["manifest"]["shortcuts"]) == 3


def test_chromium_installs_tongbox_or_the_club_from_a_tables_page(
    installer: BrowserContext, live_server: LiveServer, table: SessionTable
) -> None:
    page, address = installer.new_page(), reverse("table", args=[table.link_key])
    for is_public, start in ((False, "/"), (True, "/c/riverside/")):
        Club.objects.update(shows_results=is_public)
        page.goto(f"{live_server.url}{address}")
        assert hindrances(page) == []
        app_manifest = ask_chromium(page, "Page.getAppManifest")
        assert app_manifest["errors"] == []
        assert app_manifest["manifest"]["startUrl"] == f"{live_server.url}{start}"


def test_a_projector_screen_is_nothing_to_install(
    installer: BrowserContext, live_server: LiveServer, table: SessionTable
) -> None:
    page = installer.new_page()
    page.goto(f"{live_server.url}{reverse('wall', args=[table.session.wall_key])}")
    assert "no-manifest" in hindrances(page)


def test_while_the_server_is_away_a_page_says_so_and_comes_when_it_is_back(
    home: Page, gate: Gate, cast: Cast
) -> None:
    members = reverse("members", args=[cast.club.slug])
    gate.shut()
    home.goto(members)
    expect(home.get_by_role("heading", name=OFFLINE)).to_be_visible()
    colour = "getComputedStyle(document.querySelector('.masthead')).backgroundColor"
    assert home.evaluate(colour) == BAIZE
    look_by_day_and_night(home)
    home.get_by_role("link", name="Try again").click()
    expect(home.get_by_role("heading", name=OFFLINE)).to_be_visible()
    gate.open()
    expect(home.get_by_role("heading", name="Members", exact=True)).to_be_visible()
    assert home.url.endswith(members)


def test_nothing_of_a_club_is_kept_on_a_device(home: Page, cast: Cast) -> None:
    for page in ("members", "settings", "club"):
        home.goto(reverse(page, args=[cast.club.slug]))
    home.goto(reverse("account_logout"))
    home.locator("main button[type=submit]").click()
    ((name, cached_paths),) = home.evaluate(KEPT).items()
    assert name.startswith("tongbox-offline-")
    assert [path for path in cached_paths if not path.startswith("/static/")] == [
        reverse("offline")
    ]


def test_the_page_follows_the_display_settings(home: Page, gate: Gate) -> None:
    (cache_name,) = home.evaluate(KEPT)
    home.goto(reverse("how-it-looks"))
    home.get_by_role("button", name="Largest").click()
    home.evaluate(RENEWED, cache_name)
    gate.shut()
    home.goto("/help/")
    expect(home.get_by_role("heading", name=OFFLINE)).to_be_visible()
    expect(home.locator("html")).to_have_attribute("data-letters", "largest")


def test_the_offline_page_leads_to_the_table_whose_hands_wait(
    open_browser: OpenBrowser, table: SessionTable, live_server: LiveServer
) -> None:
    """The table's own worker keeps its page, whichever of the two came first."""
    context = open_browser(viewport=PHONE, reduced_motion="reduce")
    guides = context.new_page()
    guides.goto("/help/")
    assert guides.evaluate(WORKER) == f"{live_server.url}/worker.js"
    guides.reload()
    page = open_page(context, reverse("table", args=[table.link_key]))
    assert page.evaluate(WORKER) == f"{live_server.url}/t/table-worker.js"
    go_offline(page)
    keep(page, 1, 2)
    page.close()
    guides.goto("/rules/bmja/")
    expect(guides.get_by_role("heading", name=OFFLINE)).to_be_visible()
    expect(guides.get_by_text("1 hand is waiting on this phone.")).to_be_visible()
    look_by_day_and_night(guides)
    guides.get_by_role("link", name="Open the table").click()
    expect(strip(guides)).to_contain_text("SAVED ON THIS PHONE")
    context.set_offline(False)
    expect(strip(guides)).to_contain_text("ONLINE")
    expect(guides.locator("[name=number]")).to_have_value("2")
