"""What was asked of the seating is remembered, and asking again gives the same tables."""

import json

import pytest

from clubs.seating import Plan, plan
from clubs.seating.request import request_from_json
from tests.tournaments.cups import make_cup
from tournaments.models import Drawing, OddNumber, Placement, Tournament
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def asked_again(drawing: Drawing) -> Plan:
    """What the command line answers to the remembered request."""
    return plan(request_from_json(json.dumps(drawing.asked).encode()))


def seated(cup: Tournament) -> set[tuple[int, int, str, str]]:
    """Round, table, wind and name of every seat."""
    places = Placement.objects.filter(round__tournament=cup)
    rows = places.values_list("round__number", "table__number", "seat__number", "entrant__name")
    return {(number, table, "ESWN"[seat - 1], name) for number, table, seat, name in rows}


def planned(made: Plan) -> set[tuple[int, int, str, str]]:
    return {
        (number, table.number, wind, name)
        for number, one in enumerate(made.rounds, start=1)
        for table in one.tables
        for wind, name in table.seats.items()
    }


@pytest.mark.parametrize(
    ("entrants", "odd"), [(16, OddNumber.WAIT), (18, OddNumber.HOUSE), (17, OddNumber.SIT_OUT)]
)
def test_the_same_request_seats_everybody_alike(entrants: int, odd: OddNumber) -> None:
    cup = make_cup(entrants=entrants, rounds=3)
    setup_services.set_entry_rules(tournament=cup, odd_number=odd, places=None)
    cup.entrants.filter(number__lte=4).update(team="Bath")
    seating.seat_rounds(tournament=cup)
    drawing = cup.drawings.get()
    assert (drawing.first_round, drawing.last_round) == (1, 3)
    assert planned(asked_again(drawing)) == seated(cup)


def test_rounds_drawn_anew_are_remembered_too() -> None:
    cup = make_cup(entrants=16, rounds=3)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=2))
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    drawing = cup.drawings.last()
    assert drawing is not None
    assert (drawing.first_round, drawing.last_round) == (2, 3)
    assert planned(asked_again(drawing)) == seated(cup)


def test_a_seating_taken_away_takes_its_drawings_along() -> None:
    cup = make_cup(rounds=2)
    seating.seat_rounds(tournament=cup)
    seating.clear_rounds(tournament=cup)
    assert not cup.drawings.exists()
