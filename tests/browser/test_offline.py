"""A village hall's network: hands are kept on the phone, and sent once and in order."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table.pages import entering
from clubs.table.services import replace_links
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import game_view
from tests.browser.chromium import CHROMIUM, NO_SANDBOX
from tests.browser.conftest import NARROW, PHONE
from tests.browser.reading import faults, look_by_day_and_night
from tests.browser.telling import begin, choose, tell
from tests.clubs.nights import post

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANDS = 30
OFFLINE = re.compile("OFFLINE|SAVED ON THIS PHONE")
SLOW = 180_000  # milliseconds, for thirty hands to be sent on a busy machine
WINDS = {"E": "East", "S": "South", "W": "West", "N": "North"}


@pytest.fixture
def address(live_server: LiveServer, table: SessionTable) -> str:
    return f"{live_server.url}{reverse('table', args=[table.link_key])}"


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A phone that can be switched off: what it has stored is in a folder of its own."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=CHROMIUM, args=NO_SANDBOX, viewport=PHONE, locale="en-GB"
    )
    yield context
    context.close()


def strip(page: Page) -> Locator:
    return page.locator("[data-net] [role=status]")


def open_page(context: BrowserContext, address: str, *, is_online: bool = True) -> Page:
    """The table's page, once the phone knows all that it needs without a network."""
    page = context.new_page()
    page.goto(address)
    expect(strip(page)).to_contain_text("ONLINE" if is_online else OFFLINE)
    if is_online:
        page.locator("[data-net][data-knows][data-put-away]").wait_for()
    return page


def unfold(page: Page) -> None:
    """Read all that the head of the page says of what waits on this phone."""
    page.locator("[data-net] > summary").click()


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    expect(strip(page)).to_contain_text(OFFLINE)


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    """The table's page on a phone that has lost the network since."""
    offline = open_page(context, address)
    go_offline(offline)
    return offline


def fill(page: Page, number: int, winner: int | None, score: int = 64) -> None:
    """Tell the hand as the table does, and press the button that checks it."""
    begin(page)
    expect(page.locator("[name=number]")).to_have_value(str(number))
    if winner is None:
        page.get_by_role("button", name="Nobody (drawn hand)").click()
        return
    page.locator(f'label.seat:has(input[value="{winner}"])').click()
    fill_score(page, number, winner, score)


def fill_score(page: Page, number: int, winner: int, score: int = 64) -> None:
    """Enter what the winner scored, and press the button that checks the hand."""
    page.locator(f"#id_score_{winner}").fill(str(score))
    page.get_by_role("button", name=f"Check hand {number}").click()


def keep(page: Page, number: int, winner: int | None, score: int = 64) -> None:
    fill(page, number, winner, score)
    save_on_phone(page, number)


def save_on_phone(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Save hand {number} on this phone").click()
    expect(strip(page)).to_contain_text("SAVED ON THIS PHONE")
    expect(strip(page)).to_contain_text("the last at")
    expect(page.locator("[name=number]")).to_have_value(str(number + 1))


def winds_shown(page: Page) -> dict[int, str]:
    word = "seat.querySelector('.seat__word').innerText"
    seat_winds = page.locator("label.seat").evaluate_all(
        f"seats => seats.map(seat => [seat.dataset.seat, {word}])"
    )
    return {int(seat): wind for seat, wind in seat_winds}


def winner_of(number: int) -> int | None:
    """Thirty hands with drawn ones between, East winning now and then."""
    return None if number % 7 == 0 else number * 3 % 4 + 1


def enter_elsewhere(table: SessionTable) -> None:
    """Another phone is quicker with the first hand."""
    post(table, Report(winner=2, totals={1: 0, 2: 60, 3: 0, 4: 0}))


def test_a_hand_saved_offline_leaves_nothing_in_the_next(page: Page) -> None:
    """Also where the page is loaded anew just as the network is back."""
    keep(page, 1, 3)
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("heading", name="Is it right?")).to_be_visible()
    expect(page.locator("[name=number]")).to_have_value("2")
    expect(page.locator("label.seat :checked")).to_have_count(0)
    figures = page.locator(".entry input[type=text]")
    assert [figure.input_value() for figure in figures.all()] == ["", "", "", ""]


def test_thirty_hands_offline_and_the_page_closed_in_between(
    phone: BrowserContext, table: SessionTable, address: str
) -> None:
    page = open_page(phone, address)
    go_offline(page)
    winds_by_hand = []
    for number in range(1, HANDS + 1):
        winds_by_hand.append(winds_shown(page))
        keep(page, number, winner_of(number))
        if number == HANDS // 2:
            page.close()
            page = open_page(phone, address, is_online=False)
            unfold(page)
            expect(page.get_by_text(f"{number} hands saved on this phone")).to_be_visible()
    assert not Hand.objects.exists()
    phone.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE", timeout=SLOW)
    expect(page.locator("[name=number]")).to_have_value(str(HANDS + 1), timeout=SLOW)
    hands = game_view(Game.objects.get(pk=table.game_id)).hands
    assert [hand.winner for hand in hands] == [winner_of(n) for n in range(1, HANDS + 1)]
    assert [
        {seat: WINDS[wind] for seat, wind in hand.winds.items()} for hand in hands
    ] == winds_by_hand
    assert Hand.objects.count() == HANDS


def test_a_hand_in_the_air_when_the_line_dies_is_one_hand(
    context: BrowserContext, address: str
) -> None:
    page = open_page(context, address)

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/send/", lose_the_answer)
    fill(page, 1, 1)
    page.get_by_role("button", name="Save").click()
    expect(strip(page)).to_contain_text("1 hand")
    assert Hand.objects.count() == 1
    page.unroute_all()
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("2")
    assert Hand.objects.count() == 1


def test_the_hand_after_one_saved_as_the_network_goes_takes_a_place_of_its_own(
    context: BrowserContext, address: str
) -> None:
    page = open_page(context, address)
    page.reload()  # from now on the page that was put away holds the very form that is filled
    fill(page, 1, 1)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_visible()
    context.set_offline(True)
    page.get_by_role("button", name="Save", exact=True).click()
    keep(page, 2, 2)
    unfold(page)
    expect(page.get_by_text("2 hands saved on this phone")).to_be_visible()
    context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [1, 2]


def test_an_old_page_knows_which_hands_were_sent_behind_its_back(
    context: BrowserContext, address: str, page: Page
) -> None:
    keep(page, 1, None)
    begin(page)
    choose(page, 0)  # the next hand is begun: the page is left as it is
    context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    assert Hand.objects.count() == 1
    context.set_offline(True)
    page.close()
    page = open_page(context, address, is_online=False)
    fill_score(page, 2, 1)  # the hand that was begun goes on
    save_on_phone(page, 2)
    context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert Hand.objects.count() == 2


def test_a_conflict_is_shown_and_nothing_is_written_over(
    context: BrowserContext, table: SessionTable, page: Page
) -> None:
    keep(page, 1, 2, 84)
    keep(page, 2, 1)
    enter_elsewhere(table)
    context.set_offline(False)
    expect(page.get_by_role("heading", name="Hand 1 was already entered")).to_be_visible()
    expect(strip(page)).to_contain_text("Hand 1 needs your attention")
    expect(page.get_by_text("One more hand will be sent after it.")).to_be_visible()
    assert faults(page) == []
    assert [hand.score_2 for hand in Hand.objects.all()] == [60]
    page.get_by_role("button", name="Keep the recorded hand and delete mine").click()
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert [(hand.number, hand.winner) for hand in Hand.objects.order_by("number")] == [
        (1, 2),
        (2, 1),
    ]


def test_mine_is_right_goes_to_the_scorer_with_my_figures(
    context: BrowserContext, table: SessionTable, page: Page
) -> None:
    keep(page, 1, 2, 84)
    enter_elsewhere(table)
    context.set_offline(False)
    page.get_by_role("group", name="Mine is right").get_by_role("button").first.click()
    expect(page.get_by_text("Hand 1 reported.")).to_be_visible()
    (agreement,) = Hand.objects.get().agreements.all()
    assert (agreement.agrees, "84" in agreement.note) == (False, True)
    expect(strip(page)).to_contain_text("ONLINE")


def test_an_impossible_total_waits_to_be_changed(context: BrowserContext, address: str) -> None:
    """A phone that was not told in time which totals can be."""
    context.route("**/ahead/?totals=*", lambda route: route.abort())
    page = open_page(context, address)
    go_offline(page)
    keep(page, 1, 1, 61)
    keep(page, 2, 2)
    context.set_offline(False)
    expect(page.get_by_role("heading", name="Hand 1 could not be saved yet")).to_be_visible()
    assert not Hand.objects.exists()
    page.get_by_role("button", name="Edit hand 1").click()
    expect(page.locator("#id_number")).to_have_value("1")
    page.locator("#id_score_1").fill("64")
    page.get_by_role("button", name="Check hand 1").click()
    page.get_by_role("button", name="Save").click()
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [1, 2]


# As a browser sends a form whose scripts have not come yet: nobody hears of the press.
WITHOUT_SCRIPTS = """button => {
    const pressed = document.createElement("input");
    Object.assign(pressed, { type: "hidden", name: button.name, value: button.value });
    button.form.append(pressed);
    button.form.submit();
}"""


def test_a_total_put_right_before_the_scripts_have_come_leaves_the_phone(
    context: BrowserContext, address: str
) -> None:
    context.route("**/ahead/?totals=*", lambda route: route.abort())
    page = open_page(context, address)
    go_offline(page)
    keep(page, 1, 1, 61)
    keep(page, 2, 2)
    context.set_offline(False)
    page.get_by_role("button", name="Edit hand 1").click()
    expect(page.locator("#id_number")).to_have_value("1")
    page.locator("#id_score_1").fill("64")
    page.get_by_role("button", name="Check hand 1").evaluate(WITHOUT_SCRIPTS)
    page.get_by_role("button", name="Save").evaluate(WITHOUT_SCRIPTS)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [1, 2]


def test_a_phone_offline_knows_who_pays_whom(context: BrowserContext, address: str) -> None:
    page = open_page(context, address)
    page.locator("[data-knows-totals]").wait_for()
    names = page.locator("label.seat .seat__name").all_inner_texts()
    east, south, west, north = names
    go_offline(page)
    tell(page, 1, 20, 61, 8, 4)
    page.get_by_role("button", name="Check hand 1").click()
    wrong = f"{south} cannot score 61 with a Mah-Jong. 60 and 62 are possible."
    expect(page.get_by_role("alert")).to_contain_text(wrong)
    page.locator("#id_score_2").fill("60")
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.locator("[data-net-pays]")).to_have_text(
        f"{east} pays {south} 120; {west} and {north} pay 60 each. "
        f"{west} pays {east} 24. {north} pays {east} 32 and {west} 4."
    )
    rows = page.locator("[data-net-settle] tbody tr").all_inner_texts()
    assert [row.split()[-1] for row in rows] == ["−64", "+240", "−80", "−96"]
    for size in (PHONE, NARROW):
        page.set_viewport_size(size)
        look_by_day_and_night(page)
    page.set_viewport_size(PHONE)
    expect(page.get_by_text(f"{south} went Mah-Jong with 60.", exact=True)).to_be_visible()
    page.get_by_role("button", name="Save hand 1 on this phone").click()
    keep(page, 2, 3)
    expect(page.locator(".phone-head__hand")).to_contain_text("Hand 3")
    context.set_offline(False)
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert Hand.objects.get(number=1).gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_table_that_counts_sticks_goes_on_offline(
    context: BrowserContext, address: str, table: SessionTable
) -> None:
    club = table.session.club
    club.record_by = "tallies"
    club.save()
    page = open_page(context, address)
    page.locator("[data-knows-totals]").wait_for()
    go_offline(page)
    counts = {"2": "2,240", "1": "1,936", "3": "1,920", "4": "1,914"}
    begin(page)
    choose(page, 1)
    for seat, count in counts.items():
        page.locator(f"#id_count_{seat}").fill(count)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "The counts add up to 8,010, but should add up to 8,000: 10 too much."
    )
    page.locator("#id_count_4").fill("1,904")
    page.get_by_role("button", name="Check hand 1").click()
    rows = page.locator("[data-net-settle] tbody tr").all_inner_texts()
    assert [row.split()[-1] for row in rows] == ["−64", "+240", "−80", "−96"]
    page.get_by_role("button", name="Save hand 1 on this phone").click()
    expect(page.locator("[name=number]")).to_have_value("2")
    start_texts = page.locator(".entry__had").all_text_contents()
    assert sorted(start_texts) == ["had 1,904", "had 1,920", "had 1,936", "had 2,240"]
    context.set_offline(False)
    expect(page.locator("[data-agreeing]")).to_contain_text("Hand 1 is saved.")
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_slow_line_neither_loses_nor_doubles_a_hand(
    context: BrowserContext, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other answer takes its time, some longer than the page waits."""
    chance, end_event = Random(2), Event()

    def slowly(answer: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        def delayed_answer(*args: Any, **kwargs: Any) -> HttpResponse:
            end_event.wait(chance.choice((0, 0, 0, 0.3, 2, 5)))
            return answer(*args, **kwargs)

        return delayed_answer

    for name in ("news", "_render_table", "_beside"):
        monkeypatch.setattr(entering, name, slowly(getattr(entering, name)))
    page = context.new_page()
    page.goto(address)
    for _ in range(6):
        begin(page)
        page.get_by_role("button", name="Nobody (drawn hand)").click()
        page.get_by_role("button", name="Save").first.click()
    expect(strip(page)).to_contain_text("ONLINE")
    expect(page.locator("[name=number]")).to_have_value("7")
    end_event.set()
    page.close()
    assert [hand.number for hand in Hand.objects.order_by("pk")] == [1, 2, 3, 4, 5, 6]


def test_two_pages_of_one_phone_send_once(context: BrowserContext, address: str) -> None:
    first_page, second_page = open_page(context, address), open_page(context, address)
    go_offline(first_page)
    for number in (1, 2, 3):
        keep(first_page, number, number)
    expect(strip(second_page)).to_contain_text("3 hands")
    context.set_offline(False)
    for page in (first_page, second_page):
        expect(strip(page)).to_contain_text("ONLINE")
        expect(page.locator("[name=number]")).to_have_value("4")
    assert Hand.objects.count() == 3


def test_the_hand_kept_last_can_be_taken_back(page: Page) -> None:
    keep(page, 1, 3)
    unfold(page)
    page.get_by_role("button", name="Undo hand 1").click()
    expect(page.locator("[name=number]")).to_have_value("1")
    expect(page.locator("#id_score_3")).to_have_value("64")
    expect(page.locator("[data-net-list]")).to_be_hidden()


def test_scores_offline_say_which_hands_are_not_counted_yet(
    phone: BrowserContext, address: str
) -> None:
    """Head and hands count on as the page of the hand does, until the hands are sent."""
    page = open_page(phone, address)
    go_offline(page)
    keep(page, 1, 2)
    keep(page, 2, 3)
    head = page.locator(".phone-head__hand")
    head_text = head.inner_text()
    for place, word in (("Scores", "counted"), ("Hands so far", "in this list")):
        page.get_by_role("link", name=place, exact=True).click()
        notice = page.locator("[data-net-uncounted]")
        expect(notice).to_contain_text(f"2 hands on this phone are not {word} yet.")
        expect(head).to_have_text(head_text, use_inner_text=True)
        assert "Hand 3" in head_text
    page.get_by_role("link", name="Scores", exact=True).click()
    phone.set_offline(False)
    expect(page.locator("[data-net-uncounted]")).to_be_hidden(timeout=SLOW)
    expect(page.locator("#totals")).to_contain_text("+")


def test_a_slip_is_said_offline_too(page: Page) -> None:
    tell(page, 0, "sixty", 1, 2, 3)
    page.get_by_role("button", name="Check hand 1").click()
    expect(page.get_by_role("alert")).to_contain_text("“sixty” is not a number.")


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_use_the_page_without_a_network(
    context: BrowserContext, address: str, width: int
) -> None:
    page = open_page(context, address)
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    look_by_day_and_night(page)
    go_offline(page)
    look_by_day_and_night(page)
    fill(page, 1, 2)
    look_by_day_and_night(page)
    page.get_by_role("button", name="Save hand 1 on this phone").click()
    expect(page.locator("[name=number]")).to_have_value("2")
    look_by_day_and_night(page)


def test_hands_kept_under_the_old_card_are_sent_by_the_new_one(
    phone: BrowserContext, table: SessionTable, address: str, live_server: LiveServer
) -> None:
    page = open_page(phone, address)
    go_offline(page)
    for number in (1, 2):
        keep(page, number, 2)
    key = replace_links(table=EveningTable(table))
    phone.set_offline(False)
    trouble = page.locator("[data-net-trouble]")
    expect(trouble.get_by_role("heading", name="This table card has been replaced")).to_be_visible()
    expect(trouble).to_contain_text("One more hand will be sent after it.")
    assert not Hand.objects.exists()
    page.goto(f"{live_server.url}{reverse('table', args=[key])}")
    expect(page.locator("[data-agreeing]")).to_contain_text("Hand 2 is saved.")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert sorted(Hand.objects.values_list("number", flat=True)) == [1, 2]
