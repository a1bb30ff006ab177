"""Who calls the API, what they may do, and how often."""

from collections.abc import Iterable
from hashlib import sha256
from time import time
from typing import Any, NamedTuple

from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import AnonRateThrottle, BaseThrottle

from clubs.core.access import is_refused_when_closed
from clubs.core.permissions import (
    Permission,
    SecondStepMissing,
    presence_in,
    scope_for,
    visible_parts,
)
from clubs.models import ApiToken, Club, Scope, User
from clubs.tenancy import set_current_club

WINDOW_SECONDS = 60


class LinkKey(NamedTuple):
    """The key of a printed link, sent as a credential: ``Authorization: Link KEY``."""

    key: str


class Caller(NamedTuple):
    """The caller: the kind, and an identifier (not secret: digests and row numbers)."""

    kind: str
    which: str

    def __str__(self) -> str:
        return f"{self.kind} {self.which}"


def caller(request: Request, view: Any, *, address: str) -> Caller:
    """Who sent the request; ``address`` is the network address, for anonymous callers."""
    if isinstance(request.auth, ApiToken):
        return Caller("key", request.auth.digest[:32])
    if isinstance(request.user, User):
        return Caller("person", str(request.user.pk))
    if isinstance(request.auth, LinkKey):
        return Caller("link", _digest(request.auth.key))
    if "key" in view.kwargs:
        return Caller("link", _digest(str(view.kwargs["key"])))
    return Caller("address", _digest(address))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()[:32]


class DenyAll(BasePermission):
    """The API's default: a view without a permission class lets nobody in."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002
        """Never."""
        return False


class ClubAccess(BasePermission):
    """Access to a club's views: the view names ``access``, the address names the club."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """As for pages; the club and the caller's roles in it are put on the view.

        An API key must also be for this club and have the scope. Nobody learns which clubs there
        are: without signing in, one that does not exist is refused like one that shows nothing.
        """
        club = Club.objects.filter(slug=view.kwargs["club"]).first()
        if club is None:
            if request.user.is_authenticated:
                raise Http404
            return False
        permission: Permission = view.access_for(request.method or "GET")
        return self.lets_in(request, view, club, permission)

    def lets_in(self, request: Request, view: Any, club: Club, permission: Permission) -> bool:
        """Whether the caller has this permission in the club, which the view then keeps to."""
        view.club = club
        self.message = permission.refusal
        view.presence = presence_in(request.user, club)
        view.sees = visible_parts(view.presence.role, club)
        set_current_club(club.pk)
        try:
            view.presence.require(permission, club)
        except SecondStepMissing as missing:
            self.message = str(missing)
            return False
        except PermissionDenied:
            return False
        required_scope = scope_for(permission, writes=request.method not in SAFE_METHODS)
        fault = key_refusal(request.auth, required_scope, club)
        if not fault and is_refused_when_closed(view, request.method):
            fault = club.closed_sentence
        self.message = fault or self.message
        return not fault


class SignedIn(BasePermission):
    """For a person's own things: a session, or a key with the scope (``view.scopes``)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether someone is signed in whose key, if it is one, may do this."""
        if not request.user.is_authenticated:
            return False
        required_scope = Scope.READ if request.method in SAFE_METHODS else view.writing_scope
        self.message = key_refusal(request.auth, required_scope)
        return not self.message


def key_refusal(key: object, required_scope: Scope, club: Club | None = None) -> str:
    """Why an API key may not do this; empty if it may, or if there is no key."""
    if not isinstance(key, ApiToken):
        return ""
    if club is not None and key.club_id not in {None, club.pk}:
        return "This API key is for another club."
    if required_scope not in key.scopes:
        return f"This API key lacks the scope “{required_scope.value}” ({required_scope.label})."
    return ""


def clubs_for_key(key: object, clubs: Iterable[Club]) -> list[Club]:
    """The clubs that an API key is for; all of them without a key."""
    return [
        club for club in clubs if not isinstance(key, ApiToken) or key.club_id in {None, club.pk}
    ]


class SignInThrottle(AnonRateThrottle):
    """Tries to sign in from one address; its rate is in the settings."""

    scope = "sign-in"


class CallerThrottle(BaseThrottle):
    """Limits requests a minute from one key, account, table's link or address."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count this request; False once the minute's limit is reached."""
        return is_within_rate(caller(request, view, address=str(self.get_ident(request))))

    def wait(self) -> float:
        return until_next_minute()


def until_next_minute() -> float:
    """Seconds until the limits begin again."""
    return WINDOW_SECONDS - time() % WINDOW_SECONDS


def is_within_rate(api_caller: Caller) -> bool:
    """Count a request of theirs; False once the minute's limit of that kind is reached."""
    rate = str(api_settings.DEFAULT_THROTTLE_RATES[api_caller.kind])
    window = int(time() // WINDOW_SECONDS)
    count = count_once_more(f"asked:{api_caller.kind}:{api_caller.which}:{window}", WINDOW_SECONDS)
    return count <= int(rate.partition("/")[0])


def count_once_more(key: str, seconds: int) -> int:
    """Count once more under the key; returns the count within so many seconds of the first.

    Where the cache cannot count in one step (``config.caching``), it takes two.
    """
    if count := getattr(cache, "count", None):
        return int(count(key, seconds))
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it expired between the two
        return 1
