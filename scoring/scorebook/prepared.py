"""What is read and written at every hand: compiled to SQL once, and then it is only sent.

This reads Django's compiler, whose parts are private: ``tests/test_django_version.py`` names the
version, and ``tests/clubs/core/test_prepared_queries.py`` compares each query with its queryset.
``docs/decisions/0022-what-raw-sql-earns.md`` says what it saves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections, router
from django.db.models import Model, QuerySet
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    NamedValuesListIterable,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.sql import DeleteQuery, Query, UpdateQuery
from django.db.models.utils import create_namedtuple_class
from django.db.transaction import TransactionManagementError, mark_for_rollback_on_error

RowT = TypeVar("RowT")
ModelT = TypeVar("ModelT", bound=Model)
SqlValue = int | str | UUID
RowMaker = Callable[[Sequence[Any]], Any]
# The first of the numbers that stand for values; fits the smallest column.
FIRST_PLACEHOLDER: Final = 31_368


class PreparedQuery(Generic[RowT]):
    """``PreparedQuery(lambda key: Game.objects.filter(pk=key), int)(5)``: game 5, in a list.

    ``draw`` takes one value of each of ``kinds`` (int, str, UUID) and gives a queryset into whose
    SQL every value goes as it is: of models, with those that come by ``select_related``, or of
    ``values_list``. It is called once for each database that it is asked of: the one that Django's
    router names, as for the queryset.
    """

    def __init__(self, draw: Callable[..., QuerySet[Any, RowT]], *kinds: type[SqlValue]) -> None:
        """Nothing is drawn up before it is asked for."""
        self._draw, self._kinds = draw, kinds
        self._queries: dict[str, _CompiledQuery] = {}

    def __call__(self, *values: SqlValue) -> list[RowT]:
        """The rows for these values; raises ``TransactionManagementError`` as Django does."""
        alias = router.db_for_read(Model)
        if alias not in self._queries:
            marks = _placeholders(self._kinds)
            rows = self._draw(*marks)
            compiler = rows.query.get_compiler(using=alias)
            self._queries[alias] = _CompiledQuery(
                statement=_Statement.from_compiler(compiler, marks),
                locks=rows.query.select_for_update,
                converters=compiler.get_converters([column for column, *_ in compiler.select]),
                make=_row_maker(rows, compiler, alias),
            )
        return self._queries[alias].rows(connections[alias], values)

    def first(self, *values: SqlValue) -> RowT | None:
        """The first row for these values, in the order of the queryset."""
        return next(iter(self(*values)), None)


class PreparedChange:
    """``PreparedChange(lambda n: delete_query(Game.objects.filter(pk=n)), int)(5)`` deletes game 5.

    As ``PreparedQuery``, but ``draw`` makes ``update_query`` or ``delete_query`` of a queryset.
    Signals, cascades and default values are not seen to.
    """

    def __init__(self, draw: Callable[..., Query], *kinds: type[SqlValue]) -> None:
        """Nothing is drawn up before it is needed."""
        self._draw, self._kinds = draw, kinds
        self._statements: dict[str, _Statement] = {}

    def __call__(self, *values: SqlValue) -> None:
        """Change the rows for these values."""
        database = connections[DEFAULT_DB_ALIAS]
        if database.vendor not in self._statements:
            marks = _placeholders(self._kinds)
            compiler = self._draw(*marks).get_compiler(connection=database)
            self._statements[database.vendor] = _Statement.from_compiler(compiler, marks)
        statement = self._statements[database.vendor]
        with mark_for_rollback_on_error(using=database.alias), database.cursor() as cursor:
            cursor.execute(statement.sql, statement.fill(values, database))


def update_query(rows: QuerySet[Any, Any], **values: Any) -> Query:
    """What ``rows.update`` would send."""
    query: Any = rows.query.chain(UpdateQuery)
    query.add_update_values(values)
    typed_query: Query = query
    return typed_query


def delete_query(rows: QuerySet[Any, Any]) -> Query:
    """What ``rows.delete`` would send for rows that nothing refers to."""
    return rows.query.chain(DeleteQuery)


class PreparedInsert(Generic[ModelT]):
    """``PreparedInsert(Link)([first, second])``: new rows by one statement, as by ``bulk_create``.

    Signals are not sent. The values are Django's own: ``pre_save`` and ``get_db_prep_save``.
    """

    def __init__(self, model: type[ModelT]) -> None:
        """Nothing is drawn up before it is needed."""
        self._model = model

    def __call__(self, rows: Sequence[ModelT]) -> None:
        """Store them; afterwards each has its key."""
        database = connections[DEFAULT_DB_ALIAS]
        values = [
            field.get_db_prep_save(field.pre_save(row, add=True), database)
            for row in rows
            for field in self._fields
        ]
        begin, row_of_marks, end = self._parts
        sql = f"{begin} {', '.join([row_of_marks] * len(rows))} {end}"
        with mark_for_rollback_on_error(using=database.alias), database.cursor() as cursor:
            cursor.execute(sql, values)
            keys = cursor.fetchall()
        for row, (key,) in zip(rows, keys, strict=True):
            row.pk, row._state.adding, row._state.db = key, False, database.alias

    @cached_property
    def _fields(self) -> list[Any]:
        return [field for field in self._model._meta.concrete_fields if not field.primary_key]

    @cached_property
    def _parts(self) -> tuple[str, str, str]:
        quote_name, table = connection.ops.quote_name, self._model._meta
        columns = ", ".join(quote_name(field.column) for field in self._fields)
        return (
            f"INSERT INTO {quote_name(table.db_table)} ({columns}) VALUES",
            f"({', '.join(['%s'] * len(self._fields))})",
            f"RETURNING {quote_name(str(table.pk.column))}",
        )


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement, and which value goes to each of its places unless that is always the same."""

    sql: str
    places: list[tuple[int, Any]]

    @classmethod
    def from_compiler(cls, compiler: Any, marks: Sequence[SqlValue]) -> "_Statement":
        sql, parameters = compiler.as_sql()
        adapted_values = [_adapt_value(mark, connection) for mark in marks]
        if missing := set(adapted_values).difference(parameters):
            raise ValueError(f"{len(missing)} values do not get into the statement as they are.")
        places = [
            (adapted_values.index(parameter), None)
            if parameter in adapted_values
            else (0, parameter)
            for parameter in parameters
        ]
        return cls(sql, places)

    def fill(self, values: Sequence[SqlValue], database: Any) -> list[Any]:
        adapted_values = [_adapt_value(value, database) for value in values]
        return [adapted_values[place] if fix is None else fix for place, fix in self.places]


@dataclass(frozen=True, slots=True)
class _CompiledQuery:
    """A query, and how its rows are made of what the database answers."""

    statement: _Statement
    locks: bool
    converters: Any
    make: RowMaker

    def rows(self, database: Any, values: Sequence[SqlValue]) -> list[Any]:
        if self.locks and database.get_autocommit():
            raise TransactionManagementError("select_for_update needs a transaction.")
        with database.cursor() as cursor:
            cursor.execute(self.statement.sql, self.statement.fill(values, database))
            rows = cursor.fetchall()
        if self.converters:
            rows = [list(row) for row in rows]
        for place, (converters, expression) in self.converters.items():
            for row, convert in product(rows, converters):
                row[place] = convert(row[place], expression, database)
        return [self.make(row) for row in rows]


def _row_maker(rows: QuerySet[Any, Any], compiler: Any, alias: str) -> RowMaker:
    """What makes of a row of the answer what the queryset would."""
    kind, options = rows._iterable_class, vars(rows)
    if kind is ModelIterable and not compiler.annotation_col_map:
        return _model_maker(compiler, alias)
    if kind is FlatValuesListIterable:
        return lambda row: row[0]
    if kind is NamedValuesListIterable:
        return partial(tuple.__new__, create_namedtuple_class(*options["_fields"]))
    if kind is ValuesListIterable:
        return tuple
    raise ValueError("Models without annotations, or values_list, can be drawn up.")


def _model_maker(compiler: Any, alias: str) -> RowMaker:
    """As Django's own ``ModelIterable`` does, but what it looks up for each query is kept."""
    info = compiler.klass_info
    first, last = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in compiler.select[first:last]]
    populators = get_related_populators(info, compiler.select, alias)  # type: ignore[call-arg]

    def make_model(row: Sequence[Any]) -> Any:
        instance = info["model"].from_db(alias, names, row[first:last])
        for populator in populators:
            populator.populate(row, instance)
        return instance

    return make_model


def _placeholders(kinds: Sequence[type[SqlValue]]) -> list[SqlValue]:
    """A value of each kind that stands for what will be sent."""
    return [
        UUID(int=place) if kind is UUID else kind(place)  # type: ignore[arg-type]
        for place, kind in enumerate(kinds, start=FIRST_PLACEHOLDER)
    ]


def _adapt_value(value: SqlValue, database: Any) -> Any:
    """The value as Django sends it: SQLite has no UUIDs of its own."""
    if isinstance(value, UUID) and not database.features.has_native_uuid_field:
        return value.hex
    return value
