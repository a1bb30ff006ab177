"""The entry list left open by one director while another withdraws a player or adds one again."""

import re

import pytest
from django.test import Client

from tests.api import api_client
from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast
from tests.tournaments.cups import make_cup
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as services_entries

SHOWN_IN_API = {"withdraw": "withdraw/", "readmit": ""}


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """A seated cup, so that whoever withdraws stays on the list."""
    cup = make_cup(entrants=4, rounds=1, club=cast.club)
    seating.seat_rounds(tournament=cup)
    return cup


def entries(cup: Tournament) -> str:
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/entrants/"


def fields(client: Client, cup: Tournament, page: str, form: str) -> dict[str, str]:
    """The hidden fields of a form about the first player."""
    html = client.get(f"{entries(cup)}{page}").content.decode()
    return hidden_in(html, f"{entries(cup)}{page}", f"{entries(cup)}{form}")


def pressed(client: Client, cup: Tournament, form: str, sent: dict[str, str]) -> str:
    """The text of the page that follows the press."""
    answer = client.post(f"{entries(cup)}{form}", sent, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_second_withdrawal_names_who_made_the_first(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    form = f"{cup.entrants.get(number=1).pk}/withdraw/"
    shown = fields(dev, cup, form, form)
    alice.post(f"{entries(cup)}{form}", fields(alice, cup, form, form))
    page = pressed(dev, cup, form, shown)
    assert re.search(r"Player 1 was already withdrawn by Alice at [\w: ]+\.", page)


def test_a_withdrawal_that_was_taken_back_is_not_made_again(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.entrants.get(number=1)
    form, back = f"{first.pk}/withdraw/", f"{first.pk}/readmit/"
    shown = fields(dev, cup, form, form)
    alice.post(f"{entries(cup)}{form}", shown)
    alice.post(f"{entries(cup)}{back}", fields(alice, cup, "", back))
    page = pressed(dev, cup, form, shown)
    assert re.search(r"Alice readmitted Player 1 to Autumn Cup at [\w: ]+, after you", page)
    first.refresh_from_db()
    assert first.state == EntrantState.ENTERED


def test_a_second_return_names_who_made_the_first(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.entrants.get(number=1)
    services_entries.withdraw(tournament=cup, entrant=first)
    form = f"{first.pk}/readmit/"
    shown = fields(dev, cup, "", form)
    alice.post(f"{entries(cup)}{form}", shown)
    page = pressed(dev, cup, form, shown)
    assert re.search(r"Player 1 was already added to the tournament by Alice at [\w: ]+", page)


def test_a_return_that_was_overruled_is_not_made_again(cast: Cast, cup: Tournament) -> None:
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.entrants.get(number=1)
    services_entries.withdraw(tournament=cup, entrant=first)
    form, away = f"{first.pk}/readmit/", f"{first.pk}/withdraw/"
    shown = fields(dev, cup, "", form)
    alice.post(f"{entries(cup)}{form}", shown)
    alice.post(f"{entries(cup)}{away}", fields(alice, cup, away, away))
    page = pressed(dev, cup, form, shown)
    assert re.search(r"Alice withdrew Player 1 from Autumn Cup at [\w: ]+, after you", page)
    first.refresh_from_db()
    assert first.state == EntrantState.WITHDRAWN


@pytest.mark.parametrize("act", ["withdraw", "note", "readmit"])
def test_someone_taken_off_the_list_for_good_is_no_missing_page(cast: Cast, act: str) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    first = cup.entrants.get(number=1).pk
    form = f"{first}/withdraw/"
    alice.post(f"{entries(cup)}{form}", fields(alice, cup, form, form))
    assert not Entrant.objects.filter(pk=first).exists()
    page = pressed(dev, cup, f"{first}/{act}/", {"tick": "has_paid", "to": "yes"})
    assert re.search(r"This player was already withdrawn by Alice at [\w: ]+\.", page)
    looked_at = dev.get(f"{entries(cup)}{form}", follow=True)
    assert "This player was already withdrawn by Alice" in looked_at.content.decode()
    assert dev.post(f"{entries(cup)}{first + 1000}/{act}/").status_code == 404


@pytest.mark.parametrize("act", SHOWN_IN_API)
def test_a_program_that_sends_what_it_read_is_told_who_was_first(
    cast: Cast, cup: Tournament, act: str
) -> None:
    first, program = cup.entrants.get(number=1), api_client(cast.director)
    if act == "readmit":
        services_entries.withdraw(tournament=cup, entrant=first)
    where = f"/api/v1{entries(cup).replace('/c/', '/clubs/')}{first.pk}/"
    shown = program.get(f"{where}{SHOWN_IN_API[act]}").json()["shown"]
    sent = {"shown": shown}
    alice = api_client(cast.secretary)
    assert alice.post(f"{where}{act}/", sent, content_type="application/json").status_code < 300
    answer = program.post(f"{where}{act}/", sent, content_type="application/json")
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"]) == (409, "already_done")
    assert "Player 1 was already" in problem["message"]
    assert "Alice" in problem["message"]
