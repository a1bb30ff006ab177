"""What every answer may be: problems in one shape, or a file as it is.

All errors are ``{"problems": [{"code", "where", "message"}], "request_id"}``; ``request_id`` is the
request's number in the log.
"""

from collections.abc import Iterator, Sequence
from typing import Any

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

from clubs.api.fields import TooLarge
from clubs.core.forms import Overtaken
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


class FileRenderer(BaseRenderer):
    """Declares a file type; the file is sent as it is."""

    charset = None
    render_style = "binary"

    def render(self, data: Any, *_: Any, **__: Any) -> Any:
        return data
