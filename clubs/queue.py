"""Sends tasks to a worker by their registered names, so that no sender imports the work."""

import logging
from functools import partial
from typing import Final

from celery import signature
from django.db import transaction
from kombu.exceptions import OperationalError

log: Final = logging.getLogger(__name__)


def send(name: str, *ids: int | str) -> None:
    """Send the task of this name to a worker once the transaction is committed.

    If the broker does not answer, the log says so; the minute's sweep finds the row.
    """
    transaction.on_commit(partial(_publish, name, ids), robust=True)


def _publish(name: str, ids: tuple[int | str, ...]) -> None:
    try:
        signature(name, args=ids).delay()
    except OperationalError as error:
        log.warning("no worker could be told of %s: %s", name, error)
