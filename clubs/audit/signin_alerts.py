"""What is noticed of organisers' sign-ins, so that a stranger's is seen: by browser, by failures.

allauth tells of it; nothing is kept of a browser but a digest of its name without versions.
"""

import re
from hashlib import sha256
from typing import Any, Final

from allauth.account import signals as account
from allauth.mfa import signals as second_step
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_login_failed
from django.core.cache import cache
from django.http import HttpRequest

from clubs.core.audit_log import note_of_organiser
from clubs.models import Deed, User
from clubs.tenancy import across_clubs

MANY: Final = 5
AN_HOUR: Final = 60 * 60  # seconds
TOTP: Final = Authenticator.Type.TOTP


def notice_sign_ins() -> None:
    """Have all of this told; once, when the program begins."""
    account.user_logged_in.connect(_signed_in)
    account.password_changed.connect(_password_changed)
    account.password_set.connect(_password_changed)
    account.password_reset.connect(_password_reset)
    user_login_failed.connect(_failed)
    second_step.authenticator_added.connect(_second_step_on)
    second_step.authenticator_removed.connect(_second_step_off)
    second_step.authenticator_reset.connect(_second_step_anew)


def browser_of(request: HttpRequest) -> str:
    """A digest of the browser's name; a newer version of it is the same browser."""
    name = re.sub(r"[\d._]+", "", request.headers.get("User-Agent", ""))
    return sha256(name.encode()).hexdigest()[:16]


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    browser = browser_of(request)
    with across_clubs():
        known = Deed.objects.filter(made_by=user, about__browser=browser).exists()
    what = "signed in" if known else "new browser"
    note_of_organiser(user=user, what=what, about={"browser": browser})


def _failed(credentials: dict[str, Any], **_: Any) -> None:
    """The fifth failure within an hour is told, and no more of that hour."""
    email = str(credentials.get("email") or credentials.get("username") or "").lower()
    user = User.objects.filter(email=email).first()
    if user is None:
        return
    counted = f"failed-sign-ins:{user.pk}"
    cache.add(counted, 0, AN_HOUR)
    if cache.incr(counted) == MANY:
        note_of_organiser(user=user, what="sign-ins failed")


def _password_changed(user: User, **_: Any) -> None:
    note_of_organiser(user=user, what="password changed")


def _password_reset(user: User, **_: Any) -> None:
    note_of_organiser(user=user, what="password reset")


def _second_step_on(user: User, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == TOTP:
        note_of_organiser(user=user, what="second step on")


def _second_step_off(user: User, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == TOTP:
        note_of_organiser(user=user, what="second step off")


def _second_step_anew(user: User, **_: Any) -> None:
    note_of_organiser(user=user, what="second step anew")
