"""All rows of one database laid into another, each read back and compared, or nothing at all."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from django.apps import apps
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

from clubs.backup.databases import Server, Trouble, ours

ELSEWHERE: Final = "elsewhere"
A_BATCH: Final = 500  # rows
MIGRATIONS: Final = "django_migrations"

Row = tuple[Any, ...]
Tell = Callable[[str, int], None]


@contextmanager
def opened(where: Server | Path) -> Iterator[BaseDatabaseWrapper]:
    """A connection to another database, beside our own."""
    fields = dict(connections.settings[DEFAULT_DB_ALIAS]) | {"OPTIONS": {}}
    if isinstance(where, Server):
        fields |= {"ENGINE": "django.db.backends.postgresql", "NAME": where.name}
        fields |= {"HOST": where.host, "PORT": where.port}
        fields |= {"USER": where.user, "PASSWORD": where.password, "OPTIONS": dict(where.options)}
    else:
        fields |= {"ENGINE": "config.sqlite", "NAME": str(where)}
    connections.settings[ELSEWHERE] = fields
    try:
        yield connections[ELSEWHERE]
    finally:
        connections[ELSEWHERE].close()
        del connections[ELSEWHERE]
        del connections.settings[ELSEWHERE]


def copy_all(tell: Tell) -> None:
    """Copy every table of ours to the database that is ``opened`` and migrated as ours is.

    Keys stay as they are. Each batch is read back and compared, value by value. ``tell`` hears of
    each table and its rows. All of it is one transaction there, and we write nothing here; raises
    ``Trouble`` where anything differs, and then there is nothing there.
    """
    source, target = connections[DEFAULT_DB_ALIAS], connections[ELSEWHERE]
    # The same migrations on both sides, and no table here that nobody would copy.
    if set(_applied(source)) != set(_applied(target)):
        raise Trouble("The two databases do not have the same migrations: run `manage.py migrate`.")
    known = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    others = set(source.introspection.table_names()) - known - {MIGRATIONS}
    if others:
        raise Trouble(f"Nobody knows what these tables are for: {', '.join(sorted(others))}.")
    tables = list(apps.get_models(include_auto_created=True))
    with transaction.atomic(using=ELSEWHERE), target.constraint_checks_disabled():
        for model in tables:
            _execute(target, f"DELETE FROM {_quoted(target, model)}")  # noqa: S608
        for model in tables:
            tell(model._meta.db_table, _copy(model, target))
        for statement in target.ops.sequence_reset_sql(no_style(), tables):
            _execute(target, statement)
        target.check_constraints()


def _applied(connection: BaseDatabaseWrapper) -> Any:
    return MigrationRecorder(connection).applied_migrations()


def _copy(model: type[models.Model], target: BaseDatabaseWrapper) -> int:
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    rows = model._base_manager.using(DEFAULT_DB_ALIAS).order_by("pk").values_list(*names)
    value, count = rows.iterator(chunk_size=A_BATCH), 0
    while batch := list(islice(value, A_BATCH)):
        _insert(model, fields, batch, target)
        at = names.index(model._meta.pk.attname)
        laid = model._base_manager.using(ELSEWHERE).filter(pk__in=[row[at] for row in batch])
        result = {row[at]: row for row in laid.order_by().values_list(*names)}
        for row in batch:
            if result.get(row[at]) != row:
                table = model._meta.db_table
                raise Trouble(
                    f"Row {row[at]} of {table} is not there as it is here; nothing was moved."
                )
        count += len(batch)
    return count


def _insert(
    model: type[models.Model],
    fields: Sequence["models.Field[Any, Any]"],
    batch: list[Row],
    target: BaseDatabaseWrapper,
) -> None:
    columns = ", ".join(target.ops.quote_name(field.column or "") for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {_quoted(target, model)} ({columns}) VALUES ({places})"  # noqa: S608
    with target.cursor() as cursor:
        cursor.executemany(
            statement,
            [
                [
                    field.get_db_prep_save(value, connection=target)
                    for field, value in zip(fields, row, strict=True)
                ]
                for row in batch
            ],
        )


def _quoted(connection: BaseDatabaseWrapper, model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _execute(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


BESIDE: Final = ".served"
log = logging.getLogger(__name__)
_held: list[IO[str]] = []


def begin() -> None:
    """Hold the lock of our book until this process ends; nothing where a server has the book.

    On a full disk it is served all the same, without a lock.
    """
    book = ours()
    if not isinstance(book, Path):
        return
    try:
        lock = _lock_of(book).open("a")
        flock(lock, LOCK_SH)
    except OSError as full:
        log.warning("A move to PostgreSQL would not notice that Tongbox runs: %s", full)
        return
    _held.append(lock)


def is_served(book: Path) -> bool:
    """Whether a Tongbox serves from this file."""
    try:
        with _lock_of(book).open() as lock:
            flock(lock, LOCK_EX | LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _lock_of(book: Path) -> Path:
    return book.with_name(f"{book.name}{BESIDE}")
