"""The first page, a club's own first page, and what of it everybody may see."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import travel

from clubs.evenings.services import ending, evenings
from clubs.house.services import start_rehearsal
from clubs.models import AuditEntry, Club, Membership, Role, Session, User
from clubs.tenancy import club_scope
from scoring import rule_set, rule_set_keys, sheet
from tests.api import api_client, patch
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.visits import Visitor, actions
from tests.clubs.year import make_series
from tests.people import PASSWORD, Cast, make_cast, make_club

CLUB = "/c/riverside/"
TUESDAY = date(2026, 11, 17)


def test_a_stranger_reads_what_this_is(cast: Cast, client: Client) -> None:
    page = client.get("/")
    assert [used.name for used in page.templates][:1] == ["clubs/house/welcome.html"]
    assert reverse("account_login") in page.content.decode()


@pytest.mark.usefixtures("db")
def test_the_front_page_of_an_installation_with_one_club_is_that_club(settings: Any) -> None:
    make_club()
    page = Client().get("/", follow=True)
    assert page.redirect_chain[0] == (CLUB, 302)
    assert page.redirect_chain[-1][0] == f"/accounts/login/?next={CLUB}"  # nothing is public yet
    Club.objects.update(shows_results=True)
    assert Client().get("/", follow=True).redirect_chain == [(CLUB, 302)]
    settings.FOUNDING = "open"  # here others come to start theirs
    assert Client().get("/").status_code == 200


def test_somebody_of_one_club_goes_straight_there(cast: Cast) -> None:
    assert Visitor(cast.player).get("/").headers["Location"] == CLUB


def test_somebody_of_two_clubs_chooses(cast: Cast) -> None:
    Membership.objects.create(club=cast.club, user=cast.stranger, role=Role.PLAYER)
    names = [club.name for club in Visitor(cast.stranger).get("/").context["clubs"]]
    assert names == ["Hill Top Tiles", "Riverside Mah-Jong Club"]


def test_somebody_of_no_club_is_told_what_to_do(db: None) -> None:
    user = User.objects.create_user("new@example.org", PASSWORD, name="New")
    assert "You are not in a club yet" in Visitor(user).read("/")


@travel(TUESDAY)
def test_a_club_without_anything_says_what_to_do_first(cast: Cast, alice: Visitor) -> None:
    cast.club.players.update(is_active=False)
    page = alice.get(CLUB)
    assert actions(page) == ["evenings"]
    for name in ("members-import", "season-add"):
        assert reverse(name, args=["riverside"]) in page.content.decode()
    assert actions(Visitor(cast.player).get(CLUB)) == []


@travel(TUESDAY)
def test_todays_evening_is_the_big_thing(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    evenings.open_session(club=cast.club, held_on=date(2026, 12, 8))
    session = night(cast.club, TUESDAY, players)
    post(session.tables.get(), SECOND_WINS)
    page = Visitor(cast.player).get(CLUB)
    tonight, text = page.context["front"].evening, " ".join(page.content.decode().split())
    assert (tonight.pk, tonight.best, tonight.points) == (session.pk, ("Ben",), 240)
    assert "1 table is being played. Ben leads with +240." in text
    assert re.search(r"<h1[^>]*>Today</h1>", text)


@travel("2026-11-15T10:00Z")
def test_an_evening_played_before_its_day_is_now_playing(cast: Cast) -> None:
    player, players = Visitor(cast.player), make_players(cast.club, 4)
    evenings.open_session(club=cast.club, held_on=date(2026, 12, 8))
    assert "Next evening" in player.read(CLUB)
    night(cast.club, TUESDAY, players)
    page = player.read(CLUB)
    assert "Now playing" in page
    assert "Next evening" not in page


@travel(TUESDAY)
def test_who_leads_the_league_stands_on_the_first_page(cast: Cast) -> None:
    season = make_season(cast.club)
    session = night(cast.club, date(2026, 11, 10), make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    ending.close_session(session=session)
    front = Visitor(cast.player).get(CLUB).context["front"]
    assert (front.season, front.evening, front.last.held_on) == (season, None, date(2026, 11, 10))
    leaders = [(row.place, row.name) for row in front.leaders]
    assert leaders == [(1, "Ben"), (2, "Ann"), (3, "Cy"), (4, "Di")]


@pytest.mark.parametrize("key", [*rule_set_keys(), "bmja/2008"])
def test_the_rules_page_is_the_sheet(db: None, client: Client, key: str) -> None:
    page = client.get(f"/rules/{key}/")
    page_rows = [
        tuple(cell.text for cell in row.cells)
        for section in page.context["printed"].sections
        for row in section.rows
    ]
    sheet_sections = sheet.sections(rule_set(key))
    assert page_rows == [row for section in sheet_sections for row in section.rows]


PUBLIC = f"{CLUB}settings/public/"
TABS = {
    "shows_results": {"evenings", "tournaments"},
    "shows_league": {"season-now"},
    "shows_calendar": {"calendar"},
}
SWITCHES = tuple(TABS)


@pytest.fixture
def played_evening(db: None) -> Iterator[Cast]:
    """A club that has played one evening of its season and meets again next Tuesday."""
    with travel("2026-11-18 12:00+00:00", tick=False):
        cast = make_cast()
        with club_scope(cast.club.pk):
            make_season(cast.club)
            evening = night(cast.club, TUESDAY, make_players(cast.club, 4))
            post(evening.tables.get(), SECOND_WINS)
            Session.objects.update(state="closed")
            make_series(cast.club, last_on=date(2026, 12, 15))
            yield cast


def show(club: Club, *switches: str) -> None:
    Club.objects.filter(pk=club.pk).update(**{name: name in switches for name in SWITCHES})


def links(page: str) -> set[str]:
    names = ("evenings", "tournaments", "season-now", "calendar", "members")
    return {name for name in names if f'href="{reverse(name, args=["riverside"])}"' in page}


def test_the_secretary_opens_the_league_and_the_rest_stays_with_the_members(
    played_evening: Cast,
) -> None:
    alice, stranger = Visitor(played_evening.secretary), Client()
    assert stranger.get(CLUB).status_code == 302
    message = "Saved. This is what the public sees from now on."
    assert alice.messages_after(PUBLIC, shows_league="on") == [message]
    assert stranger.get(reverse("seasons", args=["riverside"])).status_code == 200
    assert stranger.get(reverse("evenings", args=["riverside"])).status_code == 302
    assert "Players appear with their full names, unless they chose" in alice.read(PUBLIC)
    alice.messages_after(PUBLIC)
    assert stranger.get(CLUB).status_code == 302
    entries = AuditEntry.objects.filter(what="club-public")
    assert [entry.made_by for entry in entries] == [played_evening.secretary] * 2


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_visitor_meets_only_links_that_open(played_evening: Cast, switch: str) -> None:
    show(played_evening.club, switch)
    visitor, visited_addresses, waiting = Client(), set(), {CLUB}
    while waiting:
        address = waiting.pop()
        visited_addresses.add(address)
        answer = visitor.get(address, follow=True)
        assert answer.status_code == 200, address
        if answer["Content-Type"].startswith("text/html"):
            page = answer.content.decode()
            parts = page.split('href="')[1:]
            page_links = {part.split('"')[0].split("?")[0].split("#")[0] for part in parts}
            waiting |= {link for link in page_links if link.startswith(CLUB)} - visited_addresses
    assert len(visited_addresses) > 1


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_front_page_shows_what_is_public(played_evening: Cast, switch: str) -> None:
    show(played_evening.club, switch)
    page = Client().get(CLUB).content.decode()
    assert links(page) == TABS[switch]
    assert ("Ben" in page) == (switch != "shows_calendar")
    assert ("The next evening is Tuesday 24 November" in page) == (switch == "shows_calendar")
    program = Client().get("/api/v1/clubs/riverside/").json()
    assert (program["last"] is not None) == (switch == "shows_results")
    assert (program["leaders"] != []) == (switch == "shows_league")


def test_members_see_everything_whatever_is_public(played_evening: Cast) -> None:
    assert links(Visitor(played_evening.player).read(CLUB)) == {"members"}.union(*TABS.values())


def test_a_program_opens_and_closes_parts_of_the_club(played_evening: Cast) -> None:
    address = "/api/v1/clubs/riverside/settings/public/"
    alice = api_client(played_evening.secretary)
    closed_switches = dict.fromkeys(SWITCHES, False)
    assert alice.get(address).json() == closed_switches
    assert patch(alice, address, shows_calendar=True).json() == {
        **closed_switches,
        "shows_calendar": True,
    }
    played_evening.club.refresh_from_db()
    assert (played_evening.club.shows_results, played_evening.club.shows_calendar) == (False, True)


def test_a_practice_evening_is_never_public(played_evening: Cast) -> None:
    copy = start_rehearsal(club=played_evening.club).club
    show(copy, *SWITCHES)
    assert Client().get(reverse("club", args=[copy.slug])).status_code == 302
