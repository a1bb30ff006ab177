"""A game with one of everything that a book seals, and someone who changes rows behind its back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, models, transaction
from django.utils import timezone

from scoring.scorebook import services
from scoring.scorebook.models import Book, Game, Link
from scoring.scorebook.verifying import TABLE_PATHS, Discrepancy, rows_outside_books, verify_book
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    WEST_WINS,
    agree,
    correct,
    decide,
    open_game,
    play,
    put_right,
    seats_mixed,
)


def well_read_game() -> Game:
    """A game with one of everything that a book seals, after another event with a repair."""
    elsewhere = open_game(2)
    play(elsewhere, DRAWN)
    put_right(seats_mixed(elsewhere, 1, 1, 2))
    game = open_game()
    first, second, third = play(game, SOUTH_WINS, EAST_WINS_IN_TILES, DRAWN)
    agree(first, 1)
    decide(third)
    correct(second, WEST_WINS)
    services.adjust_points(
        seat=game.seats.get(number=2), points=-50, written_by="user 7", reason="late"
    )
    put_right(seats_mixed(game, 2, 1, 2))
    return game


GUARDS = {
    "ledgerentry": "ledger_is_never_edited",
    "agreement": "agreement_is_never_edited",
    "decision": "decision_is_never_edited",
    "link": "link_is_never_edited",
}
CHECKS = """
SELECT conrelid::regclass, quote_ident(conname) FROM pg_constraint
WHERE contype = 'c' AND conrelid::regclass::text LIKE 'scorebook_%'
"""

# Nothing is won by the first two; the sealed deals of the hands tell the others, and `recount`
# compares them.
NOTHING_WON = {"closed_at", "agreement", "continues", "opening"}

# Every column that is told by its row's seal or by what follows from the sealed.
MODELS: list[Any] = [*TABLE_PATHS, Link, Book]
COLUMNS: list[tuple[Any, Any]] = [
    (model, column)
    for model in MODELS
    for column in model._meta.concrete_fields
    if column.name != "id" and not (model is Game and column.name in NOTHING_WON)
]

OTHER_VALUES: dict[type[Any], Callable[[Any, int], object]] = {
    models.JSONField: lambda _, offset: {"changed": offset},
    models.BooleanField: lambda value, _: not value,
    models.DateTimeField: lambda value, offset: (
        (value or timezone.now()) + timedelta(microseconds=offset)
    ),
    models.UUIDField: lambda _, offset: UUID(int=offset),
    models.IntegerField: lambda value, offset: (value or 0) + offset,
}


@contextmanager
def behind_the_book() -> Iterator[None]:
    """The database's own guards are taken away first; afterwards everything is as before."""
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        run("PRAGMA ignore_check_constraints = ON")
    try:
        with transaction.atomic():
            if not is_sqlite:
                run("SET CONSTRAINTS ALL IMMEDIATE")
            for table, name in GUARDS.items():
                run(f"DROP TRIGGER {name}{'' if is_sqlite else f' ON scorebook_{table}'}")
            run("DROP INDEX one_current_hand_of_a_number")
            if not is_sqlite:
                for table, name in run(CHECKS, fetch=True):
                    run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
                run("SET CONSTRAINTS ALL DEFERRED")
            yield
            transaction.set_rollback(True)
    finally:
        if is_sqlite:
            run("PRAGMA ignore_check_constraints = OFF")


def run(sql: str, *params: Any, fetch: bool = False) -> list[tuple[Any, ...]]:
    """A statement of this module's own, and the rows it answers with."""
    with connection.cursor() as cursor:
        cursor.execute(sql, params or None)
        return cursor.fetchall() if fetch else []


def write_value(row: models.Model, column: Any, value: object) -> None:
    """Straight into the database, past everything above it."""
    change = f'UPDATE {row._meta.db_table} SET "{column.column}" = %s WHERE id = %s'  # noqa: S608
    run(change, column.get_db_prep_save(value, connection), row.pk)


def take_away(row: models.Model) -> None:
    """The row is gone, whatever points to it."""
    run(f"DELETE FROM {row._meta.db_table} WHERE id = %s", row.pk)  # noqa: S608


def another(column: Any, value: Any, *, offset: int) -> Any:
    """A value of the column's own kind that is not the one it has."""
    if column.remote_field:
        return None if column.null and value else _another_row(column, value)
    for kind, change in OTHER_VALUES.items():
        if isinstance(column, kind):
            return change(value, offset)
    return f"{value}{offset}"[-(column.max_length or 9999) :]


def _another_row(column: Any, value: Any) -> int:
    used_values = column.model.objects.exclude(**{column.attname: None}).values(column.attname)
    rows = column.related_model.objects.exclude(pk=value).order_by("pk")
    if column.unique:
        rows = rows.exclude(pk__in=used_values)
    return int(rows.values_list("pk", flat=True)[0])


def a_row_with(model: Any, column: Any) -> models.Model:
    """The newest row, of those that hold something in the column if any does."""
    rows = model.objects.order_by("pk")
    filled_rows = rows.exclude(**{column.attname: None}) if column.null else rows
    row: models.Model | None = filled_rows.last() or rows.last()
    assert row
    return row


def row_name(row: models.Model) -> str:
    """The row as a finding names it."""
    return f"{row._meta.verbose_name} row {row.pk}"


def all_discrepancies() -> list[Discrepancy]:
    """What is wrong anywhere."""
    discrepancies = [
        discrepancy
        for book in Book.objects.order_by("pk")
        for discrepancy in verify_book(book.pk).findings
    ]
    return [*discrepancies, *rows_outside_books()]
