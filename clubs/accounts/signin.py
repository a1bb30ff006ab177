"""How people sign in: accounts are given out, tries are counted, mails name our own address."""

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from clubs.accounts.services import end_keys
from clubs.core.authentication import sentence
from clubs.models import User

TO_WAIT = {"too_many_login_attempts", "rate_limited"}


class SignIn(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-in by email with a password or a mailed code; the sign-up page stays shut."""

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
        """Accounts are made for members by their secretary."""
        return False

    def populate_username(self, request: HttpRequest, user: Any) -> None:
        """Our users have no user name beside their email address."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The sentence for a code; one that asks to wait says how long."""
        if code in TO_WAIT:
            return ValidationError(sentence(self.request), code=code)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether it is this person's password; counted as a sign-in is."""
        return bool(self.authenticate(self.request, email=user.email, password=password) == user)

    def set_password(self, user: User, password: str) -> None:
        """Another password, by whatever way; every key for programs ends with the former one."""
        with transaction.atomic():
            super().set_password(user, password)
            names = end_keys(user=user, reason="your password was changed")
        if names:
            messages.info(self.request, keys_ended(names))

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link in a mail, at our own address whatever host the request named."""
        return at_home(super().get_reset_password_from_key_url(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link in a mail, at our own address whatever host the request named."""
        return at_home(super().get_email_confirmation_url(request, emailconfirmation))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail about a sign-in, which names our own address."""
        fields = {**context, "site_address": settings.SITE_ADDRESS}
        super().send_mail(template_prefix, email, fields)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell someone that their sign-in was changed."""
        super().send_notification_mail(template_prefix, user, context, email or user.email)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:  # noqa: ARG002
        """Tries are counted by email address alone: another host name is no fresh start."""
        return str(credentials.get("email") or credentials.get("username") or "").lower()


def keys_ended(names: Sequence[str]) -> str:
    """What someone reads whose keys for programs have just ended."""
    listed = ", ".join(f"“{name}”" for name in names)
    return f"Your API keys have ended too: {listed}. Programs you still use need new keys."


def at_home(address: str) -> str:
    """The same page at the address of this installation (TONGBOX_ADDRESS)."""
    home, parts = urlsplit(settings.SITE_ADDRESS), urlsplit(address)
    return urlunsplit((home.scheme, home.netloc, *parts[2:]))
