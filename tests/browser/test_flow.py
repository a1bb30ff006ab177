"""A hand entered and agreed on one phone: how many touches it takes, and that nothing scrolls.

``pytest -s`` prints the figures. Every screen fits the window of a small phone and of a usual one.
"""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, ViewportSize, expect

from clubs.evenings.services import ending
from clubs.models import SessionTable
from scoring.scorebook.models import Game, Hand, HandState
from tests.browser.conftest import PHONE, OpenBrowser
from tests.browser.reading import faults, look_by_day_and_night, scroll_to, small_targets
from tests.browser.test_tiles import Finger
from tests.clubs.nights import SECOND_WINS, post
from tests.tournaments import cups
from tournaments.steps import services as rounds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALL = ViewportSize(width=320, height=568)
IN_A_BROWSER = ViewportSize(width=390, height=664)  # what a browser's bars leave of a phone
SIZES = [
    pytest.param(SMALL, id="320"),
    pytest.param(IN_A_BROWSER, id="bars"),
    pytest.param(PHONE, id="390"),
]
MOST_TOUCHES, MOST_TO_AGREE, MOST_FOR_TILES, MOST_FOR_A_DRAW = 12, 5, 20, 3
WATCH_SCROLLS = """
  window.scrolls = 0;
  addEventListener("scroll", () => { window.scrolls += 1; }, true);
"""
OUTSIDE = """() => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.closest(".hidden-text, .skip, .error-summary--beside"))
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.top < -1 || box.bottom > innerHeight + 1))
  .map(([one]) => (one.textContent || one.name).trim())"""

SAID = ".flow-head__say:visible, [data-active] .field__error:visible"


class Thumb:
    """Whoever holds the phone: every touch is counted but those on digits."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.touches, self.scrolls = page, 0, 0
        page.add_init_script(WATCH_SCROLLS)
        page.goto(address)

    def touch(self, target: Locator) -> None:
        self.scrolls += scroll_to(target)
        target.click()
        self.touches += 1

    def tap(self, *taps: str) -> None:
        """Keys and answers of the tile builder."""
        for tap in taps:
            tile = self.page.locator(f'button[name=tap][value="{tap}"]:not(:disabled)')
            self.touch(tile.locator("visible=true").first)

    def add(self, kind: str, tile: str) -> None:
        """A whole pung, kong, chow or pair by one tile."""
        self.touch(self.page.locator(f'label:has([name="add"][value="{kind}"])'))
        self.tap(tile)

    def press(self, *names: str) -> None:
        for name in names:
            self.touch(self.page.get_by_role("button", name=name))

    def choose(self, winner: int) -> None:
        self.touch(self.page.locator("label.seat").nth(winner))

    def type(self, *figures: int) -> None:
        """Each figure by the keys of the pad, and on to the next row."""
        for offset_from_last, figure in enumerate(figures, start=1 - len(figures)):
            for digit in str(figure):
                self.page.locator(f'[data-key="{digit}"]').click()
            if offset_from_last:
                self.touch(self.page.get_by_role("button", name="Next", exact=True))

    def sees(self, heading: str) -> None:
        """The screen has come, all of it: nothing to be touched lies outside the window."""
        expect(self.page.get_by_role("heading", name=heading).first).to_be_visible()
        self.page.wait_for_load_state()
        assert self.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        assert self.page.evaluate(OUTSIDE) == []
        assert self.page.evaluate("window.scrolls") == 0


@pytest.fixture
def thumb(table: SessionTable, open_browser: OpenBrowser) -> Callable[[ViewportSize], Thumb]:
    def holding(size: ViewportSize) -> Thumb:
        context = open_browser(viewport=size, reduced_motion="reduce", has_touch=True)
        return Thumb(context.new_page(), reverse("table", args=[table.link_key]))

    return holding


@pytest.mark.parametrize("size", SIZES)
def test_four_totals_are_entered_and_agreed_without_a_scroll(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize
) -> None:
    phone = thumb(size)
    phone.sees("Hand 1: who went Mah-Jong?")
    phone.choose(1)
    phone.sees("What did each hand score?")
    phone.type(20, 60, 8, 4)
    phone.sees("What did each hand score?")
    phone.press("Check hand 1")
    phone.sees("Check this hand")
    phone.press("Save")
    phone.sees("Hand 1 is saved.")
    entry_touches = phone.touches
    for name in ("Margaret", "Dilip", "Zoë", "Ngaio"):
        phone.press(f"{name} agrees")
        expect(phone.page.get_by_role("button", name=f"{name} agrees")).to_have_count(0)
    phone.sees("Hand 2: who went Mah-Jong?")
    expect(phone.page.get_by_text("Hand 1: Agreed by the table.")).to_be_visible()
    agreement_touches = phone.touches - entry_touches
    print(
        f"\n{size['width']} px: four totals {entry_touches} touches, four agree "
        f"{agreement_touches} more, 0 scrolls"
    )
    assert (entry_touches <= MOST_TOUCHES, agreement_touches <= MOST_TO_AGREE) == (True, True)
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert Hand.objects.get().state == HandState.AGREED


@pytest.mark.parametrize("size", SIZES)
def test_a_drawn_hand_is_saved_by_two_touches(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize
) -> None:
    phone = thumb(size)
    phone.press("Nobody (drawn hand)")
    phone.sees("Check this hand")
    phone.press("Save")
    phone.sees("Hand 1 is saved.")
    print(f"\n{size['width']} px: a drawn hand {phone.touches} touches, 0 scrolls")
    assert phone.touches <= MOST_FOR_A_DRAW
    phone.press("Enter hand 2")
    phone.sees("Hand 2: who went Mah-Jong?")


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_of_tiles_takes_few_touches(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize
) -> None:
    phone = thumb(size)
    phone.choose(1)
    phone.touch(phone.page.locator(".entry__row").nth(1).get_by_role("button", name="Tap the"))
    sets = (("pung", "B1"), ("chow", "B4"), ("pair", "O2"), ("pung", "WE"), ("kong", "DR"))
    for kind, tile in sets:
        phone.add(kind, tile)
    phone.press("Next")
    phone.tap("expose:B111")
    phone.press("Next")
    phone.tap("way:discard", "last:O2")
    Finger(phone.page).is_kept()
    expect(phone.page.locator(".dock__total b")).not_to_have_text("–")
    phone.touch(phone.page.locator(".dock__done"))
    phone.press("Check hand 1", "Save")
    expect(phone.page.get_by_text("Hand 1 saved.")).to_be_visible()
    counts = f"{phone.touches} touches, {phone.scrolls} scrolls"
    print(f"\n{size['width']} px: a hand of tiles {counts}")
    assert phone.touches <= MOST_FOR_TILES
    assert phone.scrolls <= 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rules", ["tallies/1", "baggaley/2007", "english/2", "safalra/1"])
def test_every_kind_of_rules_fits_on_its_screens(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize, rules: str
) -> None:
    Game.objects.update(rules=rules)
    phone = thumb(size)
    phone.sees("Hand 1: who went Mah-Jong?")
    phone.choose(1)
    if phone.page.locator(".deal__last").count():
        phone.sees("Who")
        assert faults(phone.page) == []
        phone.touch(phone.page.locator("label.choice--3"))
    phone.sees("score")
    assert faults(phone.page) == []
    assert small_targets(phone.page, 48) == []


def test_back_leads_screen_by_screen_and_loses_nothing(
    thumb: Callable[[ViewportSize], Thumb],
) -> None:
    phone = thumb(PHONE)
    phone.choose(2)
    phone.type(20, 8, 60, 4)
    phone.page.go_back()
    expect(phone.page.get_by_role("heading", name="Hand 1: who")).to_be_focused()
    expect(phone.page.locator("label.seat input").nth(2)).to_be_checked()
    phone.page.go_forward()
    figures = phone.page.locator(".entry input")
    assert [figure.input_value() for figure in figures.all()] == ["20", "8", "60", "4"]
    phone.press("Check hand 1")
    phone.sees("Check this hand")
    phone.page.go_back()
    expect(figures.nth(2)).to_be_visible()
    assert [figure.input_value() for figure in figures.all()] == ["20", "8", "60", "4"]


def test_a_keyboard_does_all_that_a_thumb_does(thumb: Callable[[ViewportSize], Thumb]) -> None:
    page = thumb(PHONE).page
    page.locator("label.seat input").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name="Hand 1: who")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".entry input").first).to_be_focused()
    for figure in ("20", "60", "8", "4"):
        page.keyboard.type(figure)
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Hand 1 saved.")).to_be_visible()


def test_the_pad_erases_and_owes(thumb: Callable[[ViewportSize], Thumb]) -> None:
    phone = thumb(PHONE)
    phone.choose(0)
    phone.type(648)
    phone.page.get_by_role("button", name="Delete", exact=True).click()
    expect(phone.page.locator("[data-active] input[type=text]")).to_have_value("64")
    expect(phone.page.get_by_role("button", name="Change sign")).to_have_count(0)
    phone.touch(phone.page.locator(".deal__other > summary"))
    phone.press("Counted sticks")
    phone.type(50)
    phone.page.get_by_role("button", name="Change sign").click()
    expect(phone.page.locator("[data-active] input[type=text]")).to_have_value("-50")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("figures", [(37, 60, 8, 4), (1, 3, 5, 7), (999999,)])
def test_figures_that_are_refused_are_put_right_without_a_scroll(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize, figures: tuple[int, ...]
) -> None:
    phone = thumb(size)
    phone.choose(0)
    phone.type(*figures)
    phone.press("Check hand 1")
    wrong = phone.page.locator(".entry [aria-invalid=true]")
    expect(wrong.first).to_be_focused()
    for figure in wrong.all():
        figure.focus()
        phone.sees("What did each hand score?")
        says = "is over the limit" if figures == (999999,) else "cannot be scored"
        expect(phone.page.locator(SAID)).to_contain_text(f"{figure.input_value()} {says}")
        assert small_targets(phone.page, 48) == []
    look_by_day_and_night(phone.page)
    if len(wrong.all()) == 1:
        phone.touch(phone.page.locator(".guesses__one").first)
        phone.sees("Check this hand")


@pytest.mark.parametrize("size", SIZES)
def test_a_winner_without_a_score_is_put_right_without_a_scroll(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize
) -> None:
    phone = thumb(size)
    phone.choose(3)
    phone.page.locator(".entry input").first.fill("8")
    for _ in range(3):
        phone.press("Next")
    phone.press("Check hand 1")
    expect(phone.page.locator(SAID)).to_contain_text("scored for the Mah-Jong.")
    phone.sees("What did each hand score?")


@pytest.mark.parametrize("size", SIZES)
def test_scores_beside_tapped_tiles_need_no_scroll(
    thumb: Callable[[ViewportSize], Thumb], size: ViewportSize
) -> None:
    phone = thumb(size)
    phone.choose(1)
    for row, tile in enumerate(("B1", "B2", "B3", "B4")):
        phone.page.locator(".entry__row").nth(row).locator(".tapped__open").click()
        phone.add("pung", tile)
        Finger(phone.page).is_kept()
        phone.page.locator("a.flow-head__back").click()
        expect(phone.page.locator(".tapped__state")).to_have_count(row + 1)
    for row in range(4):
        phone.page.locator(".entry input").nth(row).focus()
        phone.sees("What did each hand score?")
    expect(phone.page.get_by_text("from the tiles")).to_have_count(3)
    assert small_targets(phone.page, 48) == []
    look_by_day_and_night(phone.page)
    phone.page.locator(".entry input").nth(1).fill("64")
    phone.press("Check hand 1")
    expect(phone.page.get_by_role("button", name="Keep 64 and clear the tiles")).to_be_visible()
    phone.sees("What did each hand score?")


@pytest.mark.parametrize("winner", [0, 1, 3])
def test_next_leaves_out_the_seat_that_was_counted_by_tiles(
    thumb: Callable[[ViewportSize], Thumb], winner: int
) -> None:
    phone = thumb(PHONE)
    phone.choose(winner)
    rows = phone.page.locator(".entry__row")
    rows.nth(winner).locator(".tapped__open").click()
    phone.add("pung", "B1")
    Finger(phone.page).is_kept()
    phone.page.locator("a.flow-head__back").click()
    expect(phone.page.locator(".tapped__state")).to_have_count(1)
    phone.type(8, 16, 4)
    input_values = [figure.input_value() for figure in phone.page.locator(".entry input").all()]
    expected = ["8", "16", "4"]
    expected.insert(winner, "")
    assert input_values == expected
    expect(phone.page.get_by_role("button", name="Check hand 1")).to_be_visible()


@pytest.mark.parametrize("winner", range(4))
def test_the_scores_say_who_went_mah_jong(
    thumb: Callable[[ViewportSize], Thumb], winner: int
) -> None:
    phone = thumb(PHONE)
    phone.choose(winner)
    winner_marks = [row.get_by_text("Mah-Jong") for row in phone.page.locator(".entry__row").all()]
    expect(winner_marks[winner]).to_be_visible()
    assert [mark.is_visible() for mark in winner_marks] == [seat == winner for seat in range(4)]
    assert "Mah-Jong" in phone.page.locator(".entry").aria_snapshot()


@pytest.mark.parametrize("size", SIZES)
def test_scores_offline_after_the_bell_need_no_scroll(
    thumb: Callable[[ViewportSize], Thumb], table: SessionTable, size: ViewportSize
) -> None:
    cup = cups.seated_cup(hands=None, minutes_a_round=60, club=table.session.club)
    rounds.ring_bell(tournament=cups.fresh(cup))
    phone = thumb(size)
    phone.page.goto(reverse("round-table", args=[cups.tables(cup)[0].link_key]))
    phone.page.locator("[data-net][data-knows][data-put-away]").wait_for()
    phone.choose(1)
    phone.sees("What did each hand score?")
    phone.page.context.set_offline(True)
    head = phone.page.locator(".phone-head")
    expect(head).to_contain_text("OFFLINE")
    phone.sees("What did each hand score?")
    phone.page.reload()
    expect(head).to_contain_text("as of")
    expect(head).to_contain_text("The bell has rung")
    phone.sees("What did each hand score?")


@pytest.mark.parametrize("size", SIZES)
def test_a_disputed_hand_shows_the_ways_on(
    thumb: Callable[[ViewportSize], Thumb], table: SessionTable, size: ViewportSize
) -> None:
    [hand] = post(table, SECOND_WINS)
    phone = thumb(size)
    phone.page.goto(reverse("table-dispute", args=[table.link_key, hand.pk]))
    for name in ("Zoë", "Margaret"):
        phone.page.locator("main label", has_text=name).first.click()
        assert not scroll_to(phone.page.get_by_role("button", name="Tell the scorer"))
        phone.page.get_by_role("button", name="Tell the scorer").click()
        expect(phone.page.get_by_text(f"{name} reported a problem.")).to_be_visible()
        phone.page.wait_for_load_state()
        if name == "Zoë":
            assert not scroll_to(phone.page.get_by_role("button", name="All agree"))
        assert not scroll_to(phone.page.get_by_role("button", name="Enter hand 2"))
        look_by_day_and_night(phone.page)
        phone.page.goto(reverse("table-dispute", args=[table.link_key, hand.pk]))


@pytest.mark.parametrize("size", SIZES)
def test_when_all_is_played_the_next_step_and_the_totals_come_first(
    thumb: Callable[[ViewportSize], Thumb], table: SessionTable, size: ViewportSize
) -> None:
    cup = cups.seated_cup(hands=1, rounds=2, club=table.session.club)
    cup_table = cups.tables(cup)[0]
    cups.send_hand(cup_table, report=cups.SECOND_WINS)
    phone = thumb(size)
    phone.page.goto(reverse("round-table", args=[cup_table.link_key]))
    agree = phone.page.get_by_role("button", name="All agree")
    total = phone.page.get_by_role("cell", name="+240")
    assert not scroll_to(agree)
    agree.click()
    assert not scroll_to(total)
    rounds.close_round(tournament=cups.fresh(cup))
    phone.page.reload()
    assert not scroll_to(phone.page.get_by_role("link", name="Find my next table"))
    assert not scroll_to(phone.page.locator(".totals tr").last)
    look_by_day_and_night(phone.page)
    ending.close_session(session=table.session)
    phone.page.goto(reverse("table", args=[table.link_key]))
    assert not scroll_to(phone.page.get_by_text("This evening is finished."))
    assert not scroll_to(phone.page.locator(".totals tr").last)
