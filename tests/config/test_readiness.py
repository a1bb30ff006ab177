"""Whoever watches the machine hears what does not answer; nobody else hears more than a word."""

from collections import namedtuple
from datetime import timedelta
from typing import Any

import psycopg.errors
import pytest
from celery.signals import beat_init, worker_ready
from django.core.cache import cache
from django.db import InterfaceError, InternalError, OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from clubs.models import AwayCopy, Backup
from clubs.tasks import let_go_of_answers, wake_waiting_jobs
from config import celery, views
from config.views import DATABASE_OUTAGE, DISK_OUTAGE, WRITERS_OUTAGE, Outage, outage_of
from tests.config.served import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_order")]
FINE = dict.fromkeys(("database", "migrations", "backup", "disk", "worker", "clock"), "ok")


def test_all_is_well(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(4):
        answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()) == (200, FINE)
    assert "no-store" in answer["Cache-Control"]


def test_without_redis_hands_are_recorded_and_it_is_named(
    client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    answer = client.get("/readyz/")
    assert answer.status_code == 200
    assert (
        answer.json()["redis"]
        == "not responding: hands are still recorded, but email and printing are on hold"
    )


def test_a_migration_that_waits_is_counted(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "1 not applied")


def test_a_worker_that_falls_silent_is_named(client: Client) -> None:
    cache.set(celery.WORKER_KEY, timezone.now() - timedelta(minutes=3))
    cache.delete(celery.BEAT_KEY)
    answer = client.get("/readyz/")
    assert answer.status_code == 200
    assert answer.json()["worker"].startswith("not heard of since ")
    assert answer.json()["clock"] == "not heard of yet"


@pytest.mark.parametrize("task", [wake_waiting_jobs, let_go_of_answers])
def test_the_worker_is_heard_of_whatever_it_does(client: Client, task: Any) -> None:
    cache.delete_many([celery.WORKER_KEY, celery.BEAT_KEY])
    task.apply()
    checks = client.get("/readyz/").json()
    assert (checks["worker"], checks["clock"]) == ("ok", "not heard of yet")


def test_both_are_heard_of_when_they_begin(client: Client) -> None:
    cache.delete_many([celery.WORKER_KEY, celery.BEAT_KEY])
    worker_ready.send(sender=None)
    beat_init.send(sender=None)
    assert client.get("/readyz/").json() == FINE


def test_an_old_backup_is_a_warning(client: Client) -> None:
    Backup.objects.update(made_at=timezone.now() - timedelta(days=3))
    answer = client.get("/readyz/")
    assert answer.status_code == 200
    assert answer.json()["backup"].startswith("the last good backup was made on ")
    Backup.objects.all().delete()
    assert client.get("/readyz/").json()["backup"] == "no good backup yet"


def test_copies_elsewhere_that_are_old_are_a_warning(client: Client, settings: Settings) -> None:
    settings.BACKUPS_AWAY = ["webdavs://anna:x@cloud.example.org/club"]
    assert client.get("/readyz/").json() == FINE | {"copies of backups": "ok"}
    copy = AwayCopy.objects.create(backup=Backup.objects.get(), place="cloud.example.org/club")
    Backup.objects.update(made_at=timezone.now() - timedelta(days=4))
    answer = client.get("/readyz/")
    assert answer.status_code == 200
    assert (
        answer.json()["copies of backups"]
        == "There has been no good copy at cloud.example.org for more than three days."
    )
    Backup.objects.update(made_at=timezone.now())
    AwayCopy.objects.filter(pk=copy.pk).update(is_good=True)
    assert client.get("/readyz/").json()["copies of backups"] == "ok"


@pytest.mark.parametrize(("free", "status"), [(2**30, 200), (2**20, 503)])
def test_a_full_disk_stops_hands(
    client: Client, monkeypatch: pytest.MonkeyPatch, free: int, status: int
) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(views, "disk_usage", lambda _: usage(free))
    answer = client.get("/readyz/")
    assert answer.status_code == status
    assert answer.json()["disk"].endswith("MiB free")


@pytest.mark.parametrize(
    ("caller", "expected_text"),
    [
        ({"REMOTE_ADDR": "203.0.113.5"}, "ready"),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.5"}, "ready"),
        ({"REMOTE_ADDR": "203.0.113.5", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, "ready"),
        ({"REMOTE_ADDR": "10.1.2.3"}, "database"),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}, "database"),
    ],
)
def test_strangers_hear_a_word_and_watchers_everything(
    client: Client, settings: Settings, caller: dict[str, Any], expected_text: str
) -> None:
    settings.WATCHERS = ["10.0.0.0/8"]
    body = client.get("/readyz/", **caller).content.decode()
    assert expected_text in body
    assert ("database" in body) == (expected_text == "database")


def test_somebody_with_a_browser_reads_words(client: Client) -> None:
    page = client.get("/readyz/", headers={"Accept": "text/html,*/*;q=0.8"}).content.decode()
    assert "Hands can be recorded" in page
    assert "OK" in page


@pytest.mark.parametrize(
    ("cause", "outage"),
    [
        (psycopg.errors.DiskFull("could not extend file"), DISK_OUTAGE),
        (
            psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"),
            WRITERS_OUTAGE,
        ),
        (psycopg.OperationalError("connection refused"), DATABASE_OUTAGE),
    ],
)
def test_what_the_server_says_is_told_in_our_words(cause: Exception, outage: Outage) -> None:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    assert outage_of(error) is outage


def test_only_the_database_itself_can_be_out() -> None:
    assert outage_of(InterfaceError("connection already closed")) is DATABASE_OUTAGE
    assert outage_of(OperationalError("database is locked")) is WRITERS_OUTAGE
    assert outage_of(ValueError("our mistake")) is None
    not_promoted = InternalError("cannot execute INSERT in a read-only transaction")
    not_promoted.__cause__ = psycopg.errors.ReadOnlySqlTransaction()
    assert outage_of(not_promoted) is DATABASE_OUTAGE
    assert outage_of(None) is None
