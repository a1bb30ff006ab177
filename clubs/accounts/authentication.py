"""Who a program is: ``Authorization: Bearer tbx_…``."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from clubs.accounts.selectors import token_of
from clubs.accounts.services import note_use
from clubs.models import ApiToken, User

KEYWORDS = (b"bearer", b"token")


class KeyAuthentication(BaseAuthentication):
    """A program's key, after ``Bearer`` (or ``Token``)."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The key's person and the key; None without one; raises for one that opens nothing."""
        rows = get_authorization_header(request).split()
        if not rows or rows[0].lower() not in KEYWORDS:
            return None
        token = token_of(rows[1].decode("latin-1")) if len(rows) == 2 else None
        if token is None:
            raise AuthenticationFailed("This key is not valid: it is unknown, expired or revoked.")
        note_use(token=token, now=timezone.now())
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """What a program without a key has to send."""
        return "Bearer"


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description tells of keys."""

    target_class = KeyAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        """A bearer key."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key from the page /keys/ or from `POST /api/v1/token/`. "
            "Each operation names the scope it needs.",
        }
