"""Writers on SQLite queue in the order of asking, and nobody keeps the gate."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from clubs.models import Club
from config.sqlite.gate import Gate
from tests.people import make_club

SAFE: dict[str, dict[str, str | int]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2, "PRAGMA foreign_keys": 1},
    "postgresql": {"SHOW fsync": "on", "SHOW synchronous_commit": "on"},
}


def in_a_thread(work: Callable[[], object]) -> threading.Thread:
    """The work, begun at once in a thread of its own, its connection closed at the end."""

    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_the_gate_lets_pass_in_the_order_of_asking() -> None:
    gate, passed_numbers = Gate(), list[int]()

    def pass_through(number: int) -> None:
        gate.enter()
        passed_numbers.append(number)
        gate.leave()

    gate.enter()
    threads = []
    for number in range(8):
        threads.append(in_a_thread(lambda number=number: pass_through(number)))  # type: ignore[misc]
        while len(gate._waiting) <= number:
            time.sleep(0.001)
    gate.leave()
    for thread in threads:
        thread.join(timeout=5)
    assert passed_numbers == list(range(8))


def test_an_open_gate_is_open_again_after_everybody_left() -> None:
    gate = Gate()
    for _ in range(3):
        gate.enter()
        gate.leave()
    thread = in_a_thread(gate.enter)
    thread.join(timeout=5)
    assert not thread.is_alive()


def two_of_one_name() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Club.objects.bulk_create([Club(name="Riverside", slug="riverside")] * 2)


def nonsense() -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")


def closed_in_the_middle() -> None:
    def vanish() -> None:
        connection.set_autocommit(False)
        connection.close()

    in_a_thread(vanish).join(timeout=5)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fails", [two_of_one_name, nonsense, closed_in_the_middle])
def test_whatever_fails_lets_the_next_one_in(fails: Callable[[], None]) -> None:
    fails()
    writer = in_a_thread(lambda: make_club("Hill Top Tiles", "hill-top"))
    writer.join(timeout=5)
    assert list(Club.objects.values_list("slug", flat=True)) == ["hill-top"]


@pytest.mark.django_db(transaction=True)
def test_a_second_writer_waits_for_the_first() -> None:
    order = list[str]()

    def second() -> None:
        with transaction.atomic():
            Club.objects.select_for_update().get()
            order.append("second")

    make_club()
    with transaction.atomic():
        Club.objects.select_for_update().get()
        writer = in_a_thread(second)
        time.sleep(0.1)
        order.append("first")
    writer.join(timeout=5)
    assert order == ["first", "second"]


@pytest.mark.django_db(transaction=True)
def test_the_database_is_set_up_to_survive_a_power_cut() -> None:
    expected = SAFE[connection.vendor]
    with connection.cursor() as cursor:
        for question in expected:
            cursor.execute(question)
            assert (question, cursor.fetchone()[0]) == (question, expected[question])
