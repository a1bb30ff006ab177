"""What happens at the same moment in a club, on the database that the suite runs on."""

from datetime import date
from functools import partial
from uuid import uuid4

import pytest

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services import ending, evenings
from clubs.house import services
from clubs.members.services.people import add_player
from clubs.models import Club, Player, Session, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.clubs.nights import DRAWN, SECOND_WINS, correct, make_players, night, post
from tests.people import make_club
from tests.threads import at_once

TUESDAY = date(2026, 11, 17)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def three_tables(club: Club) -> list[SessionTable]:
    """The tables of an evening of twelve."""
    players = make_players(club, 12)
    return list(night(club, TUESDAY, players[:4], players[4:8], players[8:]).tables.all())


def refusals(answers: list[object]) -> list[str]:
    """The sentences of those that were refused; anything but an answer or a refusal is raised."""
    return sorted(str(answer) for answer in answers if isinstance(answer, Refused))


def test_of_two_who_open_the_same_evening_one_is_told_that_it_is_there(club: Club) -> None:
    answers = at_once([partial(evenings.open_session, club=club, held_on=TUESDAY)] * 4)
    assert refusals(answers) == ["There is already an evening on 17 November 2026."] * 3
    assert Session.objects.count() == 1


def test_of_two_who_add_the_same_person_one_is_told_so(club: Club) -> None:
    answers = at_once([partial(add_player, club=club, name="Zoë")] * 4)
    assert len(refusals(answers)) == 3
    assert Player.objects.count() == 1


def test_a_double_press_lays_the_tables_once(club: Club) -> None:
    session = evenings.open_session(club=club, held_on=TUESDAY)
    for player in make_players(club, 8):
        evenings.tick(session=session, player=player, is_here=True)
    answers = at_once([partial(evenings.seat_session, session=session)] * 3)
    assert all(str(answer).startswith("Everyone is seated") for answer in answers)
    assert [len(table.places) for table in rows.tables_of(session)] == [4, 4]


def test_hands_come_in_while_the_evening_is_closed_and_the_book_still_balances(
    three_tables: list[SessionTable],
) -> None:
    session = Session.objects.get()
    close = partial(ending.close_session, session=session)
    hands = [partial(post, table, DRAWN, SECOND_WINS) for table in three_tables]
    answers = at_once([*hands, close])
    late_message = "This game is finished, so you cannot add more hands."
    assert set(refusals(answers)) <= {late_message}
    assert {table.is_closed for table in rows.tables_of(session)} == {True}
    assert recount().differences == ()


def test_every_hand_raises_the_version_though_all_come_at_once(
    three_tables: list[SessionTable],
) -> None:
    version_before = Session.objects.get().version
    at_once([partial(post, table, DRAWN, SECOND_WINS, DRAWN) for table in three_tables])
    assert Session.objects.get().version == version_before + 9


def test_a_correction_waits_for_the_close_or_the_close_for_the_correction() -> None:
    for attempt in range(4):
        club = make_club(f"Club {attempt}", f"club-{attempt}")
        session = night(club, TUESDAY, make_players(club, 4))
        table = session.tables.get()
        (hand,) = post(table, SECOND_WINS)
        close = partial(ending.close_session, session=session)
        answers = at_once([partial(correct, hand, DRAWN), close])
        is_corrected = isinstance(answers[0], Hand)
        late_message = (
            "This evening is finished, so its result cannot change. Reopen the evening first."
        )
        assert refusals(answers) == ([] if is_corrected else [late_message])
        assert Hand.objects.filter(game=table.game).count() == 1 + is_corrected


def test_one_phone_that_sends_eight_times_is_heard_once(club: Club) -> None:
    session = night(club, TUESDAY, make_players(club, 4))
    send = partial(
        at_table.post_hand,
        table=EveningTable(session.tables.get()),
        submission_id=uuid4(),
        number=1,
        report=SECOND_WINS,
        sent_by="table 1",
    )
    version_before = Session.objects.get().version
    assert refusals(at_once([send] * 8)) == []
    assert (Hand.objects.count(), Session.objects.get().version) == (1, version_before + 1)


def test_of_presses_at_once_one_rehearsal_is_made(club: Club) -> None:
    answers = at_once([partial(services.start_rehearsal, club=club)] * 3)
    assert len({answer.pk for answer in answers if isinstance(answer, Session)}) == 1
    assert club.rehearsals.count() == 1


def test_of_two_who_take_the_same_seat_one_is_told_that_it_is_gone(club: Club) -> None:
    players = make_players(club, 6)
    session = night(club, TUESDAY, players[:4])
    post(session.tables.get(), SECOND_WINS)
    for player in players[4:]:
        evenings.tick(session=session, player=player, is_here=True)
    take = partial(evenings.take_over, session=session, leaver=players[3], goes_home=True)
    answers = at_once([partial(take, player=player) for player in players[4:]])
    assert refusals(answers) == ["Di is not at a table."]
    assert sum(row.hands for row in rows.result_of(session)) == 4


def test_a_hand_comes_in_while_somebody_leaves_and_the_book_still_balances(club: Club) -> None:
    players = make_players(club, 4)
    session = night(club, TUESDAY, players)
    table = session.tables.get()
    post(table, SECOND_WINS)
    leave = partial(evenings.leave_table, session=session, leaver=players[3], goes_home=True)
    send = partial(
        at_table.post_hand,
        table=EveningTable(table),
        submission_id=uuid4(),
        number=2,
        report=DRAWN,
        sent_by="table 1",
    )
    messages = refusals(at_once([leave, send]))
    assert set(messages) <= {"This game is finished, so you cannot add more hands."}
    assert Hand.objects.count() == 2 - len(messages)
    assert recount().differences == ()
