"""While the disk is full or the database away: a sentence, nothing half written, and then on."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from clubs.models import Session
from scoring.scorebook.models import Hand, LedgerEntry, Link
from tests.api import game_at
from tests.clubs.nights import make_players, night, table_at
from tests.people import Cast

ROW = 200


@contextmanager
def no_room() -> Iterator[None]:
    """Not one page more for SQLite, as on a disk that is full; first, pages already free go."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute("PRAGMA max_page_count = 1000000")


@pytest.fixture
def phone() -> Client:
    """A phone that is answered as a server answers: errors are pages."""
    return Client(raise_request_exception=False)


def hand_body(number: int) -> dict[str, object]:
    """A hand in totals."""
    scores = {"1": 20, "2": 60, "3": 8, "4": 4}
    body = {"submission_id": str(uuid4()), "number": number, "winner": 2, "scores": scores}
    return body if number == 1 else {**body, "winner": None, "scores": {}}


@pytest.mark.django_db(transaction=True)
def test_on_a_full_disk_a_hand_is_refused_whole_and_kept_when_there_is_room(
    cast: Cast, phone: Client, caplog: pytest.LogCaptureFixture
) -> None:
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    table = table_at(session, 1)
    path = f"{game_at(table)}hands/"
    link = {"authorization": f"Link {table.link_key}"}
    recorded_hands, version = 0, 0
    with no_room():
        for number in range(1, ROW):
            body, version = hand_body(number), Session.objects.get().version
            answer = phone.post(path, body, content_type="application/json", headers=link)
            if answer.status_code != 201:
                break
            recorded_hands += 1
    assert answer.status_code == 503
    assert answer.json()["problems"][0]["code"] == "disk_full"
    assert "was not saved" in answer.json()["problems"][0]["message"]
    assert (Hand.objects.count(), Session.objects.get().version) == (recorded_hands, version)
    assert LedgerEntry.objects.filter(hand__number__gt=recorded_hands).count() == 0
    assert Link.objects.filter(hand__number__gt=recorded_hands).count() == 0
    second_answer = phone.post(path, body, content_type="application/json", headers=link)
    assert (second_answer.status_code, Hand.objects.count()) == (201, recorded_hands + 1)
