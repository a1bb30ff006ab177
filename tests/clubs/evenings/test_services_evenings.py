"""A club night from the door to the result."""

from collections.abc import Callable
from datetime import date
from functools import partial

import pytest
from django.core import mail
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors import door as door_rows, evenings as rows
from clubs.evenings.services import ending, evenings
from clubs.members.selectors import members, player_view
from clubs.models import Club, Message, Session, SessionState
from scoring.scorebook.models import Game, Seat
from scoring.scorebook.refusals import AlreadyStands, Refused
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    evening_of,
    fours,
    make_players,
    make_season,
    night,
    post,
)
from tests.people import make_club, make_player
from tests.scoring.scorebook.book import dispute

LAST_WEEK, TUESDAY = date(2026, 11, 10), date(2026, 11, 17)
FINISHED = "This evening is finished, so its result cannot change. Reopen the evening first."
pytestmark = pytest.mark.django_db


def evening(*, present_count: int) -> Session:
    """An open evening with so many people ticked."""
    club = make_club()
    return evening_of(club, make_players(club, present_count))


def problems_of(
    call: Callable[..., object], *args: object, **kwargs: object
) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    return [(problem.code, problem.message) for problem in refusal.value.problems]


def test_an_evening_joins_the_season_of_its_day() -> None:
    club = make_club()
    season = make_season(club)
    assert evenings.open_session(club=club, held_on=TUESDAY).season == season
    assert evenings.open_session(club=club, held_on=date(2027, 1, 5)).season is None


def test_ticking_twice_is_ticking_once_and_only_for_people_of_the_club() -> None:
    session = evening(present_count=1)
    player = session.club.players.get()
    evenings.tick(session=session, player=player, is_here=True)
    assert [row.player for row in door_rows.attendances_of(session)] == [player]
    for _ in range(2):
        evenings.tick(session=session, player=player, is_here=False)
    assert door_rows.attendances_of(session) == []
    stranger = make_player(make_club("Hill Top Tiles", "hill-top"), "Carol")
    assert problems_of(evenings.tick, session=session, player=stranger, is_here=True) == [
        ("other_club", "Carol is not on this club’s list.")
    ]


@pytest.mark.parametrize(
    ("present_count", "sizes"),
    [(3, [3]), (4, [4]), (7, [4, 3]), (8, [4, 4]), (9, [5, 4]), (13, [5, 4, 4])],
)
def test_everybody_who_is_here_gets_a_seat(present_count: int, sizes: list[int]) -> None:
    session = evening(present_count=present_count)
    evenings.seat_session(session=session)
    tables = rows.tables_of(session)
    assert [len(table.places) for table in tables] == sizes
    seated_players = [place.player_id for table in tables for place in table.places]
    assert sorted(seated_players) == sorted(session.club.players.values_list("pk", flat=True))
    session.refresh_from_db()
    assert session.state == SessionState.PLAYING


def test_nobody_sits_with_last_weeks_table_when_it_can_be_helped() -> None:
    session = evening(present_count=8)
    players = list(session.club.players.all())
    night(session.club, LAST_WEEK, players[:4], players[4:])
    evenings.seat_session(session=session)
    first = {place.player_id for place in rows.tables_of(session)[0].places}
    assert len(first & {player.pk for player in players[:4]}) == 2


def test_seating_anew_leaves_nothing_of_the_old_tables() -> None:
    session = evening(present_count=8)
    evenings.seat_session(session=session)
    evenings.add_guest(session=session, name="Beryl")
    evenings.seat_session(session=session)
    assert [len(table.places) for table in rows.tables_of(session)] == [5, 4]
    assert (Game.objects.count(), Seat.objects.count()) == (2, 9)


def test_tables_are_cleared_until_a_hand_is_recorded() -> None:
    session = evening(present_count=4)
    evenings.seat_session(session=session)
    evenings.clear_tables(session=session)
    assert (rows.tables_of(session), Game.objects.count()) == ((), 0)
    evenings.seat_session(session=session)
    post(session.tables.get(), DRAWN)
    message = "Hands have been recorded, so the tables can no longer be cleared."
    for call in (evenings.clear_tables, evenings.seat_session):
        assert problems_of(call, session=session) == [("hands_recorded", message)]
    assert len(rows.tables_of(session)) == 1


def test_every_change_raises_the_version_and_a_hand_sent_twice_only_once() -> None:
    session = evening(present_count=4)
    versions = []
    for change in (
        lambda: evenings.seat_session(session=session),
        lambda: post(session.tables.get(), DRAWN),
        lambda: post(session.tables.get(), DRAWN),
        lambda: ending.close_session(session=session),
        lambda: ending.reopen_session(session=session),
    ):
        change()
        versions.append(Session.objects.get().version)
    assert versions == [5, 6, 6, 7, 8]
    with pytest.raises(AlreadyStands):
        post(session.tables.get(), SECOND_WINS)


def test_an_evening_is_not_finished_before_it_began_or_while_a_hand_is_not_agreed() -> None:
    session = evening(present_count=8)
    assert problems_of(ending.close_session, session=session) == [
        ("not_seated", "No one has been seated yet, so there is nothing to finish.")
    ]
    evenings.seat_session(session=session)
    first, second = session.tables.all()
    for hand in (post(second, DRAWN, SECOND_WINS)[1], post(first, DRAWN)[0]):
        dispute(hand)
    assert problems_of(ending.close_session, session=session) == [
        ("disputed", "Table 1, hand 1, is not agreed yet."),
        ("disputed", "Table 2, hand 2, is not agreed yet."),
    ]


def test_a_finished_evening_is_read_only_until_it_is_opened_again() -> None:
    session = evening(present_count=4)
    evenings.seat_session(session=session)
    ending.close_session(session=session)
    latecomer, table = make_player(session.club, "Harold"), session.tables.get()
    tick = partial(evenings.tick, session=session, player=latecomer, is_here=True)
    for change in (
        tick,
        partial(evenings.add_guest, session=session, name="Zoë"),
        partial(evenings.clear_tables, session=session),
        partial(evenings.seat_session, session=session),
    ):
        assert problems_of(change) == [("session_closed", FINISHED)]
    assert [code for code, _ in problems_of(post, table, DRAWN)] == ["game_closed"]
    assert not session.club.players.filter(name="Zoë").exists()
    assert (session.attendances.count(), session.tables.count()) == (4, 1)
    ending.reopen_session(session=session)
    tick()
    assert session.attendances.count() == 5
    assert [hand.number for hand in post(table, DRAWN)] == [1]


def test_finishing_twice_writes_one_result_for_each_member_who_asked_for_it() -> None:
    club = make_club()
    session = night(club, TUESDAY, make_players(club, 4))
    make_player(club, "Zoë", email="zoe@example.org", wants_results=True)
    make_player(club, "Gone", email="gone@example.org", wants_results=True, is_active=False)
    make_player(club, "Mute", email="mute@example.org")
    for _ in range(2):
        ending.close_session(session=session)
    (draft,) = Message.objects.all()
    assert (draft.player.name, draft.state, mail.outbox) == ("Zoë", "draft", [])


def test_the_list_at_the_door_is_by_surname(club: Club) -> None:
    for name in ("Zoë Abel", "ann Łuczak", "Ben Lin", "Cher", "Dr. Ann Baker", "Mei van Dyk"):
        make_player(club, name)
    session = night(club, TUESDAY, make_players(club, 3))
    in_order = [
        *("Zoë Abel", "Ann", "Dr. Ann Baker", "Ben", "Cher", "Cy"),
        *("Ben Lin", "ann Łuczak", "Mei van Dyk"),
    ]
    assert [row.name for row in door_rows.check_in_list(session)] == in_order
    assert [row.name for row in door_rows.attendance_list(session)] == in_order


def test_a_guest_keeps_what_is_in_brackets(club: Club) -> None:
    make_player(club, "Jean Smith")
    session = evening_of(club, [], TUESDAY)
    fakenham = evenings.add_guest(session=session, name="Smith, Jean (Fakenham)")
    assert fakenham.name == "Jean Smith (Fakenham)"
    peg = evenings.add_guest(session=session, name="Margaret Hill (Peg)")
    assert (peg.name, [alias.name for alias in peg.aliases.all()]) == ("Margaret Hill", ["Peg"])


def test_guests_stand_among_the_members_on_the_list_at_the_door(club: Club) -> None:
    _, ben, cy, di = make_players(club, 4)
    make_player(club, "Gone", is_active=False)
    night(club, LAST_WEEK, (cy, di, ben))
    session = night(club, TUESDAY, (ben, cy, di))
    evenings.add_guest(session=session, name="Beryl")
    door = door_rows.check_in_list(session)
    assert [(row.name, row.is_guest, row.is_here, row.table) for row in door] == [
        ("Ann", False, False, None),
        ("Ben", False, True, 1),
        ("Beryl", True, True, None),
        ("Cy", False, True, 1),
        ("Di", False, True, 1),
    ]


def test_the_tables_show_places_hands_and_what_is_disputed(club: Club) -> None:
    session = night(club, TUESDAY, make_players(club, 5))
    hands = post(session.tables.get(), SECOND_WINS, DRAWN)
    dispute(hands[1], 2)
    (table,) = rows.tables_of(session)
    assert (table.hands, table.disputed_hands, table.is_closed) == (2, (2,), False)
    assert [(place.wind, place.name, place.points) for place in table.places] == [
        ("E", "Ann", -64),
        ("S", "Ben", 240),
        ("W", "Cy", -80),
        ("N", "Di", -96),
        ("", "Ed", 0),
    ]


def test_a_table_is_seen_with_names_winds_and_who_pays_whom(club: Club) -> None:
    session = night(club, TUESDAY, make_players(club, 4))
    table = session.tables.get()
    post(table, SECOND_WINS)
    table.refresh_from_db()
    view = rows.view_of(table)
    assert (view.title, view.event) == ("Table 1", "Tuesday 17 November")
    assert [(seat.name, seat.wind, seat.is_dealer) for seat in view.playing] == [
        ("Ben", "E", True),
        ("Cy", "S", False),
        ("Di", "W", False),
        ("Ann", "N", False),
    ]
    (hand,) = view.hands
    assert [paid.text for paid in hand.transfers] == [
        "Ann pays Ben 120",
        "Cy pays Ben 60",
        "Di pays Ben 60",
        "Cy pays Ann 24",
        "Di pays Ann 32",
        "Di pays Cy 4",
    ]


def test_the_result_is_one_list_over_all_tables(club: Club) -> None:
    players = make_players(club, 8)
    session = night(club, TUESDAY, players[:4], players[4:])
    for table in session.tables.all():
        post(table, SECOND_WINS)
    result = [(row.place, row.is_tied, row.name, row.table) for row in rows.result_of(session)]
    assert result[:3] == [(1, True, "Ben", 1), (1, True, "Flo", 2), (3, True, "Ann", 1)]


def test_a_table_without_a_hand_comes_after_everyone_who_has_played(club: Club) -> None:
    players = make_players(club, 8)
    session = night(club, TUESDAY, players[:4], players[4:])
    post(session.tables.get(number=1), SECOND_WINS)
    result = rows.result_of(session)
    assert [(row.place, row.points) for row in result[:4]] == [
        (1, 240),
        (2, -64),
        (3, -80),
        (4, -96),
    ]
    assert [(row.place, row.is_tied, row.points) for row in result[4:]] == [(None, False, 0)] * 4
    assert [row.name for row in result[4:]] == ["Ed", "Flo", "Gus", "Hal"]


def test_a_players_page_and_the_list_of_members_add_up_the_evenings(club: Club) -> None:
    *four, _ = make_players(club, 5)
    ben = four[1]
    for day in (LAST_WEEK, TUESDAY):
        post(night(club, day, four).tables.get(), SECOND_WINS, DRAWN)
    with assertNumQueries(1):
        view = player_view(ben)
    with assertNumQueries(1):
        people = members(club)
    assert [row.held_on for row in view.evenings] == [TUESDAY, LAST_WEEK]
    assert [(row.points, row.mahjongs, row.hands) for row in view.evenings] == [(240, 1, 2)] * 2
    assert (view.best_hand, view.pays) == (60, True)
    assert [(row.name, row.evenings, row.last_seen) for row in people] == [
        *((name, 2, TUESDAY) for name in ("Ann", "Ben", "Cy", "Di")),
        ("Ed", 0, None),
    ]


@pytest.mark.parametrize("tables", [1, 3])
def test_an_evening_costs_as_much_with_three_tables_as_with_one(club: Club, tables: int) -> None:
    session = fours(club, tables)
    for table in session.tables.all():
        post(table, SECOND_WINS)
    for selector, queries in (
        (rows.tables_of, 3),
        (door_rows.check_in_list, 1),
        (rows.result_of, 1),
    ):
        with assertNumQueries(queries):
            selector(session)
