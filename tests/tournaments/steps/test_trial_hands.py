"""A hand that was tried and undone, or a ruling that was cancelled, fixes nothing for good."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount, verify_book
from tests.tournaments.cups import SECOND_WINS, case, fresh, post, seated_cup, send_hand, tables
from tournaments.models import Call, Ruling, Table, Tournament, TournamentState
from tournaments.seating.services import changes, seating
from tournaments.steps import services
from tournaments.table import services as rulings
from tournaments.table.event import RoundTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Tournament:
    """Two tables which both called; at the first a hand was undone and a ruling cancelled."""
    cup = seated_cup(entrants=8, rounds=2, hands=2)
    for table in tables(cup):
        services.call_director(table=table)
    table = tables(cup)[0]
    ruling = rulings.adjust_points(case=case(table, 1), points=-50)
    rulings.cancel_ruling(ruling=ruling, reason="a trial", ruled_by="user 1", submission_id=uuid4())
    (hand,) = post(table, SECOND_WINS)
    at_table.undo_last_hand(table=RoundTable(table), hand_id=hand.pk, taken_by="table 1")
    return cup


def swap(cup: Tournament) -> None:
    seats = tables(cup)[0].placements.select_related("entrant")
    changes.swap(
        tournament=cup, number=1, one=seats[0].entrant, other=seats[1].entrant, made_by="user 1"
    )


def start_again(cup: Tournament) -> None:
    services.unstart_round(tournament=cup)
    services.start_round(tournament=cup)


def draw_again(cup: Tournament) -> None:
    seating.clear_rounds(tournament=cup)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)


@pytest.mark.parametrize("step", [swap, start_again, draw_again])
def test_the_seating_can_change_after_a_trial(
    cup: Tournament, step: Callable[[Tournament], None]
) -> None:
    step(cup)
    assert not Ruling.objects.exists()
    assert Hand.objects.count() == 1
    assert tables(cup)[0].game.hands.count() == 0
    assert send_hand(tables(cup)[0], 1, SECOND_WINS).is_new
    assert recount().differences == ()
    book = cup.book_id
    assert book is not None
    assert verify_book(book).findings == ()


def test_a_swap_leaves_the_hands_of_another_table(cup: Tournament) -> None:
    post(tables(cup)[1], SECOND_WINS)
    swap(cup)
    assert tables(cup)[1].game.hands.count() == 1


@pytest.mark.parametrize("step", [swap, services.unstart_round, seating.clear_rounds])
@pytest.mark.parametrize("kind", ["hand", "ruling"])
def test_what_counts_fixes_the_seating(
    cup: Tournament, step: Callable[..., object], kind: str
) -> None:
    table = tables(cup)[0]
    if kind == "hand":
        post(table, SECOND_WINS)
    else:
        rulings.adjust_points(case=case(table, 1), points=-50)
    with pytest.raises(Refused):
        step(cup) if step is swap else step(tournament=cup)
    assert Table.objects.count() == 4


def test_calls_do_not_keep_the_seating_from_being_cleared(cup: Tournament) -> None:
    seating.clear_rounds(tournament=cup)
    assert not Call.objects.exists()
    assert fresh(cup).state == TournamentState.ENTERING
