"""A page of an evening that was left open does nothing: it says what the other did."""

import re
from typing import Any, NamedTuple

import pytest
from django.test import Client

from clubs.evenings.services import ending, evenings
from clubs.models import Role, Session, SessionSeat
from tests.api import api_client, send
from tests.clubs.nights import evening_of, make_players
from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast, make_user

PLACES = {"way": "places", "places-one": "{one}", "places-other": "{other}", "save": "yes"}
LEAVES = {"way": "leaves", "leaves-leaver": "{one}", "leaves-then": "ends", "save": "yes"}


class Stale(NamedTuple):
    """A form left open at a moment, what the other did since, and what is then read."""

    moment: str
    page: str
    form: str
    later_posts: tuple[tuple[str, dict[str, str]], ...]
    message_start: str
    form_data: dict[str, str] = {}


ON = "on the evening of 17 November 2026 at"
SURE = {"sure": "yes"}
PAGES = {
    "seat": Stale("here", "", "seat/", (("seat/", {}),), "Everyone was already seated by Sam at"),
    "seat anew": Stale(
        "seated", "", "seat/", (("move/", PLACES),), "Sam swapped Ann and Ben " + ON
    ),
    "clear": Stale(
        "seated", "", "clear/", (("clear/", {}), ("seat/", {})),
        "Sam seated the evening of 17 November 2026 at",
    ),
    "clear, twice": Stale(
        "seated", "", "clear/", (("clear/", {}),), "The tables were already cleared by Sam at"
    ),
    "finish": Stale(
        "seated", "", "close/", (("close/", SURE),), "The evening was already finished by Sam at",
        SURE,
    ),
    "open it again": Stale(
        "closed", "", "reopen/", (("reopen/", {}),),
        "The evening was already reopened by Sam at",
    ),
    "finish what was reopened": Stale(
        "seated", "", "close/", (("close/", SURE), ("reopen/", {})),
        "Sam reopened the evening of 17 November 2026 at", SURE,
    ),
    "reopen what was finished again": Stale(
        "closed", "", "reopen/", (("reopen/", {}), ("close/", SURE)),
        "Sam finished the evening of 17 November 2026 at",
    ),
    "change places, twice": Stale(
        "seated", "move/", "move/", (("move/", PLACES),),
        "Sam swapped Ann and Ben " + ON, PLACES,
    ),
    "someone leaves": Stale(
        "seated", "arrivals/", "arrivals/", (("move/", PLACES),),
        "Sam swapped Ann and Ben " + ON, LEAVES,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_a_page_left_open_does_nothing_and_names_who_was_first(cast: Cast, name: str) -> None:
    stale, session = PAGES[name], at_the_moment(cast, PAGES[name].moment)
    alice, sam = Visitor(cast.secretary), Visitor(make_user(cast.club, "Sam", Role.SECRETARY))
    fields = left_open(alice, session, stale)
    for path, form_data in stale.later_posts:
        sam.post(evening_url(session, path), insert_player_ids(form_data))
    state_before = state_of(session)
    inputs = {**fields, **insert_player_ids(stale.form_data)}
    answer = alice.post(evening_url(session, stale.form), inputs, follow=True)
    page = re.sub(r"\s+", " ", answer.content.decode())
    at_a_time = re.escape(stale.message_start) + r" \d{1,2}(:\d\d)?( noon| midnight|[ap]m)"
    assert re.search(at_a_time, page), page.partition("<main")[2]
    assert state_of(session) == state_before


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_nobody_overtook_does_its_step(cast: Cast, name: str) -> None:
    stale, session = PAGES[name], at_the_moment(cast, PAGES[name].moment)
    alice = Visitor(cast.secretary)
    fields, state_before = left_open(alice, session, stale), state_of(session)
    alice.post(evening_url(session, stale.form), {**fields, **insert_player_ids(stale.form_data)})
    assert state_of(session) != state_before


@pytest.mark.parametrize("act", ["seat", "clear, twice", "finish", "open it again"])
def test_a_program_that_names_what_it_looked_at_steps_on_nothing_else(cast: Cast, act: str) -> None:
    stale = PAGES[act]
    session, program = at_the_moment(cast, stale.moment), api_client(cast.secretary)
    url = f"/api/v1/clubs/riverside/evenings/{session.pk}/"
    tag = program.get(url).headers["ETag"]
    Visitor(make_user(cast.club, "Sam", Role.SECRETARY)).post(
        evening_url(session, stale.form), stale.form_data
    )
    state_before = state_of(session)
    answer = send(program, f"{url}{stale.form}", {}, tag=tag)
    assert answer.status_code == 412
    (problem,) = answer.json()["problems"]
    assert problem["message"].startswith(stale.message_start)
    assert state_of(session) == state_before


def left_open(client: Client, session: Session, stale: Stale) -> dict[str, str]:
    """The hidden fields of the form, which carry what the page was shown for."""
    page = client.get(evening_url(session, stale.page))
    fields = hidden_in(
        page.content.decode(), evening_url(session, stale.page), evening_url(session, stale.form)
    )
    assert fields["shown"]
    return {key: value for key, value in fields.items() if key != "way"}


def at_the_moment(cast: Cast, moment: str) -> Session:
    """An evening of eight, brought so far."""
    session = evening_of(cast.club, make_players(cast.club, 8))
    if moment != "here":
        evenings.seat_session(session=session)
    if moment == "closed":
        ending.close_session(session=session)
    return session


def evening_url(session: Session, path: str) -> str:
    return f"/c/riverside/evenings/{session.pk}/{path}"


def insert_player_ids(form_data: dict[str, str]) -> dict[str, str]:
    """What is typed, with Ann and Ben by their keys."""
    players = dict(SessionSeat.objects.values_list("player__name", "player"))
    ids = {"one": players.get("Ann"), "other": players.get("Ben")}
    return {key: value.format(**ids) for key, value in form_data.items()}


def state_of(session: Session) -> list[Any]:
    """Everything that one of the acts changes."""
    seats = session.places.order_by("pk").values_list("pk", "player", "seat", "is_current")
    return [*Session.objects.values_list("state", "version"), *seats]
