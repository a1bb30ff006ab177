"""What every answer may be: problems in one shape, or the rows of a list as a file.

All errors are ``{"problems": [{"code", "where", "message"}], "request_id"}``; ``request_id`` is the
request's number in the log. A file for a spreadsheet has a column a field.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.core.exceptions import PermissionDenied as DjangoPermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import serializers
from rest_framework.exceptions import (
    APIException,
    NotFound,
    PermissionDenied,
    Throttled,
    ValidationError,
)
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from clubs.api.fields import FractionField, TooLarge
from clubs.core.forms import Overtaken
from clubs.language.spreadsheets import Cell, Rows, Sheet, csv_file, workbook
from scoring.scorebook.refusals import Finding, Refused


def problems_as_json(problems: Sequence[Finding]) -> list[dict[str, str]]:
    """The problems in the shape of the API."""
    return [
        {"code": str(problem.code), "where": problem.where, "message": problem.sentence}
        for problem in problems
    ]


def answer_problems(raised: Exception, context: dict[str, Any]) -> Response | None:
    """Every error as ``{"problems": […]}``; DRF chooses the status of its own."""
    if isinstance(raised, Refused):
        status = 409 if isinstance(raised, Overtaken) else 400
        return Response({"problems": problems_as_json(raised.problems)}, status=status)
    # Django's own refusals in the API's words.
    if isinstance(raised, Http404):
        raised = NotFound("Not found in this club.")
    elif isinstance(raised, DjangoPermissionDenied):
        raised = PermissionDenied(str(raised) or None)
    elif isinstance(raised, RequestDataTooBig):
        raised = TooLarge()
    answer = exception_handler(raised, context)
    if answer is not None and isinstance(raised, APIException):
        if isinstance(raised, ValidationError):
            problems = list(_problems_in(raised.get_full_details(), ""))
        else:
            message, wait = str(raised.detail), getattr(raised, "wait", None)
            if isinstance(raised, Throttled) and wait is not None:
                message = f"Too many requests. Try again in {wait} seconds."
            problems = [{"code": str(raised.get_codes()), "where": "", "message": message}]
        answer.data = {"problems": problems}
    return answer


def _problems_in(details: Any, where: str) -> Iterator[dict[str, str]]:
    """DRF's nested details as flat problems; the path names the field."""
    if isinstance(details, dict) and {"message", "code"} == set(details):
        yield {"code": str(details["code"]), "where": where, "message": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            path = "" if name == "non_field_errors" else str(name)
            yield from _problems_in(inner, ".".join(filter(None, (where, path))))
    else:
        for inner in details:
            yield from _problems_in(inner, where)


class ProblemShape(serializers.Serializer[object]):
    """One problem."""

    code = serializers.CharField()
    where = serializers.CharField(help_text="path of the field, such as scores.3; may be empty")
    message = serializers.CharField(help_text="one English sentence")


class ProblemsShape(serializers.Serializer[object]):
    """Every problem with the request."""

    problems = ProblemShape(many=True)
    request_id = serializers.CharField(
        help_text="identifies the request in the log; also sent as X-Request-ID"
    )


Row = Mapping[str, Any]


class FileRenderer(BaseRenderer):
    """Declares a file type; the file is sent as it is."""

    charset = None
    render_style = "binary"

    def render(self, data: Any, *_: Any, **__: Any) -> Any:
        return data


class TableRenderer(BaseRenderer):
    """Renders the rows of an answer: a list, a page's ``results``, or the view's ``table``."""

    charset: str | None = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The file of the rows, under the headings that they or the view name."""
        view = (renderer_context or {}).get("view")
        shape = getattr(data, "serializer", None)
        if isinstance(data, Mapping):
            name = getattr(view, "table", "") or "results"
            data = data[name]
            shape = getattr(data, "serializer", None) or _fields(shape).get(name)
        rows = [dict(_cells(row, shape)) for row in data]
        names = list(dict.fromkeys(name for row in rows for name in row))
        headings = names or list(getattr(view, "headings", ()))
        return self.file(headings, [[row.get(name) for name in headings] for row in rows])

    @abstractmethod
    def file(self, headings: list[str], rows: Rows) -> bytes:
        """The bytes of the file."""


class CSVRenderer(TableRenderer):
    """``?as=csv``: in the encoding that spreadsheets take for UTF-8."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def file(self, headings: list[str], rows: Rows) -> bytes:
        """A line a row below the headings; no text is taken for a formula."""
        return csv_file([headings, *rows])


class XLSXRenderer(TableRenderer):
    """``?as=xlsx``: an Excel workbook with one sheet."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"
    render_style = "binary"

    def file(self, headings: list[str], rows: Rows) -> bytes:
        """Numbers, days and yes or no as what they are; no cell is a formula."""
        return workbook([Sheet("", headings, rows)])


def _fields(shape: Any) -> Mapping[str, Any]:
    """The fields of a serializer, or of the rows of a list of them."""
    return getattr(getattr(shape, "child", shape), "fields", {})


def _cells(row: Row, shape: Any, before: str = "") -> Iterator[tuple[str, Cell]]:
    """Nested objects as columns ``outer.inner``; a list as words with semicolons."""
    fields = _fields(shape)
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _cells(value, fields.get(name), f"{before}{name}.")
        else:
            yield f"{before}{name}", _cell(value, fields.get(name))


def _cell(value: Any, field: Any) -> Cell:
    """The value of a field as a cell: what JSON has as text is a number or a day again."""
    if isinstance(value, list | tuple):
        return "; ".join(map(_words, value))
    if isinstance(value, str):
        read = next((read for kind, read in READERS if isinstance(field, kind)), None)
        return read(value) if read and value else value
    return value if isinstance(value, bool | int | float | None) else str(value)


def _words(item: Any) -> str:
    """An item of a list in words: ``WE WE WE``, ``name: Ann place: 1``."""
    if isinstance(item, Mapping):
        return " ".join(f"{key}: {_words(inner)}" for key, inner in item.items())
    return " ".join(map(_words, item)) if isinstance(item, list | tuple) else str(item)


READERS: Final[Sequence[tuple[type, Callable[[str], Cell]]]] = (
    (FractionField, Fraction),
    (serializers.DecimalField, Decimal),
    (serializers.DateTimeField, datetime.fromisoformat),
    (serializers.DateField, date.fromisoformat),
    (serializers.TimeField, time.fromisoformat),
)
