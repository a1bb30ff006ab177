"""An installation from before there were books is upgraded, and its books hold at once."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from clubs.models import Session
from clubs.services import evenings
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Book, Game, Hand, Link
from tests.clubs.tables import seated_evening
from tests.people import make_cast
from tests.scoring.scorebook.book import DRAWN, SOUTH_WINS, WEST_WINS
from tests.scoring.scorebook.tampering import everything
from tests.tournaments.tables import seated_tournament
from tournaments import services
from tournaments.models import Table, Tournament

BEFORE = [("clubs", "0005_at_the_table"), ("tournaments", "0009_at_the_table")]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def migrate(to: Any) -> None:
    MigrationExecutor(connection).migrate(to)


@pytest.fixture
def _afterwards() -> Iterator[None]:
    """Whatever happens, the next test finds the tables as they are now."""
    yield
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


@pytest.mark.usefixtures("_afterwards")
def test_hands_of_before_are_sealed_in_their_order() -> None:
    written: list[Session | Tournament] = [played_evening(), played_tournament()]
    migrate(BEFORE)
    forget_the_books()
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())
    assert everything() == []
    for event in written:
        event.refresh_from_db()
        kinds = list(Link.objects.filter(book=event.book_id).values_list("kind", flat=True))
        assert kinds == ["hand", "hand", "taken_back", "hand", "taken_back", "hand", "adjusted"]


def forget_the_books() -> None:
    Link.objects.all().delete()
    for model in (Game, Session, Tournament):
        model.objects.update(book=None)
    Book.objects.all().delete()


def played_evening() -> Session:
    session = seated_evening(make_cast().club, held_on=date(2026, 11, 3))
    table = session.tables.get()
    play(evenings, table)
    return session


def played_tournament() -> Tournament:
    cup = seated_tournament(Session.objects.get().club, hands=2)
    play(services, Table.objects.get(round__tournament=cup, round__number=1))
    return cup


def play(rooms: Any, table: Any) -> None:
    """Two hands, the first corrected, so that the second is played again; and a penalty."""
    for number, report in enumerate((SOUTH_WINS, WEST_WINS), start=1):
        rooms.post_hand(
            table=table, submission_id=uuid4(), number=number, report=report, sent_by="table 1"
        )
    hand = Hand.objects.get(game=table.game, number=1)
    rooms.correct_hand(
        table=table, hand_id=hand.pk, report=DRAWN, corrected_by="user 1", reason="a slip"
    )
    seat = table.game.seats.get(number=2)
    scorebook.adjust(seat=seat, points=-50, written_by="user 1", reason="late")
