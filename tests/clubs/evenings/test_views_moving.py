"""The page on which someone is moved on an evening."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Session
from tests.clubs.nights import make_players, night
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def secretary(cast: Cast, client: Client) -> Client:
    client.login(email=cast.secretary.email, password=PASSWORD)
    return client


def address(session: Session, name: str = "evening-move") -> str:
    return reverse(name, args=[session.club.slug, session.pk])


def test_the_cost_first_then_the_move(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 8)
    session = night(cast.club, date(2026, 11, 17), players[:4], players[4:])
    inputs = {"way": "places", "places-one": players[0].pk, "places-other": players[4].pk}
    page = secretary.post(address(session), inputs).content.decode()
    assert "No one is seated with someone from a recent evening." in page
    assert session.places.get(player=players[0]).table.number == 1
    done = secretary.post(address(session), inputs | {"save": "yes"}, follow=True)
    assert "Ann and Ed have changed places." in done.content.decode()
    assert done.redirect_chain[0][0] == address(session, "evening-why")
    assert session.places.get(player=players[0]).table.number == 2


def test_what_was_chosen_stays_with_the_reason(cast: Cast, secretary: Client) -> None:
    players = make_players(cast.club, 7)
    session = night(cast.club, date(2026, 11, 17), players[:3], players[3:])
    inputs = {"way": "table", "table-player": players[0].pk, "table-number": 2, "save": "yes"}
    answer = secretary.post(address(session), inputs)
    assert answer.status_code == 422
    assert "Table 1 would have 2 players" in answer.content.decode()
    assert f'<option value="{players[0].pk}" selected>' in answer.content.decode()
    inputs = {"way": "table", "table-player": 99999999, "table-number": "x"}
    answer = secretary.post(address(session), inputs)
    assert "Choose a table." in answer.content.decode()


def test_a_finished_evening_moves_nobody(cast: Cast, secretary: Client) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    Session.objects.update(state="closed")
    assert "There is no one to move" in secretary.get(address(session)).content.decode()
