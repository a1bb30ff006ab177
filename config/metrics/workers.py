"""Celery's workers count, too: where to is settled before anything that counts is loaded."""

import sys
from typing import Any

from celery.signals import import_modules, task_postrun, task_prerun, worker_process_init

from config.metrics import shared


def listen() -> None:
    """Have workers count; once, before there is an application."""
    import_modules.connect(_begin)
    worker_process_init.connect(_reserve)
    task_prerun.connect(_begins)
    task_postrun.connect(_ends)


def _begin(**_: Any) -> None:
    if "worker" in sys.argv:
        shared.begin("worker")
        shared.reserve()


def _reserve(**_: Any) -> None:
    shared.reserve()


def _begins(task_id: str, **_: Any) -> None:
    from config.metrics import jobs

    jobs.begins(task_id)


def _ends(task_id: str, task: Any, state: str | None = None, **_: Any) -> None:
    from config.metrics import jobs

    jobs.ends(task_id, task.name, state or "failure")
