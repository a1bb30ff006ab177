"""Every address passes one of these doors; a view without one fails the tests."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django_htmx.middleware import HtmxDetails

from clubs.models import Club, Role, User
from clubs.names import Reader
from clubs.permissions import Permission, presence_in

View = Callable[..., HttpResponse]


class ClubRequest(HttpRequest):
    """A request that has passed a club's door."""

    user: User
    htmx: HtmxDetails
    role: Role | None
    reader: Reader
    may: Callable[[Permission], bool]


def door(permission: Permission) -> Callable[[View], View]:
    """For views under ``<slug:club>``: find the club, ask the permission, hand the club over.

    Nobody signed in is sent to sign in; somebody without the role gets 403 and a sentence.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def inner(request: Any, club: str, **kwargs: Any) -> HttpResponse:
            found = get_object_or_404(Club, slug=club)
            role, reader = presence_in(request.user, found)
            if not permission.is_given(role, found):
                if not request.user.is_authenticated:
                    return redirect_to_login(request.get_full_path())
                raise PermissionDenied(permission.refusal)
            request.role, request.reader = role, reader
            request.may = lambda asked: asked.is_given(role, found)
            return view(request, found, **kwargs)

        inner.door = permission  # type: ignore[attr-defined]
        return inner

    return wrap


def open_to_all(view: View) -> View:
    """A page that anybody may see."""
    view.door = "everybody"  # type: ignore[attr-defined]
    return view


def by_secret_link(view: View) -> View:
    """A page that whoever holds its printed link may use; the view looks the key up."""
    view.door = "whoever holds the link"  # type: ignore[attr-defined]
    return view
