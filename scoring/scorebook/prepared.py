"""Queries that are asked at every hand: their SQL is drawn up once, then only asked.

Django draws the SQL of a queryset up each time, which takes five times as long as asking it.
"""

from collections.abc import Callable
from copy import copy
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db import connection, connections
from django.db.models import QuerySet
from django.db.models.sql import Query
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")
Value = int | str | UUID
MARK: Final = 31_368  # the first of the numbers that stand for values; fits the smallest column


class Prepared(Generic[Row]):
    """``Prepared(lambda key: Game.objects.filter(pk=key), int)(5)``: the rows of game 5, as a list.

    ``draw`` takes one value of each of ``kinds`` (int, str, UUID) and gives a queryset into whose
    SQL every value goes as it is. It is called once for each kind of database.
    """

    def __init__(self, draw: Callable[..., QuerySet[Any, Row]], *kinds: type[Value]) -> None:
        """Nothing is drawn up before it is asked for."""
        self._draw, self._kinds = draw, kinds
        self._drawn: dict[str, tuple[QuerySet[Any, Row], list[Any]]] = {}

    def __call__(self, *values: Value) -> list[Row]:
        """The rows for these values; raises ``TransactionManagementError`` as Django does."""
        if connection.vendor not in self._drawn:
            self._drawn[connection.vendor] = self._drawn_up()
        drawn, places = self._drawn[connection.vendor]
        sent = [_as_sent(value) for value in values]
        rows = drawn.all()
        query: Any = rows.query
        query.values_sent = tuple(sent[place] if fix is None else fix for place, fix in places)
        return list(rows)

    def first(self, *values: Value) -> Row | None:
        """The first row for these values, in the order of the queryset."""
        return next(iter(self(*values)), None)

    def _drawn_up(self) -> tuple[QuerySet[Any, Row], list[Any]]:
        """The queryset that remembers its SQL, and for each parameter: whose value, or which."""
        marks = [_mark(kind, MARK + place) for place, kind in enumerate(self._kinds)]
        rows = self._draw(*marks)
        compiler = rows.query.get_compiler(using=rows.db)
        sql, parameters = compiler.as_sql()
        query: Any = rows.query.chain(klass=_Remembered)
        query.compiler_drawn, query.sql_drawn = compiler, sql
        vars(rows)["_query"] = query  # not by its property, which would make rows of values anew
        sent = [_as_sent(mark) for mark in marks]
        if missing := set(sent).difference(parameters):
            raise ValueError(f"{len(missing)} values do not get into the statement as they are.")
        return rows, [(sent.index(one), None) if one in sent else (0, one) for one in parameters]


class _Remembered(Query):
    """A query that knows its SQL; ``values_sent`` are the parameters to ask it with."""

    compiler_drawn: Any
    sql_drawn: str
    values_sent: tuple[Any, ...]

    def get_compiler(  # type: ignore[override]  # whether it may leave rows out is drawn up
        self, using: str | None = None, connection: Any = None, **_: Any
    ) -> Any:
        """The compiler that drew it up, on this thread's connection; it draws nothing any more."""
        here = connections[using] if using else connection
        if self.select_for_update and here.get_autocommit():
            raise TransactionManagementError("select_for_update needs a transaction.")
        compiler = copy(self.compiler_drawn)
        compiler.connection = here
        statement = self.sql_drawn, self.values_sent
        vars(compiler)["as_sql"] = lambda *_, **__: statement
        return compiler


def _mark(kind: type[Value], number: int) -> Value:
    return UUID(int=number) if kind is UUID else kind(number)  # type: ignore[arg-type]


def _as_sent(value: Value) -> Any:
    """The value as Django sends it: SQLite has no UUIDs of its own."""
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return value
