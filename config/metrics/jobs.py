"""Work behind the pages: how often it was done, how it ended, how long it took."""

from time import perf_counter

from prometheus_client import Counter, Histogram

_seconds = Histogram(
    "tongbox_task_seconds", "Time that a task took", ["task"], buckets=(0.1, 1, 10, 60, 300)
)
_tasks = Counter("tongbox_tasks", "Tasks done", ["task", "state"])
_begun: dict[str, float] = {}


def begins(task_id: str) -> None:
    """A worker takes a task in hand."""
    _begun[task_id] = perf_counter()


def ends(task_id: str, task: str, state: str) -> None:
    """It is done with it; ``state`` is Celery's word."""
    _tasks.labels(task, state.lower()).inc()
    if (begun := _begun.pop(task_id, None)) is not None:
        _seconds.labels(task).observe(perf_counter() - begun)
