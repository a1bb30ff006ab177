"""What all walks share: how long they are, steps that are taken twice, and the laws.

A law that is broken says so in a note of its failure, with the number of steps until then.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final
from zlib import crc32

from django.apps import apps
from django.contrib.sessions.models import Session as BrowserSession
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from clubs.core.versioned_cache import clear_caches
from scoring.scorebook.models import Book, Link
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount, rows_outside_books, verify_book
from tests.sampling import IS_WHOLE, SAMPLE
from tests.walks.notebook import CannotBe

A_WALK, A_SHORT_WALK = 30, 10  # steps; short are those of a day, as the first is the plainest
ASKED: Final = int(os.environ.get("TONGBOX_STEPS", "0"))
"""How many steps each machine takes instead of a day's sample. A failure is then made short."""
IS_SHORTENED: Final = bool(ASKED) and os.environ.get("TONGBOX_SHORTEN", "yes") != "no"

ALLOWED: Final = "Tongbox allows what can be, and nothing else."
IN_WORDS: Final = "A refusal says why in a sentence."
NO_TRACE: Final = "A refused step leaves no trace."
BROUGHT_BACK: Final = "An undo brings back exactly what was."
NOBODY_TWICE: Final = "Everyone is where they should be, and nobody sits twice."
NEXT_HAND: Final = "The next hand has the winds that follow from the hands before it."
TO_NOTHING: Final = "Payments add to nothing."
AS_TOLD: Final = "Every hand stands as it was told, and so does what is said of it."
RESULTS: Final = "The result follows from the hands."
WHO_MET: Final = "Seating remembers who met."
LEAGUE: Final = "The league follows from the hands."
ERASED: Final = "Someone who was erased is nowhere."
ENTRIES: Final = "The entries and the rounds are as noted."
APART: Final = "Couples and teams are seated apart."
RULINGS: Final = "Rulings follow their hands."
STANDINGS: Final = "The standings follow from the hands and the rulings."
SEALED: Final = "Every book is what its chain has sealed."
AGAIN: Final = "All games played again come to the same."
LAWS: Final = (
    *(
        ALLOWED,
        IN_WORDS,
        NO_TRACE,
        BROUGHT_BACK,
        NOBODY_TWICE,
        NEXT_HAND,
        TO_NOTHING,
        AS_TOLD,
        RESULTS,
    ),
    *(WHO_MET, LEAGUE, ERASED, ENTRIES, APART, RULINGS, STANDINGS, SEALED, AGAIN),
)


class Pace:
    """How many steps a machine has taken in all its walks, and with which a law was broken."""

    steps = 0
    broken_at = 0


@contextmanager
def law(name: str) -> Iterator[None]:
    """What fails in this block breaks that law; an inner law is named before an outer one."""
    try:
        yield
    except Exception as broken:
        Pace.broken_at = Pace.broken_at or Pace.steps
        broken.add_note(f"Broken with step {Pace.broken_at}: {name}")
        raise


def walk(machine: type[RuleBasedStateMachine], *, steps: int) -> None:
    """Let a machine walk so many steps, the same all day; ten times as many in a whole run."""
    number = ASKED or steps * (10 if IS_WHOLE else 1)
    length = A_WALK if ASKED else A_SHORT_WALK
    Pace.steps = Pace.broken_at = 0
    walk_settings = settings(
        max_examples=-(-number // length),
        stateful_step_count=length,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink] if IS_SHORTENED else [Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(crc32(SAMPLE.encode()))(machine), settings=walk_settings)


@contextmanager
def everything_undone() -> Iterator[None]:
    """What a walk writes is rolled back; what is cached of another, with the same keys, is gone."""
    clear_caches()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def every_row() -> dict[str, list[tuple[Any, ...]]]:
    """All that Tongbox has stored, by table."""
    rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            if model is BrowserSession:
                continue  # what a page has said to whoever looks
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")  # noqa: S608
            rows[model._meta.label] = cursor.fetchall()
    return rows


def step_in_both(in_notebook: Callable[[], Any], in_tongbox: Callable[[], Any]) -> bool:
    """A step in the notebook and in Tongbox, which agree on whether it can be; returns whether.

    Where Tongbox refuses it, it leaves no trace.
    """
    Pace.steps += 1
    try:
        in_notebook()
    except CannotBe:
        rows_before = every_row()
        with law(ALLOWED):
            refusal = refusal_of(in_tongbox)
        with law(IN_WORDS):
            assert all(finding.message.endswith(".") for finding in refusal.problems)
        with law(NO_TRACE):
            assert every_row() == rows_before
        return False
    with law(ALLOWED):
        in_tongbox()
    return True


def refusal_of(step: Callable[[], Any]) -> Refused:
    """Why Tongbox refuses it; fails where it does not."""
    try:
        step()
    except Refused as refused:
        return refused
    raise AssertionError("Tongbox allows what cannot be.")


def check_erased(names: Collection[str]) -> None:
    """No row has any of these names but for the links of a chain, which cannot be written anew."""
    name = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    with law(ERASED):
        rows = {table: str(rows) for table, rows in every_row().items() if rows}
        names_by_table = {table: sorted(set(name.findall(text))) for table, text in rows.items()}
        assert not {table for table, matches in names_by_table.items() if matches} - {
            Link._meta.label
        }


def check_chains() -> None:
    """Every book is still what its chain has sealed."""
    with law(SEALED):
        for book in Book.objects.values_list("pk", flat=True):
            assert verify_book(book).findings == ()
        assert not list(rows_outside_books())


def check_recount() -> None:
    """All games played again come to the same."""
    with law(AGAIN):
        assert recount().differences == ()
