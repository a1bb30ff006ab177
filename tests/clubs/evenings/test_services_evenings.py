"""A club night from the door to the result."""

from datetime import date

import pytest
from django.core import mail

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services import evenings
from clubs.models import Message, Player, PlayerKind, Session, SessionState
from clubs.table import services as at_table
from scoring.scorebook.models import Game, Seat
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.reports import Report
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.people import make_club, make_player
from tests.scoring.scorebook.book import dispute

TUESDAY = date(2026, 11, 17)
pytestmark = pytest.mark.django_db


def evening(*, here: int) -> Session:
    """An open evening with so many people ticked."""
    club = make_club()
    session = evenings.open_session(club=club, held_on=TUESDAY)
    for player in make_players(club, here):
        evenings.tick(session=session, player=player, is_here=True)
    return session


def refused(call: object, **arguments: object) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refusal:
        call(**arguments)  # type: ignore[operator]
    return [(problem.code, problem.sentence) for problem in refusal.value.problems]


def test_there_is_one_evening_a_day() -> None:
    session = evening(here=0)
    assert refused(evenings.open_session, club=session.club, held_on=TUESDAY) == [
        ("day_taken", "There is already an evening on 17 November 2026.")
    ]


def test_an_evening_joins_the_season_of_its_day() -> None:
    club = make_club()
    season = make_season(club)
    assert evenings.open_session(club=club, held_on=TUESDAY).season == season
    assert evenings.open_session(club=club, held_on=date(2027, 1, 5)).season is None


def test_ticking_twice_is_ticking_once() -> None:
    session = evening(here=1)
    player = session.club.players.get()
    evenings.tick(session=session, player=player, is_here=True)
    assert [row.player for row in rows.attendances(session)] == [player]
    evenings.tick(session=session, player=player, is_here=False)
    evenings.tick(session=session, player=player, is_here=False)
    assert rows.attendances(session) == []


def test_somebody_of_another_club_cannot_be_ticked() -> None:
    session = evening(here=0)
    stranger = make_player(make_club("Hill Top Tiles", "hill-top"), "Carol")
    assert refused(evenings.tick, session=session, player=stranger, is_here=True) == [
        ("other_club", "Carol is not on this club's list.")
    ]


def test_a_guest_is_ticked_at_once() -> None:
    session = evening(here=0)
    guest = evenings.add_guest(session=session, name="  Beryl   Nakamura ")
    assert (guest.name, guest.kind) == ("Beryl Nakamura", PlayerKind.GUEST)
    assert [row.player for row in rows.attendances(session)] == [guest]


@pytest.mark.parametrize("name", ["", "   ", "x" * 300, "<script>alert(1)</script>", "..."])
def test_a_guest_needs_a_name_that_can_be_one(name: str) -> None:
    session = evening(here=0)
    ((code, _),) = refused(evenings.add_guest, session=session, name=name)
    assert (code, Player.objects.count()) == ("bad_name", 0)


def test_a_guest_of_a_known_name_is_not_made_twice() -> None:
    session = evening(here=1)
    ((code, _),) = refused(evenings.add_guest, session=session, name="ANN")
    assert (code, Player.objects.count()) == ("name_taken", 1)


@pytest.mark.parametrize(
    ("here", "sizes"), [(3, [3]), (4, [4]), (7, [4, 3]), (8, [4, 4]), (9, [5, 4]), (13, [5, 4, 4])]
)
def test_everybody_who_is_here_gets_a_seat(here: int, sizes: list[int]) -> None:
    session = evening(here=here)
    evenings.seat_session(session=session)
    tables = rows.tables_of(session)
    assert [len(table.places) for table in tables] == sizes
    seated = [place.player_id for table in tables for place in table.places]
    assert sorted(seated) == sorted(session.club.players.values_list("pk", flat=True))
    session.refresh_from_db()
    assert session.state == SessionState.PLAYING


def test_two_do_not_make_a_table() -> None:
    session = evening(here=2)
    assert refused(evenings.seat_session, session=session) == [
        ("too_few_players", "A table needs at least 3 players; there are only 2.")
    ]


def test_nobody_sits_with_last_weeks_table_when_it_can_be_helped() -> None:
    club = make_club()
    players = make_players(club, 8)
    night(club, date(2026, 11, 10), players[:4], players[4:])
    session = evenings.open_session(club=club, held_on=TUESDAY)
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    first = {place.player_id for place in rows.tables_of(session)[0].places}
    assert len(first & {player.pk for player in players[:4]}) == 2


def test_seating_anew_leaves_nothing_of_the_old_tables() -> None:
    session = evening(here=8)
    evenings.seat_session(session=session)
    evenings.add_guest(session=session, name="Beryl")
    evenings.seat_session(session=session)
    assert [len(table.places) for table in rows.tables_of(session)] == [5, 4]
    assert (Game.objects.count(), Seat.objects.count()) == (2, 9)


def test_tables_are_cleared_until_a_hand_is_recorded() -> None:
    session = evening(here=4)
    evenings.seat_session(session=session)
    evenings.clear_tables(session=session)
    assert (rows.tables_of(session), Game.objects.count()) == ((), 0)
    evenings.seat_session(session=session)
    post(session.tables.get(), DRAWN)
    for call in (evenings.clear_tables, evenings.seat_session):
        assert [code for code, _ in refused(call, session=session)] == ["hands_recorded"]
    assert len(rows.tables_of(session)) == 1


def test_who_sits_at_a_table_is_not_unticked() -> None:
    session = evening(here=4)
    evenings.seat_session(session=session)
    ann = session.club.players.get(name="Ann")
    assert refused(evenings.tick, session=session, player=ann, is_here=False) == [
        ("is_seated", "Ann is seated. Clear tables first, or record a departure below the tables.")
    ]


def test_every_change_raises_the_version() -> None:
    session = evening(here=4)
    seen = []
    for change in (
        lambda: evenings.seat_session(session=session),
        lambda: post(session.tables.get(), DRAWN),
        lambda: evenings.close_session(session=session),
        lambda: evenings.reopen_session(session=session),
    ):
        change()
        seen.append(Session.objects.get().version)
    assert seen == [5, 6, 7, 8]


def test_a_hand_sent_twice_raises_the_version_once() -> None:
    session = evening(here=4)
    evenings.seat_session(session=session)
    table = session.tables.get()
    post(table, DRAWN)
    post(table, DRAWN)
    assert Session.objects.get().version == 6
    with pytest.raises(AlreadyStands):
        post(table, SECOND_WINS)


def test_an_evening_is_not_finished_before_it_began() -> None:
    assert refused(evenings.close_session, session=evening(here=4)) == [
        ("not_seated", "No one has been seated yet, so there is nothing to finish.")
    ]


def test_an_evening_is_not_finished_while_a_hand_is_not_agreed() -> None:
    club = make_club()
    players = make_players(club, 8)
    session = night(club, TUESDAY, players[:4], players[4:])
    tables = list(session.tables.all())
    disputed = [post(tables[1], DRAWN, SECOND_WINS)[1], post(tables[0], DRAWN)[0]]
    for hand in disputed:
        dispute(hand)
    assert refused(evenings.close_session, session=session) == [
        ("disputed", "Table 1, hand 1, is not agreed yet."),
        ("disputed", "Table 2, hand 2, is not agreed yet."),
    ]


def test_a_finished_evening_takes_no_hand_until_it_is_opened_again() -> None:
    club = make_club()
    session = night(club, TUESDAY, make_players(club, 4))
    table = session.tables.get()
    evenings.close_session(session=session)
    ((code, _),) = refused(lambda: post(table, DRAWN))
    assert code == "game_closed"
    evenings.reopen_session(session=session)
    assert [hand.number for hand in post(table, DRAWN)] == [1]


def test_the_result_waits_for_the_members_who_asked_for_it() -> None:
    club = make_club()
    players = make_players(club, 4)
    make_player(club, "Zoë", email="zoe@example.org", wants_results=True)
    make_player(club, "Gone", email="gone@example.org", wants_results=True, is_active=False)
    make_player(club, "Mute", email="mute@example.org")
    session = night(club, TUESDAY, players)
    post(session.tables.get(), SECOND_WINS)
    evenings.close_session(session=session)
    (draft,) = Message.objects.all()
    assert (draft.player.name, draft.state, mail.outbox) == ("Zoë", "draft", [])


def test_finishing_twice_writes_one_result() -> None:
    club = make_club()
    session = night(club, TUESDAY, [*make_players(club, 3), make_player(club, "Zoë")])
    club.players.update(wants_results=True)
    evenings.close_session(session=session)
    evenings.close_session(session=session)
    assert Message.objects.count() == 4


def test_a_correction_moves_the_result() -> None:
    club = make_club()
    session = night(club, TUESDAY, make_players(club, 4))
    (hand,) = post(session.tables.get(), SECOND_WINS)
    at_table.correct_hand(
        table=EveningTable(session.tables.get()),
        hand_id=hand.pk,
        report=Report(winner=4, totals={1: 20, 2: 8, 3: 4, 4: 60}),
        corrected_by="user 1",
        reason="North went out",
    )
    assert [(row.place, row.name, row.points) for row in rows.result_of(session)] == [
        (1, "Di", 240),
        (2, "Ann", -64),
        (3, "Ben", -80),
        (4, "Cy", -96),
    ]
