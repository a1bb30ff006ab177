"""After a trial hand that was undone, seats change as if it had never been; it stays written."""

from collections.abc import Callable
from datetime import date

import pytest

from clubs.evenings.event import EveningTable
from clubs.evenings.services import ending, evenings
from clubs.models import Player, Session
from clubs.table import services as at_table
from scoring.scorebook.models import Book, Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import progress
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import DRAWN, make_players, night, post_next, table_at
from tests.people import Cast

TUESDAY = date(2026, 11, 17)


@pytest.fixture
def session(cast: Cast) -> Session:
    """Ann, Ben, Cy and Di at table 1, where a trial hand was undone; Ed is here without a seat."""
    players = make_players(cast.club, 5)
    session = night(cast.club, TUESDAY, players[:4])
    session.book = table_at(session, 1).game.book
    session.save(update_fields=["book"])
    evenings.tick(session=session, player=players[4], is_here=True)
    try_a_hand(session)
    return session


def try_a_hand(session: Session) -> None:
    table = table_at(session, 1)
    hand = post_next(table, DRAWN)
    at_table.undo_last_hand(
        table=EveningTable(table), hand_id=hand.pk, taken_by=f"table {table.pk}"
    )


def person(session: Session, name: str) -> Player:
    return session.club.players.get(name=name)


def joins(session: Session) -> object:
    return evenings.join_table(session=session, player=person(session, "Ed"), number=1)


def takes_over(session: Session) -> object:
    ann, ed = person(session, "Ann"), person(session, "Ed")
    return evenings.take_over(session=session, leaver=ann, player=ed, goes_home=False)


def leaves(session: Session) -> object:
    return evenings.leave_table(session=session, leaver=person(session, "Ann"), goes_home=False)


def change_places(session: Session) -> object:
    ann, ed = person(session, "Ann"), person(session, "Ed")
    return evenings.change_places(session=session, one=ann, other=ed)


def move_to(session: Session) -> object:
    return evenings.move_to_table(session=session, player=person(session, "Ed"), number=1)


def seat_again(session: Session) -> object:
    return evenings.seat_session(session=session)


def clear(session: Session) -> object:
    return evenings.clear_tables(session=session)


CHANGES = (joins, takes_over, leaves, change_places, move_to, seat_again, clear)


def check_book(session: Session) -> None:
    """The book has the trial hand as it was written, and nothing of it counts."""
    for book in Book.objects.values_list("pk", flat=True):
        assert verify_book(book).findings == ()
    assert recount().differences == ()
    trial = Hand.objects.filter(game__book=session.book).earliest("pk")
    assert (trial.is_current, trial.game.size) == (False, 4)


@pytest.mark.parametrize("change", CHANGES)
def test_the_seats_change_as_if_nobody_had_entered_it(
    session: Session, change: Callable[[Session], object]
) -> None:
    change(session)
    check_book(session)
    for table in session.tables.all():
        assert not table.game.hands.exists()
        post_next(table, DRAWN)
    check_book(session)


@pytest.mark.parametrize("change", [joins, takes_over, leaves])
def test_a_change_of_people_is_undone_after_one_too(
    session: Session, change: Callable[[Session], object]
) -> None:
    post_next(table_at(session, 1), DRAWN)
    names_before = list(table_at(session, 1).places.values_list("player__name", flat=True))
    change(session)
    try_a_hand(session)
    evenings.undo_change(session=session, number=1)
    assert list(table_at(session, 1).places.values_list("player__name", flat=True)) == names_before
    change(session)
    assert table_at(session, 1).game.continues is not None
    check_book(session)


def test_others_change_after_one_at_a_table_that_plays_on(session: Session) -> None:
    post_next(table_at(session, 1), DRAWN)
    joins(session)
    try_a_hand(session)
    leaves(session)
    assert progress(table_at(session, 1).game).deals[-1].goulash
    assert not table_at(session, 1).game.hands.exists()
    check_book(session)


def test_an_evening_with_nothing_else_is_deleted_not_cancelled(session: Session) -> None:
    with pytest.raises(Refused, match="No hand has been recorded"):
        ending.cancel_session(session=session, reason="a trial")
    ending.delete_session(session=session)
    assert not Hand.objects.exists()
