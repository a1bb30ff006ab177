"""A finished evening is read-only until it is opened again."""

import pytest

from clubs.evenings.services import evenings
from clubs.models import Session
from scoring.scorebook.refusals import Refused
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_player

FINISHED = r"This evening is finished, so its result cannot change\."


@pytest.fixture
def finished(cast: Cast) -> Session:
    """An evening of one table, finished without a hand."""
    session = seated_evening(cast.club)
    evenings.close_session(session=session)
    session.refresh_from_db()
    return session


def test_nobody_is_ticked_after_the_end(cast: Cast, finished: Session) -> None:
    late = make_player(cast.club, "Harold")
    with pytest.raises(Refused, match=FINISHED):
        evenings.tick(session=finished, player=late, is_here=True)
    assert finished.attendances.count() == 4


def test_no_guest_comes_after_the_end(cast: Cast, finished: Session) -> None:
    with pytest.raises(Refused, match=FINISHED):
        evenings.add_guest(session=finished, name="Harold")
    assert not cast.club.players.filter(name="Harold").exists()


def test_the_tables_stay_after_the_end(finished: Session) -> None:
    with pytest.raises(Refused, match=FINISHED):
        evenings.clear_tables(session=finished)
    with pytest.raises(Refused, match=FINISHED):
        evenings.seat_session(session=finished)
    assert finished.tables.count() == 1


def test_an_evening_opened_again_takes_latecomers(cast: Cast, finished: Session) -> None:
    evenings.reopen_session(session=finished)
    evenings.tick(session=finished, player=make_player(cast.club, "Harold"), is_here=True)
    assert finished.attendances.count() == 5
