"""The first page, a club's own first page, the rules."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import travel

from clubs.evenings.services import evenings
from clubs.models import Membership, Role, User
from scoring import rule_set, rule_set_keys, sheet
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.visits import Visitor, actions
from tests.people import PASSWORD, Cast

CLUB = "/c/riverside/"
TUESDAY = date(2026, 11, 17)


def test_a_stranger_reads_what_this_is(db: None, client: Client) -> None:
    page = client.get("/")
    assert [used.name for used in page.templates][:1] == ["clubs/house/welcome.html"]
    assert reverse("account_login") in page.content.decode()


def test_somebody_of_one_club_goes_straight_there(cast: Cast) -> None:
    assert Visitor(cast.player).get("/").headers["Location"] == CLUB


def test_somebody_of_two_clubs_chooses(cast: Cast) -> None:
    Membership.objects.create(club=cast.club, user=cast.stranger, role=Role.PLAYER)
    page = Visitor(cast.stranger).get("/")
    assert [club.name for club in page.context["clubs"]] == [
        "Hill Top Tiles",
        "Riverside Mah-Jong Club",
    ]


def test_somebody_of_no_club_is_told_what_to_do(db: None) -> None:
    user = User.objects.create_user("new@example.org", PASSWORD, name="New")
    assert "You are not in a club yet" in Visitor(user).get("/").content.decode()


@travel(TUESDAY)
def test_a_club_without_anything_says_what_to_do_first(cast: Cast) -> None:
    cast.club.players.update(is_active=False)
    alice = Visitor(cast.secretary)
    page = alice.get(CLUB)
    assert actions(page) == ["evenings"]
    for name in ("members-import", "season-add"):
        assert reverse(name, args=["riverside"]) in page.content.decode()
    assert actions(Visitor(cast.player).get(CLUB)) == []


@travel(TUESDAY)
def test_tonight_is_the_big_thing(cast: Cast) -> None:
    players = make_players(cast.club, 4)
    evenings.open_session(club=cast.club, held_on=date(2026, 12, 8))
    session = night(cast.club, TUESDAY, players)
    post(session.tables.get(), SECOND_WINS)
    page = Visitor(cast.player).get(CLUB)
    front = page.context["front"]
    assert (front.evening.pk, front.evening.best, front.evening.points) == (
        session.pk,
        ("Ben",),
        240,
    )
    assert "1 table is being played. Ben leads with +240." in " ".join(
        page.content.decode().split()
    )


@travel(TUESDAY)
def test_who_leads_the_league_stands_on_the_first_page(cast: Cast) -> None:
    season = make_season(cast.club)
    session = night(cast.club, date(2026, 11, 10), make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    evenings.close_session(session=session)
    front = Visitor(cast.player).get(CLUB).context["front"]
    assert (front.season, front.evening, front.last.held_on) == (season, None, date(2026, 11, 10))
    assert [(row.place, row.name) for row in front.leaders] == [
        (1, "Ben"),
        (2, "Ann"),
        (3, "Cy"),
        (4, "Di"),
    ]


@pytest.mark.parametrize("key", [*rule_set_keys(), "bmja/2008"])
def test_the_rules_page_is_the_sheet(db: None, client: Client, key: str) -> None:
    page = client.get(f"/rules/{key}/")
    shown = [
        tuple(cell.text for cell in row.cells)
        for section in page.context["printed"].sections
        for row in section.rows
    ]
    printed = sheet.sections(rule_set(key))
    assert shown == [row for section in printed for row in section.rows]
