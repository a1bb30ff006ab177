"""The list of members as a secretary puts it in order: read in, taken back, two made one."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Player, Role
from tests.people import PASSWORD, make_club, make_player, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = """name,email,phone
Margaret Ashworth,,01225 22
Margret Ashworth,,
Zoë Łukasiewicz,zoe@example.org,
"""


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_user(club, "Alice", Role.SECRETARY)
    make_player(club, "Margaret Ashworth")
    return club


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer, club: Club) -> Page:
    """The secretary's phone, signed in."""
    page = context.new_page()
    page.goto(f"{live_server.url}{reverse('account_login')}")
    page.get_by_label("Email").fill("alice@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Help and account").get_by_text("Account of")).to_be_attached()
    page.goto(f"{live_server.url}{reverse('members', args=[club.slug])}")
    return page


def read_in(page: Page) -> None:
    """A file with one who is known, one who is in doubt and one who is new."""
    page.get_by_role("link", name="Import members").click()
    file = FilePayload(name="members.csv", mimeType="text/csv", buffer=LIST.encode())
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Check the list").click()
    expect(page.get_by_role("heading", name="Who is this? (1)")).to_be_visible()


def test_a_list_is_looked_at_stored_and_taken_back(page: Page, club: Club) -> None:
    read_in(page)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("choose who Margret Ashworth is").first).to_be_visible()
    page.get_by_label("New person").first.check()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 people are new on the list, 1 changed.")).to_be_visible()
    assert club.players.filter(name="Zoë Łukasiewicz", email="zoe@example.org").exists()
    page.get_by_role("link", name="Import members").click()
    page.get_by_role("button", name="Undo import").click()
    expect(page.get_by_text("Everyone is as they were before.")).to_be_visible()
    others = club.players.exclude(name="Alice")
    assert [(one.name, one.phone) for one in others] == [("Margaret Ashworth", "")]


def test_two_records_are_made_one_and_two_again(page: Page, club: Club) -> None:
    twin = make_player(club, "Margret Ashworth")
    page.reload()
    page.get_by_role("link", name="possible duplicate").first.click()
    page.get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="Merge").click()
    expect(page.get_by_text("have been merged.")).to_be_visible()
    assert not Player.objects.get(pk=twin.pk).is_active
    page.goto(page.url.split("/members/")[0] + "/members/duplicates/")
    page.get_by_role("button", name="Undo merge").click()
    expect(page.get_by_text("are separate records again.")).to_be_visible()
    assert Player.objects.get(pk=twin.pk).is_active
