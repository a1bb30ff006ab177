"""Access checks of pages: every view has one of these decorators, which a test enforces."""

from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from functools import partial, wraps
from typing import Any, TypeVar

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django_htmx.middleware import HtmxDetails

from clubs.core import permissions
from clubs.core.audit_log import AuditContext, Capability, Sentences, clubs_run_by, log_changes
from clubs.models import Club, Role, User
from clubs.models.names import Reader
from clubs.models.people import is_own_link_key
from clubs.tenancy import AnyModel, club_scope, find_by_key, refuse_closed, request_scope

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
View = Callable[..., HttpResponse]
AnyView = TypeVar("AnyView", bound=Callable[..., Any])


class ClubRequest(HttpRequest):
    """A request for a club that passed ``requires``."""

    user: User
    htmx: HtmxDetails
    role: Role | None
    reader: Reader
    sees: permissions.VisibleParts
    lacks_second_step: bool
    has_permission: Callable[[permissions.Permission], bool]
    require: Callable[..., None]


def requires(
    permission: permissions.Permission,
    log: Sentences = "",
    *,
    log_for: str | tuple[str, ...] = (),
    drawer: str = "",
) -> Callable[[View], View]:
    """For views under ``<slug:club>``: find the club, check the permission, pass the club on.

    ``log`` is what the activity log says (``clubs.core.audit_log``), also of the operations of the
    API in ``log_for``; ``drawer`` is for sentences in an unusual place of the log.

    Redirects anonymous users to sign in, also where there is no such club, so that nobody learns
    which clubs there are; responds 403 with a reason to someone without the role. An
    organiser who lacks the required second step counts as a plain member, and is sent to set it up
    if that is not enough. In a closed club it refuses all but reading and
    ``allowed_when_closed``.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def inner(request: Any, club: str, **kwargs: Any) -> HttpResponse:
            result = permissions.clubs_seen_by(request.user).filter(slug=club).first()
            if result is None:
                if request.user.is_authenticated:
                    raise Http404
                return redirect_to_login(request.get_full_path())
            presence = permissions.presence_at(request.user, result)
            if not request.user.is_authenticated and not presence.has_permission(
                permission, result
            ):
                return redirect_to_login(request.get_full_path())
            _attach_presence(request, presence, result)
            try:
                request.require(permission)
                if is_refused_when_closed(view, request.method):
                    refuse_closed(result)
                with club_scope(result.pk), _log_request_changes(request, [result.pk], kwargs):
                    return view(request, result, **kwargs)
            except permissions.SecondStepMissing as missing:
                messages.warning(request, str(missing))
                return redirect("mfa_activate_totp")

        inner.access = permission  # type: ignore[attr-defined]
        inner.capability = Capability.create(permission, log, log_for, drawer)  # type: ignore[attr-defined]
        return inner

    return wrap


def allowed_when_closed(view: AnyView) -> AnyView:
    """For what can be done in a closed club too: a page, below ``requires``, or a view of the API.

    A test compares a page with the operations that it is logged for.
    """
    view.works_when_closed = True  # type: ignore[attr-defined]
    return view


def is_refused_when_closed(view: object, method: str | None) -> bool:
    """Whether this request to a page or the API is refused in a closed club."""
    return method not in SAFE_METHODS and not getattr(view, "works_when_closed", False)


def visitor_request(request: ClubRequest, club: Club) -> ClubRequest:
    """The same request from someone not signed in, to draw a page of the club as they see it."""
    visitor = copy(request)
    anonymous_user = AnonymousUser()
    visitor.user = anonymous_user  # type: ignore[assignment]
    _attach_presence(visitor, permissions.presence_in(anonymous_user, club), club)
    return visitor


def _attach_presence(request: Any, presence: permissions.Presence, club: Club) -> None:
    request.role, request.reader = presence.role, presence.reader
    request.sees = permissions.visible_parts(presence.role, club)
    request.lacks_second_step = (
        bool(presence.withheld) and presence.role not in permissions.ORGANISERS
    )
    request.has_permission = partial(presence.has_permission, club=club)
    request.require = partial(presence.require, club=club)


def logs_as(
    drawer: str, log: Sentences, *, log_for: str | tuple[str, ...] = ()
) -> Callable[[View], View]:
    """For views that no club's permission guards: what ``requires`` says of its own."""

    def wrap(view: View) -> View:
        view.capability = Capability.create(None, log, log_for, drawer)  # type: ignore[attr-defined]
        return view

    return wrap


def _log_request_changes(request: Any, clubs: list[int], url_kwargs: dict[str, Any]) -> Any:
    """Logs what a request changes; does nothing for a safe method."""
    if request.method in SAFE_METHODS:
        return nullcontext()
    entry = AuditContext(
        name=request.resolver_match.url_name,
        method=request.method,
        subjects=url_kwargs,
        read_data=lambda: request.POST,
        clubs=lambda: clubs or clubs_run_by(request.user.pk),
        made_by=request.user.pk,
    )
    return log_changes(entry)


def get_by_key_or_404(rows: Callable[[], QuerySet[AnyModel]], **key: Any) -> AnyModel:
    """The row with a secret key, found ``find_by_key``. Raises ``Http404``."""
    result = find_by_key(rows, **key)
    if result is None:
        raise Http404
    return result


def public_view(view: View) -> View:
    """For public pages; they cannot query any club."""
    return _outside_clubs(view, "everybody")


def secret_link_view(view: View) -> View:
    """For pages opened by a printed secret link; the view looks it up ``find_by_key``."""
    return _outside_clubs(view, "anyone with the link")


def sealed_link_view(view: View) -> View:
    """The same for a sealed key: a forged one gives 404 without a query."""

    @wraps(view)
    def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
        if not is_own_link_key(key):
            raise Http404
        return view(request, key, **kwargs)

    return secret_link_view(inner)


def sign_in_required(view: View) -> View:
    """For pages of a user's own account, in no club."""

    @wraps(view)
    def inner(request: Any, **kwargs: Any) -> HttpResponse:
        with _log_request_changes(request, [], kwargs):
            return view(request, **kwargs)

    return _outside_clubs(login_required(inner), "anyone signed in")


def operator_required(view: View) -> View:
    """For the people who run this installation: superusers with two-step verification.

    What they change is in the activity log of the club that the address names.
    """

    @wraps(view)
    def inner(request: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied("Only a Tongbox administrator can open this page.")
        if not is_mfa_enabled(request.user):
            messages.warning(request, "This page needs two-step verification. Set it up first.")
            return redirect("mfa_activate_totp")
        named_clubs = Club.objects.filter(slug=kwargs.get("club", ""))
        clubs = (
            [] if request.method in SAFE_METHODS else list(named_clubs.values_list("pk", flat=True))
        )
        with _log_request_changes(request, clubs, kwargs):
            return view(request, **kwargs)

    return _outside_clubs(login_required(inner), "operators")


def _outside_clubs(view: View, audience: str) -> View:
    @wraps(view)
    def inner(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        with request_scope(writes=request.method not in SAFE_METHODS):
            return view(request, *args, **kwargs)

    inner.access = audience  # type: ignore[attr-defined]
    return inner
