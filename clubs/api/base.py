"""What every API view of a club shares: its door, and one shape for what is wrong."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler

from clubs.api.doors import ClubDoor
from clubs.models import Club
from clubs.permissions import Permission
from scoring.scorebook.refusals import AlreadyStands, Finding, Refused


class ClubAPIView(APIView):
    """An API view of one club's things; ``door`` for reading, ``writing_door`` for the rest."""

    permission_classes = [ClubDoor]
    door: ClassVar[Permission]
    writing_door: ClassVar[Permission | None] = None
    club: Club

    def door_for(self, method: str) -> Permission:
        """The permission that this HTTP method asks for."""
        if method in {"GET", "HEAD", "OPTIONS"} or self.writing_door is None:
            return self.door
        return self.writing_door


def problems_as_json(problems: Sequence[Finding]) -> list[dict[str, str]]:
    """The one shape in which the API says what is wrong."""
    return [
        {"code": problem.code, "where": problem.where, "message": problem.sentence}
        for problem in problems
    ]


def answer_problems(raised: Exception, context: dict[str, Any]) -> Response | None:
    """400 with every problem for a refusal, 409 with what stands; anything else as DRF has it."""
    if isinstance(raised, AlreadyStands):
        return Response(
            {"problems": problems_as_json(raised.problems), "stands": {"hand": raised.hand.number}},
            status=409,
        )
    if isinstance(raised, Refused):
        return Response({"problems": problems_as_json(raised.problems)}, status=400)
    return exception_handler(raised, context)
