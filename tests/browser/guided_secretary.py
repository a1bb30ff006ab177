"""The guide for a secretary, step by step: an evening of the sample club."""

from datetime import date, timedelta

from django.urls import reverse
from playwright.sync_api import expect

from clubs.models import Club, Session, SessionState
from tests.browser.guided import Walk, step
from tests.browser.guided_player import tell
from tests.browser.tour import PASSWORD

SLUG = "riverside"
HERE = 9


def tonight() -> Session:
    """The evening of the sample club that is half played."""
    held: date = Club.objects.get(slug=SLUG).sessions.earliest("held_on").held_on
    return Session.objects.filter(state=SessionState.PLAYING, held_on__gte=held).earliest("held_on")


def evening() -> str:
    return reverse("evening", args=[SLUG, tonight().pk])


def at_table(number: int) -> str:
    return reverse("evening-table", args=[SLUG, tonight().pk, number])


def sign_in(walk: Walk, email: str) -> None:
    walk.go("/")
    walk.press("Sign in")
    walk.page.get_by_label("Email").fill(email)
    walk.page.get_by_label("Password", exact=True).fill(PASSWORD)
    walk.page.locator("main").get_by_role("button", name="Sign in").click()
    walk.expect("Home")


@step("secretary", "Before you start")
def practise(walk: Walk) -> None:
    sign_in(walk, "secretary@example.org")
    walk.press("Settings")
    walk.press("Start a practice evening")
    walk.press("To the evening")
    walk.press("Seat 1 people")
    walk.press("Enter hands")
    tell(walk.page)
    walk.press("Check hand")
    walk.press("Save")
    walk.press("Things to try")
    walk.press("Play the next hands")
    walk.press("Finish evening")
    walk.expect("This evening is finished.")
    walk.go(reverse("club", args=[SLUG]))


@step("secretary", "Set up your club")
def set_up(walk: Walk) -> None:
    walk.press("Members")
    walk.picture("members")
    walk.press("Import members")
    walk.press("League")
    walk.press("New season")


@step("secretary", "Check people in")
def tick(walk: Walk) -> None:
    page = walk.page
    walk.press("Evenings")
    tomorrow = tonight().held_on + timedelta(days=1)
    page.get_by_label("Date of the evening").fill(tomorrow.isoformat())
    walk.press("Create evening")
    for number in range(HERE):
        page.locator("#door .tick").nth(number).click()
        expect(page.locator("#door .tick[aria-pressed=true]")).to_have_count(number + 1)
    walk.picture("door", page.locator("#who"))
    page.get_by_label("guest").fill("Wei-Ling Zhang")
    walk.press("Add guest")
    walk.press("Seat 1 people")
    walk.expect("Table 2")


@step("secretary", "Put out the table cards")
def lay_the_tables(walk: Walk) -> None:
    walk.picture("tables", walk.page.get_by_role("navigation", name="Print for the tables"))


@step("secretary", "While they play")
def watch(walk: Walk) -> None:
    walk.go(evening())
    walk.picture("waits", walk.page.locator("#disputes"))
    walk.press("Review hand")
    walk.page.get_by_label("Reason for keeping it").fill("So it is on the paper sheet")
    walk.press("Keep as entered")
    walk.go(evening())
    walk.press("Late arrivals and departures")
    walk.go(evening())
    walk.press("Enter hands")


@step("secretary", "Correct a hand")
def correct(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands")
    walk.press("Correct hand")
    walk.page.locator("label.choice").first.click()
    walk.page.get_by_label("Reason for the change").fill("East went Mah-Jong")
    walk.press("Preview changes")


@step("secretary", "Replace a lost table card")
def replace_the_card(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands")
    walk.press("Replace table card")
    walk.press("Replace card")
    walk.expect("New table card")
    walk.picture("new-card", walk.page.locator("h1"))


@step("secretary", "Finish the evening")
def finish(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Finish evening")
    walk.expect("This evening is finished.")
    walk.press("League")
    walk.press("Tuesday league")
    walk.picture("league", walk.page.locator("h1"))
    walk.press("Messages")


@step("secretary", "If something goes wrong")
def help_oneself(walk: Walk) -> None:
    fresh = Session.objects.filter(state=SessionState.PLAYING).latest("held_on")
    walk.go(reverse("evening", args=[SLUG, fresh.pk]))
    walk.press("Print")
    walk.press("Settings")
    walk.press("Privacy and data")
    walk.press("Your account")
