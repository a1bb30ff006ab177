"""Databases by their addresses: dumped within a snapshot, restored, copied into one another.

Passwords are passed to PostgreSQL's programs in the environment, never on a command line.
"""

import logging
import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from glob import escape
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import QuerySet
from filelock import BaseFileLock

from clubs.backup import BackupError
from clubs.backup.hosts import is_behind_pooler, join_hosts, split_hosts, split_off_hosts
from clubs.core.processes import command_line, is_locked, lock_if_free

if TYPE_CHECKING:
    import psycopg
    from psycopg.conninfo import make_conninfo
    from psycopg.pq import Conninfo
    from psycopg.sql import SQL, Identifier
else:
    try:
        import psycopg
        from psycopg.conninfo import make_conninfo
        from psycopg.pq import Conninfo
        from psycopg.sql import SQL, Identifier
    except ImportError:  # ``Server.read`` says so
        psycopg = None

SQLITE: Final = "database.sqlite3"
DUMP_SUFFIX: Final = ".dump"
POSTGRESQL: Final = f"database{DUMP_SUFFIX}"
MAX_ERROR_LENGTH: Final = 300
TEST_DATABASE_MARK: Final = "_try_"

Observed = TypeVar("Observed")
SECOND_ALIAS: Final = "elsewhere"
BATCH_ROWS: Final = 500  # rows
MIGRATIONS_TABLE: Final = "django_migrations"
DatabaseRow = tuple[Any, ...]
ReportTable = Callable[[str, int], None]
SERVED_SUFFIX: Final = ".served"
log = logging.getLogger(__name__)
_served_locks: list[BaseFileLock] = []


@dataclass(frozen=True, slots=True)
class Server:
    """A PostgreSQL server, database and user; empty fields mean the server's defaults.

    Of a server and its replica, ``host`` and ``port`` name both: ``one,two`` and ``5432,5433``.
    ``options`` are other libpq connection parameters, such as ``("sslmode", "require")``.
    """

    name: str
    host: str = ""
    port: str = ""
    user: str = ""
    password: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, url: str) -> "Server":
        """Parse ``postgres://user:password@host:port/name?sslmode=require``.

        Raises ``BackupError`` for anything else.
        """
        if psycopg is None:
            raise BackupError(
                "PostgreSQL needs more than is installed here: install tongbox[server]."
            )
        bare, hosts = split_off_hosts(url)
        parts = urlsplit(bare)
        name = unquote(parts.path.lstrip("/"))
        if parts.scheme not in {"postgres", "postgresql"} or not name:
            raise BackupError("That is not postgres://user:password@host:port/name.")
        host, port = split_hosts(hosts)
        options = tuple(parse_qsl(parts.query))
        if unknown := sorted({key for key, _ in options} - connection_parameters()):
            raise BackupError(
                f"{', '.join(unknown)} cannot be used after the ? in a database address."
            )
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(name, host, port, user, password, options)

    @property
    def url(self) -> str:
        """The DATABASE_URL with the password: only for the environment."""
        userinfo = (
            f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@" if self.user else ""
        )
        query = f"?{urlencode(self.options)}" if self.options else ""
        hosts = join_hosts(self.host, self.port)
        return f"postgres://{userinfo}{hosts}/{quote(self.name, safe='')}{query}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that libpq reads (PGHOST, PGPASSWORD …), added to the environment."""
        fields = {"PGHOST": self.host, "PGPORT": self.port, "PGUSER": self.user}
        fields |= {"PGPASSWORD": self.password, "PGDATABASE": self.name}
        return os.environ | {key: value for key, value in fields.items() if value}

    @property
    def dbname(self) -> str:
        """The ``--dbname`` for PostgreSQL's programs, used with ``environment``."""
        return make_conninfo("", dbname=self.name, **dict(self.options))

    def ask(self, *, autocommit: bool = False) -> "psycopg.Connection[Any]":
        """A connection. Raises ``BackupError`` if there is none, or only one by a pooler.

        PostgreSQL's programs keep settings in their session, which a pooler gives to the next.
        """
        fields = {"host": self.host, "port": self.port, "user": self.user}
        fields |= {"password": self.password}
        parameters = {key: value for key, value in fields.items() if value}
        info = make_conninfo("", **parameters | {"dbname": self.name} | dict(self.options))
        try:
            connection = psycopg.connect(info, autocommit=True)
            is_pooled = is_behind_pooler(connection)
        except psycopg.Error as why:
            raise BackupError(
                f"The database {self.name} cannot be reached: {_first_line(why)}"
            ) from why
        if is_pooled:
            connection.close()
            raise BackupError(
                "Backups cannot go through a pooler such as PgBouncer: set "
                "TONGBOX_DIRECT_DATABASE_URL to the address of PostgreSQL itself."
            )
        connection.autocommit = autocommit
        return connection


def connection_parameters() -> set[str]:
    """The names of libpq's connection parameters, except those that hold secrets.

    Options appear on the command lines of PostgreSQL's programs, which others can read.
    """
    names = {parameter.keyword.decode() for parameter in Conninfo.get_defaults()}
    return names - {"password", "sslpassword"}


def own_database() -> Server | Path:
    """The database of this installation; behind a pooler, PostgreSQL itself.

    That is as TONGBOX_DIRECT_DATABASE_URL has it.
    """
    fields = connection.settings_dict
    if connection.vendor == "sqlite":
        return Path(str(fields["NAME"]))
    if settings.DIRECT_DATABASE_URL:
        return Server.read(settings.DIRECT_DATABASE_URL)
    keys = ("HOST", "PORT", "USER", "PASSWORD")
    host, port, user, password = (str(fields[key] or "") for key in keys)
    parameters = connection_parameters()
    options = [(key, str(value)) for key, value in fields["OPTIONS"].items() if key in parameters]
    return Server(str(fields["NAME"]), host, port, user, password, tuple(options))


def database_url(database: Server | Path) -> str:
    """The DATABASE_URL."""
    return (
        database.url
        if isinstance(database, Server)
        else f"sqlite:///{quote(str(database.absolute()))}"
    )


def parse_safe_address(url: str) -> Server:
    """Parse an address from a command line. Raises ``BackupError`` if it has a password."""
    server = Server.read(url)
    if server.password:
        raise BackupError(
            "A password on a command line can be read by everyone on this machine; nothing was "
            "changed. Leave it out of the address, and put it into PGPASSWORD in the environment."
        )
    return server


def parse_address(text: str) -> Server | Path:
    """Parse ``postgres://…`` without a password, ``sqlite:////path`` or a path."""
    if text.startswith(("postgres://", "postgresql://")):
        return parse_safe_address(text)
    return Path(unquote(text.removeprefix("sqlite:///"))).absolute()


def dump_name() -> str:
    """What the dump of our database is called in a backup."""
    return SQLITE if connection.vendor == "sqlite" else POSTGRESQL


def dump_database(into: Path, look: Callable[[], Observed]) -> Observed:
    """Dump our database into the folder as of one moment; returns what ``look`` read at it.

    Others can write all the while. Raises ``BackupError`` (no room, pg_dump missing or failing).
    """
    write = _dump_sqlite if connection.vendor == "sqlite" else _dump_postgresql
    return write(into / dump_name(), look)


def _dump_sqlite(file: Path, look: Callable[[], Observed]) -> Observed:
    """A read transaction fixes the snapshot; VACUUM INTO alone would take its own."""
    connection.ensure_connection()
    source: sqlite3.Connection = connection.connection
    try:
        source.execute("BEGIN DEFERRED")
        try:
            source.execute("SELECT count(*) FROM django_migrations").fetchone()
            observation = look()
            with closing(sqlite3.connect(file)) as copy:
                source.backup(copy)
        finally:
            source.rollback()
        with closing(sqlite3.connect(file)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
    except (sqlite3.Error, DatabaseError) as why:
        raise BackupError(_explain_error(str(why))) from why
    return observation


def _dump_postgresql(file: Path, look: Callable[[], Observed]) -> Observed:
    server = own_database()
    assert isinstance(server, Server)  # noqa: S101
    server.ask().close()
    try:
        with _snapshot() as snapshot:
            observation = look()
            command = ["pg_dump", "--format=custom", f"--file={file}", f"--snapshot={snapshot}"]
            command += ["--no-owner", "--no-privileges", f"--dbname={server.dbname}"]
            _run_program(command, server.environment)
    except DatabaseError as why:
        raise BackupError(f"The database could not be read: {_first_line(why)}") from why
    return observation


@contextmanager
def _snapshot() -> Iterator[str]:
    """A moment of the database, which lasts as long as the block, by PostgreSQL’s name for it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        # pg_dump takes long.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        yield snapshot


def refuse_other_kind(database: Server | Path, dump: str) -> None:
    """Raises ``BackupError`` if the dump of that name is of the other kind of database."""
    if isinstance(database, Server) != (Path(dump).suffix == DUMP_SUFFIX):
        raise BackupError(
            "A PostgreSQL backup can only be restored to PostgreSQL, an SQLite backup only to a "
            "file. To move a restored file to PostgreSQL, run "
            f"`{command_line('move_to_postgresql')}`."
        )


def restore_dump(database: Server | Path, file: Path) -> None:
    """Restore a dump into an empty database. Raises ``BackupError`` if not empty or incomplete."""
    refuse_other_kind(database, file.name)
    if not is_empty(database):
        raise BackupError("That database is not empty, so nothing was changed.")
    if isinstance(database, Server):
        _restore_postgresql(database, file)
        return
    try:
        shutil.copyfile(file, database)
        with closing(sqlite3.connect(database)) as copy:
            (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
    except (OSError, sqlite3.Error) as why:
        raise BackupError(_explain_error(str(why))) from why
    if verdict != "ok":
        raise BackupError(f"The file is damaged: {verdict}"[:MAX_ERROR_LENGTH])


def _restore_postgresql(database: Server, file: Path) -> None:
    """In one transaction. pg_restore of 17 and later first sets a parameter that servers before 17
    do not know; there psql runs what it would have done, without that line."""
    restore = ["pg_restore", "--no-owner", "--no-privileges"]
    all_or_nothing = ["--single-transaction", f"--dbname={database.dbname}"]
    try:
        _run_program(
            [*restore, "--exit-on-error", *all_or_nothing, str(file)], database.environment
        )
    except BackupError as why:
        if 'parameter "transaction_timeout"' not in str(why):
            raise
    else:
        return
    script = file.with_suffix(".sql")
    try:
        _run_program([*restore, f"--file={script}", str(file)], database.environment)
        with script.open("r+b") as statements:
            head = statements.read(4096)
            statements.seek(0)
            head = head.replace(b"\nSET transaction_timeout", b"\n--- transaction_timeout")
            statements.write(head)
        run_all = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", *all_or_nothing]
        _run_program([*run_all, f"--file={script}"], database.environment)
    finally:
        script.unlink(missing_ok=True)


def is_empty(database: Server | Path) -> bool:
    """Whether the database has no tables; also true for a file that does not exist."""
    if isinstance(database, Path):
        return not database.exists() or database.stat().st_size == 0
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', %s)"
    with closing(database.ask()) as connection:
        result = connection.execute(tables, ["information_schema"]).fetchone()
    return result is not None and result[0] == 0


@contextmanager
def temporary_database(server: Server, base_name: str) -> Iterator[Server]:
    """An empty database on that server with ``base_name`` in its name, dropped afterwards.

    First drops any that a killed process left behind. Raises ``BackupError``.
    """
    family = f"{base_name[:40]}{TEST_DATABASE_MARK}"
    name = f"{family}{secrets.token_hex(4)}"
    with closing(server.ask(autocommit=True)) as connection:
        leftovers = connection.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND NOT EXISTS "
            "(SELECT FROM pg_stat_activity WHERE pg_stat_activity.datname = pg_database.datname)",
            [family],
        )
        for (old,) in leftovers.fetchall():
            connection.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(old)))
        try:
            new = SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name))
            connection.execute(new)
        except psycopg.Error as why:
            raise BackupError(
                f"No database could be created for the test restore: {_first_line(why)}. "
                "`ALTER ROLE "
                f"{server.user or 'tongbox'} CREATEDB` lets it, or TONGBOX_TRY_DATABASE_URL "
                "names a server that does."
            ) from why
    try:
        yield replace(server, name=name)
    finally:
        with closing(server.ask(autocommit=True)) as connection:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


def _run_program(command: list[str], environment: Mapping[str, str]) -> None:
    newest = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{command[0]}"), reverse=True)
    program = shutil.which(command[0]) or next(iter(newest), None)
    if program is None:
        raise BackupError(
            f"{command[0]} is not on this machine: install Debian’s postgresql-client."
        )
    arguments = [str(program), *command[1:]]
    result = subprocess.run(  # noqa: S603
        arguments,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise BackupError(_explain_error(result.stderr.strip() or f"{command[0]} failed."))


def _explain_error(error: str) -> str:
    if "disk is full" in error or "No space left" in error:
        return "There is no room left on the disk that backups are written to."
    return error[:MAX_ERROR_LENGTH]


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


@contextmanager
def open_database(database: Server | Path) -> Iterator[BaseDatabaseWrapper]:
    """A connection to a second database."""
    fields = dict(connections.settings[DEFAULT_DB_ALIAS]) | {"OPTIONS": {}}
    if isinstance(database, Server):
        fields |= {"ENGINE": "django.db.backends.postgresql", "NAME": database.name}
        fields |= {"HOST": database.host, "PORT": database.port}
        fields |= {
            "USER": database.user,
            "PASSWORD": database.password,
            "OPTIONS": dict(database.options),
        }
    else:
        fields |= {"ENGINE": "config.sqlite", "NAME": str(database)}
    connections.settings[SECOND_ALIAS] = fields
    try:
        yield connections[SECOND_ALIAS]
    finally:
        connections[SECOND_ALIAS].close()
        del connections[SECOND_ALIAS]
        del connections.settings[SECOND_ALIAS]


def copy_all(tell: ReportTable) -> None:
    """Copy every table to the database that is ``open_database`` and migrated as ours is.

    Keys stay the same. Each batch is read back and compared, value by value. ``tell`` is called
    with each table and its row count. Runs in one transaction there; ``BackupError`` if anything
    differs, and then writes nothing.
    """
    source, target = connections[DEFAULT_DB_ALIAS], connections[SECOND_ALIAS]
    # The migrations must match, and we must have no table that would not be copied.
    migrations = [set(MigrationRecorder(end).applied_migrations()) for end in (source, target)]
    if migrations[0] != migrations[1]:
        raise BackupError(
            f"The two databases do not have the same migrations: run `{command_line('migrate')}`."
        )
    tables = list(apps.get_models(include_auto_created=True))
    table_names = {model._meta.db_table for model in tables}
    unknown_tables = set(source.introspection.table_names()) - table_names - {MIGRATIONS_TABLE}
    if unknown_tables:
        raise BackupError(
            f"Tongbox does not recognise these tables: {', '.join(sorted(unknown_tables))}."
        )
    with transaction.atomic(using=SECOND_ALIAS), target.constraint_checks_disabled():
        for model in tables:
            _execute(target, f"DELETE FROM {_quoted_table(target, model)}")  # noqa: S608
        for model in tables:
            rows = model._base_manager.using(DEFAULT_DB_ALIAS).all()
            tell(model._meta.db_table, _copy_rows(rows))
        for statement in target.ops.sequence_reset_sql(no_style(), tables):
            _execute(target, statement)
        target.check_constraints()


def _copy_rows(rows: QuerySet[Any]) -> int:
    """Copy the rows, with their keys, into the database ``SECOND_ALIAS``; returns how many.

    Each batch is read back and compared, value by value. Raises ``BackupError`` if a row differs.
    """
    model, target = rows.model, connections[SECOND_ALIAS]
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    row_values = rows.order_by("pk").values_list(*names).iterator(chunk_size=BATCH_ROWS)
    key_index, count = names.index(model._meta.pk.attname), 0
    while batch := list(islice(row_values, BATCH_ROWS)):
        insert_rows(model, fields, batch, target)
        copied_rows = model._base_manager.using(SECOND_ALIAS).filter(
            pk__in=[row[key_index] for row in batch]
        )
        copies = {row[key_index]: row for row in copied_rows.order_by().values_list(*names)}
        for row in batch:
            if copies.get(row[key_index]) != row:
                table = model._meta.db_table
                raise BackupError(
                    f"Row {row[key_index]} of {table} is different in the new database, so "
                    "nothing was moved."
                )
        count += len(batch)
    return count


def insert_rows(
    model: type[models.Model],
    fields: Sequence["models.Field[Any, Any]"],
    batch: list[DatabaseRow],
    target: BaseDatabaseWrapper,
) -> None:
    """Insert the values as they are; nothing is set to the present time."""
    columns = ", ".join(target.ops.quote_name(field.column or "") for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {_quoted_table(target, model)} ({columns}) VALUES ({places})"  # noqa: S608
    rows = [
        [
            field.get_db_prep_save(value, connection=target)
            for field, value in zip(fields, row, strict=True)
        ]
        for row in batch
    ]
    with target.cursor() as cursor:
        cursor.executemany(statement, rows)


def _quoted_table(connection: BaseDatabaseWrapper, model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _execute(connection: BaseDatabaseWrapper, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def mark_as_served() -> None:
    """Show that we serve from our SQLite file, until this process ends; on a full disk, go without.

    Each process locks the first free file beside it: ``tongbox.sqlite3.served-1``, ``-2`` …
    """
    book = own_database()
    if not isinstance(book, Path):
        return
    try:
        files = (book.with_name(f"{book.name}{SERVED_SUFFIX}-{number}") for number in count(1))
        _served_locks.append(next(lock for file in files if (lock := lock_if_free(file))))
    except OSError as full:
        log.warning("A move to PostgreSQL would not notice that Tongbox runs: %s", full)


def is_served(book: Path) -> bool:
    """Whether a running Tongbox has this SQLite file open."""
    return any(map(is_locked, book.parent.glob(f"{escape(book.name)}{SERVED_SUFFIX}-*")))
