"""How people and programs sign in, how long a sign-in lasts, and which ones are noted."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from time import time
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit, urlunsplit

from allauth.account import signals as account
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.mfa import signals as second_step
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core.cache import cache
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.services import find_token, note_use, revoke_all_tokens
from clubs.core.addresses import site_address
from clubs.core.audit_log import log_organiser_event
from clubs.core.mail import automatic_headers
from clubs.core.tries import Entrance, Try, count_try, note_sign_in, seconds_to_wait, wait_sentence
from clubs.models import ApiToken, AuditEntry, User
from clubs.tenancy import across_clubs

AUTH_BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"
RATE_LIMIT_CODES = {"too_many_login_attempts", "rate_limited"}
AUTH_SCHEMES = (b"bearer", b"token")
DAY_SECONDS: Final = 24 * 60 * 60  # seconds
SEEN_KEY: Final = "seen"
FAILURES_TO_LOG: Final = 5
HOUR_SECONDS: Final = 60 * 60  # seconds
TURNED_ON, TURNED_OFF = "second step on", "second step off"


class SignIn(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-in by email with a password or an emailed code; there is no sign-up page."""

    _guess = Try(())
    error_messages: ClassVar[dict[str, Any]] = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This account has been deactivated. Ask the club secretary.",
        "email_password_mismatch": (
            "The email address or password is wrong. Check both and try again."
        ),
        "incorrect_password": "That password is wrong. Try again.",
        "incorrect_code": "That code is wrong. Check it and try again.",
        "enter_current_password": "That is not your current password.",
        "email_taken": "You cannot use that email address. Enter a different one.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """False: accounts are created by invitation only."""
        return False

    def populate_username(self, request: HttpRequest, user: Any) -> None:
        """Does nothing: users have no user name, only an email address."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The message for an error code; a rate limit says how long to wait."""
        if code in RATE_LIMIT_CODES:
            return ValidationError(wait_sentence(seconds_to_wait(self.request)), code=code)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether this is the user's password; rate-limited like a sign-in."""
        return bool(self.authenticate(self.request, email=user.email, password=password) == user)

    def set_password(self, user: User, password: str) -> None:
        """Set a new password and revoke all API keys."""
        with transaction.atomic():
            super().set_password(user, password)
            names = revoke_all_tokens(user=user, reason="your password was changed")
        if names:
            messages.info(self.request, keys_revoked_message(names))

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link in an email, always at the configured address, never the request's host."""
        return installation_url(super().get_reset_password_from_key_url(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link in an email, always at the configured address, never the request's host."""
        return installation_url(super().get_email_confirmation_url(request, emailconfirmation))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email about signing in, with the configured address."""
        fields = {**context, "site_address": site_address()}
        super().send_mail(template_prefix, email, fields)

    def render_mail(
        self,
        template_prefix: str,
        email: str,
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        mail: EmailMessage = super().render_mail(
            template_prefix, email, context, {**automatic_headers(), **(headers or {})}
        )
        return mail

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        super().send_notification_mail(template_prefix, user, context, email or user.email)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a password that is tried, at whatever page; raises ``ValidationError``."""
        email = str(credentials.get("email") or credentials.get("username") or "")
        count_try(request, Entrance.VISIT, email)
        self._guess = count_try(request, Entrance.SIGN_IN, email)

    def _rollback_login_failed_rl_usage(self) -> None:
        """Called by allauth once the password was right."""
        self._guess.forget()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Does nothing: the counts of guessers stay when the owner has a new password."""


def sign_in_new_account(request: HttpRequest, user: User) -> None:
    """Start the first session of an account that was created just now.

    Every other session starts at the sign-in page or by ``sign_in``. Raises ``PermissionDenied``
    for an account that has signed in before or has a second step.
    """
    if user.last_login is not None or is_mfa_enabled(user):
        raise PermissionDenied
    login(request, user, backend=AUTH_BACKEND)


def sign_in(
    request: HttpRequest, *, email: str, password: str, redirect_url: str
) -> HttpResponse | None:
    """Sign in as the sign-in page does: tries are counted, and a second step comes first.

    Returns the redirect to ``redirect_url`` or to the second step; None for a wrong password.
    Raises ``ValidationError`` after too many tries.
    """
    credentials = {"email": email.lower(), "password": password}
    user = get_adapter().authenticate(request, **credentials)
    if not isinstance(user, User):
        return None
    response: HttpResponse = perform_password_login(
        request, credentials, Login(user=user, redirect_url=redirect_url)
    )
    return response


def keys_revoked_message(names: Sequence[str]) -> str:
    """The message to a user whose API keys were just revoked."""
    name_list = ", ".join(f"“{name}”" for name in names)
    return f"Your API keys have ended too: {name_list}. Programs you still use need new keys."


def installation_url(address: str) -> str:
    """The same page at the address of this installation (TONGBOX_ADDRESS)."""
    home, parts = urlsplit(site_address()), urlsplit(address)
    return urlunsplit((home.scheme, home.netloc, *parts[2:]))


class KeyAuthentication(BaseAuthentication):
    """Authenticates a program by its key, after ``Bearer`` (or ``Token``)."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The key's owner and the key; None without a key. Raises if it is not valid."""
        rows = get_authorization_header(request).split()
        if not rows or rows[0].lower() not in AUTH_SCHEMES:
            return None
        token = find_token(rows[1].decode("latin-1")) if len(rows) == 2 else None
        if token is None:
            raise AuthenticationFailed("This key is not valid: it is unknown, expired or revoked.")
        note_use(token=token, now=timezone.now())
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """The scheme to name in a 401 response, and what is wrong with a key that was sent."""
        rows = get_authorization_header(request).split()
        return (
            'Bearer error="invalid_token"' if rows and rows[0].lower() in AUTH_SCHEMES else "Bearer"
        )


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = KeyAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key from the page /keys/ or from `POST /api/v1/token/`. "
            "Each operation names the scope it needs.",
        }


def session_renewal_middleware(
    answer: Callable[[HttpRequest], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Middleware: renews the fourteen days of a session in use, writing once a day at most."""

    def inner(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        # Whether the session was read and is a user's; this does not read it.
        if (
            request.session.accessed and "_auth_user_id" in request.session
        ) and time() - request.session.get(SEEN_KEY, 0) > DAY_SECONDS:
            request.session[SEEN_KEY] = int(time())
        return response

    return inner


def note_session_start(request: HttpRequest, user: User, **_: object) -> None:
    """On sign-in: note the session as seen now, and the device as one of this account."""
    request.session[SEEN_KEY] = int(time())
    note_sign_in(request, user.email)


def connect_sign_in_signals() -> None:
    """Connect what is noted of organisers' sign-ins; called once, when the program starts."""

    def log_change(
        act_name: str, user: User, authenticator: Authenticator | None = None, **_: Any
    ) -> None:
        # Only an app's codes turn the second step on or off.
        is_app = authenticator is not None and authenticator.type == Authenticator.Type.TOTP
        if is_app or act_name not in {TURNED_ON, TURNED_OFF}:
            log_organiser_event(user=user, act_name=act_name)

    user_logged_in.connect(note_session_start)
    account.user_logged_in.connect(_log_sign_in)
    user_login_failed.connect(_log_failed_sign_in)
    for signal, act_name in (
        (account.password_changed, "password changed"),
        (account.password_set, "password changed"),
        (account.password_reset, "password reset"),
        (second_step.authenticator_added, TURNED_ON),
        (second_step.authenticator_removed, TURNED_OFF),
        (second_step.authenticator_reset, "second step anew"),
    ):
        signal.connect(partial(log_change, act_name), weak=False)


def _log_sign_in(request: HttpRequest, user: User, **_: Any) -> None:
    # A digest of the browser's name without its version.
    name = re.sub(r"[\d._]+", "", request.headers.get("User-Agent", ""))
    browser = sha256(name.encode()).hexdigest()[:16]
    with across_clubs():
        is_known_browser = AuditEntry.objects.filter(made_by=user, about__browser=browser).exists()
    act_name = "signed in" if is_known_browser else "new browser"
    log_organiser_event(user=user, act_name=act_name, details={"browser": browser})


def _log_failed_sign_in(credentials: dict[str, Any], **_: Any) -> None:
    """Log the fifth failure within an hour, then no more in that hour."""
    email = str(credentials.get("email") or credentials.get("username") or "").lower()
    user = User.objects.filter(email=email).first()
    if user is None:
        return
    cache_key = f"failed-sign-ins:{user.pk}"
    cache.add(cache_key, 0, HOUR_SECONDS)
    if cache.incr(cache_key) == FAILURES_TO_LOG:
        log_organiser_event(user=user, act_name="sign-ins failed")
