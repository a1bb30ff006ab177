"""The clock of a round is set, stands, goes on and rings; tables stop; hands after the bell."""

from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from tests.people import make_club
from tests.tournaments.clocks import at_minute, enter, timed_cup
from tests.tournaments.cups import DRAWN, SECOND_WINS, post, seated_cup, tables
from tournaments.models import AtTheBell, Round, RoundState, Table, Tournament
from tournaments.results.selectors.standings import standings
from tournaments.rounds.clock import Clock, clock_of, out_of_time, timing_of, why_done
from tournaments.rounds.selectors import rounds_of
from tournaments.steps import services
from tournaments.table.event import RoundTable

pytestmark = pytest.mark.django_db


def clock_at(cup: Tournament, minute: float, table: Table | None = None) -> Clock:
    playing = Round.objects.select_related("tournament").get(tournament=cup, number=1)
    at_table = None if table is None else Table.objects.get(pk=table.pk)
    with at_minute(minute):
        clock = clock_of(playing, now=timezone.now(), table=at_table)
    assert clock is not None
    return clock


def left_at(cup: Tournament, minute: float, table: Table | None = None) -> float:
    return clock_at(cup, minute, table).seconds_left / 60


def version(cup: Tournament) -> int:
    return Tournament.objects.get(pk=cup.pk).version


def test_starting_a_round_starts_its_clock() -> None:
    assert left_at(timed_cup(), 10) == 65


def test_a_round_may_start_before_its_clock() -> None:
    cup = timed_cup()
    services.unstart_round(tournament=cup)
    with at_minute(0):
        services.start_round(tournament=cup, clock_waits=True)
    assert clock_at(cup, 10).words == "Not started: 75 minutes to play"
    with at_minute(12):
        services.resume_clock(tournament=cup)
    assert left_at(cup, 22) == 65


def test_the_clock_stands_and_goes_on_from_there() -> None:
    cup = timed_cup()
    before = version(cup)
    with at_minute(20):
        services.pause_clock(tournament=cup)
    with at_minute(25):
        services.pause_clock(tournament=cup)
    assert clock_at(cup, 40).words == "Paused"
    with at_minute(50):
        services.resume_clock(tournament=cup)
        services.resume_clock(tournament=cup)
    assert left_at(cup, 60) == 45
    assert version(cup) == before + 2


def test_a_clock_that_is_paused_twice_stands_for_both_times() -> None:
    cup = timed_cup()
    for minute in (20, 40):
        with at_minute(minute):
            services.pause_clock(tournament=cup)
        with at_minute(minute + 5):
            services.resume_clock(tournament=cup)
    assert left_at(cup, 60) == 25


def test_minutes_are_added_for_all_and_for_one_table() -> None:
    cup = timed_cup(entrants=8)
    one, other = tables(cup)
    with at_minute(10):
        services.add_minutes(tournament=cup, minutes=5)
        services.add_minutes(tournament=cup, minutes=3, table=one)
        services.add_minutes(tournament=cup, minutes=-2)
    assert [left_at(cup, 10, table) for table in (None, one, other)] == [68, 71, 68]


def test_a_button_pressed_twice_adds_its_minutes_once() -> None:
    cup = timed_cup()
    with at_minute(10):
        assert services.add_minutes(tournament=cup, minutes=5, seen=0) == 5
        assert services.add_minutes(tournament=cup, minutes=5, seen=0) == 0
        assert services.add_minutes(tournament=cup, minutes=5, seen=5) == 5
    assert left_at(cup, 10) == 75


def test_minutes_added_after_the_bell_count_from_then() -> None:
    cup = timed_cup()
    with at_minute(82):
        services.add_minutes(tournament=cup, minutes=5)
    assert left_at(cup, 82) == 5


def test_a_bell_rung_by_hand_can_be_taken_back() -> None:
    cup = timed_cup()
    with at_minute(40):
        services.ring_bell(tournament=cup)
        services.ring_bell(tournament=cup)
    assert (clock_at(cup, 42).words, clock_at(cup, 42).until) == ("The bell has rung", "at 2:50pm")
    with at_minute(43):
        services.take_bell_back(tournament=cup)
    assert left_at(cup, 45) == 30


def test_the_time_is_never_taken_away_past_now() -> None:
    cup = timed_cup()
    with (
        at_minute(73),
        pytest.raises(Refused, match=r"Only 2 minutes are left\. To end the time now, ring"),
    ):
        services.add_minutes(tournament=cup, minutes=-2)


@pytest.mark.parametrize("minutes", [601, -601, 10**9])
def test_so_many_minutes_are_refused(minutes: int) -> None:
    cup = timed_cup()
    with at_minute(1), pytest.raises(Refused, match="600 minutes or fewer"):
        services.add_minutes(tournament=cup, minutes=minutes)


def test_a_round_forgotten_for_weeks_gets_no_more_minutes() -> None:
    cup = timed_cup()
    with at_minute(60 * 24 * 40), pytest.raises(Refused, match="600 minutes or fewer"):
        services.add_minutes(tournament=cup, minutes=5)


def test_after_the_bell_the_clock_is_not_stopped_nor_set_by_hand() -> None:
    cup = timed_cup()
    with at_minute(76), pytest.raises(Refused, match="The bell has already rung"):
        services.pause_clock(tournament=cup)
    with at_minute(20):
        services.ring_bell(tournament=cup)
    with at_minute(21), pytest.raises(Refused, match=r"rung manually\. Undo that first"):
        services.add_minutes(tournament=cup, minutes=5)


@pytest.mark.parametrize("act", [services.pause_clock, services.ring_bell, services.resume_clock])
def test_without_a_clock_or_a_round_there_is_nothing_to_set(act: object) -> None:
    with pytest.raises(Refused, match="played without a clock"):
        act(tournament=seated_cup())  # type: ignore[operator]
    cup = timed_cup(club=make_club("Hill Top Tiles", "hill-top"))
    Round.objects.filter(tournament=cup).update(state=RoundState.CLOSED)
    with pytest.raises(Refused, match="no clock"):
        act(tournament=cup)  # type: ignore[operator]


def test_a_table_of_another_round_gets_no_minutes() -> None:
    cup = timed_cup()
    (later,) = tables(cup, 2)
    with at_minute(1), pytest.raises(Refused, match="No round is in progress"):
        services.add_minutes(tournament=cup, minutes=5, table=later)


@pytest.mark.parametrize(("at_the_bell", "more"), [(AtTheBell.FINISH, 1), (AtTheBell.ONE_MORE, 2)])
def test_after_the_bell_a_table_enters_so_many_hands_and_is_done(
    at_the_bell: AtTheBell, more: int
) -> None:
    cup = timed_cup(at_the_bell=at_the_bell)
    (table,) = tables(cup)
    enter(table, 1, minute=74)
    for number in range(2, 2 + more):
        assert not is_done(cup, minute=80)
        enter(table, number, minute=85)
    assert is_done(cup, minute=86)
    with pytest.raises(Refused) as refused:
        enter(table, 2 + more, minute=90)
    assert str(refused.value) == (
        "The bell rang at 3:25pm and the last hand is in. If you think another hand should count, "
        "tell the director. What you typed is still here and is not saved."
    )


def test_where_the_hand_stops_there_are_two_minutes_to_type_what_was_finished() -> None:
    cup = timed_cup(at_the_bell=AtTheBell.STOP)
    (table,) = tables(cup)
    enter(table, 1, minute=76.9)
    assert not is_done(cup, minute=77)
    with pytest.raises(Refused, match="no more hands count"):
        enter(table, 2, minute=77.1)
    assert is_done(cup, minute=77.1)


def test_more_minutes_open_a_table_again() -> None:
    cup = timed_cup(entrants=8)
    one, other = tables(cup)
    for table in (one, other):
        enter(table, 1, minute=76)
    with at_minute(77):
        services.add_minutes(tournament=cup, minutes=10, table=one)
    enter(one, 2, minute=80)
    with pytest.raises(Refused):
        enter(other, 2, minute=80)


def test_organisers_enter_hands_whenever_they_like() -> None:
    cup = timed_cup(at_the_bell=AtTheBell.STOP)
    (table,) = tables(cup)
    with at_minute(120):
        post(table, DRAWN, SECOND_WINS)
    assert Hand.objects.count() == 2


def test_a_hand_sent_again_after_the_bell_is_the_hand_that_stands() -> None:
    cup = timed_cup(at_the_bell=AtTheBell.STOP)
    (table,) = tables(cup)
    hand = enter(table, 1, minute=70)
    assert enter(table, 1, minute=90) == hand


def test_a_correction_after_the_bell_is_no_further_hand() -> None:
    cup = timed_cup()
    (table,) = tables(cup)
    hand = enter(table, 1, minute=70)
    with at_minute(80):
        at_table.correct_hand(
            table=RoundTable(table),
            hand_id=hand.pk,
            report=SECOND_WINS,
            corrected_by="user 1",
            reason="misread",
        )
    assert enter(table, 2, minute=85).number == 2


def test_a_table_stops_and_plays_on_after_all() -> None:
    cup = timed_cup()
    (table,) = tables(cup)
    enter(table, 1, minute=30, report=SECOND_WINS)
    before = version(cup)
    with at_minute(60):
        services.stop_table(table=table)
        services.stop_table(table=table)
    assert is_done(cup, minute=61)
    with pytest.raises(Refused, match=r"This table stopped at 3:10pm\. What you typed"):
        enter(table, 2, minute=62)
    with at_minute(63):
        services.play_on(table=table)
        services.play_on(table=table)
    assert version(cup) == before + 2
    enter(table, 2, minute=64)


def test_a_table_stops_only_while_its_round_is_played() -> None:
    (later,) = tables(timed_cup(), 2)
    with pytest.raises(Refused, match="Round 2 has not been started yet"):
        services.stop_table(table=later)


def test_the_points_of_a_table_that_stopped_count_as_they_stand() -> None:
    cup = timed_cup(rounds=1)
    (table,) = tables(cup)
    enter(table, 1, minute=30, report=SECOND_WINS)
    assert [row.table_points for row in standings(cup)] == [0, 0, 0, 0]
    services.stop_table(table=table)
    assert [row.table_points for row in standings(cup)] == [4, 2, 1, 0]
    services.play_on(table=table)
    with at_minute(90):
        post_second_after_the_bell(table)
        assert [row.table_points for row in standings(cup)] == [4, 2, 1, 0]
        services.close_round(tournament=cup)
    assert [row.table_points for row in standings(cup)] == [4, 2, 1, 0]


def post_second_after_the_bell(table: Table) -> None:
    at_table.post_hand(
        table=RoundTable(table, by_players=True),
        submission_id=uuid4(),
        number=2,
        report=DRAWN,
        sent_by="x",
    )


def test_a_round_closes_once_every_table_has_stopped_or_used_its_time() -> None:
    cup = timed_cup(entrants=8)
    one, other = tables(cup)
    enter(one, 1, minute=80)
    with (
        at_minute(85),
        pytest.raises(Refused, match="Table 2: 0 hands entered, not marked as stopped"),
    ):
        services.close_round(tournament=cup)
    with at_minute(86):
        services.stop_table(table=other)
        services.close_round(tournament=cup)
    assert Round.objects.get(tournament=cup, number=1).state == RoundState.CLOSED


def test_a_table_of_a_round_of_hands_may_stop_early() -> None:
    cup = seated_cup(rounds=1, hands=8)
    (table,) = tables(cup)
    post(table, SECOND_WINS)
    services.stop_table(table=table)
    assert [row.table_points for row in standings(cup)] == [4, 2, 1, 0]
    services.close_round(tournament=cup)


def test_a_table_that_stops_before_its_first_hand_is_done() -> None:
    cup = timed_cup()
    services.stop_table(table=tables(cup)[0])
    (row,) = rounds_of(cup)[0].tables
    assert (row.state, row.sign, row.lacks) == ("done", "done", "")


@pytest.mark.parametrize("entrants", [4, 12])
def test_the_bell_is_one_query_before_it_and_two_after(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = timed_cup(entrants=entrants)
    for table in tables(cup):
        enter(table, 1, minute=76)
    for minute, queries in ((75.5, 2), (60, 1)):
        with at_minute(minute), django_assert_num_queries(queries):
            out_of_time(cup, now=timezone.now())
    with django_assert_num_queries(0):
        assert out_of_time(Tournament(hands_a_round=8), now=timezone.now()) == frozenset()


def test_the_time_of_a_table_is_no_query_before_the_bell_and_one_after(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    (table,) = tables(timed_cup())
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    for minute, queries in ((60, 0), (80, 1)):
        with at_minute(minute), django_assert_num_queries(queries):
            assert timing_of(table, now=timezone.now()) is not None


def is_done(cup: Tournament, *, minute: float) -> bool:
    """Whether the only table of the first round plays no further hand, as every page sees it."""
    (table,) = tables(cup)
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    with at_minute(minute):
        by_page = rounds_of(cup)[0].tables[0].is_done
        by_phone = bool(why_done(table, now=timezone.now()))
        stopped = table.stopped_at is not None
        assert by_page == by_phone == (stopped or table.pk in out_of_time(cup, now=timezone.now()))
    return by_page
