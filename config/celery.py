"""The Celery application: Redis when REDIS_URL is set, else a queue inside the one process.

Its workers count for Prometheus, and the worker and the clock each leave the time in the cache when
they do something.
"""

import os
import sys
from datetime import datetime, timedelta
from typing import Any, Final

from celery import Celery, signals
from django.core.cache import cache
from django.utils import timezone

from clubs.language.moments import logged_moment
from config import logs  # noqa: F401 (jobs carry the number of their request)
from config.metrics import shared

MINUTE_TASK: Final = "clubs.tasks.wake_waiting_jobs"  # only the clock sends this
SILENT_AFTER: Final = timedelta(minutes=2)
HEARTBEAT_SECONDS: Final = 24 * 60 * 60  # seconds
BEAT_KEY, WORKER_KEY = "heard-of:beat", "heard-of:worker"

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("tongbox", include=["config.metrics.jobs"])


@signals.import_modules.connect
def count_for_prometheus(**_: Any) -> None:
    """Choose where to count before ``config.metrics.jobs`` (``include``) is loaded and counts."""
    if "worker" in sys.argv:
        shared.start_counting("worker")
        shared.reserve_files()


@signals.worker_process_init.connect
def reserve_room_to_count(**_: Any) -> None:
    """A worker's pool process counts in files of its own."""
    shared.reserve_files()


@signals.beat_init.connect
@signals.before_task_publish.connect(sender=MINUTE_TASK)
def note_beat(**_: Any) -> None:
    """Beat has begun, or has sent its task of every minute."""
    cache.set(BEAT_KEY, timezone.now(), HEARTBEAT_SECONDS)


@signals.worker_ready.connect
@signals.task_prerun.connect
def note_worker(**_: Any) -> None:
    """A worker is ready, or begins a task."""
    cache.set(WORKER_KEY, timezone.now(), HEARTBEAT_SECONDS)


def silence_text(cache_key: str) -> str:
    """Since when nothing was heard of it, in words; empty if it was within two minutes."""
    heard_at: datetime | None = cache.get(cache_key)
    if heard_at is None:
        return "not heard of yet"
    if timezone.now() - heard_at > SILENT_AFTER:
        return f"not heard of since {logged_moment(heard_at)}"
    return ""


app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
