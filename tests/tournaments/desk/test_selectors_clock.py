"""A round's clock: arithmetic over when it was started, how long it stood, what was added."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from tournaments.models import AtTheBell, Round, RoundState, Table, Tournament
from tournaments.rounds.clock import Clock, clock_of

START = datetime(2026, 11, 21, 13, 10, tzinfo=UTC)
SECONDS = st.integers(0, 4 * 3600)
MINUTES = st.integers(-30, 120)


def a_round(minutes: int | None = 75, **known: object) -> Round:
    """A round that began at START, unsaved."""
    cup = Tournament(minutes_a_round=minutes, hands_a_round=None)
    return Round(
        **{"tournament": cup, "number": 2, "state": RoundState.PLAYING, "started_at": START} | known
    )


def read(round_: Round, *, after: float, table: Table | None = None) -> Clock:
    clock = clock_of(round_, now=START + timedelta(seconds=after), table=table)
    assert clock is not None
    return clock


@pytest.mark.parametrize("one", [a_round(None), a_round(state=RoundState.CLOSED)])
def test_without_minutes_or_once_closed_there_is_no_clock(one: Round) -> None:
    assert clock_of(one, now=START) is None


@pytest.mark.parametrize(
    ("after", "face", "digits", "words", "until"),
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
def test_the_time_goes_by(after: float, face: str, digits: str, words: str, until: str) -> None:
    clock = read(a_round(), after=after)
    assert (clock.face, clock.digits, clock.words, clock.until) == (face, digits, words, until)


def test_before_the_start_it_stands_at_all_its_minutes() -> None:
    clock = read(a_round(state=RoundState.SEATED, started_at=None), after=0)
    assert (clock.face, clock.words, clock.ends_at) == (
        "waiting",
        "Not started: 75 minutes to play",
        None,
    )


def test_a_round_may_start_with_its_clock_standing() -> None:
    clock = read(a_round(paused_at=START), after=600)
    assert (clock.face, clock.seconds_left, clock.until) == ("waiting", 75 * 60, "")


def test_a_paused_clock_says_where_it_stands() -> None:
    clock = read(a_round(paused_at=START + timedelta(minutes=62, seconds=30)), after=9999)
    assert (clock.face, clock.words, clock.is_running) == ("standing", "Paused", False)


def test_a_bell_rung_by_hand_ends_the_time_at_once() -> None:
    rung = a_round(rung_at=START + timedelta(minutes=40), paused_at=START + timedelta(minutes=30))
    clock = read(rung, after=41 * 60)
    assert (clock.face, clock.seconds_left, clock.until) == ("rung", -60, "at 1:50pm")
    later = read(rung, after=41 * 60, table=Table(minutes_added=5))
    assert (later.face, later.seconds_left, later.until) == ("last", 240, "until 1:55pm")


def test_a_table_behind_a_standing_clock_may_have_had_its_bell() -> None:
    stands = a_round(paused_at=START + timedelta(minutes=70))
    clock = read(stands, after=9999, table=Table(minutes_added=-6))
    assert (clock.face, clock.until) == ("rung", "at 2:19pm")


@pytest.mark.parametrize("at_the_bell", AtTheBell)
def test_every_way_to_end_a_round_has_words(at_the_bell: AtTheBell) -> None:
    cup = Tournament(minutes_a_round=60, at_the_bell=at_the_bell)
    clock = read(a_round(tournament=cup), after=0)
    assert clock.before.startswith("At the bell")
    assert clock.then.endswith(".")


@given(SECONDS, SECONDS)
def test_as_time_goes_by_the_time_left_grows_less_by_as_much(before: int, more: int) -> None:
    first, second = (read(a_round(), after=after) for after in (before, before + more))
    assert first.seconds_left - second.seconds_left == more
    assert first.ends_at == second.ends_at


@given(SECONDS, SECONDS, SECONDS)
def test_standing_for_so_long_moves_the_bell_by_as_much(after: int, stood: int, more: int) -> None:
    whole = read(a_round(), after=after)
    stands = read(a_round(paused_at=START + timedelta(seconds=after)), after=after + more)
    resumed = read(a_round(paused_seconds=stood), after=after + stood)
    assert stands.seconds_left == resumed.seconds_left == whole.seconds_left
    assert whole.ends_at is not None
    assert resumed.ends_at == whole.ends_at + timedelta(seconds=stood)


@given(SECONDS, MINUTES, MINUTES)
def test_added_minutes_add_up_for_all_and_for_one_table(after: int, all_: int, one: int) -> None:
    plain = read(a_round(), after=after)
    added = read(a_round(minutes_added=all_), after=after, table=Table(minutes_added=one))
    assert added.seconds_left - plain.seconds_left == 60 * (all_ + one)
    assert (added.minutes, added.minutes_added) == (75, all_ + one)


@given(SECONDS, st.integers(0, 59 * 60))
def test_the_mark_changes_with_the_clock_and_at_the_bell_alone(before: int, more: int) -> None:
    first, second = (read(a_round(), after=after) for after in (before, before + more))
    assert (first.mark == second.mark) == (first.has_rung == second.has_rung)
    assert read(a_round(minutes_added=1), after=before).mark != first.mark
