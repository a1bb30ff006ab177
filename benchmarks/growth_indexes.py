"""Indexes and constraints, taken down while a database is filled and made again afterwards."""

from collections.abc import Iterator
from typing import NamedTuple

import psycopg

OURS = (
    "n.nspname = 'public' AND r.relkind = 'r' AND (r.relname ~ '^(clubs|scorebook|tournaments)_')"
)
CONSTRAINTS = f"""
    SELECT r.relname, c.conname, c.contype, pg_get_constraintdef(c.oid)
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
    JOIN pg_namespace n ON n.oid = r.relnamespace
    LEFT JOIN pg_class f ON f.oid = c.confrelid
    WHERE n.nspname = 'public' AND c.contype IN ('f', 'u', 'p')
      AND (({OURS}) OR f.relname ~ '^(clubs|scorebook|tournaments)_')
    ORDER BY c.contype = 'f' DESC"""  # noqa: S608
INDEXES = f"""
    SELECT i.relname, pg_get_indexdef(i.oid)
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class r ON r.oid = x.indrelid
    JOIN pg_namespace n ON n.oid = r.relnamespace
    WHERE {OURS} AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid)"""  # noqa: S608


class Parts(NamedTuple):
    """The statements that make again what was taken down, in their order."""

    statements: tuple[str, ...]


def taken_down(filled: psycopg.Connection) -> Parts:
    """Drop every index, key and foreign key of our tables; rows go in much faster without."""
    constraints, indexes = _read(filled, CONSTRAINTS), _read(filled, INDEXES)
    for table, name, *_ in constraints:
        _do(filled, f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
    for name, _ in indexes:
        _do(filled, f'DROP INDEX "{name}"')
    return Parts((*_made(reversed(constraints)), *(made for _, made in indexes)))


def rebuilt(filled: psycopg.Connection, parts: Parts) -> None:
    """Make them again; what does not hold for every row is an error here."""
    _do(filled, "SET maintenance_work_mem = '512MB'")
    for statement in sorted(parts.statements, key=lambda value: "FOREIGN KEY" in value):
        _do(filled, statement)


def _made(constraints: Iterator[tuple[str, ...]]) -> Iterator[str]:
    for table, name, _, definition in constraints:
        yield f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" {definition}'


def _read(filled: psycopg.Connection, query: str) -> list[tuple[str, ...]]:
    return filled.execute(query).fetchall()


def _do(filled: psycopg.Connection, statement: str) -> None:
    filled.execute(statement)
