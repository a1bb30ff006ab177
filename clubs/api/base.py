"""What every API view shares: its door, pages of a list, and one shape for what is wrong."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView, exception_handler

from clubs.api.doors import ClubDoor
from clubs.api.parsers import TooLarge
from clubs.models import Club
from clubs.names import Reader
from clubs.permissions import Permission
from scoring.scorebook.refusals import Finding, Refused


class ClubAPIView(APIView):
    """An API view of one club's things; ``door`` for reading, ``writing_door`` for the rest."""

    permission_classes = [ClubDoor]
    door: ClassVar[Permission]
    writing_door: ClassVar[Permission | None] = None
    club: Club
    reader: Reader

    def door_for(self, method: str) -> Permission:
        """The permission that this HTTP method asks for."""
        if method in {"GET", "HEAD", "OPTIONS"} or self.writing_door is None:
            return self.door
        return self.writing_door


class OpenAPIView(APIView):
    """An API view that asks nobody who they are; ``door`` says in words why that is right."""

    permission_classes = [AllowAny]
    authentication_classes = []
    door: ClassVar[str] = "everybody"


class LinkedAPIView(OpenAPIView):
    """An API view that looks up the secret key of a printed link."""

    door = "whoever holds the link"


class Pages(PageNumberPagination):
    """Fifty rows at a time, in an order that leaves no two rows equal; ``?page=2`` goes on."""

    page_size = 50


class ClubListAPIView(ClubAPIView):
    """An API view of a list that grows with the club."""

    pagination_class = Pages

    def page_of(self, rows: Any, shape: type[BaseSerializer[Any]]) -> Response:
        """The rows of the page asked for (a queryset or a sequence), each in this shape."""
        pages = self.pagination_class()
        page: Any = pages.paginate_queryset(rows, self.request, view=self)
        return pages.get_paginated_response(shape(page, many=True).data)


class Nowhere(OpenAPIView):
    """Any address that the API does not have: 404 in the shape of all problems."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Raises ``NotFound`` whatever the method."""
        raise NotFound("The API has no such address. Every address of it ends with a slash.")


def problems_as_json(problems: Sequence[Finding]) -> list[dict[str, str]]:
    """The one shape in which the API says what is wrong."""
    return [
        {"code": str(problem.code), "where": problem.where, "message": problem.sentence}
        for problem in problems
    ]


def answer_problems(raised: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal in one shape, ``{"problems": […]}``; DRF chooses the status of its own."""
    if isinstance(raised, Refused):
        return Response({"problems": problems_as_json(raised.problems)}, status=400)
    raised = _as_api(raised)
    answer = exception_handler(raised, context)
    if answer is not None and isinstance(raised, APIException):
        answer.data = {"problems": list(_told(raised))}
    return answer


def _as_api(raised: Exception) -> Exception:
    """Django's own refusals in the API's words."""
    if isinstance(raised, Http404):
        return NotFound("There is nothing here, or nothing of this club.")
    if isinstance(raised, RequestDataTooBig):
        return TooLarge()
    return raised


def _told(raised: APIException) -> Iterator[dict[str, str]]:
    if isinstance(raised, ValidationError):
        yield from _flat(raised.get_full_details(), "")
    else:
        yield {"code": str(raised.get_codes()), "where": "", "message": str(raised.detail)}


def _flat(details: Any, where: str) -> Iterator[dict[str, str]]:
    """DRF's nested details as flat problems; the path names the field."""
    if isinstance(details, dict) and {"message", "code"} == set(details):
        yield {"code": str(details["code"]), "where": where, "message": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            path = "" if name == "non_field_errors" else str(name)
            yield from _flat(inner, ".".join(filter(None, (where, path))))
    else:
        for inner in details:
            yield from _flat(inner, where)
