"""Whether the worker and the clock that wakes it were heard of: each leaves a time in the cache."""

from datetime import datetime, timedelta
from typing import Any, Final

from celery.signals import beat_init, before_task_publish, task_prerun, worker_ready
from django.core.cache import cache
from django.utils import timezone

from clubs.language.moments import logged_moment

EACH_MINUTE: Final = "clubs.tasks.wake_waiting_jobs"  # nobody but the clock asks for this
SILENT_AFTER: Final = timedelta(minutes=2)
KEPT: Final = 24 * 60 * 60  # seconds
BEAT, WORKER = "heard-of:beat", "heard-of:worker"


def listen() -> None:
    """Have both leave their times, when they begin and whenever they do something."""
    beat_init.connect(_beat)
    before_task_publish.connect(_beat, sender=EACH_MINUTE)
    worker_ready.connect(_worker)
    task_prerun.connect(_worker)


def silence(of: str) -> str:
    """Since when nothing was heard of it, in words; empty where it was, within two minutes."""
    heard: datetime | None = cache.get(of)
    if heard is None:
        return "not heard of yet"
    if timezone.now() - heard > SILENT_AFTER:
        return f"not heard of since {logged_moment(heard)}"
    return ""


def _beat(**_: Any) -> None:
    cache.set(BEAT, timezone.now(), KEPT)


def _worker(**_: Any) -> None:
    cache.set(WORKER, timezone.now(), KEPT)
