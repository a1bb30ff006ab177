"""The API's doors: closed unless a view decides, and then as for the pages."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from clubs.core.permissions import (
    Permission,
    SecondStepMissing,
    presence_in,
    scope_for,
    visible_parts,
)
from clubs.models import ApiToken, Club, Scope
from clubs.models.tenancy import keep_to


class Closed(BasePermission):
    """The API's default: a view that decides nothing lets nobody in."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False


class ClubDoor(BasePermission):
    """The API's door: the view names ``door``, the address names the club."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """As for pages; the club and the caller's roles in it are put on the view.

        A program's key must besides be for this club and good for what is asked.
        """
        club = get_object_or_404(Club, slug=view.kwargs["club"])
        view.club = club
        asked: Permission = view.door_for(request.method or "GET")
        self.message = asked.refusal
        view.presence = presence_in(request.user, club)
        view.sees = visible_parts(view.presence.role, club)
        keep_to(club.pk)
        try:
            view.presence.require(asked, club)
        except SecondStepMissing as missing:
            self.message = str(missing)
            return False
        except PermissionDenied:
            return False
        return self._opens(request, club, asked)

    def _opens(self, request: Request, club: Club, asked: Permission) -> bool:
        needed = scope_for(asked, writes=request.method not in SAFE_METHODS)
        fault = what_key_lacks(request.auth, needed, club)
        self.message = fault or self.message
        return not fault


class SignedIn(BasePermission):
    """For a person's own things: a session, or a key with the scope (``view.scopes``)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether someone is signed in whose key, if it is one, may do this."""
        if not request.user.is_authenticated:
            return False
        needed = Scope.READ if request.method in SAFE_METHODS else view.writing_scope
        self.message = what_key_lacks(request.auth, needed)
        return not self.message


def what_key_lacks(key: object, needed: Scope, club: Club | None = None) -> str:
    """A sentence where a program's key may not do this; empty where it may, and for no key."""
    if not isinstance(key, ApiToken):
        return ""
    if club is not None and key.club_id not in {None, club.pk}:
        return "This API key is for another club."
    if needed not in key.scopes:
        return f"This API key lacks the scope “{needed.value}” ({needed.label})."
    return ""


def clubs_opened_by(key: object, clubs: Iterable[Club]) -> list[Club]:
    """Those of the clubs that a program's key is for; all of them for no key."""
    return [
        club for club in clubs if not isinstance(key, ApiToken) or key.club_id in {None, club.pk}
    ]
