"""Who may make an account: nobody by themselves; a club's secretary invites."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignUp(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-in by e-mail and password; the sign-up page stays shut."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Accounts are made for members by their secretary."""
        return False

    def populate_username(self, request: HttpRequest, user: Any) -> None:
        """Our users have no user name beside their e-mail address."""
