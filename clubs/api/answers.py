"""What every answer may be: problems in one form, or a file as it is.

An error is a problem of RFC 9457 and says all that is wrong: ``{"type", "title", "status",
"detail", "problems": [{"code", "where", "message"}], "request_id"}``.
"""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
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
from structlog.contextvars import get_contextvars

from clubs.api.conflicts import status_of
from clubs.api.fields import TooLarge
from scoring.scorebook.refusals import ProblemLike, Refused

PROBLEM_JSON: Final = "application/problem+json"


def problem_details(problems: Sequence[Mapping[str, str]], status: int) -> dict[str, Any]:
    """The body of an error: the members of RFC 9457, every problem, and the number in the log."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": " ".join(problem["message"] for problem in problems),
        "problems": problems,
        "request_id": str(get_contextvars().get("request_id", "")),
    }


def problems_as_json(problems: Sequence[ProblemLike]) -> list[dict[str, str]]:
    """The problems in the form of the API."""
    return [
        {"code": str(problem.code), "where": problem.path, "message": problem.message}
        for problem in problems
    ]


def answer_problems(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every error as ``{"problems": […]}``, which the view completes; DRF chooses its statuses."""
    names_version = "If-Match" in context["request"].headers
    if isinstance(error, Refused):
        return _problem_response(problems_as_json(error.problems), names_version=names_version)
    # Django's own refusals in the API's words.
    if isinstance(error, Http404):
        error = NotFound("Not found in this club.")
    elif isinstance(error, DjangoPermissionDenied):
        error = PermissionDenied(str(error) or None)
    elif isinstance(error, RequestDataTooBig):
        error = TooLarge()
    answer = exception_handler(error, context)
    if answer is not None and isinstance(error, ValidationError):
        problems = list(_flatten_problems(error.get_full_details(), ""))
        return _problem_response(problems, names_version=names_version)
    if answer is not None and isinstance(error, APIException):
        message, wait = str(error.detail), getattr(error, "wait", None)
        if isinstance(error, Throttled) and wait is not None:
            message = f"Too many requests. Try again in {wait} seconds."
        problems = [{"code": str(error.get_codes()), "where": "", "message": message}]
        answer.data = {"problems": problems}
    return answer


def _problem_response(problems: list[dict[str, str]], *, names_version: bool) -> Response:
    """The problems, with the status that their codes have."""
    codes = frozenset(problem["code"] for problem in problems)
    return Response({"problems": problems}, status=status_of(codes, names_version=names_version))


def _flatten_problems(details: Any, field_path: str) -> Iterator[dict[str, str]]:
    """DRF's nested details as flat problems; the path names the field."""
    if isinstance(details, dict) and {"message", "code"} == set(details):
        yield {
            "code": str(details["code"]),
            "where": field_path,
            "message": str(details["message"]),
        }
    elif isinstance(details, dict):
        for name, inner in details.items():
            path = "" if name == "non_field_errors" else str(name)
            yield from _flatten_problems(inner, ".".join(filter(None, (field_path, path))))
    else:
        for inner in details:
            yield from _flatten_problems(inner, field_path)


class ProblemSerializer(serializers.Serializer[object]):
    """One problem."""

    code = serializers.CharField()
    where = serializers.CharField(help_text="path of the field, such as scores.3; may be empty")
    message = serializers.CharField(help_text="one English sentence")


class ProblemsSerializer(serializers.Serializer[object]):
    """Every problem with the request: a problem of RFC 9457 with two members more."""

    type = serializers.CharField(help_text="about:blank: the status says what kind it is")
    title = serializers.CharField(help_text="the status in words")
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField(help_text="the messages of all problems")
    problems = ProblemSerializer(many=True)
    request_id = serializers.CharField(
        help_text="identifies the request in the log; also sent as X-Request-ID"
    )


class FileRenderer(BaseRenderer):
    """Declares a file type; the file is sent as it is."""

    charset = None
    render_style = "binary"

    def render(self, data: Any, *_: Any, **__: Any) -> Any:
        return data
