"""The clock in a real browser: it counts, rings, and says at the table what the bell leaves."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Role
from tests.people import PASSWORD, make_club, make_user
from tests.tournaments.cups import SECOND_WINS, post, seated_cup, tables
from tournaments.models import Round, Tournament
from tournaments.steps import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = ViewportSize(width=390, height=844)
COUNT_RINGS = """() => {
  window.rings = 0;
  document.addEventListener("tongbox:bell", () => { window.rings += 1; });
}"""


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_user(club, "Dev", Role.DIRECTOR)
    return club


@pytest.fixture
def cup(club: Club) -> Tournament:
    """A tournament against the clock with a few seconds over a minute left to play."""
    cup = seated_cup(hands=8, club=club)
    Tournament.objects.update(minutes_a_round=75, hands_a_round=None)
    leave(65)
    return Tournament.objects.get(pk=cup.pk)


def leave(seconds: float) -> None:
    """So much time is left in the round that is played."""
    started = timezone.now() - timedelta(minutes=75) + timedelta(seconds=seconds)
    Round.objects.filter(number=1).update(started_at=started)


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer, cup: Tournament) -> Iterator[Page]:
    page = browser.new_context(viewport=PHONE, locale="en-GB", base_url=live_server.url).new_page()
    page.goto(reverse("round-table", args=[tables(cup)[0].link_key]))
    yield page
    page.context.close()


@pytest.fixture
def desk(browser: Browser, live_server: LiveServer, cup: Tournament) -> Iterator[Page]:
    page = browser.new_context(locale="en-GB", base_url=live_server.url).new_page()
    page.goto(reverse("account_login"))
    page.fill("input[name=login]", "dev@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url("**/c/riverside/")
    page.goto(reverse("tournament", args=["riverside", cup.pk]))
    yield page
    page.context.close()


def test_the_clock_counts_down_and_a_reload_keeps_it(phone: Page, cup: Tournament) -> None:
    clock = phone.locator("[data-clock]")
    expect(clock).to_contain_text("left until")
    expect(clock).to_contain_text("Less than a minute left", timeout=15000)
    phone.reload()
    expect(clock).to_contain_text("Less than a minute left")


def test_without_a_network_a_reload_counts_from_when_the_page_was_read(
    phone: Page, cup: Tournament
) -> None:
    leave(42 * 60 + 31)
    phone.clock.install()
    phone.reload()
    digits = phone.locator("[data-clock-digits]")
    expect(digits).to_have_text(re.compile(r"42:[23]\d"))
    phone.locator("[data-net][data-knows][data-put-away]").wait_for()
    phone.context.set_offline(True)
    phone.clock.fast_forward("02:09")
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("data-as-of", re.compile(r"\d+"))
    expect(digits).to_have_text(re.compile(r"40:[0-2]\d|39:[3-5]\d"))


def test_a_page_that_the_worker_missed_is_put_away_all_the_same(phone: Page) -> None:
    phone.locator("[data-net][data-put-away]").wait_for()
    phone.wait_for_function("navigator.serviceWorker.controller !== null")
    phone.evaluate("caches.delete('tongbox-tables')")
    net = phone.locator("[data-net]")
    net.evaluate("net => net.removeAttribute('data-put-away')")
    shell = phone.locator("script[src*=outbox-shell]").get_attribute("src")
    phone.add_script_tag(url=shell)
    phone.locator("[data-net][data-put-away]").wait_for()
    assert net.evaluate("async net => Boolean(await caches.match(net.dataset.link))")


def test_at_the_bell_the_picture_changes_once_and_says_what_to_do(
    phone: Page, cup: Tournament
) -> None:
    leave(4)
    phone.reload()
    phone.evaluate(COUNT_RINGS)
    clock = phone.locator("[data-clock]")
    expect(clock).to_have_class("clock clock--last")
    expect(clock).to_have_class("clock clock--rung", timeout=8000)
    expect(clock).to_contain_text("The bell has rung at")
    expect(clock.get_by_role("status")).to_have_text(
        "Finish this hand and enter it. Then you are done."
    )
    phone.wait_for_timeout(3500)
    assert phone.evaluate("window.rings") == 1


def test_a_wall_with_two_pictures_of_the_clock_rings_once(phone: Page, cup: Tournament) -> None:
    leave(6)
    phone.goto(reverse("tournament-wall", args=[cup.wall_key]))
    phone.evaluate(COUNT_RINGS)
    expect(phone.locator("[data-clock].clock--rung").first).to_be_attached(timeout=15000)
    phone.wait_for_timeout(5000)
    assert phone.locator("[data-clock]").count() > 1
    assert phone.evaluate("window.rings") == 1


def test_a_table_stops_and_plays_on_after_all(phone: Page, cup: Tournament) -> None:
    post(tables(cup)[0], SECOND_WINS)
    phone.reload()
    phone.locator("summary", has_text="Stop playing").click()
    phone.get_by_role("button", name="Stop playing", exact=True).click()
    expect(phone.get_by_text("This table stopped at")).to_be_visible()
    expect(phone.get_by_role("button", name="Check hand 2")).to_have_count(0)
    phone.get_by_role("button", name="Resume play").click()
    expect(phone.get_by_role("button", name="Check hand 2")).to_be_visible()


def test_after_the_bell_one_hand_is_entered_and_the_phone_is_done(
    phone: Page, cup: Tournament
) -> None:
    leave(-10)
    phone.reload()
    phone.get_by_role("button", name="Nobody (drawn hand)").click()
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("the last hand is in")).to_be_visible()
    expect(phone.get_by_role("button", name="All agree")).to_be_visible()
    expect(phone.get_by_role("button", name="Check hand 2")).to_have_count(0)


def test_the_director_sets_the_clock_and_phones_follow(
    desk: Page, phone: Page, cup: Tournament
) -> None:
    desk.get_by_role("button", name="Add 5 minutes: all tables").click()
    expect(desk.get_by_text("5 added so far")).to_be_visible()
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("[data-clock]")).to_contain_text("5 minutes left")
    desk.get_by_role("button", name="Pause clock").click()
    expect(desk.locator("[data-clock]")).to_contain_text("Paused")
    desk.get_by_role("button", name="Resume clock").click()
    expect(desk.locator("[data-clock]")).to_contain_text("left until")


def test_the_bell_is_heard_once_somebody_wants_it(desk: Page, cup: Tournament) -> None:
    sound = desk.locator("[data-clock-sound]")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    expect(sound).to_have_text("Turn bell sound on")


def test_without_scripts_the_clock_says_until_when(
    browser: Browser, live_server: LiveServer, cup: Tournament
) -> None:
    page = browser.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    page.goto(reverse("round-table", args=[tables(cup)[0].link_key]))
    expect(page.locator("[data-clock]")).to_contain_text("1 minute left until")
    services.ring_bell(tournament=cup)
    page.reload()
    expect(page.locator("[data-clock]")).to_contain_text("The bell has rung at")
    page.context.close()
