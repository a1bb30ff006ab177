"""Work is sent by name: every name is one that a worker knows."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from pytest_django import DjangoCaptureOnCommitCallbacks

from clubs.core.queue import make_job, queue_job
from clubs.models import JobState
from config.celery import MINUTE_TASK, app
from tests.clubs.nights import make_players
from tests.clubs.outbox import write
from tests.people import Cast

ROOT = Path(__file__).resolve().parent.parent
OURS = ("clubs", "tournaments", "config")


def sent_names() -> Iterator[str]:
    """The names that calls of ``queue_task`` begin with; each is written out there."""
    for path in (path for name in OURS for path in (ROOT / name).rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        if path.stem == "queue" or any(module.endswith(".queue") for module in modules):
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            yield from (
                ast.literal_eval(call.args[0])
                for call in calls
                if ast.unparse(call.func) in {"queue_task", "queue_task_now"}
            )


def test_every_task_that_is_sent_is_known_to_a_worker() -> None:
    names = set(sent_names())
    assert {"clubs.tasks.run_job", "clubs.tasks.send_news"} <= names
    assert names - set(app.tasks) == set()


def test_every_task_on_the_schedule_is_known_to_a_worker() -> None:
    task_names = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert MINUTE_TASK in task_names
    assert [name for name in task_names if name not in app.tasks] == []


def test_work_begins_when_the_transaction_is_committed(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    batch = write(cast.club, make_players(cast.club, 4), cast.secretary)
    job = make_job(club=cast.club, kind="messages", subject_key=batch.pk)
    with django_capture_on_commit_callbacks(execute=True):
        queue_job(job)
        job.refresh_from_db()
        assert job.state == JobState.WAITING
    job.refresh_from_db()
    assert job.state == JobState.DONE
