"""The evening from the door to the league table, as a secretary and a table play it."""

import re
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from clubs.league.services import save_season
from clubs.models import Club, PlayerKind, Role, Session, SessionTable
from scoring.scorebook.models import Hand, LedgerEntry
from scoring.scorebook.verifying import recount
from tests.browser.conftest import FIVE_SECONDS, SignIn
from tests.browser.telling import tell
from tests.people import make_club, make_player, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MEMBERS = ("Margaret", "Dilip", "Zoë", "Ngaio", "Seán", "Agnes", "Harold")


@pytest.fixture
def club() -> Club:
    club = make_club()
    make_user(club, "Alice", Role.SECRETARY)
    for name in MEMBERS:
        make_player(club, name)
    today: date = timezone.localdate()
    save_season(
        club=club,
        season=None,
        name="This season",
        starts_on=today - timedelta(days=30),
        ends_on=today + timedelta(days=30),
    )
    return club


@pytest.fixture
def desk(sign_in: SignIn, club: Club) -> Page:
    """The secretary's computer."""
    return sign_in(club.memberships.get().user)


def seat_everybody(desk: Page, club: Club) -> Session:
    """Open tonight, tick all the members, add a guest, press the one button."""
    desk.goto(reverse("evenings", args=[club.slug]))
    desk.get_by_role("button", name="Create evening").click()
    for name in MEMBERS:
        desk.get_by_role("button", name=name).click()
        expect(desk.locator(".tick[aria-pressed=true]", has_text=name)).to_be_visible()
    desk.get_by_label("guest").fill("Wei-Ling")
    desk.get_by_role("button", name="Add").click()
    desk.get_by_role("button", name="Seat 8 people").click()
    expect(desk.get_by_role("heading", name="Table 2")).to_be_visible()
    return Session.objects.get(club=club)


def play(phone: Page, *scores: int, winner: int) -> None:
    """Enter a hand: the winner's place round the table (East is 0), the scores East first."""
    tell(phone, winner, *scores)
    phone.get_by_role("button", name="Check hand").click()
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text(re.compile(r"Hand \d saved\."))).to_be_visible()


def test_an_evening_from_the_door_to_the_league_table(
    desk: Page, context: BrowserContext, club: Club
) -> None:
    session = seat_everybody(desk, club)
    # The guest, whom the league leaves out, sits at the table that does not lead.
    guests = session.places.filter(player__kind=PlayerKind.GUEST).values_list("table", flat=True)
    tables = sorted(session.tables.all(), key=lambda table: table.pk not in guests)
    phones = [context.new_page() for _ in tables]
    for phone, table in zip(phones, tables, strict=True):
        phone.goto(reverse("table", args=[table.link_key]))
    play(phones[0], 20, 60, 8, 4, winner=1)
    expect(phones[0].get_by_role("main")).to_contain_text("went Mah-Jong with 60")
    play(phones[0], 1000, 16, 64, 400, winner=2)
    play(phones[1], 84, 0, 0, 0, winner=0)

    desk.goto(reverse("result", args=[club.slug, session.pk]))
    leader = desk.locator("tbody tr").first
    expect(leader).to_contain_text("+")
    leader_text = leader.inner_text()
    play(phones[1], 1000, 0, 0, 0, winner=0)
    expect(leader).not_to_have_text(leader_text, timeout=FIVE_SECONDS)
    expect(leader).to_contain_text("+6,504")

    desk.goto(reverse("evening", args=[club.slug, session.pk]))
    desk.get_by_role("button", name="Finish evening").click()
    expect(desk.get_by_role("heading", name="Finish this evening?")).to_be_visible()
    desk.get_by_role("button", name="Finish evening").click()
    expect(desk.get_by_role("heading", name="The evening is finished")).to_be_visible()
    waiting = phones[0].locator("[data-entry]")
    expect(waiting).to_have_count(0, timeout=2 * FIVE_SECONDS)

    season = reverse("season", args=[club.slug, session.season_id])
    desk.goto(season)
    expect(desk.locator("tbody tr").first).to_contain_text("+6,504")
    assert sum(LedgerEntry.objects.values_list("points", flat=True)) == 0
    assert recount().differences == ()


def test_the_organisers_enter_and_correct_at_the_desk(desk: Page, club: Club) -> None:
    session = seat_everybody(desk, club)
    table: SessionTable = session.tables.get(number=1)
    desk.goto(reverse("evening-table", args=[club.slug, session.pk, 1]))
    play(desk, 28, 60, 8, 4, winner=1)
    desk.get_by_role("link", name="Correct hand 1").click()
    desk.locator("label.choice").first.click()
    desk.get_by_label("Reason for the change").fill("East went Mah-Jong, not South")
    desk.get_by_role("button", name="Preview changes").click()
    expect(desk.get_by_text("No other hands change.")).to_be_visible()
    desk.get_by_role("button", name="Correct hand 1").click()
    expect(desk.get_by_role("main")).to_contain_text("East went Mah-Jong, not South")
    hands = Hand.objects.filter(game=table.game).order_by("pk")
    assert [(hand.winner, hand.is_current) for hand in hands] == [(2, False), (1, True)]
