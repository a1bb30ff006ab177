"""Which tables want looking at, who has waited longest, and when the picture goes stale."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.models import Hand
from tests.scoring.scorebook.book import agree, dispute
from tests.tournaments.cups import DRAWN, post, seated_cup, tables
from tournaments.desk.selectors import floor_of, table_now
from tournaments.models import Call, Table, Tournament
from tournaments.rounds.selectors import Watch, ago, is_due, minutes_between
from tournaments.steps import services

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def started(cup: Tournament, *, ago: float) -> datetime:
    """The round began so many minutes ago; returns the time to look at it."""
    cup.rounds.filter(number=1).update(started_at=NOW - minutes(ago))
    return NOW


def agreed(table: Table, *, ago: float, hands: int = 1) -> None:
    """The table has played so many hands, all agreed, the last so many minutes ago."""
    for hand in post(table, *[DRAWN] * hands):
        agree(hand)
    Hand.objects.filter(game=table.game).update(sent_at=NOW - minutes(ago))


def watch(cup: Tournament, at: datetime = NOW) -> Watch:
    return floor_of(Tournament.objects.get(pk=cup.pk), at=at).watch


def told(cup: Tournament, at: datetime = NOW) -> list[tuple[int, list[tuple[str, str]]]]:
    """Table numbers with their marks, in the order of the desk."""
    return [
        (watched.table.number, [(mark.sign, mark.words) for mark in watched.marks])
        for watched in watch(cup, at).tables
    ]


def test_trouble_stands_above_what_waits_and_what_is_done() -> None:
    cup = seated_cup(entrants=28, rounds=1, hands=2)
    called, disputed, silent, waiting, idle, playing, done = tables(cup)
    at = started(cup, ago=60)
    agreed(done, ago=3, hands=2)
    agreed(playing, ago=3)
    post(waiting, DRAWN)
    agreed(silent, ago=20)
    dispute(post(disputed, DRAWN)[0])
    services.call_director(table=called, what="We do not agree")
    Call.objects.update(called_at=at - minutes(2))
    services.answer_call(table=services.call_director(table=idle).table, answered_by="user 1")
    assert told(cup, at) == [
        (1, [("called", "called 2 minutes ago"), ("idle", "not started")]),
        (2, [("trouble", "hand 1 not agreed")]),
        (3, [("quiet", "no hand for 20 minutes"), ("playing", "hand 1 of 2")]),
        (4, [("waiting", "hand 1 not agreed yet"), ("playing", "hand 1 of 2")]),
        (5, [("idle", "not started")]),
        (6, [("playing", "hand 1 of 2")]),
        (7, [("done", "done")]),
    ]  # fmt: skip
    assert [watched.table.number for watched in watch(cup, at).wanted] == [1, 2, 3]
    assert watch(cup, at).tables[0].call.what == "We do not agree"  # type: ignore[union-attr]


def test_who_called_first_stands_first() -> None:
    cup = seated_cup(entrants=12, rounds=1)
    first, second, third = tables(cup)
    for table, waits in ((first, 1), (second, 5), (third, 3)):
        call = services.call_director(table=table)
        Call.objects.filter(pk=call.pk).update(called_at=NOW - minutes(waits))
    assert [watched.table.number for watched in watch(cup).tables] == [2, 3, 1]


def test_a_table_is_silent_from_the_20th_minute_after_its_last_hand() -> None:
    cup = seated_cup(rounds=1, hands=2)
    started(cup, ago=90)
    agreed(tables(cup)[0], ago=0)
    assert [table.sign for table in watch(cup, NOW + minutes(19.9)).tables] == ["playing"]
    assert [table.sign for table in watch(cup, NOW + minutes(20)).tables] == ["quiet"]


def test_while_the_clock_stands_nobody_is_silent_and_the_minutes_count_anew() -> None:
    cup = seated_cup(rounds=1)
    started(cup, ago=90)
    assert len(watch(cup).wanted) == 1
    cup.rounds.update(paused_at=NOW - minutes(40))
    assert watch(cup).wanted == ()
    cup.rounds.update(paused_at=None, resumed_at=NOW - minutes(19))
    assert watch(cup).wanted == ()
    assert len(watch(cup, NOW + minutes(1)).wanted) == 1


def test_the_picture_holds_until_a_table_turns_silent_and_then_for_a_minute() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=2)
    started(cup, ago=5)
    agreed(tables(cup)[0], ago=1)
    assert watch(cup).until == NOW + minutes(15)
    later = NOW + minutes(16)
    assert watch(cup, later).until == later + minutes(1)
    for table in tables(cup):
        services.stop_table(table=table)
    assert watch(cup).until is None


@pytest.mark.parametrize(("seconds", "due"), [(-1, True), (5, False)])
def test_a_picture_is_due_when_its_time_has_come(seconds: int, due: bool) -> None:
    assert is_due(str(int(NOW.timestamp()) + seconds), now=NOW) is due


@pytest.mark.parametrize(("until", "due"), [("", False), ("soon", True), ("9" * 400, False)])
def test_a_picture_without_a_time_holds_and_one_without_sense_is_due(until: str, due: bool) -> None:
    assert is_due(until, now=NOW) is due


@pytest.mark.parametrize(
    ("passed", "words", "when"),
    [
        (0.5, "0 minutes", "just now"),
        (1, "1 minute", "1 minute ago"),
        (119, "119 minutes", "119 minutes ago"),
        (120, "2 hours", "2 hours ago"),
    ],
)
def test_how_long_is_told_in_words(passed: float, words: str, when: str) -> None:
    assert minutes_between(NOW - minutes(passed), NOW) == words
    assert ago(NOW - minutes(passed), NOW) == when


def test_who_only_looks_on_is_told_of_the_play_alone() -> None:
    cup = seated_cup(rounds=1)
    started(cup, ago=90)
    services.call_director(table=tables(cup)[0])
    shown = floor_of(cup).watch
    assert [mark.words for table in shown.tables for mark in table.marks] == ["not started"]
    assert (shown.wanted, shown.until) == ((), None)


@pytest.mark.parametrize(
    ("typed", "found"), [("3", 3), ("5", None), ("", None), ("x", None), ("9" * 30, None)]
)
def test_a_table_is_found_by_its_number(typed: str, found: int | None) -> None:
    cup = seated_cup(entrants=16, rounds=2)
    table = table_now(cup, typed)
    assert (table.number if table else None) == found


@pytest.mark.parametrize("entrants", [4, 12])
def test_watching_is_one_query_more_however_many_tables(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=entrants, rounds=2)
    for table in tables(cup):
        services.call_director(table=table)
    with django_assert_num_queries(6):
        floor_of(cup)
    with django_assert_num_queries(7):
        floor_of(cup, at=NOW)
