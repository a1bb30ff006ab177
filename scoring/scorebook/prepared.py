"""Queries made at every hand: Django compiles each to SQL once, and then it is only sent.

This reads Django's compiler, whose parts are private: ``tests/test_django_version.py`` names the
version, and ``tests/clubs/core/test_prepared_queries.py`` compares each query with its queryset.
``docs/decisions/0022-what-raw-sql-earns.md`` says what it saves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    NamedValuesListIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.utils import create_namedtuple_class
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
Value = int | str | UUID
Make = Callable[[Sequence[Any]], Any]
MARK: Final = 31_368  # the first of the numbers that stand for values; fits the smallest column


class Prepared(Generic[Row]):
    """``Prepared(lambda key: Game.objects.filter(pk=key), int)(5)``: the rows of game 5, as a list.

    ``draw`` takes one value of each of ``kinds`` (int, str, UUID) and gives a queryset into whose
    SQL every value goes as it is: of models, with those that come by ``select_related``, or of
    ``values_list``. It is called once for each kind of database.
    """

    def __init__(self, draw: Callable[..., QuerySet[Any, Row]], *kinds: type[Value]) -> None:
        """Nothing is drawn up before it is asked for."""
        self._draw, self._kinds = draw, kinds
        self._drawn: dict[str, _Drawn] = {}

    def __call__(self, *values: Value) -> list[Row]:
        """The rows for these values; raises ``TransactionManagementError`` as Django does."""
        here = connections[DEFAULT_DB_ALIAS]
        if here.vendor not in self._drawn:
            marks: list[Value] = [
                UUID(int=place) if kind is UUID else kind(place)  # type: ignore[arg-type]
                for place, kind in enumerate(self._kinds, start=MARK)
            ]
            rows = self._draw(*marks)
            compiler = rows.query.get_compiler(using=rows.db)
            sql, parameters = compiler.as_sql()
            sent = [_as_sent(mark, connection) for mark in marks]
            if missing := set(sent).difference(parameters):
                raise ValueError(
                    f"{len(missing)} values do not get into the statement as they are."
                )
            self._drawn[here.vendor] = _Drawn(
                sql=sql,
                places=[
                    (sent.index(parameter), None) if parameter in sent else (0, parameter)
                    for parameter in parameters
                ],
                locks=rows.query.select_for_update,
                converters=compiler.get_converters([column for column, *_ in compiler.select]),
                make=_maker(rows, compiler),
            )
        return self._drawn[here.vendor].rows(here, [_as_sent(value, here) for value in values])

    def first(self, *values: Value) -> Row | None:
        """The first row for these values, in the order of the queryset."""
        return next(iter(self(*values)), None)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A statement, and how its rows are made of what the database answers."""

    sql: str
    places: list[tuple[int, Any]]
    locks: bool
    converters: Any
    make: Make

    def rows(self, here: Any, sent: list[Any]) -> list[Any]:
        if self.locks and here.get_autocommit():
            raise TransactionManagementError("select_for_update needs a transaction.")
        values = [sent[place] if fix is None else fix for place, fix in self.places]
        with here.cursor() as cursor:
            cursor.execute(self.sql, values)
            rows = cursor.fetchall()
        if self.converters:
            rows = [list(row) for row in rows]
        for place, (converters, expression) in self.converters.items():
            for row, convert in product(rows, converters):
                row[place] = convert(row[place], expression, here)
        return [self.make(row) for row in rows]


def _maker(rows: QuerySet[Any, Any], compiler: Any) -> Make:
    """What makes of a row of the answer what the queryset would."""
    kind, options = rows._iterable_class, vars(rows)
    if kind is ModelIterable and not compiler.annotation_col_map:
        return _model_maker(compiler, rows.db)
    if kind is FlatValuesListIterable:
        return lambda row: row[0]
    if kind is NamedValuesListIterable:
        return partial(tuple.__new__, create_namedtuple_class(*options["_fields"]))
    if kind is ValuesListIterable:
        return tuple
    raise ValueError("Models without annotations, or values_list, can be drawn up.")


def _model_maker(compiler: Any, alias: str) -> Make:
    """As Django's own ``ModelIterable`` does, but what it looks up for each query is kept."""
    info = compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in compiler.select[first:last]]
    related = get_related_populators(info, compiler.select, alias)  # type: ignore[call-arg]

    def made(row: Sequence[Any]) -> Any:
        instance = info["model"].from_db(alias, names, row[first:last])
        for populator in related:
            populator.populate(row, instance)
        return instance

    return made


def _as_sent(value: Value, here: Any) -> Any:
    """The value as Django sends it: SQLite has no UUIDs of its own."""
    if isinstance(value, UUID) and not here.features.has_native_uuid_field:
        return value.hex
    return value
