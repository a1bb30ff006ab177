"""The director's desk in a real browser: a call, a paper sheet by keyboard, what keeps a round."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Role
from scoring.scorebook.models import Hand
from tests.browser.reading import look
from tests.people import PASSWORD, make_club, make_user
from tests.tournaments.cups import DRAWN, post, seated_cup, tables
from tournaments.models import RoundState, Table, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = ViewportSize(width=1280, height=900)
NEWS = 9000


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_user(club, "Dev", Role.DIRECTOR)
    return club


@pytest.fixture
def cup(club: Club) -> Tournament:
    return seated_cup(entrants=8, rounds=1, hands=2, club=club)


@pytest.fixture
def desk(browser: Browser, live_server: LiveServer, cup: Tournament) -> Iterator[Page]:
    context = browser.new_context(viewport=DESK, locale="en-GB", base_url=live_server.url)
    page = context.new_page()
    page.goto(reverse("account_login"))
    page.fill("input[name=login]", "dev@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_load_state()
    page.goto(reverse("tournament", args=["riverside", cup.pk]))
    yield page
    context.close()


def test_a_call_from_the_phone_reaches_the_desk_and_is_answered(
    desk: Page, context: BrowserContext, live_server: LiveServer, cup: Tournament
) -> None:
    expect(desk.get_by_text("No tables need attention")).to_be_visible()
    phone = context.new_page()
    table = tables(cup)[1]
    phone.goto(f"{live_server.url}{reverse('round-table', args=[table.link_key])}")
    phone.get_by_text("Call the director").click()
    look(phone)
    phone.get_by_role("button", name="We do not agree").click()
    expect(phone.get_by_text("The director has been called")).to_be_visible()
    look(phone)
    expect(desk.get_by_role("heading", name="1 table needs attention")).to_be_visible(timeout=NEWS)
    expect(desk).to_have_title("(1) Autumn Cup – Riverside Mah-Jong Club")
    look(desk)
    desk.get_by_role("button", name="Mark as dealt with").click()
    expect(desk.get_by_text("Call from table 2 dealt with.")).to_be_visible()
    expect(phone.get_by_text("Call the director")).to_be_visible(timeout=2 * NEWS)


def type_row(page: Page, *keys: str) -> None:
    """What is typed in each column, in the order of the paper; Enter goes on."""
    for typed in keys:
        page.keyboard.type(typed)
        page.keyboard.press("Enter")


def test_a_sheet_is_typed_by_keyboard_and_saved_in_one_go(desk: Page, cup: Tournament) -> None:
    desk.get_by_label("Table", exact=True).fill("2")
    desk.get_by_role("button", name="Enter paper score sheet").click()
    expect(desk.locator("[name='1-score_1']")).to_be_focused()
    type_row(desk, "20", "60.", "8", "4")
    expect(desk.get_by_text("Save 1 hand")).to_be_visible()
    expect(desk.get_by_text("+240").first).to_be_visible()
    expect(desk.locator("[name='2-score_1']")).to_be_focused()
    type_row(desk, "-")
    expect(desk.get_by_text("Save 2 hands")).to_be_visible()
    look(desk)
    type_row(desk, "++", "", "", "", "")
    expect(desk.get_by_role("button", name="Save 2 hands")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("Table 2: 2 hands saved.")).to_be_visible()
    told = Hand.objects.order_by("number").values_list("number", "winner")
    assert list(told) == [(1, 2), (2, None)]
    desk.get_by_role("link", name="← Table 1").click()
    expect(desk.get_by_role("heading", name="Paper score sheet: table 1")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_a_wrong_row_is_told_while_the_sheet_is_typed(
    desk: Page, cup: Tournament, width: int
) -> None:
    desk.set_viewport_size({"width": width, "height": 844})
    desk.goto(reverse("tournament-sheet", args=["riverside", cup.pk, 1, 1]))
    cell = desk.locator("[name='1-score_2']")
    desk.locator(".mark--won").nth(1).click()
    cell.fill("37")
    desk.keyboard.press("Tab")
    expect(desk.get_by_text("37 cannot be scored")).to_be_visible()
    look(desk)
    desk.get_by_role("button", name="Save").click()
    expect(cell).to_have_value("37")
    look(desk)


def test_the_closing_page_leads_to_what_is_missing(desk: Page, cup: Tournament) -> None:
    first, second = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    desk.get_by_role("link", name="Close round 1").click()
    expect(desk.get_by_role("heading", name="1 table keeps the round from closing")).to_be_visible()
    look(desk)
    expect(desk.get_by_role("button", name="Close round 1")).to_have_count(0)
    desk.get_by_role("link", name="Table 2").click()
    expect(desk.get_by_role("heading", name="Table 2", exact=True)).to_be_visible()
    desk.go_back()
    desk.get_by_role("button", name="Mark as stopped").click()
    expect(desk.get_by_text("Table 2 has stopped.")).to_be_visible()
    desk.get_by_role("button", name="Close round 1").click()
    expect(desk.get_by_text("Round closed.")).to_be_visible()
    assert cup.rounds.get().state == RoundState.CLOSED
    assert Table.objects.get(number=2).stopped_at is not None
