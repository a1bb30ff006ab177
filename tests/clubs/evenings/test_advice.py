"""The secretary chooses the tables before anyone is seated."""

from datetime import date

import pytest
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.models import Session
from tests.clubs.nights import make_players
from tests.clubs.visits import Visitor
from tests.people import Cast

LATE = "Those tables no longer fit the number of people checked in. Choose the tables again."


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def eleven(cast: Cast) -> Session:
    """An evening on which eleven are here."""
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    for player in make_players(cast.club, 11):
        evenings.tick(session=session, player=player, is_here=True)
    return session


def at(name: str, session: Session) -> str:
    return reverse(name, args=[session.club.slug, session.pk])


def laid(session: Session) -> list[int]:
    return sorted(table.places.count() for table in session.tables.all())


def test_the_door_offers_the_ways_to_sit(alice: Visitor, eleven: Session) -> None:
    page = alice.get(at("evening", eleven))
    assert page.context["door"].choices == (
        ("4,4,3", "two fours and one three"),
        ("5,3,3", "one five and two threes"),
    )
    assert "With one more: three fours. With one fewer: two fives." in page.content.decode()


def test_the_tables_are_those_that_were_chosen_also_when_laid_anew(
    alice: Visitor, eleven: Session
) -> None:
    alice.post(at("seat", eleven), {"split": "5,3,3"})
    assert laid(eleven) == [3, 3, 5]
    kept = alice.get(at("evening", eleven)).context["door"].kept
    alice.post(at("seat", eleven), {"split": kept})
    assert laid(eleven) == [3, 3, 5]


def test_somebody_late_gives_the_tables_up(alice: Visitor, eleven: Session) -> None:
    alice.post(at("seat", eleven), {"split": "5,3,3"})
    evenings.add_guest(session=eleven, name="Beryl")
    assert alice.get(at("evening", eleven)).context["door"].kept == ""


def test_without_a_choice_the_tables_are_the_usual_ones(alice: Visitor, eleven: Session) -> None:
    for inputs in ({}, {"split": "many"}):
        alice.post(at("seat", eleven), inputs)
        assert laid(eleven) == [3, 4, 4]


def test_tables_that_no_longer_fit_are_refused(alice: Visitor, eleven: Session) -> None:
    evenings.add_guest(session=eleven, name="Beryl")
    assert alice.told(at("seat", eleven), split="5,3,3") == [LATE]
    assert laid(eleven) == []
