"""What every answer may be: problems in one shape, or the rows of a list as a file.

All errors are ``{"problems": [{"code", "where", "message"}], "request_id"}``; ``request_id`` is the
request's number in the log. A file for a spreadsheet has a column a field.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
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
from xlsxwriter import Workbook

from clubs.api.fields import TooLarge
from clubs.core.forms import Overtaken
from clubs.language.words import csv_file, guarded
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


Cell = str | int | float | None
Row = Mapping[str, Any]
WIDEST: Final = 48
LARGEST: Final = 2**53


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
        if isinstance(data, Mapping):
            data = data[getattr(view, "table", "") or "results"]
        rows = [dict(_cells(row)) for row in data]
        names = list(dict.fromkeys(name for row in rows for name in row))
        headings = names or list(getattr(view, "headings", ()))
        return self.file(headings, [[row.get(name) for name in headings] for row in rows])

    @abstractmethod
    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """The bytes of the file."""


class CSVRenderer(TableRenderer):
    """``?as=csv``: in the encoding that spreadsheets take for UTF-8."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """A line a row below the headings; no cell is taken for a formula."""
        return csv_file([headings, *(map(guarded, row) for row in rows)])


class XLSXRenderer(TableRenderer):
    """``?as=xlsx``: an Excel workbook with one sheet."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"
    render_style = "binary"

    def file(self, headings: list[str], rows: list[list[Cell]]) -> bytes:
        """Numbers as numbers, everything else as words; no cell is a formula."""
        written = BytesIO()
        with Workbook(written, {"in_memory": True}) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, headings, book.add_format({"bold": True, "bottom": 2}))
            for at, row in enumerate(rows, start=1):
                for column, cell in enumerate(row):
                    if isinstance(cell, int | float) and abs(cell) < LARGEST:
                        sheet.write_number(at, column, cell)
                    elif cell is not None:
                        sheet.write_string(at, column, str(cell))
            for column, heading in enumerate(headings):
                cells = [len(str(row[column] or "")) for row in rows]
                sheet.set_column(column, column, min(WIDEST, max([len(heading), *cells]) + 2))
            sheet.freeze_panes(1, 0)
        return written.getvalue()


def _cells(row: Row, before: str = "") -> Iterator[tuple[str, Cell]]:
    """Nested objects as columns ``outer.inner``; a list as words with semicolons; yes and no."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _cells(value, f"{before}{name}.")
        elif isinstance(value, list | tuple):
            words = (
                " ".join(f"{key}: {inner}" for key, inner in item.items())
                if isinstance(item, Mapping)
                else str(item)
                for item in value
            )
            yield f"{before}{name}", "; ".join(words)
        else:
            yield f"{before}{name}", ("no", "yes")[value] if isinstance(value, bool) else value
