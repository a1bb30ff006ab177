"""What a club table and its scorer say of a hand, until the evening is finished."""

from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.evenings import names_at
from clubs.evenings.services import evenings
from clubs.models import Session, SessionTable
from clubs.table import services as at_table
from scoring.scorebook import services as scorebook
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from tests.clubs.tables import seated_evening
from tests.people import Cast

DRAWN = Report(winner=None)
FINISHED = r"This evening is finished, so its result cannot change\."


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


def drawn_hand(table: SessionTable) -> Hand:
    at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=1, report=DRAWN, sent_by="table 1"
    )
    return table.game.hands.get()


def say(table: SessionTable, hand: Hand, *, agrees: bool) -> Hand:
    """Everyone who played the hand agrees, or not."""
    return at_table.say(
        table=EveningTable(table),
        hand_id=hand.pk,
        seats=None,
        agrees=agrees,
        shown=shown_digest(hand_row(hand), names=names_at(table), rules=table.game.rules),
        said_by="table 1",
    )


def decide(table: SessionTable, hand: Hand) -> Hand:
    return at_table.decide(
        table=EveningTable(table), hand_id=hand.pk, reason="so it was", made_by="user 1"
    )


def take_back(table: SessionTable, hand: Hand) -> Hand:
    return at_table.take_back(table=EveningTable(table), hand_id=hand.pk, taken_by="table 1")


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        (partial(say, agrees=True), HandState.AGREED),
        (partial(say, agrees=False), HandState.DISPUTED),
        (decide, HandState.DECIDED),
        (take_back, HandState.REPORTED),
    ],
)
def test_a_verdict_moves_the_hand_and_the_evening(
    table: SessionTable, verdict: Callable[..., Hand], state: HandState
) -> None:
    hand = drawn_hand(table)
    before = Session.objects.get().version
    judged = verdict(table, hand)
    assert (judged.state, Session.objects.get().version) == (state, before + 1)


def test_a_hand_of_another_table_is_not_found(cast: Cast, table: SessionTable) -> None:
    hand = drawn_hand(table)
    other = SessionTable.objects.create(
        session=table.session, number=2, game=scorebook.open_game(rules="bmja", size=4)
    )
    for verdict in (partial(say, agrees=True), decide, take_back):
        with pytest.raises(Hand.DoesNotExist):
            verdict(other, hand)


def test_a_finished_evening_takes_no_verdict(table: SessionTable) -> None:
    hand = drawn_hand(table)
    evenings.close_session(session=table.session)
    for verdict in (partial(say, agrees=False), decide, take_back):
        with pytest.raises(Refused, match=FINISHED):
            verdict(table, hand)


def test_a_finished_evening_takes_no_correction(table: SessionTable) -> None:
    hand = drawn_hand(table)
    evenings.close_session(session=table.session)
    with pytest.raises(Refused, match=FINISHED):
        at_table.correct_hand(
            table=EveningTable(table),
            hand_id=hand.pk,
            report=DRAWN,
            corrected_by="user 1",
            reason="a slip",
        )
