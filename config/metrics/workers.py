"""Celery's workers count, too: where to is settled before anything that counts is loaded.

``config.metrics.jobs`` counts; Celery loads it (``include``) after ``import_modules`` is sent.
"""

import sys
from typing import Any

from celery.signals import import_modules, worker_process_init

from config.metrics import shared


def listen() -> None:
    """Have workers count; once, before there is an application."""
    import_modules.connect(_begin)
    worker_process_init.connect(_reserve)


def _begin(**_: Any) -> None:
    if "worker" in sys.argv:
        shared.begin("worker")
        shared.reserve()


def _reserve(**_: Any) -> None:
    shared.reserve()
