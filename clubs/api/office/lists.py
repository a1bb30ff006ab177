"""A list of members read in over the API: looked at first, stored, taken back."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView
from clubs.api.office.shapes_people import ImportShape, MembersListIn, PlanShape, StoreMembersIn
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.exports.members import members_text
from clubs.models import MemberImport
from clubs.selectors.people_imports import ImportRow, import_row, imports_of
from clubs.services import importing
from clubs.services.importing_plan import PlannedLine, plan_import


class ImportsView(ClubListAPIView, ActAPIView):
    """Imports of members, and a new one."""

    door = MANAGE_MEMBERS
    asks = StoreMembersIn
    answers = ImportShape
    status = 201

    @extend_schema(responses=ImportShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the imports, newest first."""
        return self.page_of(imports_of(self.club, most=None), ImportShape)

    def act(self, told: dict[str, Any]) -> ImportRow:
        """Import members: add new people and update the others.

        Everything is imported, or nothing. Answer each doubtful line in ``choices``:
        ``imports/preview/`` lists who may be meant.
        """
        made_by: Any = self.request.user
        made = importing.import_members(
            club=self.club,
            text=text_of(told),
            choices=told.get("choices"),
            file_name=told.get("file_name", ""),
            made_by=made_by,
        )
        return import_row(made)


class ImportPreviewView(ActAPIView):
    """A preview of an import."""

    door = MANAGE_MEMBERS
    asks = MembersListIn
    answers = PlanShape

    def act(self, told: dict[str, Any]) -> dict[str, tuple[PlannedLine, ...]]:
        """Preview an import line by line. Nothing is saved."""
        return {"lines": plan_import(club=self.club, text=text_of(told))}


class ImportUndoView(ActAPIView):
    """An import, undone."""

    door = MANAGE_MEMBERS
    answers = ImportShape

    def act(self, told: dict[str, Any]) -> ImportRow:  # noqa: ARG002
        """Undo an import. Refused if newer changes would be lost."""
        made = get_object_or_404(MemberImport, club=self.club, pk=self.kwargs["made"])
        importing.undo_import(made=made)
        return import_row(made)


def text_of(told: dict[str, Any]) -> str:
    """The list as text, whichever way it was sent."""
    text: str | None = told.get("text")
    return members_text(told["people"]) if text is None else text


IMPORTS = "clubs/<slug:club>/imports/"
urlpatterns = [
    path(IMPORTS, ImportsView.as_view(), name="api-imports"),
    path(f"{IMPORTS}preview/", ImportPreviewView.as_view(), name="api-import-preview"),
    path(f"{IMPORTS}<int:made>/undo/", ImportUndoView.as_view(), name="api-import-undo"),
]
