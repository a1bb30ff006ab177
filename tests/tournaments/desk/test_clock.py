"""The clock of a round: its arithmetic, how it is set, stands and rings, and its pages."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.scorebook.refusals import Refused
from tests.api import game_at, link_client
from tests.clubs.tables import sheet
from tests.people import Cast, make_club
from tests.tournaments.cups import (
    SECOND_WINS,
    at_minute,
    correct,
    enter,
    fresh,
    page_of,
    post,
    seated_cup,
    send_hand,
    tables,
    timed_cup,
)
from tournaments.models import AtTheBell, Round, RoundState, Table, Tournament
from tournaments.results.selectors.standings import standings_of
from tournaments.rounds.clock import Clock, clock_of, done_reason, tables_out_of_time, timing_of
from tournaments.rounds.selectors import rounds_of
from tournaments.steps import services

pytestmark = pytest.mark.django_db
START = datetime(2026, 11, 21, 13, 10, tzinfo=UTC)
SECONDS = st.integers(0, 4 * 3600)
MINUTES = st.integers(-30, 120)


def after_start(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def a_round(minutes: int | None = 75, **fields: object) -> Round:
    """A round that began at START, unsaved."""
    cup = Tournament(minutes_a_round=minutes, hands_a_round=None)
    return Round(
        **{"tournament": cup, "number": 2, "state": RoundState.PLAYING, "started_at": START}
        | fields
    )


def read(round_: Round, *, seconds: float, table: Table | None = None) -> Clock:
    clock = clock_of(round_, now=START + timedelta(seconds=seconds), table=table)
    assert clock is not None
    return clock


@pytest.mark.parametrize("round_", [a_round(None), a_round(state=RoundState.CLOSED)])
def test_without_minutes_or_once_closed_there_is_no_clock(round_: Round) -> None:
    assert clock_of(round_, now=START) is None


@pytest.mark.parametrize(
    ("seconds", "face", "digits", "text", "until_text"),
    [
        (0, "running", "75:00", "75 minutes left", "until 2:25pm"),
        (57 * 60 - 0.4, "running", "18:01", "18 minutes left", "until 2:25pm"),
        (70 * 60, "last", "5:00", "5 minutes left", "until 2:25pm"),
        (73 * 60 + 1, "last", "1:59", "1 minute left", "until 2:25pm"),
        (74 * 60 + 1, "last", "0:59", "Less than a minute left", "until 2:25pm"),
        (75 * 60, "rung", "0:00", "The bell has rung", "at 2:25pm"),
        (95 * 60, "rung", "0:00", "The bell has rung", "at 2:25pm"),
    ],
)
def test_the_time_goes_by(
    seconds: float, face: str, digits: str, text: str, until_text: str
) -> None:
    clock = read(a_round(), seconds=seconds)
    assert (clock.face, clock.digits, clock.text, clock.end_text) == (
        face,
        digits,
        text,
        until_text,
    )


@pytest.mark.parametrize(
    ("fields", "at_table", "expected_clock"),
    [
        (
            {"state": RoundState.SEATED, "started_at": None},
            0,
            ("waiting", 75 * 60, "Not started: 75 minutes to play", ""),
        ),
        ({"paused_at": START}, 0, ("waiting", 75 * 60, "Not started: 75 minutes to play", "")),
        ({"paused_at": after_start(62.5)}, 0, ("standing", 750, "Paused", "")),
        ({"paused_at": after_start(70)}, -6, ("rung", -60, "The bell has rung", "at 2:19pm")),
    ],
    ids=["not started", "held at the start", "paused", "behind a standing clock"],
)
def test_a_clock_that_stands_says_where(
    fields: dict[str, Any], at_table: int, expected_clock: tuple[object, ...]
) -> None:
    clock = read(a_round(**fields), seconds=9999, table=Table(minutes_added=at_table))
    assert (clock.face, clock.seconds_left, clock.text, clock.end_text) == expected_clock
    assert clock.is_running is (clock.face == "rung")


def test_a_bell_rung_by_hand_ends_the_time_at_once() -> None:
    rung = a_round(rung_at=after_start(40), paused_at=after_start(30))
    clock = read(rung, seconds=41 * 60)
    assert (clock.face, clock.seconds_left, clock.end_text) == ("rung", -60, "at 1:50pm")
    table_clock = read(rung, seconds=41 * 60, table=Table(minutes_added=5))
    assert (table_clock.face, table_clock.seconds_left, table_clock.end_text) == (
        "last",
        240,
        "until 1:55pm",
    )


@pytest.mark.parametrize("at_the_bell", AtTheBell)
def test_every_way_to_end_a_round_has_words(at_the_bell: AtTheBell) -> None:
    cup = Tournament(minutes_a_round=60, at_the_bell=at_the_bell)
    clock = read(a_round(tournament=cup), seconds=0)
    assert clock.bell_text.startswith("At the bell")
    assert clock.after_bell_text.endswith(".")


@given(SECONDS, SECONDS)
def test_as_time_goes_by_the_time_left_grows_less_by_as_much(
    seconds: int, more_seconds: int
) -> None:
    first, second = (
        read(a_round(), seconds=moment) for moment in (seconds, seconds + more_seconds)
    )
    assert first.seconds_left - second.seconds_left == more_seconds
    assert first.ends_at == second.ends_at


@given(SECONDS, SECONDS, SECONDS)
def test_standing_for_so_long_moves_the_bell_by_as_much(
    seconds: int, pause_seconds: int, more_seconds: int
) -> None:
    running_clock = read(a_round(), seconds=seconds)
    stands = read(
        a_round(paused_at=START + timedelta(seconds=seconds)), seconds=seconds + more_seconds
    )
    resumed_clock = read(a_round(paused_seconds=pause_seconds), seconds=seconds + pause_seconds)
    assert stands.seconds_left == resumed_clock.seconds_left == running_clock.seconds_left
    assert running_clock.ends_at is not None
    assert resumed_clock.ends_at == running_clock.ends_at + timedelta(seconds=pause_seconds)


@given(SECONDS, MINUTES, MINUTES)
def test_added_minutes_add_up_for_all_and_for_one_table(
    seconds: int, all_: int, table_minutes: int
) -> None:
    plain = read(a_round(), seconds=seconds)
    extended_clock = read(
        a_round(minutes_added=all_), seconds=seconds, table=Table(minutes_added=table_minutes)
    )
    assert extended_clock.seconds_left - plain.seconds_left == 60 * (all_ + table_minutes)
    assert (extended_clock.minutes, extended_clock.minutes_added) == (75, all_ + table_minutes)


@given(SECONDS, st.integers(0, 59 * 60))
def test_the_mark_changes_with_the_clock_and_at_the_bell_alone(
    seconds: int, more_seconds: int
) -> None:
    first, second = (
        read(a_round(), seconds=moment) for moment in (seconds, seconds + more_seconds)
    )
    assert (first.mark == second.mark) == (first.has_rung == second.has_rung)
    assert read(a_round(minutes_added=1), seconds=seconds).mark != first.mark


def clock_at(cup: Tournament, minute: float, table: Table | None = None) -> Clock:
    playing = Round.objects.select_related("tournament").get(tournament=cup, number=1)
    at_table = None if table is None else Table.objects.get(pk=table.pk)
    with at_minute(minute):
        clock = clock_of(playing, now=timezone.now(), table=at_table)
    assert clock is not None
    return clock


def left_at(cup: Tournament, minute: float, table: Table | None = None) -> float:
    return clock_at(cup, minute, table).seconds_left / 60


def test_a_round_may_start_before_its_clock() -> None:
    cup = timed_cup()
    services.unstart_round(tournament=cup)
    with at_minute(0):
        services.start_round(tournament=cup, clock_waits=True)
    assert clock_at(cup, 10).text == "Not started: 75 minutes to play"
    with at_minute(12):
        services.resume_clock(tournament=cup)
    assert left_at(cup, 22) == 65


def test_the_clock_stands_and_goes_on_from_there() -> None:
    cup = timed_cup()
    version_before = fresh(cup).version
    with at_minute(20):
        services.pause_clock(tournament=cup)
    with at_minute(25):
        services.pause_clock(tournament=cup)
    assert clock_at(cup, 40).text == "Paused"
    with at_minute(50):
        services.resume_clock(tournament=cup)
        services.resume_clock(tournament=cup)
    assert left_at(cup, 60) == 45
    assert fresh(cup).version == version_before + 2


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
    first_table, other_table = tables(cup)
    with at_minute(10):
        services.add_minutes(tournament=cup, minutes=5)
        services.add_minutes(tournament=cup, minutes=3, table=first_table)
        services.add_minutes(tournament=cup, minutes=-2)
    assert [left_at(cup, 10, table) for table in (None, first_table, other_table)] == [68, 71, 68]


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
    assert (clock_at(cup, 42).text, clock_at(cup, 42).end_text) == (
        "The bell has rung",
        "at 2:50pm",
    )
    with at_minute(43):
        services.undo_bell(tournament=cup)
    assert left_at(cup, 45) == 30


@pytest.mark.parametrize(
    ("minute", "minutes", "message"),
    [
        (73, -2, r"Only 2 minutes are left\. To end the time now, ring"),
        *[(1, minutes, "600 minutes or fewer") for minutes in (601, -601, 10**9)],
        (60 * 24 * 40, 5, "600 minutes or fewer"),
    ],
    ids=["past now", "too many", "too few", "far too many", "a round forgotten for weeks"],
)
def test_so_many_minutes_are_refused(minute: float, minutes: int, message: str) -> None:
    cup = timed_cup()
    with at_minute(minute), pytest.raises(Refused, match=message):
        services.add_minutes(tournament=cup, minutes=minutes)


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
    (later_table,) = tables(cup, 2)
    with at_minute(1), pytest.raises(Refused, match="No round is in progress"):
        services.add_minutes(tournament=cup, minutes=5, table=later_table)


@pytest.mark.parametrize(
    ("at_the_bell", "hands_left"), [(AtTheBell.FINISH, 1), (AtTheBell.ONE_MORE, 2)]
)
def test_after_the_bell_a_table_enters_so_many_hands_and_is_done(
    at_the_bell: AtTheBell, hands_left: int
) -> None:
    cup = timed_cup(at_the_bell=at_the_bell)
    (table,) = tables(cup)
    enter(table, 1, minute=74)
    for number in range(2, 2 + hands_left):
        assert not is_done(cup, minute=80)
        enter(table, number, minute=85)
    assert is_done(cup, minute=86)
    with pytest.raises(Refused) as refusal:
        enter(table, 2 + hands_left, minute=90)
    assert str(refusal.value) == (
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
    first_table, other_table = tables(cup)
    for table in (first_table, other_table):
        enter(table, 1, minute=76)
    with at_minute(77):
        services.add_minutes(tournament=cup, minutes=10, table=first_table)
    enter(first_table, 2, minute=80)
    with pytest.raises(Refused):
        enter(other_table, 2, minute=80)


def test_a_hand_sent_again_after_the_bell_is_the_hand_that_stands() -> None:
    cup = timed_cup(at_the_bell=AtTheBell.STOP)
    (table,) = tables(cup)
    hand = enter(table, 1, minute=70)
    assert enter(table, 1, minute=90) == hand


def test_a_correction_after_the_bell_is_no_further_hand() -> None:
    cup = timed_cup()
    (table,) = tables(cup)
    enter(table, 1, minute=70)
    with at_minute(80):
        correct(table, SECOND_WINS)
    assert enter(table, 2, minute=85).number == 2


def test_a_table_stops_and_plays_on_after_all() -> None:
    cup = timed_cup()
    (table,) = tables(cup)
    enter(table, 1, minute=30, report=SECOND_WINS)
    version_before = fresh(cup).version
    with at_minute(60):
        services.stop_table(table=table)
        services.stop_table(table=table)
    assert is_done(cup, minute=61)
    with pytest.raises(Refused, match=r"This table stopped at 3:10pm\. What you typed"):
        enter(table, 2, minute=62)
    with at_minute(63):
        services.play_on(table=table)
        services.play_on(table=table)
    assert fresh(cup).version == version_before + 2
    enter(table, 2, minute=64)


def test_a_table_stops_only_while_its_round_is_played() -> None:
    (later_table,) = tables(timed_cup(), 2)
    with pytest.raises(Refused, match="Round 2 has not been started yet"):
        services.stop_table(table=later_table)


def test_the_points_of_a_table_that_stopped_count_as_they_stand() -> None:
    cup = timed_cup(rounds=1)
    (table,) = tables(cup)
    enter(table, 1, minute=30, report=SECOND_WINS)
    assert [row.table_points for row in standings_of(cup)] == [0, 0, 0, 0]
    services.stop_table(table=table)
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]
    services.play_on(table=table)
    with at_minute(90):
        send_hand(table, 2, by_players=True)
        assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]
        services.close_round(tournament=cup)
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]


def test_a_round_closes_once_every_table_has_stopped_or_used_its_time() -> None:
    cup = timed_cup(entrants=8)
    first_table, other_table = tables(cup)
    enter(first_table, 1, minute=80)
    with (
        at_minute(85),
        pytest.raises(Refused, match="Table 2: 0 hands entered, not marked as stopped"),
    ):
        services.close_round(tournament=cup)
    with at_minute(86):
        services.stop_table(table=other_table)
        services.close_round(tournament=cup)
    assert Round.objects.get(tournament=cup, number=1).state == RoundState.CLOSED


def test_a_table_of_a_round_of_hands_may_stop_early() -> None:
    cup = seated_cup(rounds=1, hands=8)
    (table,) = tables(cup)
    post(table, SECOND_WINS)
    services.stop_table(table=table)
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]
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
            tables_out_of_time(cup, now=timezone.now())
    with django_assert_num_queries(0):
        assert tables_out_of_time(Tournament(hands_a_round=8), now=timezone.now()) == frozenset()


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
        by_phone = bool(done_reason(table, now=timezone.now()))
        is_stopped = table.stopped_at is not None
        assert (
            by_page
            == by_phone
            == (is_stopped or table.pk in tables_out_of_time(cup, now=timezone.now()))
        )
    return by_page


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return timed_cup(club=cast.club)


def phone(cup: Tournament) -> str:
    return f"/r/{tables(cup)[0].link_key}/"


def first_round(cup: Tournament) -> Round:
    return cup.rounds.get(number=1)


def test_the_director_stops_the_clock_and_lets_it_go_on(director: Client, cup: Tournament) -> None:
    with at_minute(20):
        assertContains(director.get(page_of(cup)), "55 minutes left")
        assertRedirects(director.post(f"{page_of(cup)}clock/set/", {"do": "pause"}), page_of(cup))
    with at_minute(30):
        page = director.get(page_of(cup))
        assertContains(page, "Paused")
        assertContains(page, "Resume clock")
        director.post(f"{page_of(cup)}clock/set/", {"do": "resume"})
        assertContains(director.get(page_of(cup)), "until 3:35pm")


def test_minutes_are_added_by_a_button_that_cannot_be_pressed_twice(
    director: Client, cup: Tournament
) -> None:
    with at_minute(20):
        for _ in range(2):
            director.post(f"{page_of(cup)}clock/minutes/", {"minutes": "5", "seen": "0"})
        assertContains(director.get(page_of(cup)), "5 added so far")
    assert first_round(cup).minutes_added == 5


@pytest.mark.parametrize("minutes", ["", "many", "99999999999999999999", "0.5"])
def test_odd_minutes_are_answered_with_a_sentence(
    director: Client, cup: Tournament, minutes: str
) -> None:
    with at_minute(20):
        answer = director.post(f"{page_of(cup)}clock/minutes/", {"minutes": minutes}, follow=True)
    assertContains(answer, "minutes")
    assert "notice--error" in answer.content.decode()
    assert first_round(cup).minutes_added == 0


def test_the_bell_is_rung_and_taken_back(director: Client, cup: Tournament) -> None:
    with at_minute(20):
        director.post(f"{page_of(cup)}clock/set/", {"do": "ring"})
        page = director.get(page_of(cup))
        assertContains(page, "The bell has rung")
        assertContains(page, "Undo the bell")
        assertNotContains(page, "Minutes for all tables")
        director.post(f"{page_of(cup)}clock/set/", {"do": "unring"})
        assertContains(director.get(page_of(cup)), "55 minutes left")


def test_one_table_gets_more_minutes_and_its_phone_says_so(
    director: Client, client: Client, cup: Tournament
) -> None:
    table = f"{page_of(cup)}rounds/1/tables/1/"
    with at_minute(20):
        assertRedirects(director.post(f"{table}minutes/", {"minutes": "5", "seen": "0"}), table)
        assertContains(director.get(table), "60 minutes left")
        assertContains(client.get(phone(cup)), "60 minutes left")
        assertContains(client.get(f"{phone(cup)}clock/"), 'data-left="3600"')
        assertContains(director.get(f"{page_of(cup)}clock/"), 'data-left="3300"')


def test_a_tournament_without_a_clock_shows_none(director: Client, cup: Tournament) -> None:
    Tournament.objects.update(minutes_a_round=None, hands_a_round=8)
    for page in (page_of(cup), phone(cup), f"{phone(cup)}clock/"):
        assertNotContains(director.get(page), "data-clock=")


@pytest.mark.parametrize("page", ["", "hands/", "standings/", "seats/", "more/", "tiles/2/"])
def test_the_clock_of_a_phone_runs_on_every_page(
    client: Client, cup: Tournament, page: str
) -> None:
    with at_minute(15):
        answer = client.get(f"{phone(cup)}{page}")
    assertContains(answer, "data-clock=")
    assertContains(answer, "/js/clock.", count=1)


def test_after_the_bell_the_phone_says_what_is_to_be_done(client: Client, cup: Tournament) -> None:
    with at_minute(76):
        page = client.get(phone(cup))
    assertContains(page, "Finish this hand and enter it. Then you are done.")
    assertContains(page, "Check hand 1")


def test_once_the_last_hand_is_in_the_phone_asks_for_no_other(
    client: Client, cup: Tournament
) -> None:
    hand = enter(tables(cup)[0], 1, minute=80)
    with at_minute(81):
        page = client.get(phone(cup))
    assert page.context["form"] is None
    assertContains(page, "The bell rang at 3:25pm and the last hand is in.")
    assertContains(page, f"/hands/{hand.pk}/agree/")


def test_a_hand_too_late_is_refused_and_what_was_typed_stays(
    client: Client, cup: Tournament
) -> None:
    Tournament.objects.update(at_the_bell=AtTheBell.STOP)
    with at_minute(74):
        form_data = sheet(client.get(phone(cup)), step="save", winner=2, score_2=60)
    with at_minute(78):
        page = client.post(phone(cup), form_data)
    assertContains(page, "no more hands count", status_code=422)
    assertContains(page, 'value="60"', status_code=422)


def test_the_phone_says_that_the_table_has_stopped_and_takes_it_back(
    client: Client, cup: Tournament
) -> None:
    with at_minute(60):
        client.post(f"{phone(cup)}stop/", {"do": "stop"})
        page = client.get(phone(cup))
        assertContains(page, "This table stopped at 3:10pm.")
        assert page.context["form"] is None
        client.post(f"{phone(cup)}stop/", {"do": "play_on"})
        assertContains(client.get(phone(cup)), "Check hand 1")


def test_an_official_stops_a_table_and_still_enters_its_hands(
    director: Client, cup: Tournament
) -> None:
    table = f"{page_of(cup)}rounds/1/tables/1/"
    director.post(f"{table}stop/", {"do": "stop"})
    assert Table.objects.get(round__number=1).stopped_at is not None
    page = director.get(table)
    assertContains(page, "Resume play")
    assert page.context["form"] is not None


def test_a_card_of_a_round_not_started_says_why_its_table_cannot_stop(
    client: Client, cup: Tournament
) -> None:
    later_url = f"/r/{tables(cup, 2)[0].link_key}/"
    answer = client.post(f"{later_url}stop/", {"do": "stop"}, follow=True)
    assertContains(answer, "Round 2 has not been started yet")


def test_other_phones_hear_that_the_table_has_stopped(client: Client, cup: Tournament) -> None:
    with at_minute(60):
        mark = client.get(phone(cup)).context["page"].mark
        assert client.get(phone(cup), {"v": mark}).status_code == 204
        services.stop_table(table=tables(cup)[0])
        assertContains(client.get(phone(cup), {"v": mark}), "Something has changed")


def test_the_api_tells_the_clock_of_the_hall_and_of_each_table(
    director: Client, cup: Tournament
) -> None:
    api, (table,) = f"/api/v1/clubs/riverside/tournaments/{cup.pk}/", tables(cup)
    address = f"{game_at(table)}clock/"
    with at_minute(20):
        services.add_minutes(tournament=cup, minutes=5, table=tables(cup)[0])
        hall = director.get(api).json()["clock"]
        table_data = link_client(table.link_key).get(address).json()
        by_desk = director.get(address).json()
    assert (hall["seconds_left"], hall["text"]) == (55 * 60, "55 minutes left")
    assert table_data["clock"]["ends_at"] == "2026-11-21T15:30:00Z"
    assert (table_data["stopped_at"], by_desk["clock"]) == (None, table_data["clock"])


def test_the_api_holds_a_table_to_the_bell_but_not_the_organisers(
    director: Client, cup: Tournament
) -> None:
    Tournament.objects.update(at_the_bell=AtTheBell.STOP)
    hand = {"submission_id": str(uuid4()), "number": 1, "winner": None}
    (table,) = tables(cup)
    address = f"{game_at(table)}hands/"
    with at_minute(90):
        phone = link_client(table.link_key)
        response = phone.post(address, hand, content_type="application/json")
        assert response.status_code in {400, 403, 409}, response.content
        assert "no more hands count" in response.content.decode()
        assert director.post(address, hand, content_type="application/json").status_code == 201


def test_a_round_is_started_with_its_clock_standing(director: Client, cup: Tournament) -> None:
    services.unstart_round(tournament=cup)
    assertContains(director.get(f"{page_of(cup)}start/"), "Start round without the clock")
    director.post(f"{page_of(cup)}start/", {"clock": "waits"})
    page = director.get(page_of(cup))
    assertContains(page, "Not started: 75 minutes to play")
    director.post(f"{page_of(cup)}clock/set/", {"do": "resume"})
    assertContains(director.get(page_of(cup)), "Pause clock")


def test_a_table_shows_its_stake_with_the_gains(client: Client, cup: Tournament) -> None:
    Tournament.objects.update(start_stake=2000)
    enter(tables(cup)[0], 1, minute=20, report=SECOND_WINS)
    with at_minute(21):
        standings = client.get(f"{phone(cup)}standings/")
    assertContains(standings, "These totals include the 2,000 points each player started with.")
    assertContains(standings, "2,240")
    assertContains(standings, "+240")
    assertContains(standings, "Totals count gains only, not the 2,000 points")
