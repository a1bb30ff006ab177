"""What all walks share: how long they are, steps that are taken twice, and laws of every book."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from zlib import crc32

import pytest
from django.apps import apps
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from scoring.scorebook.models import Book
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import outside_of_books, recount, verify_book
from tests.sampling import IS_WHOLE, SAMPLE
from tests.walks.notebook import CannotBe

STEPS_OF_A_WALK: Final = 30
ASKED: Final = int(os.environ.get("TONGBOX_STEPS", "0"))
"""How many steps each machine takes instead of a day's sample. A failure is then made short."""


def go(machine: type[RuleBasedStateMachine], *, steps: int) -> None:
    """Let a machine walk so many steps, the same all day; ten times as many in a whole run."""
    number = ASKED or steps * (10 if IS_WHOLE else 1)
    how = settings(
        max_examples=-(-number // STEPS_OF_A_WALK),
        stateful_step_count=STEPS_OF_A_WALK,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink] if ASKED else [Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(crc32(SAMPLE.encode()))(machine), settings=how)


@contextmanager
def everything_undone() -> Iterator[None]:
    """What a walk writes is rolled back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def every_row() -> dict[str, list[tuple[Any, ...]]]:
    """All that Tongbox has stored, by table."""
    rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")  # noqa: S608
            rows[model._meta.label] = cursor.fetchall()
    return rows


def both(noted: Callable[[], Any], done: Callable[[], Any]) -> bool:
    """A step in the notebook and in Tongbox, which agree on whether it can be; returns whether.

    Where Tongbox refuses it, it leaves no trace.
    """
    try:
        noted()
    except CannotBe:
        before = every_row()
        with pytest.raises(Refused):
            done()  # else Tongbox allows what cannot be
        assert every_row() == before
        return False
    done()
    return True


def check_chains() -> None:
    """Every book is still what its chain has sealed."""
    for book in Book.objects.values_list("pk", flat=True):
        assert verify_book(book).findings == ()
    assert not list(outside_of_books())


def check_recount() -> None:
    """All games played again come to the same."""
    assert recount().differences == ()
