"""The guide for a player, step by step: one phone at table 3 of the sample club."""

from django.urls import reverse
from playwright.sync_api import Page

from clubs.models import SessionState, SessionTable
from clubs.table.services import replace_link
from tests.browser.guided import Walk, step

SCORES = ("20", "60", "8", "4")


def table() -> SessionTable:
    """The table that is played at."""
    return SessionTable.objects.get(session__state=SessionState.PLAYING, number=3)


def tell(page: Page) -> None:
    """The second seat won, everyone's score is typed."""
    page.locator("label.seat").nth(1).click()
    for field, score in zip(page.locator(".entry input").all(), SCORES, strict=True):
        field.fill(score)


@step("player", "Open your table")
def open_the_table(walk: Walk) -> None:
    walk.go(reverse("table", args=[table().link_key]))
    walk.picture("phone-table", walk.page.locator("form.deal"))


@step("player", "Enter a hand")
def enter(walk: Walk) -> None:
    tell(walk.page)
    walk.press("Check hand")
    walk.expect("Check this hand")
    walk.picture("phone-check", walk.page.locator("h1"))
    walk.press("Save")
    walk.expect("saved.")


@step("player", "Agree")
def agree(walk: Walk) -> None:
    walk.picture("phone-agree", walk.page.get_by_role("button", name="All agree"))
    walk.press("Use your own phones")
    walk.press("Back to the table")
    walk.press("All agree")
    walk.expect("agreed by the table.")


@step("player", "Find out what a hand is worth")
def ask(walk: Walk) -> None:
    walk.press("Tiles")
    walk.go(reverse("table", args=[table().link_key]))
    walk.press("What is this tile?")
    walk.go(reverse("table", args=[table().link_key]))
    walk.press("Live standings")
    walk.go(reverse("table", args=[table().link_key]))


@step("player", "Correct a hand")
def correct(walk: Walk) -> None:
    tell(walk.page)
    walk.press("Check hand")
    walk.press("Save")
    walk.expect("saved.")
    walk.press("Report a problem")
    walk.picture("phone-not-right")
    walk.press("Cancel")
    walk.press("Undo hand")
    walk.expect("Undo hand")
    walk.press("Undo hand")
    walk.expect("was undone")


@step("player", "If you are offline")
def without_a_network(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("table", args=[table().link_key]))
    page.locator("[data-net][data-knows][data-put-away]").wait_for()
    page.context.set_offline(True)
    walk.expect("SAVED ON THIS PHONE")
    tell(page)
    page.get_by_role("button", name="Check hand").click()
    page.get_by_role("button", name="on this phone").wait_for()
    walk.press("Save hand")
    walk.expect("the last at")
    walk.picture("phone-kept", page.locator("[data-net]"))
    page.context.set_offline(False)
    walk.expect("ONLINE")


@step("player", "If something goes wrong")
def scan_an_old_card(walk: Walk) -> None:
    old = table()
    replace_link(table=old, club=old.session.club)
    walk.go(reverse("table", args=[old.link_key]))


@step("player", "Make the text larger")
def enlarge(walk: Walk) -> None:
    walk.press("Display settings")
