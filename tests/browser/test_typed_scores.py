"""What is typed at a table stays until it is saved or thrown away, whatever phone and line do.

Played twice: at an address where the phone has the table's worker, and over a hall's plain http.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import SessionTable
from clubs.table.services import replace_links
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.browser.at_the_club import ADDRESS, HOST, launch
from tests.browser.conftest import PHONE
from tests.browser.telling import begin, choose, tell, tell_by
from tests.browser.test_offline import strip
from tests.clubs.nights import post
from tests.people import make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIGURES = ["20", "60", "8", "4"]
GAINS = {1: -64, 2: 240, 3: -80, 4: -96}
LONG_NAME = "Wilhelmina Fotheringham-Smythe"


@pytest.fixture(params=["worker", "plain"])
def phone(
    request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer, settings: Any
) -> Iterator[BrowserContext]:
    """A phone with the table's worker, and one that reaches the laptop over plain http."""
    looks: Any = {"viewport": PHONE, "locale": "en-GB", "reduced_motion": "reduce"}
    if request.param == "worker":
        context = browser.new_context(base_url=live_server.url, **looks)
        yield context
        context.close()
        return
    settings.ALLOWED_HOSTS = [HOST, "localhost"]
    launched_browser = launch(browser.browser_type, live_server)
    yield launched_browser.new_context(base_url=ADDRESS, **looks)
    launched_browser.close()


@pytest.fixture
def page(phone: BrowserContext, table: SessionTable) -> Page:
    table_page = phone.new_page()
    table_page.goto(reverse("table", args=[table.link_key]))
    table_page.locator("[data-net][data-knows]").wait_for()
    expect(strip(table_page)).to_contain_text("ONLINE")
    return table_page


def figures(page: Page) -> list[str]:
    return [figure.input_value() for figure in page.locator(".entry input[type=text]").all()]


def names_at(page: Page) -> list[str]:
    """Who is to score, from East on, without the mark of who went Mah-Jong."""
    names = page.locator(".entry__who > span:last-child")
    return [
        str(name).strip() for name in names.evaluate_all("all => all.map(s => s.firstChild.data)")
    ]


def notice(page: Page) -> Locator:
    return page.locator("#messages .notice--typed")


def expect_typed(page: Page) -> None:
    """The scores' screen, with the winner and every figure as they were typed."""
    expect(page.locator("[data-flow=scores]")).to_be_visible()
    expect(page.locator("#id_score_2")).to_have_value("60")
    assert figures(page) == FIGURES
    assert page.locator("[name=winner]:checked").input_value() == "2"


def save(page: Page) -> None:
    page.get_by_role("button", name="Check hand").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="Is it right?")).to_be_visible()


def test_a_check_that_is_lost_on_its_way_loses_nothing(page: Page) -> None:
    tell(page, 1, *FIGURES)
    page.route("**/t/*/", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    expect_typed(page)
    expect(strip(page)).to_have_text("ONLINE", use_inner_text=True)
    save(page)
    assert [hand.gains for hand in Hand.objects.all()] == [GAINS]


def test_a_proxy_that_cannot_reach_us_does_not_take_the_tables_place(page: Page) -> None:
    tell(page, 1, *FIGURES)
    gateway = {"status": 502, "body": "<h1>Bad Gateway</h1>", "content_type": "text/html"}
    page.route("**/t/*/", lambda route: route.fulfill(**gateway), times=1)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    expect(page.get_by_text("Bad Gateway")).to_have_count(0)
    page.get_by_role("button", name="Edit").click()
    expect_typed(page)


def test_what_was_typed_is_there_after_a_reload(page: Page) -> None:
    tell(page, 1, *FIGURES)
    page.reload()
    expect_typed(page)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    page.reload()  # the check is of no page of its own
    expect_typed(page)
    save(page)
    assert [hand.gains for hand in Hand.objects.all()] == [GAINS]


def test_what_was_typed_is_there_on_the_way_back_from_another_tab(page: Page) -> None:
    tell(page, 1, *FIGURES)
    for tab in ("Scores", "Hands so far", "More"):
        page.get_by_role("link", name=tab).click()
        expect(page.locator("form[data-entry]")).to_have_count(0)
        page.get_by_role("link", name="Hand", exact=True).click()
        expect_typed(page)
    page.get_by_role("link", name="Scores").click()
    expect(page.locator("form[data-entry]")).to_have_count(0)
    page.go_back()
    expect_typed(page)


def test_back_from_the_check_is_what_was_typed(page: Page) -> None:
    tell(page, 1, *FIGURES)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    page.go_back()
    expect_typed(page)
    page.go_back()
    expect(page.locator("[data-flow=who]")).to_be_visible()


def test_a_tab_that_the_phone_dropped_comes_back_with_what_was_typed(
    phone: BrowserContext, page: Page
) -> None:
    tell(page, 1, *FIGURES)
    address = page.url
    page.close()
    reopened_page = phone.new_page()
    reopened_page.goto(address)
    expect_typed(reopened_page)


def test_counted_sticks_are_there_after_a_reload(page: Page) -> None:
    begin(page)
    choose(page, 1)
    tell_by(page, "Counted sticks")
    page.locator("#id_count_2").wait_for()
    for seat, count in enumerate(("1,936", "2,240", "1,920"), start=1):
        page.locator(f"#id_count_{seat}").fill(count)
    page.reload()
    expect(page.locator("#id_count_2")).to_have_value("2,240")
    assert figures(page) == ["1,936", "2,240", "1,920", ""]


def test_a_saved_hand_leaves_nothing_behind(page: Page) -> None:
    tell(page, 1, *FIGURES)
    save(page)
    begin(page)
    page.reload()
    begin(page)
    expect(page.locator("[name=winner]:checked")).to_have_count(0)
    assert figures(page) == ["", "", "", ""]
    expect(notice(page)).to_have_count(0)


def test_a_hand_that_another_phone_saved_is_told_of_and_gone(
    page: Page, table: SessionTable
) -> None:
    tell(page, 1, *FIGURES)
    names = names_at(page)
    post(table, Report(winner=3, totals={1: 0, 2: 0, 3: 26, 4: 0}))
    page.get_by_role("link", name="Show the change").click()
    expect(notice(page)).to_contain_text("Hand 1 has been saved by someone else.")
    expect(notice(page)).to_contain_text(f"{names[1]} 60 (Mah-Jong)")
    begin(page)
    assert figures(page) == ["", "", "", ""]
    page.reload()
    expect(page.locator("#messages")).to_be_attached()
    expect(notice(page)).to_have_count(0)


def test_scores_stay_with_the_people_they_were_typed_for(page: Page, table: SessionTable) -> None:
    session = table.session
    post(table, Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4}))
    page.reload()
    tell(page, 1, *FIGURES)
    names = names_at(page)
    late_player = make_player(session.club, LONG_NAME)
    evenings.tick(session=session, player=late_player, is_here=True)
    evenings.join_table(session=session, player=late_player, number=table.number)
    change_notice = page.get_by_text("The players at this table have changed.")
    expect(change_notice).to_be_visible()
    expect(page.get_by_text("was undone")).to_have_count(0)
    page.get_by_role("button", name="Check hand").click()
    expect(notice(page)).to_be_visible()
    expect(notice(page)).to_contain_text("The players have changed.")
    notice_text = notice(page).inner_text()
    assert all(
        f"{name} {figure}" in notice_text for name, figure in zip(names, FIGURES, strict=True)
    )
    assert f"{names[1]} 60 (Mah-Jong)" in notice_text
    begin(page)
    assert set(figures(page)) == {""}
    page.reload()
    assert notice(page).inner_text() == notice_text
    notice(page).get_by_role("button", name="Delete").click()
    page.reload()
    expect(page.locator("#messages")).to_be_attached()
    expect(notice(page)).to_have_count(0)
    assert Hand.objects.count() == 1


def test_what_was_typed_under_a_card_that_was_replaced_goes_with_the_new_one(
    page: Page, table: SessionTable
) -> None:
    tell(page, 1, *FIGURES)
    key = replace_links(table=EveningTable(table))
    page.goto(reverse("table", args=[key]))
    expect_typed(page)
