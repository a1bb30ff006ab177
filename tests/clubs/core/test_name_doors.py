"""Every place where somebody writes one name reads it in the same way."""

from collections.abc import Callable
from datetime import date

import pytest

from clubs.evenings.services import evenings
from clubs.members.services.people import add_player
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tests.people import make_club
from tests.tournaments.cups import make_cup
from tournaments.setup.corrections import EntrantDetails, correct_entrant
from tournaments.setup.services import enter_entrant

pytestmark = pytest.mark.django_db


def member(club: Club, name: str) -> str:
    return add_player(club=club, name=name).name


def guest(club: Club, name: str) -> str:
    evening = evenings.open_session(club=club, held_on=date(2026, 11, 17))
    return evenings.add_guest(session=evening, name=name).name


def entrant(club: Club, name: str) -> str:
    return enter_entrant(tournament=make_cup(club=club, entrants=1), name=name).name


def corrected_entrant(club: Club, name: str) -> str:
    cup = make_cup(club=club, entrants=1)
    details = EntrantDetails(name=name)
    cup_entrant = cup.entrants.get()
    return correct_entrant(
        tournament=cup, entrant=cup_entrant, details=details, made_by="user 1"
    ).name


DOORS = [member, guest, entrant, corrected_entrant]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("written_name", "spoken_name"),
    [
        ("Doe, Jane", "Jane Doe"),
        ("Ann Brown, MBE", "Ann Brown"),
        ("Mrs Margaret Hargreaves", "Margaret Hargreaves"),
        ("Jean Smith (Fakenham)", "Jean Smith (Fakenham)"),
        ("  Siân   O’Neill ", "Siân O’Neill"),
    ],
)
def test_a_name_is_read_alike_wherever_it_is_written(
    door: Callable[[Club, str], str], written_name: str, spoken_name: str
) -> None:
    assert door(make_club(), written_name) == spoken_name


@pytest.mark.parametrize("door", DOORS)
def test_a_couple_is_nowhere_taken_for_one_person(door: Callable[[Club, str], str]) -> None:
    with pytest.raises(Refused) as refusal:
        door(make_club(), "Mr & Mrs A. Baker")
    (problem,) = refusal.value.problems
    assert (problem.code, problem.path) == ("two_people", "name")
    assert "Enter each of them separately." in problem.message
