"""Fills a PostgreSQL database with clubs: `python -m benchmarks.grow --clubs 10 --hands 5000`.

``DATABASE_URL`` names the database, which must not exist yet. Ten clubs have 500 hands each, the
same in every database, so that the same pages can be asked for in a small and in a large one; the
other clubs share the rest. A club of each size is played through the services, the others are
copies of it by SQL. The seals of the copies' score books are not true: `manage.py verify` says so.
"""

import argparse
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.apps import apps
from django.db import connection
from django.db.models import AutoField, CharField, Field, ForeignKey, Model, UUIDField

from benchmarks.reading import create_database
from benchmarks.sample import play_club
from clubs.tenancy import across_clubs

SMALL_CLUBS, SMALL_HANDS = 10, 500
APPS: Final = ("scorebook", "clubs", "tournaments")
NUMBERED_COLUMNS: Final = {  # names of which there can be one only, with the number of the copy
    "clubs_club.name": "name || ' ' || copy",
    "clubs_club.slug": "slug || '-' || copy",
    "clubs_user.email": "'c' || copy || '.' || email",
}
OUR_TABLES_SQL: Final = "n.nspname = 'public' AND r.relname ~ '^(clubs|scorebook|tournaments)_'"
CONSTRAINTS_SQL: Final = f"""
    SELECT r.relname, c.conname, pg_get_constraintdef(c.oid)
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
    JOIN pg_namespace n ON n.oid = r.relnamespace
    LEFT JOIN pg_class f ON f.oid = c.confrelid
    WHERE c.contype IN ('f', 'u', 'p')
      AND ({OUR_TABLES_SQL} OR f.relname ~ '^(clubs|scorebook|tournaments)_')
    ORDER BY c.contype = 'f'"""  # noqa: S608
INDEXES_SQL: Final = f"""
    SELECT i.relname, pg_get_indexdef(i.oid)
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class r ON r.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = r.relnamespace
    WHERE r.relkind = 'r' AND {OUR_TABLES_SQL}
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid)"""  # noqa: S608

print_now = partial(print, flush=True)


def numbers_of_clubs(clubs: int, hands: int) -> Iterator[tuple[int, int]]:
    """How many clubs of how many hands: first the small ones, then those that share the rest."""
    small = min(clubs, SMALL_CLUBS)
    large_clubs = clubs - small
    yield small, SMALL_HANDS if large_clubs else max(1, hands // small)
    if large_clubs:
        yield large_clubs, (hands - small * SMALL_HANDS) // large_clubs


def copied_models() -> Iterator[type[Model]]:
    """All tables but those of jobs, whose keys are no numbers; these clubs have none."""
    for name in APPS:
        for model in apps.get_app_config(name).get_models(include_auto_created=True):
            if isinstance(model._meta.pk, AutoField):
                yield model


def highest_keys() -> dict[str, int]:
    keys = {}
    with connection.cursor() as cursor:
        for table in (model._meta.db_table for model in copied_models()):
            cursor.execute(f'SELECT coalesce(max(id), 0) FROM "{table}"')  # noqa: S608
            keys[table] = cursor.fetchone()[0]
    return keys


@dataclass(frozen=True, slots=True)
class Template:
    """A club that was played: by table the highest keys before it and after it."""

    keys_before: Mapping[str, int]
    keys_after: Mapping[str, int]

    def key_in_copy(self, table: str, key: str, top: Mapping[str, int]) -> str:
        """In SQL: a key of the template's as each copy has it, behind the table's ``top``."""
        first, last = self.keys_before[table], self.keys_after[table]
        new_key = f"{key} + {top[table] - last} + copy * {last - first}"
        return f"CASE WHEN {key} > {first} AND {key} <= {last} THEN {new_key} ELSE {key} END"

    def cell(self, field: "Field[Any, Any]", top: Mapping[str, int]) -> str:
        """In SQL: a column of a copy, with keys, secrets and names of its own."""
        table, name = field.model._meta.db_table, f'"{field.column}"'
        remote = field.related_model if field.is_relation else field.model
        if isinstance(remote, type) and (field.is_relation or field.primary_key):
            # A few relations lead to a name and not to a key: that stays as it is.
            target = field.target_field if isinstance(field, ForeignKey) else field
            is_moved = target.primary_key and remote._meta.db_table in top
            return self.key_in_copy(remote._meta.db_table, name, top) if is_moved else name
        if f"{table}.{field.column}" in NUMBERED_COLUMNS:
            return NUMBERED_COLUMNS[f"{table}.{field.column}"]
        if field.unique and isinstance(field, UUIDField):
            return "gen_random_uuid()"
        if field.unique and isinstance(field, CharField):
            return f"left(md5(random()::text) || md5(random()::text), {field.max_length})"
        return name

    def copy(self, database: psycopg.Connection, top: Mapping[str, int], copies: int) -> None:
        """Write all its rows so many times more."""
        for model in copied_models():
            table, fields = model._meta.db_table, model._meta.concrete_fields
            columns = ", ".join(f'"{field.column}"' for field in fields)
            cells = ", ".join(self.cell(field, top) for field in fields)
            database.execute(
                f'INSERT INTO "{table}" ({columns}) SELECT {cells} FROM "{table}",'  # noqa: S608
                f" generate_series(1, {copies}) AS copy"
                f" WHERE id > {self.keys_before[table]} AND id <= {self.keys_after[table]}"
            )


def without_indexes(database: psycopg.Connection) -> list[str]:
    """Drop every index, key and foreign key of our tables; the statements that make them again."""
    constraints = database.execute(CONSTRAINTS_SQL).fetchall()
    indexes = database.execute(INDEXES_SQL).fetchall()
    for table, name, _ in reversed(constraints):
        database.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
    for name, _ in indexes:
        database.execute(f'DROP INDEX "{name}"')
    constraint_sql = [
        f'ALTER TABLE "{row[0]}" ADD CONSTRAINT "{row[1]}" {row[2]}' for row in constraints
    ]
    return [*constraint_sql, *(definition for _, definition in indexes)]


def fill(database: psycopg.Connection, templates: Sequence[tuple[Template, int]]) -> None:
    """Copy each of the templates so often, without indexes, and make these again."""
    statements, top = without_indexes(database), dict(templates[-1][0].keys_after)
    for template, copies in templates:
        start = time.perf_counter()
        template.copy(database, top, copies)
        for table, last in template.keys_after.items():
            top[table] += copies * (last - template.keys_before[table])
        print_now(f"{copies:,} copies in {time.perf_counter() - start:,.0f} s.")
    database.execute("SET maintenance_work_mem = '512MB'")
    for statement in statements:
        database.execute(statement)
    for table, key in top.items():
        database.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {key + 1})")
    database.execute("VACUUM (ANALYZE)")


def main() -> None:
    """Make the database, play a club of each size, copy it, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, default=10)
    parser.add_argument("--hands", type=int, default=5_000)
    options = parser.parse_args()
    if not create_database():
        raise SystemExit("There is such a database already.")
    templates = []
    for number, (clubs, hands) in enumerate(numbers_of_clubs(options.clubs, options.hands)):
        keys_before, start = highest_keys(), time.perf_counter()
        play_club(title=f"Club of {hands:,} hands", number=number, hands=hands)
        templates.append((Template(keys_before, highest_keys()), clubs - 1))
        print_now(f"Played {hands:,} hands in {time.perf_counter() - start:,.0f} s.")
    connection.close()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database:
        fill(database, templates)
        for table in ("clubs_club", "scorebook_hand", "scorebook_ledgerentry", "scorebook_link"):
            query = f"SELECT count(*), pg_total_relation_size('{table}') FROM {table}"  # noqa: S608
            rows, size = database.execute(query).fetchone() or (0, 0)
            print_now(f"{table}: {rows:,} rows, {size / 1e6:,.0f} MB")


if __name__ == "__main__":
    with across_clubs():
        main()
