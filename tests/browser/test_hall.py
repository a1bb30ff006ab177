"""The hall in a real browser: walls that can be read from ten metres, and find me on a phone."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import FIVE_SECONDS, PHONE, OpenBrowser
from tests.tournaments.cups import SECOND_WINS, full_hall, play_round, post, tables
from tournaments.models import Tournament
from tournaments.steps import services

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FULL_HD = ViewportSize(width=1920, height=1080)
SIZES = (FULL_HD, ViewportSize(width=1280, height=720), ViewportSize(width=1024, height=768))
LEAST_OF_THE_WIDTH = 1.35  # per cent: 2.4 of the height, where the screen is 16 to 9
# Everything shown on this page: what is off the screen, cut off, covered or too small to read.
FAULTS = """least => {
  const found = [];
  const page = document.querySelector("[data-page]:not([hidden])");
  const foot = document.querySelector(".wall__foot").getBoundingClientRect().top;
  const clock = document.querySelector(".clock--corner");
  const meet = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  };
  const parts = document.querySelectorAll(".wall__head, .wall__foot, .clock--corner");
  for (const part of [page, ...parts]) for (const one of part.querySelectorAll("*")) {
    const box = one.getBoundingClientRect();
    const text = one.textContent.trim().slice(0, 40);
    const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!says || !box.width || one.closest(".hidden-text, .wall__hold")) continue;
    if (box.right > innerWidth || box.left < 0) found.push(`off the side: ${text}`);
    if (box.bottom > innerHeight) found.push(`off the end: ${text}`);
    if (part === page && box.bottom > foot + 1) found.push(`under the foot: ${text}`);
    if (one.closest(".wall__what")) continue;
    const titles = [...page.querySelectorAll(".wall__what > *")];
    if (part === page && titles.some((title) => meet(one, title))) {
      found.push(`on the title: ${text}`);
    }
    if (part === page && clock && meet(one, clock)) found.push(`under the clock: ${text}`);
    if (one.clientWidth && one.scrollWidth > one.clientWidth + 1) found.push(`cut: ${text}`);
    const size = (100 * parseFloat(getComputedStyle(one).fontSize)) / innerWidth;
    if (size < least) found.push(`${size.toFixed(2)}%: ${text}`);
  }
  return found;
}"""


@pytest.fixture
def hall(open_browser: OpenBrowser) -> BrowserContext:
    """The computer with the projector."""
    return open_browser(viewport=FULL_HD)


@pytest.fixture
def phone(open_browser: OpenBrowser) -> Page:
    return open_browser(viewport=PHONE).new_page()


def wall_of(cup: Tournament) -> str:
    return reverse("tournament-wall", args=[cup.wall_key])


def faults_on(wall: Page, address: str) -> dict[str, list[str]]:
    """What is wrong with each page of the wall, on projectors of today and of yesterday."""
    wrong = {}
    wall.goto(address)
    expect(wall.locator("[data-page]:visible")).to_have_count(1)
    for number in range(1, wall.locator("[data-page]").count() + 1):
        for size in SIZES:
            wall.set_viewport_size(size)
            if faults := wall.evaluate(FAULTS, LEAST_OF_THE_WIDTH):
                wrong[f"{address} page {number} at {size['width']}"] = faults[:3]
        wall.keyboard.press("ArrowRight")
    return wrong


@pytest.mark.parametrize("players", [16, 28, 64, 400])
def test_nothing_overflows_and_nothing_is_too_small_to_read(
    hall: BrowserContext, players: int
) -> None:
    cup = full_hall(players, rounds=2, minutes=75)
    services.start_round(tournament=cup)
    if players < 400:
        play_round(cup, SECOND_WINS)
    else:
        post(tables(cup)[0], SECOND_WINS)
    wall, address = hall.new_page(), wall_of(cup)
    wrong = faults_on(wall, address)
    for show in ("seats", "tables"):
        wrong |= faults_on(wall, f"{address}?show={show}")
    assert wrong == {}


def test_teams_with_long_names_fit_on_the_wall(hall: BrowserContext) -> None:
    cup = full_hall(28, rounds=2, minutes=75)
    names = ("Bamboo Grove Social Club", "The Riverside and Lower Wharf Dragons", "East Wind")
    for index, entrant in enumerate(cup.entrants.order_by("number")):
        entrant.team = f"{names[index // 2 % 3]} {index // 6 + 1}"
        entrant.save(update_fields=["team"])
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    wall = hall.new_page()
    assert faults_on(wall, f"{wall_of(cup)}?show=standings") == {}
    expect(wall.locator("[data-page=teams] tbody tr")).to_have_count(14)


@pytest.mark.parametrize("players", [16, 28, 64])
def test_a_list_of_names_fills_the_screen(hall: BrowserContext, players: int) -> None:
    wall = hall.new_page()
    wall.goto(f"{wall_of(full_hall(players))}?show=seats")
    for size in SIZES[:2]:
        wall.set_viewport_size(size)
        end = wall.evaluate("document.querySelector('.wall__seats').getBoundingClientRect().bottom")
        foot = wall.evaluate("document.querySelector('.wall__foot').getBoundingClientRect().top")
        assert foot - end < 0.1 * size["height"]


@pytest.mark.parametrize("players", [8, 20, 32])
def test_a_long_title_and_long_names_cover_nothing(hall: BrowserContext, players: int) -> None:
    cup = full_hall(players, rounds=1, minutes=75)
    cup.name = "The Riverside and Lower Wharf Mah-Jong Club Grand Autumn Championship"
    cup.save(update_fields=["name"])
    for entrant in cup.entrants.all():
        entrant.name = f"Wilhelmina Featherstonehaugh {entrant.number}"
        entrant.save(update_fields=["name"])
    services.start_round(tournament=cup)
    wall = hall.new_page()
    assert faults_on(wall, f"{wall_of(cup)}?show=tables") == {}
    assert faults_on(wall, wall_of(cup)) == {}


def test_prizes_fit_on_the_wall_also_where_many_share_them(hall: BrowserContext) -> None:
    cup = full_hall(64, rounds=1)
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    wall = hall.new_page()
    assert faults_on(wall, wall_of(cup)) == {}
    expect(wall.get_by_text("and 13 more").first).to_be_attached()


def test_the_bell_fits_on_the_wall(hall: BrowserContext) -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup)
    cup.rounds.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=80))
    wall = hall.new_page()
    assert faults_on(wall, wall_of(cup)) == {}
    expect(wall.locator(".clock--rung")).to_have_count(2)


def test_when_the_bell_rings_the_wall_turns_to_it(hall: BrowserContext) -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup)
    cup.rounds.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=74.9))
    wall = hall.new_page()
    wall.goto(f"{wall_of(cup)}?page=2")
    expect(wall.get_by_role("heading", name="Table 1")).to_be_visible()
    expect(wall.locator(".clock--huge.clock--rung")).to_be_visible(timeout=3 * FIVE_SECONDS)
    expect(wall.get_by_role("heading", name="Table 1")).to_be_hidden()


def test_before_a_round_the_names_turn_by_themselves_and_the_space_bar_holds_them(
    hall: BrowserContext,
) -> None:
    cup = full_hall(64)
    wall = hall.new_page()
    wall.clock.install()
    wall.goto(wall_of(cup))
    expect(wall.get_by_text("page 1 of 3")).to_be_visible()
    wall.clock.run_for(13_000)
    expect(wall.get_by_text("page 2 of 3")).to_be_visible()
    wall.keyboard.press(" ")
    wall.clock.run_for(30_000)
    expect(wall.get_by_text("page 2 of 3")).to_be_visible()
    expect(wall.get_by_text("Paused. Press the space bar to resume")).to_be_visible()
    wall.keyboard.press("ArrowRight")
    expect(wall.get_by_text("starts soon.")).to_be_visible()


def test_the_wall_turns_to_the_clock_when_the_round_is_started(hall: BrowserContext) -> None:
    cup = full_hall(16, minutes=75)
    wall = hall.new_page()
    wall.goto(wall_of(cup))
    expect(wall.get_by_role("heading", name="find your name")).to_be_visible()
    services.start_round(tournament=cup)
    huge = wall.locator(".clock--huge")
    expect(huge).to_contain_text("minutes left", timeout=2 * FIVE_SECONDS)
    expect(huge.locator("[data-clock-digits]")).to_have_text(re.compile(r"74:5\d"))


def test_the_picture_outlives_a_reload_while_the_line_is_down(hall: BrowserContext) -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup)
    wall = hall.new_page()
    wall.goto(f"{wall_of(cup)}?show=tables")
    wall.evaluate("navigator.serviceWorker.ready")
    post(tables(cup)[0], SECOND_WINS)
    expect(wall.get_by_text("✓ done")).to_be_visible(timeout=2 * FIVE_SECONDS)
    wall.wait_for_function(
        "async () => (await (await caches.match(location.href))?.text())?.includes('✓ done')"
    )
    hall.set_offline(True)
    wall.reload()
    expect(wall.get_by_text("Offline. Last updated at")).to_be_visible()
    expect(wall.get_by_text("✓ done")).to_be_visible()
    expect(wall.locator(".clock--corner [data-clock-digits]")).to_have_text(
        re.compile(r"7[34]:\d\d")
    )
    colour = wall.evaluate(
        "getComputedStyle(document.querySelector('.wall__head')).backgroundColor"
    )
    assert colour == "rgb(11, 61, 44)"
    hall.set_offline(False)
    post(tables(cup)[1], SECOND_WINS)
    expect(wall.get_by_text("✓ done")).to_have_count(2, timeout=2 * FIVE_SECONDS)
    expect(wall.get_by_text("Offline. Last updated at")).to_be_hidden()


def test_a_player_finds_their_table_by_a_few_letters_and_is_known_again(phone: Page) -> None:
    cup = full_hall(64, minutes=75)
    phone.goto(reverse("find-me", args=[cup.wall_key]))
    expect(phone.get_by_role("link", name="Efua Abbott")).to_be_visible()
    phone.get_by_label("Your name, or part of it").type("efua a")
    expect(phone.get_by_text("1 name")).to_be_visible()
    expect(phone.get_by_role("link", name="Ann Abbott")).to_be_hidden()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading", name="Efua Abbott")).to_be_visible()
    expect(phone.get_by_text("Round 1 of 3, starts soon")).to_be_visible()
    phone.goto(reverse("find-me", args=[cup.wall_key]))
    expect(phone.get_by_role("heading", name="Efua Abbott")).to_be_visible()
    services.start_round(tournament=cup)
    expect(phone.get_by_text("minutes left")).to_be_visible(timeout=5 * FIVE_SECONDS)
    phone.get_by_role("link", name="Not you?").click()
    expect(phone.get_by_role("heading", name="Find my table")).to_be_visible()


def test_the_wall_opened_on_a_phone_can_be_scrolled_and_leads_to_find_me(phone: Page) -> None:
    cup = full_hall(64, minutes=75)
    services.start_round(tournament=cup)
    for show in ("", "?show=seats", "?show=tables"):
        phone.goto(f"{wall_of(cup)}{show}")
        expect(phone.get_by_role("link", name="On a phone?")).to_be_visible()
        width = phone.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], show
    phone.get_by_role("link", name="On a phone?").click()
    expect(phone.get_by_role("heading", name="Find my table")).to_be_visible()
