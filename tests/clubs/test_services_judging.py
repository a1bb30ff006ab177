"""A hand of a club table is agreed, disputed, upheld, until the evening is finished."""

from uuid import uuid4

import pytest

from clubs.models import Session, SessionTable
from clubs.services import evenings
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.clubs.tables import seated_evening
from tests.people import Cast

DRAWN = Report(winner=None)


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


def drawn_hand(table: SessionTable) -> Hand:
    return evenings.post_hand(
        table=table, submission_id=uuid4(), number=1, report=DRAWN, sent_by="table 1"
    ).hand


@pytest.mark.parametrize("verdict", [HandState.AGREED, HandState.DISPUTED, HandState.DECIDED])
def test_a_verdict_moves_the_hand_and_the_evening(table: SessionTable, verdict: HandState) -> None:
    hand = drawn_hand(table)
    before = Session.objects.get().version
    judged = evenings.judge_hand(table=table, hand_id=hand.pk, verdict=verdict)
    assert (judged.state, Session.objects.get().version) == (verdict, before + 1)


def test_a_hand_of_another_table_is_not_found(cast: Cast, table: SessionTable) -> None:
    hand = drawn_hand(table)
    other = SessionTable.objects.create(
        session=table.session, number=2, game=scorebook.open_game(rules="bmja", size=4)
    )
    with pytest.raises(Hand.DoesNotExist):
        evenings.judge_hand(table=other, hand_id=hand.pk, verdict=HandState.AGREED)


def test_a_finished_evening_takes_no_verdict(table: SessionTable) -> None:
    hand = drawn_hand(table)
    evenings.close_session(session=table.session)
    with pytest.raises(Refused, match=r"This evening is finished; its result stands\."):
        evenings.judge_hand(table=table, hand_id=hand.pk, verdict=HandState.DISPUTED)


def test_a_finished_evening_takes_no_correction(table: SessionTable) -> None:
    hand = drawn_hand(table)
    evenings.close_session(session=table.session)
    with pytest.raises(Refused, match=r"This evening is finished; its result stands\."):
        evenings.correct_hand(
            table=table, hand_id=hand.pk, report=DRAWN, corrected_by="user 1", reason="a slip"
        )
