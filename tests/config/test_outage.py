"""What is said while the database cannot be asked."""

import psycopg.errors
import pytest
from django.db import InterfaceError, OperationalError

from config.readiness import AWAY, BUSY, FULL, Outage, outage_of


@pytest.mark.parametrize(
    ("cause", "outage"),
    [
        (psycopg.errors.DiskFull("could not extend file"), FULL),
        (psycopg.errors.LockNotAvailable("canceling statement due to lock timeout"), BUSY),
        (psycopg.OperationalError("connection refused"), AWAY),
    ],
)
def test_what_the_server_says_is_told_in_our_words(cause: Exception, outage: Outage) -> None:
    raised = OperationalError(str(cause))
    raised.__cause__ = cause
    assert outage_of(raised) is outage


def test_only_the_database_itself_can_be_out() -> None:
    assert outage_of(InterfaceError("connection already closed")) is AWAY
    assert outage_of(OperationalError("database is locked")) is BUSY
    assert outage_of(ValueError("our mistake")) is None
    assert outage_of(None) is None
