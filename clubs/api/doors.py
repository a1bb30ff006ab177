"""The API's doors: closed unless a view decides, and then as for the pages."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from clubs.models import Club
from clubs.permissions import Permission, presence_in


class Closed(BasePermission):
    """The API's default: a view that decides nothing lets nobody in."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False


class ClubDoor(BasePermission):
    """The API's door: the view names ``door``, the address names the club."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """As for pages; the club, and as whom names are read, are put on the view."""
        club = get_object_or_404(Club, slug=view.kwargs["club"])
        view.club = club
        asked: Permission = view.door_for(request.method or "GET")
        self.message = asked.refusal
        role, view.reader = presence_in(request.user, club)
        return asked.is_given(role, club)
