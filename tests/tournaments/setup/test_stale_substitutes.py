"""Two directors who enter a substitute for the same seat: the second replaces no one unseen."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.api import api_client
from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast
from tests.tournaments.cups import seated_cup
from tournaments.models import Tournament


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return seated_cup(entrants=4, rounds=2, club=cast.club)


def at(cup: Tournament) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/seating/changes/"


def shown(client: Client, cup: Tournament) -> str:
    html = client.get(at(cup)).content.decode()
    return hidden_in(html, at(cup), at(cup))["shown"]


def enter(client: Client, cup: Tournament, name: str, state: str, number: int = 1) -> HttpResponse:
    """Enter a substitute for the player of that number from round 1 on."""
    sent = {
        "way": "substitute",
        "substitute-entrant": cup.entrants.get(number=number).pk,
        "substitute-name": name,
        "substitute-number": "1",
        "substitute-goes_on": "on",
        "shown": state,
    }
    return client.post(at(cup), sent, follow=True)  # type: ignore[return-value]


def sits_in(cup: Tournament, number: int = 1) -> set[str]:
    places = cup.entrants.get(number=number).placements
    return set(places.values_list("substitute", flat=True))


def test_the_second_director_reads_who_entered_whom_and_replaces_no_one(
    cast: Cast, cup: Tournament
) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    state = shown(dev, cup)
    enter(alice, cup, "Joan", shown(alice, cup))
    answer = enter(dev, cup, "Sue", state)
    assert answer.status_code == 422
    page = re.sub(r"\s+", " ", answer.content.decode())
    read = r"Joan is already the substitute for Player 1 in rounds 1, 2, entered by Alice at \d"
    assert re.search(read, page)
    assert 'value="Sue"' in page
    assert sits_in(cup) == {"Joan"}
    enter(dev, cup, "Sue", hidden_in(answer.content.decode(), at(cup), at(cup))["shown"])
    assert sits_in(cup) == {"Sue"}


def test_the_same_substitute_entered_twice_is_done_already(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    state = shown(dev, cup)
    enter(alice, cup, "Joan", shown(alice, cup))
    answer = enter(dev, cup, "Joan", state)
    assert answer.status_code == 200
    assert "Joan is already the substitute for Player 1" in answer.content.decode()
    assert "Nothing was changed" not in answer.content.decode()


def test_a_substitute_for_another_seat_names_who_changed_the_seating(
    cast: Cast, cup: Tournament
) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    state = shown(dev, cup)
    enter(alice, cup, "Joan", shown(alice, cup), number=2)
    page = enter(dev, cup, "Sue", state).content.decode()
    assert re.search(r"Alice [^.]*Player 2 in Autumn Cup at [\w: ]+, after you opened", page)
    assert sits_in(cup) == {""}


def test_a_program_replaces_no_substitute_that_it_has_not_read(cast: Cast, cup: Tournament) -> None:
    program, alice = api_client(cast.director), api_client(cast.secretary)
    where = f"/api/v1{at(cup).replace('/c/', '/clubs/')}substitute/"
    looked_at = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/seat/"
    state = program.get(looked_at).json()["shown"]
    told = {"entrant": cup.entrants.get(number=1).pk, "number": 1, "shown": state}
    first = alice.post(where, {**told, "name": "Joan"}, content_type="application/json")
    assert first.status_code == 200
    answer = program.post(where, {**told, "name": "Sue"}, content_type="application/json")
    (problem,) = answer.json()["problems"]
    assert answer.status_code == 409
    assert re.search(r"Joan is already the substitute for Player 1.*Alice", problem["message"])
    assert sits_in(cup) == {"Joan"}
