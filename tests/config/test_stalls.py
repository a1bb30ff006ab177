"""While the disk stalls, pages are read, nobody hears “saved” too early, and the queue is short."""

import errno
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import ClientHandler

from clubs.models import Club, SessionTable
from config.middleware import MAX_WRITERS
from config.sqlite.gate import Flushes, Gate
from scoring.scorebook.models import Hand
from tests.api import game_at
from tests.clubs.nights import make_players, night, page_of, table_at
from tests.config.served import wait_until
from tests.people import Cast, browser_of, make_club

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 20  # at most, until something happens
Act = Callable[[], Any]


class Disk:
    """The disk behind the test's database, which can stall and fail."""

    def __init__(self, flush: Callable[[], None]) -> None:
        self.goes_on, self.flushes, self.is_broken = Event(), 0, False
        self.goes_on.set()
        self.queue = Flushes(self.flush)
        self._flush, self._committed_before = flush, 0

    def stall(self) -> None:
        """From now on every flush takes until the test lets the disk go on."""
        self.flushes, self._committed_before = 0, self.queue._commit_count
        self.goes_on.clear()

    @property
    def waiting(self) -> int:
        """How many have committed since then."""
        return self.queue._commit_count - self._committed_before

    def flush(self) -> None:
        self.flushes += 1
        assert self.goes_on.wait(SECONDS)
        if self.is_broken:
            raise OSError(errno.EIO, "Input/output error")
        self._flush()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """The disk, which does not stall yet."""
    connection.ensure_connection()
    gate: Gate = connection._gate  # type: ignore[attr-defined]
    disk = Disk(gate.flushes._flush)
    monkeypatch.setattr(gate, "flushes", disk.queue)
    return disk


@pytest.fixture
def tables(cast: Cast) -> list[SessionTable]:
    """More tables than may save at the same time, each of its own evening."""
    players, first = make_players(cast.club, 4), date(2026, 9, 1)
    nights = [
        night(cast.club, first + timedelta(days=day), players) for day in range(MAX_WRITERS + 1)
    ]
    return [table_at(session, 1) for session in nights]


@pytest.fixture
def start_in_thread(disk: Disk) -> Iterator[Callable[[Act], Future[Any]]]:
    """Has something done in a thread of its own; the disk goes on at the end of the test."""
    with ThreadPoolExecutor(MAX_WRITERS + 8) as threads:

        def start(act: Act) -> Future[Any]:
            def run() -> Any:
                try:
                    return act()
                finally:
                    connections.close_all()

            return threads.submit(run)

        yield start
        disk.goes_on.set()


def hand_sender(
    table: SessionTable, server: ClientHandler | None = None
) -> Callable[[], HttpResponse]:
    """Sends the table's first hand, the same one each time."""
    hand = {"submission_id": str(uuid4()), "number": 1, "winner": 2}
    fields = {**hand, "scores": {"1": 20, "2": 60, "3": 8, "4": 4}}

    def send() -> HttpResponse:
        headers = {"authorization": f"Link {table.link_key}"}
        phone = Client(raise_request_exception=False, headers=headers)
        phone.handler = server or phone.handler
        answer: Any = phone.post(f"{game_at(table)}hands/", fields, content_type="application/json")
        return answer  # type: ignore[no-any-return]

    return send


def save_club() -> None:
    with transaction.atomic():
        make_club("Abbey Tiles", "abbey")


def code_of(answer: Any) -> str:
    return str(answer.json()["problems"][0]["code"])


def test_pages_are_read_while_a_save_waits_for_the_disk(
    cast: Cast,
    disk: Disk,
    tables: list[SessionTable],
    start_in_thread: Callable[[Act], Future[Any]],
) -> None:
    browser = browser_of(cast.secretary)
    disk.stall()
    saving = start_in_thread(hand_sender(tables[0]))
    assert wait_until(lambda: disk.waiting == 1)
    phone = f"/t/{tables[0].link_key}/"
    for reader, address in (
        (Client(), phone),
        (Client(), f"{phone}standings/"),
        (browser, page_of("evening", tables[0].session)),
    ):
        reading = start_in_thread(partial(reader.get, address))
        assert reading.result(SECONDS).status_code == 200
    assert not saving.done()
    disk.goes_on.set()
    assert saving.result(SECONDS).status_code == 201


def test_those_behind_a_stall_are_saved_by_one_flush_and_nobody_is_answered_before(
    disk: Disk, tables: list[SessionTable], start_in_thread: Callable[[Act], Future[Any]]
) -> None:
    disk.stall()
    first = start_in_thread(hand_sender(tables[0]))
    assert wait_until(lambda: disk.flushes == 1)
    other_savings = [start_in_thread(hand_sender(table)) for table in tables[1:9]]
    assert wait_until(lambda: disk.waiting == 9)
    assert Hand.objects.count() == 9
    assert not any(saving.done() for saving in (first, *other_savings))
    disk.goes_on.set()
    assert [saving.result(SECONDS).status_code for saving in (first, *other_savings)] == [201] * 9
    assert disk.flushes == 2


def test_what_is_done_after_a_save_is_done_after_the_flush(
    disk: Disk, start_in_thread: Callable[[Act], Future[Any]]
) -> None:
    sent_emails = list[str]()

    def save() -> None:
        with transaction.atomic(), transaction.atomic():
            make_club("Abbey Tiles", "abbey")
            transaction.on_commit(lambda: sent_emails.append("an email is sent"))

    disk.stall()
    saving = start_in_thread(save)
    assert wait_until(lambda: disk.waiting == 1)
    assert sent_emails == []
    disk.goes_on.set()
    saving.result(SECONDS)
    assert sent_emails == ["an email is sent"]


def test_a_flush_that_fails_is_reported_to_all_who_wait_and_to_all_who_come_later(
    disk: Disk, tables: list[SessionTable], start_in_thread: Callable[[Act], Future[Any]]
) -> None:
    sent_emails = list[str]()

    def save() -> None:
        with transaction.atomic():
            make_club("Abbey Tiles", "abbey")
            transaction.on_commit(lambda: sent_emails.append("an email is sent"))

    disk.stall()
    saving = [start_in_thread(hand_sender(table)) for table in tables[:3]]
    job = start_in_thread(save)
    assert wait_until(lambda: disk.waiting == 4)
    disk.is_broken = True
    disk.goes_on.set()
    answers = [hand.result(SECONDS) for hand in saving]
    assert [(answer.status_code, code_of(answer)) for answer in answers] == [(503, "book_away")] * 3
    with pytest.raises(OperationalError, match="The disk did not take what was saved"):
        job.result(SECONDS)
    assert sent_emails == []
    disk.is_broken = False
    for table in tables[2:4]:
        late_answer = hand_sender(table)()
        assert (late_answer.status_code, code_of(late_answer)) == (503, "book_away")
    assert disk.flushes == 1
    assert Client().get(f"/t/{tables[0].link_key}/").status_code == 200
    health = Client().get("/readyz/")
    fault = "the disk did not take what was saved: check it, and restart Tongbox"
    assert (health.status_code, health.json()["database"]) == (503, fault)


def test_one_too_many_is_asked_to_send_again_while_jobs_wait_and_pages_are_read(
    disk: Disk, tables: list[SessionTable], start_in_thread: Callable[[Act], Future[Any]]
) -> None:
    *first, last = tables
    server = ClientHandler(enforce_csrf_checks=False)
    server.load_middleware()
    disk.stall()
    saving = [start_in_thread(hand_sender(table, server)) for table in first]
    assert wait_until(lambda: disk.waiting == MAX_WRITERS)
    send = hand_sender(last, server)
    response = start_in_thread(send).result(SECONDS)
    assert (response.status_code, code_of(response)) == (503, "busy")
    assert response["Retry-After"] == "1"
    job = start_in_thread(save_club)
    assert Client().get(f"/t/{last.link_key}/").status_code == 200
    assert not job.done()
    disk.goes_on.set()
    job.result(SECONDS)
    assert {hand.result(SECONDS).status_code for hand in saving} == {201}
    assert send().status_code == 201


def refused_by_the_database() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Club.objects.bulk_create([Club(name="Abbey Tiles", slug="abbey")] * 2)


def taken_back() -> None:
    with transaction.atomic():
        make_club("Abbey Tiles", "abbey")
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    ("act", "flushes"), [(save_club, 1), (refused_by_the_database, 0), (taken_back, 0)]
)
def test_after_a_transaction_sqlite_flushes_single_statements_itself(
    disk: Disk, act: Act, flushes: int
) -> None:
    def level() -> int:
        with connection.cursor() as cursor:
            return int(cursor.execute("PRAGMA synchronous").fetchone()[0])

    with transaction.atomic():
        assert level() == 1
        transaction.set_rollback(True)
    disk.flushes = 0
    act()
    assert (level(), disk.flushes) == (2, flushes)
    Club.objects.update(name="Riverside")
    assert disk.flushes == flushes
