"""What a screen reader is given while a hand is entered and agreed: a text that people have read.

After a change of these pages, ``READER=write`` writes it again; read what git then shows.
"""

import os
from datetime import date
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from clubs.models import SessionTable
from tests.browser.telling import choose
from tests.clubs.nights import make_players, night
from tests.people import make_club

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REVIEWED = Path(__file__).with_suffix(".txt")


@pytest.fixture
def table() -> SessionTable:
    """Ann, Ben, Cy and Di, Ann as the first East."""
    club = make_club()
    return night(club, date(2026, 11, 17), make_players(club, 4)).tables.get()


def test_a_hand_is_entered_and_agreed_by_ear(context: BrowserContext, table: SessionTable) -> None:
    page = context.new_page()
    page.goto(reverse("table", args=[table.link_key]))
    transcript = transcribe_screens(page)
    if os.environ.get("READER") == "write":
        REVIEWED.write_text(transcript, "utf-8")
    assert transcript == REVIEWED.read_text("utf-8")


def transcribe_screens(page: Page) -> str:
    """The tree of each screen, in turn."""
    screens = {"Who went Mah-Jong?": screen(page, "Hand 1: who went Mah-Jong?")}
    choose(page, 1)
    screens["What did each hand score?"] = screen(page, "What did each hand score?")
    for figure, score in zip(page.locator(".entry input").all(), (20, 60, 8, 4), strict=True):
        figure.fill(str(score))
    page.get_by_role("button", name="Check hand 1").click()
    screens["Is this right?"] = screen(page, "Check this hand")
    page.get_by_role("button", name="Save").click()
    screens["Do you agree?"] = screen(page, "Hand 1 is saved.")
    page.get_by_role("button", name="All agree").click()
    screens["The next hand"] = screen(page, "Hand 2: who went Mah-Jong?")
    return "\n\n".join(f"# {name}\n\n{text}" for name, text in screens.items()) + "\n"


def screen(page: Page, heading: str) -> str:
    expect(page.get_by_role("heading", name=heading).first).to_be_visible()
    expect(page.locator("[data-net][data-knows][data-put-away]")).to_be_attached()
    tree = page.locator("body").aria_snapshot()
    return "\n".join(line for line in tree.splitlines() if "/url:" not in line)
