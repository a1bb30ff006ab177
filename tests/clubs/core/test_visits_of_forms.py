"""An address that takes only a form can be visited: it shows its question, or a page above it."""

import re
from datetime import date

import pytest
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.models import Session
from config.middleware import page_above
from tests.addresses import addresses
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast

pytestmark = pytest.mark.django_db
A_BROWSER = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def session(cast: Cast) -> Session:
    """An evening of two tables, of which one has played a hand that nobody has agreed."""
    players = make_players(cast.club, 8)
    evening = night(cast.club, date(2026, 11, 17), players[:4], players[4:])
    post(evening.tables.get(number=1), SECOND_WINS)
    return evening


def test_back_leads_to_the_question_before_an_evening_is_finished(
    session: Session, alice: Visitor
) -> None:
    close = reverse("close", args=["riverside", session.pk])
    response = alice.post(close, {"shown": "abc"})
    question = response.headers["Location"]
    assert (response.status_code, question) == (302, f"{close}?shown=abc")
    for address in (question, close):
        page = alice.get(address).content.decode()
        assert "Finish this evening?" in page
        assert "1 hand at table 1 is not agreed yet." in page
    assert 'value="abc"' in alice.read(question, shown="abc")
    assert alice.messages_after(close, sure="yes") == ["The evening is finished."]
    assert alice.get(question).headers["Location"].startswith("/c/riverside/evenings/")


def test_a_visit_never_deletes_an_evening(cast: Cast, alice: Visitor) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 18))
    address = reverse("evening-delete", args=["riverside", session.pk])
    assert "Delete this evening?" in alice.read(address)
    assert Session.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/c/riverside/evenings/5/seat/", "/c/riverside/evenings/5/"),
        ("/c/riverside/messages/5/send/", "/c/riverside/messages/5/"),
        ("/c/riverside/members/import/store/", "/c/riverside/members/import/"),
        ("/nowhere/at/all/", "/"),
    ],
)
def test_the_page_above_is_the_nearest_there_is(address: str, page: str) -> None:
    assert page_above(address) == page


def test_a_program_still_learns_that_it_must_send_a_form(session: Session, alice: Visitor) -> None:
    clear = reverse("clear", args=["riverside", session.pk])
    assert alice.get(clear).status_code == 405
    assert alice.get(clear, headers=A_BROWSER).headers["Location"] == page_above(clear)


def test_no_visit_of_any_address_is_answered_with_an_empty_page(
    session: Session, alice: Visitor
) -> None:
    """Every page's address, with the numbers of this club, as the secretary's browser asks it."""
    values = {"club": "riverside", "pk": str(session.pk)}
    empty = []
    for address, _ in addresses():
        route = address.removeprefix("/")
        if "(" in route or route.startswith(("api/", "accounts/", "metrics")):
            continue
        path = re.sub(r"<(?:(\w+):)?(\w+)>", lambda part: values.get(part[2], "1"), route)
        answer = alice.get(f"/{path}", headers=A_BROWSER)
        if answer.status_code == 405:
            empty.append(path)
    assert not empty
