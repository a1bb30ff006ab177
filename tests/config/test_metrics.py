"""What Prometheus is told: to whom, what an evening moves, and that it names no one."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import get_resolver
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from clubs.core import versioned_cache
from clubs.core.versioned_cache import get_or_compute
from clubs.evenings.event import EveningTable
from clubs.models import AwayCopy, Backup, Delivery, Job, SessionTable, Webhook
from clubs.table import services as at_table
from clubs.tasks import wake_waiting_jobs
from config import celery
from config.metrics import exposition
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import correct_hand, undo_hand
from tests.clubs.nights import DRAWN, NAMES, SECOND_WINS, make_players, night
from tests.config.served import free_port
from tests.people import Cast, browser_of
from tests.scoring.scorebook.book import agree, decide, dispute
from tests.test_doors import patterns

CaptureCallbacks = Callable[..., AbstractContextManager[list[Any]]]
TUESDAY: Final = date(2026, 11, 17)
HANDS: Final = "tongbox_hands_"
OF_PYTHON: Final = {"generation", "implementation", "major", "minor", "patchlevel", "version"}
LABELS: Final = OF_PYTHON | {"le", "view", "status", "task", "state", "kind", "what", "where"}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    session = night(cast.club, TUESDAY, make_players(cast.club, 4))
    return session.tables.select_related("game", "session").get()


def figures() -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every line that Prometheus reads."""
    families = text_string_to_metric_families(exposition.metrics_text().decode())
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def gauge(name: str) -> float | None:
    return figures().get((f"tongbox_{name}", frozenset()))


class Moved:
    """How far each figure of hands has moved since."""

    def __init__(self) -> None:
        self.figures_before = figures()

    def hands(self) -> dict[str, float]:
        increases = {}
        for (name, labels), value in figures().items():
            increase = value - self.figures_before.get((name, labels), 0)
            if name.startswith(HANDS) and increase:
                key = name.removeprefix(HANDS).removesuffix("_total")
                increases[" ".join([key, *(word for _, word in labels)])] = increase
        return increases


def send(table: SessionTable, number: int, **changed_fields: Any) -> Hand:
    hand_fields = {
        "submission_id": uuid4(),
        "report": SECOND_WINS,
        "sent_by": "the table",
        **changed_fields,
    }
    return at_table.post_hand(table=EveningTable(table), number=number, **hand_fields).hand


@pytest.mark.parametrize(
    ("caller", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "10.1.2.3"}, 200),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}, 200),
        ({"REMOTE_ADDR": "203.0.113.5"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.0"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_VIA": "1.1 proxy"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_PROTO": "http"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.5"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1, 203.0.113.5"}, 404),
        ({"REMOTE_ADDR": "203.0.113.5", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 404),
        ({"REMOTE_ADDR": "10.1.2.3", "HTTP_X_FORWARDED_FOR": "203.0.113.5"}, 200),
        ({"REMOTE_ADDR": ""}, 404),
    ],
)
def test_this_machine_and_the_watchers_read_metrics_and_for_others_it_is_not_there(
    cast: Cast, settings: Settings, caller: dict[str, Any], status: int
) -> None:
    settings.WATCHERS = ["10.0.0.0/8"]
    for person in (None, cast.secretary):
        answer = browser_of(person).get("/metrics", **caller)
        assert answer.status_code == status
        assert (b"tongbox_hands_recorded_total" in answer.content) == (status == 200)


def test_an_evening_moves_its_own_figures_and_no_others(
    table: SessionTable, django_capture_on_commit_callbacks: CaptureCallbacks
) -> None:
    movement, key = Moved(), uuid4()
    with django_capture_on_commit_callbacks(execute=True):
        first = send(table, 1, submission_id=key)
        assert send(table, 1, submission_id=key) == first
        for number, report, refusal in (
            (1, DRAWN, "already been entered"),
            (7, SECOND_WINS, "the next hand"),
        ):
            with pytest.raises(Refused, match=refusal):
                send(table, number, report=report)
        second, third, _ = (send(table, number) for number in (2, 3, 4))
        agree(first)
        dispute(second)
        decide(second)
        correct_hand(hand_id=third.pk, report=DRAWN, corrected_by="Pat", reason="misread")
    assert movement.hands() == {
        "recorded": 4,
        "sent_again": 1,
        "conflicting": 1,
        "refused wrong_number": 1,
        "judged agreed": 1,
        "judged disputed": 1,
        "judged decided": 1,
        "judged corrected": 1,
    }


def test_a_hand_that_is_taken_back_is_counted_as_such(
    table: SessionTable, django_capture_on_commit_callbacks: CaptureCallbacks
) -> None:
    movement = Moved()
    with django_capture_on_commit_callbacks(execute=True):
        hand = send(table, 1)
        undo_hand(game_id=hand.game_id, hand_id=hand.pk, taken_by="the table")
    assert movement.hands() == {"recorded": 1, "judged taken_back": 1}


@pytest.mark.django_db(transaction=True)
def test_a_hand_that_did_not_stay_in_the_book_is_not_counted(table: SessionTable) -> None:
    movement = Moved()
    with transaction.atomic():
        dispute(send(table, 1))
        transaction.set_rollback(True)
    assert movement.hands() == {}
    send(table, 1)
    assert movement.hands() == {"recorded": 1}


def test_no_figure_names_a_club_or_a_person_or_an_address(
    cast: Cast, table: SessionTable, django_capture_on_commit_callbacks: CaptureCallbacks
) -> None:
    client = browser_of(cast.secretary)
    with django_capture_on_commit_callbacks(execute=True):
        dispute(send(table, 1), 2, "Ann is wrong")
    for address in (
        f"/c/riverside/evenings/{table.session_id}/",
        f"/t/{table.link_key}/",
        "/nobody/knows/this/",
        "/c/riverside/members/?q=Ann",
    ):
        client.get(address)
    wake_waiting_jobs.apply()
    labels = [pair for _, pairs in figures() for pair in pairs]
    assert {name for name, _ in labels} <= LABELS
    assert ("task", wake_waiting_jobs.name) in labels
    views = {str(pattern.name) for pattern in patterns(get_resolver())} | {"none"}
    assert {"evening", "none"} <= {word for name, word in labels if name == "view"} <= views
    text = exposition.metrics_text().decode().lower()
    names = ["riverside", "hill-top", table.link_key.lower(), "nobody", "@", *NAMES[:4]]
    assert [name for name in names if re.search(rf"\b{re.escape(name.lower())}\b", text)] == []


def test_what_waits_is_told(cast: Cast) -> None:
    now = timezone.now()
    Job.objects.create(club=cast.club, kind="season pack", about=1)
    Job.objects.update(made_at=now - timedelta(minutes=11))
    Job.objects.create(club=cast.club, kind="season pack", about=1, state="done")
    hook = Webhook.objects.create(club=cast.club, address="https://example.org/", secret="s")
    inactive_hook = Webhook.objects.create(
        club=cast.club,
        address="https://example.org/",
        secret="s",
        is_active=False,
        stopped_because="The receiver says the address no longer exists.",
    )
    Delivery.objects.create(webhook=inactive_hook, kind="tried", payload={}, try_at=now)
    for tries, try_at in ((0, now), (3, now), (1, None)):
        Delivery.objects.create(webhook=hook, kind="tried", payload={}, tries=tries, try_at=try_at)
    assert (gauge("jobs_waiting"), gauge("jobs_running")) == (1, 0)
    assert gauge("jobs_oldest_seconds") == pytest.approx(660, abs=60)
    assert (gauge("news_waiting"), gauge("news_failing"), gauge("programs_given_up")) == (2, 1, 1)


def test_how_old_the_last_good_backup_is(db: None) -> None:
    assert (gauge("backup_age_seconds"), gauge("backup_is_good")) == (float("inf"), 0)
    for hours, is_good in ((30, True), (6, False)):
        made_at = timezone.now() - timedelta(hours=hours)
        Backup.objects.create(made_at=made_at, is_good=is_good, file="x")
    assert gauge("backup_age_seconds") == pytest.approx(30 * 3600, abs=60)
    assert gauge("backup_is_good") == 0


def test_how_old_the_backup_is_that_every_other_place_has(db: None, settings: Any) -> None:
    assert gauge("away_copy_age_seconds") is None
    settings.BACKUPS_AWAY = [f"webdavs://anna:x@{host}.example.org/club" for host in "ab"]
    assert gauge("away_copy_age_seconds") == float("inf")
    for host, hours in (("a", 30), ("b", 54), ("a", 6)):
        made_at = timezone.now() - timedelta(hours=hours)
        backup = Backup.objects.create(made_at=made_at, is_good=True, file="x")
        place = f"{host}.example.org/club"
        AwayCopy.objects.create(backup=backup, place=place, is_good=hours != 6)
        if hours == 30:
            assert gauge("away_copy_age_seconds") == float("inf")
    assert gauge("away_copy_age_seconds") == pytest.approx(54 * 3600, abs=60)


def test_a_worker_that_was_never_heard_of_is_silent_for_ever(db: None) -> None:
    cache.delete_many([celery.WORKER_KEY, celery.BEAT_KEY])
    assert gauge("worker_silent_seconds") == gauge("clock_silent_seconds") == float("inf")
    wake_waiting_jobs.apply()
    assert gauge("worker_silent_seconds") == pytest.approx(0, abs=60)


def test_without_redis_the_rest_is_told(db: None, settings: Settings) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    assert gauge("queue_tasks") is None
    assert gauge("database_up") == 1


def test_it_is_counted_where_what_is_kept_was_found(db: None) -> None:
    def kept_counts() -> list[float]:
        samples = figures()
        places = ({("where", place)} for place in ("near", "shared", "nowhere"))
        return [samples.get(("tongbox_kept_total", frozenset(place)), 0) for place in places]

    counts_before, key = kept_counts(), f"standings-{uuid4()}"
    for _ in range(3):
        get_or_compute(key, lambda: 1, seconds=60)
    versioned_cache._local_cache.clear()
    get_or_compute(key, lambda: 1, seconds=60)
    assert [
        now - count_before for now, count_before in zip(kept_counts(), counts_before, strict=True)
    ] == [2, 1, 1]


def test_looking_is_cheap_however_much_there_is(
    cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(20):
        Job.objects.create(club=cast.club, kind="season pack", about=1)
    with django_assert_max_num_queries(8):
        exposition.metrics_text()
