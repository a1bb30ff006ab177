"""Every old address of a page still leads to it, whatever was asked or sent.

Every page that can be sent something is known as one, and tried by the whole cast.
"""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from django.test import Client
from django.urls import resolve, reverse

from clubs.house.views import MOVED as MOVED_IN_A_CLUB
from tests.clubs.core.test_doors import POSTS as OF_CLUBS
from tests.page_forms import pages_with_a_form, posted_to
from tests.people import Cast, browser_of
from tests.test_doors import DECIDED_BY_ALLAUTH, HUGE
from tests.tournaments.core.test_doors import POSTS as OF_TOURNAMENTS
from tournaments.urls import MOVED as MOVED_IN_A_TOURNAMENT

PARAMETER: Final = re.compile(r"<(\w+):(\w+)>")
FILLED: Final = {"slug": HUGE["SlugConverter"], "str": "2026-11-24", "int": "7"}
MOVED: Final = [*MOVED_IN_A_CLUB.items(), *MOVED_IN_A_TOURNAMENT.items()]
QUERY: Final = "?round=2&name=Ann%20Lee&from=/c/riverside/"


def filled(old: str) -> str:
    return "/" + PARAMETER.sub(lambda at: FILLED[at[1]], old)


def where(old: str) -> Iterator[tuple[str, str]]:
    for kind, name in PARAMETER.findall(old):
        yield name, FILLED[kind]


@pytest.mark.parametrize(("old", "name"), MOVED)
def test_an_old_address_leads_to_the_new_one_for_good(client: Client, old: str, name: str) -> None:
    new = reverse(name, kwargs=dict(where(old)))
    assert new != filled(old)
    assert resolve(new).url_name == name
    for method in (client.get, client.post):
        for query in ("", QUERY):
            answer = method(filled(old) + query)
            assert (answer.status_code, answer["Location"]) == (308, new + query)


def test_what_a_stale_page_sends_is_done(cast: Cast) -> None:
    sent = {"first_on": "24/12/2026", "last_on": "31/12/2026", "name": "Christmas"}
    browser_of(cast.secretary).post("/c/riverside/calendar/days-without/", sent, follow=True)
    assert cast.club.holidays.get().name == "Christmas"


def test_an_old_address_costs_nothing_and_shows_nothing(client: Client) -> None:
    """No database is at hand here, so nothing is looked up before the new address is."""
    assert client.get("/c/no-such-club/kept/").status_code == 308


def test_every_page_that_a_template_posts_to_is_known_as_one() -> None:
    assert sorted(posted_to() - pages_with_a_form() - DECIDED_BY_ALLAUTH) == []


def test_every_form_is_sent_by_the_whole_cast() -> None:
    assert pages_with_a_form() == OF_CLUBS.keys() | OF_TOURNAMENTS.keys()
