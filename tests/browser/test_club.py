"""A club in a real browser: at the door, on the floor and the wall, at the organisers' tables.

Its list of members, its house rules and its menus too.
"""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, ViewportSize, expect

from clubs.evenings.services import evenings
from clubs.models import Player, Session, SessionTable
from scoring.scorebook.models import Hand
from scoring.scorebook.verifying import recount
from tests.browser.conftest import FIVE_SECONDS, NARROW, PHONE, SignIn
from tests.browser.reading import look, look_by_day_and_night, out_of_reach
from tests.browser.telling import begin, choose
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_player
from tests.tournaments.cups import DRAWN, post as post_in_cup, seated_cup, tables

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY = date(2026, 11, 17)
TEN_SECONDS = 2 * FIVE_SECONDS
TOP = "part => part.getBoundingClientRect().top"
SMALLEST = ViewportSize(width=320, height=568)
WIDE = 900  # pixels from which the menu is laid out
A_BAR = 64  # pixels: as high as a phone's masthead may be
SIZES = ((320, 640), (390, 844), (1280, 800))
LIST = """name,email,phone
Margaret Ashworth,,01225 22
Margret Ashworth,,
Zoë Łukasiewicz,zoe@example.org,
"""


@pytest.fixture
def page(sign_in: SignIn, cast: Cast) -> Page:
    """The secretary's computer."""
    return sign_in(cast.secretary)


@pytest.fixture
def played_evening(cast: Cast) -> Session:
    """A season's evening with one table and one hand."""
    make_season(cast.club)
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    return session


def of_evening(session: Session, name: str = "evening", *url_args: int) -> str:
    """Where a page of the evening is."""
    return reverse(name, args=["riverside", session.pk, *url_args])


def wall_of(session: Session) -> str:
    return reverse("wall", args=[session.wall_key])


def test_a_tick_counts_without_leaving_the_page(page: Page, cast: Cast) -> None:
    session = evenings.open_session(club=cast.club, held_on=DAY)
    page.goto(of_evening(session))
    for name in ("Alice", "Dev", "Pat"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", name=name, pressed=True)).to_be_visible()
    expect(page.locator("#here")).to_have_text("3 of 4 people checked in")
    expect(page.get_by_role("button", name="Seat 3 people")).to_be_enabled()
    assert session.attendances.count() == 3


def test_the_check_in_list_begins_in_the_upper_third_of_a_phone(
    sign_in: SignIn, cast: Cast
) -> None:
    page = sign_in(cast.secretary, viewport=PHONE)
    session = evenings.open_session(club=cast.club, held_on=DAY)
    make_season(cast.club)
    for player in make_players(cast.club, 10):
        evenings.tick(session=session, player=player, is_here=True)
    page.goto(of_evening(session))
    assert page.locator("#door").evaluate(TOP) <= PHONE["height"] / 3
    expect(page.get_by_role("link", name="Choose tables")).to_be_in_viewport(ratio=1)
    look_by_day_and_night(page)
    assert list(out_of_reach(page)) == []
    page.set_viewport_size(SMALLEST)
    expect(page.locator("#door button").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Choose tables")).to_be_in_viewport(ratio=1)
    look(page)


def test_the_next_step_and_the_tables_of_an_evening_fit_on_a_desk(
    sign_in: SignIn, cast: Cast
) -> None:
    page = sign_in(cast.secretary, viewport=ViewportSize(width=1280, height=800))
    session = evenings.open_session(club=cast.club, held_on=DAY)
    for number in range(16):
        player = make_player(cast.club, f"Margaret Hargreaves {number}")
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    for table in session.tables.all():
        post(table, SECOND_WINS)
    page.goto(of_evening(session))
    expect(page.get_by_role("heading", name="4 hands so far")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Finish evening")).to_be_in_viewport(ratio=1)
    expect(page.locator(".floor__table")).to_have_count(4)
    for number in range(4):
        expect(page.locator(".floor__table").nth(number)).to_be_in_viewport(ratio=1)
    look_by_day_and_night(page)


def test_two_letters_and_enter_tick_a_name(page: Page, cast: Cast) -> None:
    session = evenings.open_session(club=cast.club, held_on=DAY)
    zoe = make_player(cast.club, "Margaret Łukasiewicz")
    page.goto(of_evening(session))
    find = page.get_by_label("Find a name")
    find.fill("lu")
    expect(page.locator("#door button:visible")).to_have_text(["Margaret Łukasiewicz"])
    find.press("Enter")
    expect(page.locator("#here")).to_have_text("1 of 5 people checked in")
    expect(find).to_have_value("")
    assert [row.player for row in session.attendances.all()] == [zoe]


def test_the_floor_and_the_result_follow_the_hands(page: Page, played_evening: Session) -> None:
    page.goto(of_evening(played_evening))
    expect(page.locator("#floor .tag")).to_have_text("1 hand")
    post(played_evening.tables.get(), SECOND_WINS, SECOND_WINS)
    expect(page.locator("#floor .tag")).to_have_text("2 hands", timeout=TEN_SECONDS)
    expect(page.locator("#rows tbody tr").first).to_contain_text("Ben", timeout=TEN_SECONDS)


def test_the_wall_keeps_its_picture_when_the_line_drops(
    context: BrowserContext, played_evening: Session
) -> None:
    wall = context.new_page()
    wall.goto(wall_of(played_evening))
    status = wall.locator("#wall-told")
    context.set_offline(True)
    expect(status).to_contain_text("Offline. Last updated at", timeout=TEN_SECONDS)
    expect(wall.get_by_role("heading", name="Table 1")).to_be_visible()
    context.set_offline(False)
    expect(status).to_contain_text("Last update", timeout=TEN_SECONDS)


def test_the_walls_pages_turn_by_key(context: BrowserContext, played_evening: Session) -> None:
    wall = context.new_page()
    wall.goto(wall_of(played_evening))
    wall.keyboard.press("Space")
    expect(wall.locator("#wall-told")).to_contain_text("Paused")
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".wall__what:visible")).to_contain_text("Result so far")
    wall.keyboard.press("ArrowRight")
    expect(wall.locator(".wall__what:visible")).to_contain_text("Seating")


@pytest.fixture
def at_table(sign_in: SignIn, cast: Cast) -> Page:
    """The organisers' page of a table of which nothing is entered, with the scorer signed in."""
    page, table = sign_in(cast.scorer), seated_evening(cast.club).tables.get()
    page.goto(of_evening(table.session, "evening-table", table.number))
    return page


def type_hand(page: Page, *scores: int) -> None:
    """South goes Mah-Jong; then the scores in the order of the sheet."""
    expect(page.locator("input[name=winner]").first).to_be_focused()
    for key in ("ArrowDown", "Tab", "Tab"):
        page.keyboard.press(key)
    for score in scores:
        page.keyboard.type(str(score))
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Check this hand")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"Hand \d saved\."))).to_be_visible()


def test_a_sheet_is_typed_by_keyboard_alone(at_table: Page) -> None:
    for _ in range(2):
        type_hand(at_table, 20, 60, 8, 4)
    hand_scores = [(hand.number, hand.scores) for hand in Hand.objects.order_by("number")]
    assert hand_scores == [(1, {1: 20, 2: 60, 3: 8, 4: 4}), (2, {1: 4, 2: 20, 3: 60, 4: 8})]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_use_the_desk_and_correct_a_hand(at_table: Page, width: int) -> None:
    type_hand(at_table, 20, 60, 8, 4)
    at_table.set_viewport_size({"width": width, "height": 900})
    look(at_table)
    at_table.get_by_role("link", name="Correct hand 1").click()
    look(at_table)
    at_table.get_by_label("Reason for the change").fill("misread")
    at_table.get_by_role("button", name="Preview changes").click()
    look(at_table)
    at_table.get_by_role("button", name="Correct hand 1").click()
    expect(at_table.get_by_text("Hand 1 corrected.")).to_be_visible()
    look(at_table)


@pytest.fixture
def two_hands(cast: Cast) -> SessionTable:
    """Two hands of Ann, Ben, Cy and Di; Ben went Mah-Jong in both, East in the second."""
    make_season(cast.club)
    players = make_players(cast.club, 8)
    evening = night(cast.club, DAY, players[:4], players[4:])
    for table in evening.tables.all():
        post(table, SECOND_WINS, SECOND_WINS)
    return evening.tables.get(number=1)


def test_wrong_seats_since_hand_2_are_put_right_and_taken_back(
    sign_in: SignIn, cast: Cast, two_hands: SessionTable
) -> None:
    page = sign_in(cast.scorer, viewport=NARROW)
    page.goto(of_evening(two_hands.session, "evening-table", two_hands.number))
    page.get_by_role("link", name="Correct several hands").click()
    look(page)
    page.get_by_role("link", name="Two players sat in each other’s seats").click()
    page.get_by_role("group", name="First player").get_by_text("Ben").click()
    page.get_by_role("group", name="Second player").get_by_text("Cy").click()
    page.get_by_label("From which hand?").select_option("2")
    look(page)
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("Choose whether the names or the winds are right.")).to_have_count(2)
    page.get_by_text("The winds:").click()
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_text("Step 3 of 4")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Enter a reason for the correction.").first).to_be_visible()
    look(page)
    page.locator("#id_reason").fill("Both say so")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Corrected. Ben and Cy sat in each other’s seats")).to_be_visible()
    assert two_hands.game.seats.get(number=3).mahjongs == 1
    look(page)
    page.locator(".repair__list").get_by_role("link", name="Undo").click()
    expect(page.get_by_role("heading", name="Undo this correction?")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Undo correction").click()
    expect(page.get_by_text("Correction undone: Ben and Cy")).to_be_visible()
    assert two_hands.game.seats.get(number=3).mahjongs == 0
    assert recount().differences == ()


def read_in(page: Page) -> None:
    """A file with one who is known, one who is in doubt and one who is new."""
    page.get_by_role("link", name="Import members").click()
    file = FilePayload(name="members.csv", mimeType="text/csv", buffer=LIST.encode())
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Check the list").click()
    expect(page.get_by_role("heading", name="Who is this? (1)")).to_be_visible()


def test_a_list_is_looked_at_stored_and_taken_back(page: Page, cast: Cast) -> None:
    make_player(cast.club, "Margaret Ashworth")
    page.goto(reverse("members", args=["riverside"]))
    read_in(page)
    page.get_by_role("button", name="Import").first.click()
    expect(page.get_by_text("choose who Margret Ashworth is").first).to_be_visible()
    page.get_by_label("New person").first.check()
    page.get_by_role("button", name="Import").first.click()
    expect(page.get_by_text("2 people were added. 1 person was updated.")).to_be_visible()
    assert cast.club.players.filter(name="Zoë Łukasiewicz", email="zoe@example.org").exists()
    page.get_by_role("link", name="Import members").click()
    page.get_by_role("button", name="Undo import").click()
    expect(page.get_by_text("Everyone is as they were before.")).to_be_visible()
    unlinked_players = cast.club.players.exclude(membership__isnull=False)
    assert [(player.name, player.phone) for player in unlinked_players] == [
        ("Margaret Ashworth", "")
    ]


@pytest.mark.parametrize("letters", ["", "letters-largest"])
def test_a_phone_shows_all_that_the_list_says_of_a_member(
    sign_in: SignIn, cast: Cast, letters: str
) -> None:
    name = "Wilhelmina Cholmondeley-Marjoribanks"
    someone = make_player(cast.club, name)
    contact = {"email": "wilhelmina.cholmondeley@example.org", "phone": "01225 960123"}
    Player.objects.filter(pk=someone.pk).update(**contact)
    page = sign_in(cast.secretary, viewport=SMALLEST)
    page.goto(reverse("members", args=["riverside"]))
    address = page.url.removesuffix(reverse("members", args=["riverside"]))
    page.context.add_cookies([{"name": "looks", "value": letters or "-", "url": address}])
    page.reload()
    row = page.get_by_role("row", name=name)
    for text in (name, contact["phone"], contact["email"], "0 evenings,", "never visited", "Edit"):
        expect(row.get_by_text(text).first).to_be_visible()
    room = "list => [list.scrollWidth, list.clientWidth]"
    needed_width, available_width = page.get_by_role("region", name="Members").evaluate(room)
    assert needed_width <= available_width


def test_two_records_are_made_one_and_two_again(page: Page, cast: Cast) -> None:
    make_player(cast.club, "Margaret Ashworth")
    twin = make_player(cast.club, "Margret Ashworth")
    page.goto(reverse("members", args=["riverside"]))
    page.get_by_role("link", name="possible duplicate").first.click()
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("have been merged.")).to_be_visible()
    assert not Player.objects.get(pk=twin.pk).is_active
    page.goto(page.url.split("/members/")[0] + "/members/duplicates/")
    page.get_by_role("button", name="Undo merge").click()
    expect(page.get_by_text("are separate records again.")).to_be_visible()
    assert Player.objects.get(pk=twin.pk).is_active


def test_a_club_writes_its_rules_looks_at_them_and_chooses_them(
    sign_in: SignIn, cast: Cast
) -> None:
    page = sign_in(cast.secretary, viewport=NARROW)
    page.goto(reverse("club-rules", args=["riverside"]))
    page.get_by_role("link", name="Add house rules").click()
    expect(page.get_by_role("heading", name="House rules")).to_be_visible()
    page.get_by_label("Name of your house rules").fill("Quick rules")
    page.get_by_label("The limit of a hand").fill("")
    page.locator("summary", has_text="Special hands").click()
    page.locator(".choice", has_text="Triple Knitting").click()
    page.get_by_role("button", name="Preview rules").click()
    expect(page.get_by_role("heading", name="There is a problem")).to_be_visible()
    expect(page.get_by_label("Triple Knitting", exact=True)).to_be_checked()
    look(page)
    page.get_by_label("The limit of a hand").fill("500")
    page.get_by_role("button", name="Preview rules").click()
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    expect(page.get_by_text("In the rule book: A hand scores 1,000 at most.")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Save house rules").click()
    expect(page.get_by_text("Quick rules saved.")).to_be_visible()
    page.locator(".choice", has_text="Quick rules").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Club rules saved.")).to_be_visible()


def test_rules_of_ones_own_are_asked_for_and_played(
    sign_in: SignIn, cast: Cast, context: BrowserContext
) -> None:
    page = sign_in(cast.secretary, viewport=PHONE)
    page.goto(reverse("house-rules", args=["riverside"]))
    line = _answers_with_mistakes(page)
    page.get_by_role("button", name="Preview rules").click()
    expect(page.locator(".error-summary a")).to_have_text(
        ["How many times the discarder pays", "Line 1, how many"]
    )
    look(page)
    line.get_by_label("How many").fill("2")
    page.get_by_text("The discarder, for everyone").click()
    page.get_by_role("button", name="Preview rules").click()
    expect(page.locator(".error-summary a")).to_have_text(["Knitting, Mah-Jong"])
    page.get_by_label("Knitting, Mah-Jong", exact=True).fill("400")
    page.get_by_role("button", name="Preview rules").click()
    expect(page.get_by_role("heading", name="differences from BMJA rules")).to_be_visible()
    expect(page.locator(".differs li", has_text="Winner on a claimed tile")).to_contain_text(
        "Here: The discarder alone pays, as much as all would pay together"
    )
    look(page)
    page.get_by_role("button", name="Save house rules").click()
    page.locator(".choice", has_text="Saltmarsh rules").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Club rules saved.")).to_be_visible()
    cast.club.refresh_from_db()
    _south_wins_on_norths_discard(context.new_page(), seated_evening(cast.club).tables.get())


def _answers_with_mistakes(page: Page) -> Locator:
    """Fill in the form, with three answers that cannot be; return its first own line."""
    page.get_by_label("Name of your house rules").fill("Saltmarsh rules")
    for fold in ("A Mah-Jong", "Scoring and paying", "Special hands", "Your own lines"):
        page.locator("summary", has_text=fold).click()
    page.get_by_role("group", name="Chows in a Mah-Jong").get_by_text("2 at most").click()
    times = page.get_by_label("How many times the discarder pays")
    expect(times).to_be_hidden()
    page.get_by_text("The discarder alone, a multiple of the score").click()
    expect(times).to_be_visible()
    page.get_by_label("Knitting, Mah-Jong", exact=True).fill("5000")
    line = page.get_by_role("group", name="Line 1")
    line.get_by_label("Name").fill("Pair of 1s or 9s")
    line.get_by_label("Scored for").select_option("Pair")
    page.get_by_role("button", name="Add another line").click()
    expect(page.get_by_role("group", name="Line 2")).to_be_in_viewport()
    expect(line.get_by_label("Scored for")).to_have_value("set:pair")
    line.get_by_label("and (optional)").first.select_option("Of 1s or 9s")
    return line


def _south_wins_on_norths_discard(phone: Page, table: SessionTable) -> None:
    """60 points from each of two and twice that from East, all paid by the discarder."""
    phone.goto(reverse("table", args=[table.link_key]))
    begin(phone)
    choose(phone, 1)
    expect(phone.get_by_role("heading", name="Who discarded the last tile?")).to_be_visible()
    phone.locator("label.choice--4").click()
    for figure, score in zip(phone.locator(".entry input").all(), (20, 60, 8, 4), strict=True):
        figure.fill(str(score))
    phone.get_by_role("button", name="Check hand").click()
    expect(phone.get_by_text("Check this hand")).to_be_visible()
    phone.get_by_role("button", name="Save", exact=True).click()
    expect(phone.get_by_text("is saved")).to_be_visible()
    (hand,) = Hand.objects.filter(game=table.game)
    assert [payment for payment in hand.payments if payment[1] == 2] == [[4, 2, 240]]


def test_the_settings_say_since_when_the_rules_are_frozen(sign_in: SignIn, cast: Cast) -> None:
    cup, page = seated_cup(club=cast.club), sign_in(cast.secretary, viewport=NARROW)
    page.goto(reverse("tournament", args=["riverside", cup.pk]))
    page.get_by_role("link", name="Settings", exact=True).click()
    expect(page.get_by_role("group", name="Scoring rules")).to_be_visible()
    post_in_cup(tables(cup)[0], DRAWN)
    page.get_by_label("Name").fill("Renamed meanwhile")
    page.get_by_text("Safalra’s rules", exact=True).last.click()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator(".error-summary")).to_contain_text(
        "This cannot change after the first hand"
    )
    expect(page.get_by_label("Name")).to_have_value("Renamed meanwhile")
    look(page)
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_role("heading", name="Renamed meanwhile")).to_be_visible()


def menu(page: Page, label: str) -> Locator:
    return page.locator("summary", has_text=label)


@pytest.mark.parametrize("size", SIZES)
def test_the_menus_stay_on_the_screen(sign_in: SignIn, cast: Cast, size: tuple[int, int]) -> None:
    looks = ViewportSize(width=size[0], height=size[1])
    page = sign_in(cast.secretary, viewport=looks, java_script_enabled=False)
    page.goto(reverse("members", args=["riverside"]))
    if size[0] < WIDE:
        menu(page, "Menu").click()
    for label, last in (("Help", "API documentation"), (str(cast.secretary), "Sign out")):
        menu(page, label).click()
        menu_list = page.locator("details[open] > .menu__list")
        expect(menu_list.get_by_text(last)).to_be_visible()
        box = menu_list.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    expect(page.locator("details[open] > .menu__list")).to_have_count(1)


@pytest.mark.parametrize("height", [640, 844])
@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_phones_masthead_is_the_club_and_one_button(
    sign_in: SignIn, cast: Cast, width: int, height: int
) -> None:
    page = sign_in(cast.secretary, viewport=ViewportSize(width=width, height=height))
    page.goto(reverse("members", args=["riverside"]))
    masthead = page.locator(".masthead")
    assert masthead.evaluate("part => part.offsetHeight") <= A_BAR
    expect(page.get_by_role("link", name="League", exact=True)).to_be_hidden()
    menu(page, "Menu").press("Enter")
    for link_name in ("Home", "Evenings", "League", "Tournaments", "Members", "Messages"):
        expect(masthead.get_by_role("link", name=link_name, exact=True)).to_be_visible()
    for link_name in ("Settings of the club", "Text size and other display settings"):
        expect(masthead.get_by_role("link", name=link_name)).to_be_visible()
    expect(masthead.locator("[aria-current]")).to_have_text("Members")
    look_by_day_and_night(page)
    assert list(out_of_reach(page)) == []
    page.keyboard.press("Escape")
    expect(menu(page, "Menu")).to_be_focused()
    menu(page, "Menu").click()
    page.mouse.click(width / 2, height - 5)
    expect(masthead.get_by_role("link", name="League", exact=True)).to_be_hidden()


def test_a_visitors_masthead_is_as_low(context: BrowserContext, cast: Cast) -> None:
    page = context.new_page()
    for address in ("/", reverse("account_login"), reverse("club", args=[cast.club.slug])):
        page.goto(address)
        assert page.locator(".masthead").evaluate("part => part.offsetHeight") <= A_BAR
        menu(page, "Menu").click()
        expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
        look_by_day_and_night(page)


def test_a_wide_screen_lays_the_menu_out(page: Page, cast: Cast) -> None:
    page.set_viewport_size({"width": WIDE, "height": 800})
    page.goto(reverse("members", args=["riverside"]))
    expect(menu(page, "Menu")).to_be_hidden()
    for link_name in ("Home", "Messages", "Settings of the club"):
        expect(page.locator(".masthead").get_by_role("link", name=link_name)).to_be_visible()
    look_by_day_and_night(page)
    assert list(out_of_reach(page)) == []


def test_a_menu_closes_by_escape_and_by_a_press_elsewhere(page: Page, cast: Cast) -> None:
    page.goto(reverse("members", args=["riverside"]))
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


def test_signing_out_is_in_the_menu(page: Page, cast: Cast) -> None:
    page.goto(reverse("members", args=["riverside"]))
    menu(page, str(cast.secretary)).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()


def with_letters(page: Page, letters: str) -> None:
    """Choose how large the letters are, as under “Display settings”."""
    page.goto(reverse("club", args=["riverside"]))
    page.context.add_cookies([{"name": "looks", "value": letters, "url": page.url}])


@pytest.mark.parametrize("letters", ["", "letters-largest"])
def test_a_long_club_name_keeps_clear_of_the_edges(page: Page, cast: Cast, letters: str) -> None:
    cast.club.name = "The Royal Leamington Spa and District Mah-Jong Club"
    cast.club.save()
    page.set_viewport_size({"width": 360, "height": 780})
    with_letters(page, letters)
    page.goto(reverse("club", args=["riverside"]))
    name, bar = (page.locator(part).bounding_box() for part in (".brand__name", ".masthead"))
    assert name
    assert bar
    space_above = name["y"] - bar["y"]
    space_below = bar["y"] + bar["height"] - name["y"] - name["height"]
    assert min(space_above, space_below) >= 5


LABELS = """charts => charts.map(chart => {
  const box = part => part.getBoundingClientRect();
  const words = [...chart.querySelectorAll(".chart__words")].map(box);
  const lines = [...chart.querySelectorAll("polyline")].map(box);
  const meet = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  return words.some((one, at) => [...words.slice(at + 1), ...lines].some(part => meet(one, part)));
})"""


@pytest.mark.parametrize("letters", ["", "letters-largest"])
@pytest.mark.parametrize("evenings_played", [2, 3, 12])
def test_no_label_of_a_chart_lies_over_another_or_a_line(
    page: Page, cast: Cast, letters: str, evenings_played: int
) -> None:
    make_season(cast.club)
    players = make_players(cast.club, 4)
    for weeks in range(evenings_played):
        session = night(cast.club, DAY - timedelta(weeks=weeks), players)
        post(session.tables.get(), *[SECOND_WINS] * (weeks % 3 + 1))
    page.set_viewport_size({"width": 360, "height": 780})
    with_letters(page, letters)
    page.goto(reverse("player", args=["riverside", players[0].pk]))
    assert set(page.locator(".chart").evaluate_all(LABELS)) == {False}


@pytest.mark.parametrize("name", ["messages-write", "member-add", "season-add", "tournament-add"])
def test_typed_words_outlast_reload_and_back(page: Page, name: str) -> None:
    """They are of this tab only, and go when their reader signs out."""
    url_args = ["message"] if name == "messages-write" else []
    page.goto(reverse(name, args=["riverside", *url_args]))
    textbox = page.locator("form[data-typed]").get_by_role("textbox").first
    textbox.fill("Bring biscuits")
    page.reload()
    expect(textbox).to_have_value("Bring biscuits")
    page.goto(reverse("club", args=["riverside"]))
    page.go_back()
    expect(textbox).to_have_value("Bring biscuits")
    assert "Bring biscuits" in page.evaluate("sessionStorage['typed words']")
    leaving = """document.querySelector("form[action$='/logout/']").requestSubmit()"""
    with page.expect_navigation():
        page.evaluate(leaving)
    assert page.evaluate("sessionStorage['typed words']") is None


def test_a_previewed_correction_outlasts_reload(page: Page, played_evening: Session) -> None:
    hand = Hand.objects.get()
    page.goto(of_evening(played_evening, "evening-hand", 1, hand.pk))
    page.locator("#id_reason").fill("The sheet says 80")
    page.locator("#id_score_2").fill("80")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    page.reload()
    expect(page.locator("#id_score_2")).to_have_value("80")
    expect(page.locator("#id_reason")).to_have_value("The sheet says 80")
