"""What a club shows to people who are not signed in: results, league, calendar, each or none."""

from collections.abc import Iterator
from datetime import date

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from clubs.house.services import rehearse
from clubs.models import AuditEntry, Club, Session
from clubs.tenancy import within
from tests.api import api_client
from tests.clubs import nights
from tests.clubs.visits import Visitor
from tests.clubs.year import make_series
from tests.people import Cast, make_cast

SWITCHES = ("shows_results", "shows_league", "shows_calendar")
HOME, PUBLIC = "/c/riverside/", "/c/riverside/settings/public/"
TABS = {
    "shows_results": {"evenings", "tournaments"},
    "shows_league": {"seasons"},
    "shows_calendar": {"calendar"},
}


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    """A club that has played one evening of its season and meets again next Tuesday."""
    with time_machine.travel("2026-11-18 12:00+00:00", tick=False):
        cast = make_cast()
        with within(cast.club.pk):
            players = nights.make_players(cast.club, 4)
            nights.make_season(cast.club)
            evening = nights.night(cast.club, date(2026, 11, 17), players)
            nights.post(evening.tables.get(), nights.SECOND_WINS)
            Session.objects.update(state="closed")
            make_series(cast.club, last_on=date(2026, 12, 15))
            yield cast


def show(club: Club, *switches: str) -> None:
    Club.objects.filter(pk=club.pk).update(**{name: name in switches for name in SWITCHES})


def links(page: str) -> set[str]:
    names = ("evenings", "tournaments", "seasons", "calendar", "members")
    return {name for name in names if f'href="{reverse(name, args=["riverside"])}"' in page}


def test_the_secretary_opens_the_league_and_the_rest_stays_with_the_members(cast: Cast) -> None:
    alice, stranger = Visitor(cast.secretary), Client()
    assert stranger.get(HOME).status_code == 302
    assert alice.told(PUBLIC, shows_league="on") == [
        "Saved. This is what everyone can see from now on."
    ]
    assert stranger.get(reverse("seasons", args=["riverside"])).status_code == 200
    assert stranger.get(reverse("evenings", args=["riverside"])).status_code == 302
    assert "Put this address on your website" in alice.get(PUBLIC).content.decode()
    alice.told(PUBLIC)
    assert stranger.get(HOME).status_code == 302
    entries = AuditEntry.objects.filter(what="club-public")
    assert [entry.made_by for entry in entries] == [cast.secretary] * 2


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_visitor_meets_only_links_that_open(cast: Cast, switch: str) -> None:
    show(cast.club, switch)
    visitor, seen, waiting = Client(), set(), {HOME}
    while waiting:
        address = waiting.pop()
        seen.add(address)
        answer = visitor.get(address, follow=True)
        assert answer.status_code == 200, address
        if answer["Content-Type"].startswith("text/html"):
            page = answer.content.decode()
            parts = page.split('href="')[1:]
            found = {part.split('"')[0].split("?")[0].split("#")[0] for part in parts}
            waiting |= {link for link in found if link.startswith(HOME)} - seen
    assert len(seen) > 1


@pytest.mark.parametrize("switch", SWITCHES)
def test_the_front_page_shows_what_is_public(cast: Cast, switch: str) -> None:
    show(cast.club, switch)
    page = Client().get(HOME).content.decode()
    assert links(page) == TABS[switch]
    assert ("Ben" in page) == (switch != "shows_calendar")
    assert ("The next evening is Tuesday 24 November" in page) == (switch == "shows_calendar")


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_program_reads_of_the_front_page_what_is_public(cast: Cast, switch: str) -> None:
    show(cast.club, switch)
    answer = Client().get("/api/v1/clubs/riverside/").json()
    assert (answer["last"] is not None) == (switch == "shows_results")
    assert (answer["leaders"] != []) == (switch == "shows_league")


def test_members_see_everything_whatever_is_public(cast: Cast) -> None:
    page = Visitor(cast.player).get(HOME).content.decode()
    assert links(page) == {"evenings", "tournaments", "seasons", "calendar", "members"}


def test_a_program_opens_and_closes_parts_of_the_club(cast: Cast) -> None:
    address = "/api/v1/clubs/riverside/settings/public/"
    alice = api_client(cast.secretary)
    closed = dict.fromkeys(SWITCHES, False)
    assert alice.get(address).json() == closed
    changed = alice.patch(address, {"shows_calendar": True}, content_type="application/json")
    assert changed.json() == {**closed, "shows_calendar": True}
    cast.club.refresh_from_db()
    assert (cast.club.shows_results, cast.club.shows_calendar) == (False, True)


def test_a_practice_evening_is_never_public(cast: Cast) -> None:
    copy = rehearse(club=cast.club).club
    show(copy, *SWITCHES)
    assert Client().get(reverse("club", args=[copy.slug])).status_code == 302
