"""Work behind the pages: how often it was done, how it ended, how long it took."""

from time import perf_counter
from typing import Any

from celery.signals import task_postrun, task_prerun

from scoring.scorebook.metrics import Counter, Histogram

_task_seconds = Histogram(
    "tongbox_task_seconds", "Time that a task took", ["task"], buckets=(0.1, 1, 10, 60, 300)
)
_tasks = Counter("tongbox_tasks", "Tasks done", ["task", "state"])
_started_at: dict[str, float] = {}


@task_prerun.connect
def note_start(task_id: str, **_: Any) -> None:
    _started_at[task_id] = perf_counter()


@task_postrun.connect
def count_task(task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    """The task has ended; ``state`` is Celery's word."""
    _tasks.labels(task.name, (state or "failure").lower()).inc()
    if (started_at := _started_at.pop(task_id, None)) is not None:
        _task_seconds.labels(task.name).observe(perf_counter() - started_at)
