"""A repair while the table goes on entering hands: one waits for the other, both are kept."""

from datetime import date
from functools import partial
from uuid import uuid4

import pytest

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Repair, RepairKind
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.verifying import recount
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.people import make_club
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def put_right(table: SessionTable) -> object:
    """The first two players had each other's winds from the first hand on."""
    return at_table.repair_hands(
        table=EveningTable(table),
        mistake=Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2)),
        words="what was done",
        reason="seen on paper",
        made_by="user 1",
    )


def enter(table: SessionTable, number: int) -> object:
    """The next hand from the table's phone."""
    return at_table.post_hand(
        table=EveningTable(table),
        submission_id=uuid4(),
        number=number,
        report=SECOND_WINS,
        sent_by="table 1",
    )


def test_a_hand_and_a_repair_at_the_same_moment_are_both_kept() -> None:
    club = make_club()
    table = night(club, date(2026, 11, 17), make_players(club, 4)).tables.get()
    post(table, SECOND_WINS)
    for number in (2, 3, 4):
        at_once([partial(put_right, table), partial(enter, table, number)])
    assert table.game.hands.filter(is_current=True).count() == 4
    assert Repair.objects.count() == 3
    assert recount().differences == ()


def test_of_two_who_put_the_same_right_one_looks_again() -> None:
    club = make_club()
    table = night(club, date(2026, 11, 17), make_players(club, 4)).tables.get()
    post(table, SECOND_WINS)
    mistake = Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2))
    seen = at_table.repair_hands(
        table=EveningTable(table), mistake=mistake, words="", reason="x", made_by="user 1"
    )
    again = partial(
        at_table.repair_hands,
        table=EveningTable(table),
        mistake=mistake,
        words="",
        reason="x",
        made_by="user 1",
        mark=seen.mark,
    )
    assert [type(one).__name__ for one in at_once([again, again])] == ["Refused", "Refused"]
    assert Repair.objects.count() == 1
