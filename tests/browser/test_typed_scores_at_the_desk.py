"""What an organiser types of a hand at the desk stays until it is saved, as on a table's phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.models import SessionTable
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.browser.conftest import SignIn
from tests.browser.telling import choose, type_scores
from tests.browser.test_typed_scores import FIGURES, GAINS, figures, notice
from tests.clubs.nights import post
from tests.clubs.tables import seated_evening
from tests.people import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """Four people at the one table of an evening."""
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def desk(table: SessionTable, cast: Cast, sign_in: SignIn) -> Page:
    """The page of that table for the secretary, with a hand typed."""
    page = sign_in(cast.secretary)
    page.goto(reverse("evening-table", args=[cast.club.slug, table.session_id, table.number]))
    choose(page, 1)
    type_scores(page, *FIGURES)
    return page


def expect_typed(desk: Page) -> None:
    expect(desk.locator("#id_score_2")).to_have_value("60")
    assert figures(desk) == FIGURES
    assert desk.locator("[name=winner]:checked").input_value() == "2"


def test_typed_scores_are_there_after_a_reload(desk: Page) -> None:
    desk.reload()
    expect_typed(desk)


def test_typed_scores_are_there_after_another_page_and_back(desk: Page) -> None:
    desk.get_by_role("link", name="Live standings").click()
    expect(desk.locator("form[data-entry]")).to_have_count(0)
    desk.go_back()
    expect_typed(desk)


def test_typed_scores_are_there_after_a_check_that_was_lost(desk: Page) -> None:
    address = desk.url
    desk.route(address, lambda route: route.abort(), times=1)
    desk.get_by_role("button", name="Check hand 1").click(no_wait_after=True)
    desk.wait_for_url("chrome-error://**")
    desk.goto(address)
    expect_typed(desk)


def test_a_saved_hand_leaves_nothing_at_the_desk(desk: Page) -> None:
    desk.get_by_role("button", name="Check hand 1").click()
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_role("button", name="Check hand 2")).to_be_attached()
    expect(notice(desk)).to_have_count(0)
    desk.reload()
    assert figures(desk) == ["", "", "", ""]
    assert [hand.gains for hand in Hand.objects.all()] == [GAINS]


def test_a_saved_hand_of_five_players_is_told_as_nobody_elses(cast: Cast, sign_in: SignIn) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    desk = sign_in(cast.secretary)
    desk.goto(reverse("evening-table", args=[cast.club.slug, table.session_id, table.number]))
    choose(desk, 1)
    type_scores(desk, *FIGURES)
    desk.get_by_role("button", name="Check hand 1").click()
    desk.get_by_role("button", name="Save", exact=True).click()
    expect(desk.get_by_role("button", name="Check hand 2")).to_be_attached()
    expect(notice(desk)).to_have_count(0)


def test_a_hand_that_the_table_saved_meanwhile_is_told_at_the_desk(
    desk: Page, table: SessionTable
) -> None:
    post(table, Report(winner=3, totals={1: 0, 2: 0, 3: 26, 4: 0}))
    desk.reload()
    expect(notice(desk)).to_contain_text("Hand 1 has been saved by someone else.")
    assert figures(desk) == ["", "", "", ""]
