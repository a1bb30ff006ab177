"""The worker inside the one web process: Celery with a queue in memory, and a sweep each minute."""

import logging
import threading
import time
from typing import Any

from celery.platforms import EX_OK
from celery.worker import WorkController, state
from django.conf import settings

from config.celery import app

SECONDS_BETWEEN_SWEEPS = 60.0
SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_FOR_THE_JOB_IN_HAND = 10.0

log = logging.getLogger(__name__)
_stopping = threading.Event()


def start_worker() -> None:
    """Begin to work and to sweep; nothing where Redis wakes workers of their own."""
    if settings.REDIS_URL:
        return
    _stopping.clear()
    for name, target in (("worker", run_worker), ("sweep", run_schedule)):
        threading.Thread(target=target, name=f"tongbox-{name}", daemon=True).start()


def stop_worker() -> None:
    """Take no further job and wait for the one in hand, ten seconds at most.

    What is cut short after that, the sweep of the next start does again.
    """
    _stopping.set()
    state.should_stop = EX_OK  # type: ignore[assignment]
    latest = time.monotonic() + SECONDS_FOR_THE_JOB_IN_HAND
    while state.active_requests and time.monotonic() < latest:
        time.sleep(SECONDS_BETWEEN_LOOKS)


def run_worker() -> None:
    """Take jobs from the queue in memory, until the process ends."""
    app.conf.broker_transport_options = {"polling_interval": SECONDS_BETWEEN_LOOKS}
    worker = WorkController(app=app, pool="solo", concurrency=1, without_heartbeat=True)
    try:
        worker.start()
    finally:
        if not _stopping.is_set():
            log.critical("The worker has stopped. Restart Tongbox to send email and create packs.")


def run_schedule() -> None:
    """Send each task when it is due, as beat does where workers are processes of their own."""
    schedule: dict[str, dict[str, Any]] = settings.CELERY_BEAT_SCHEDULE
    due = dict.fromkeys(schedule, 0.0)
    while True:
        for name, entry in schedule.items():
            if time.monotonic() >= due[name]:
                due[name] = time.monotonic() + entry["schedule"]
                try:
                    app.send_task(entry["task"])
                except Exception:
                    log.exception(
                        "The sweep could not call the worker; it tries again when it is next due."
                    )
        if _stopping.wait(SECONDS_BETWEEN_SWEEPS):
            return
