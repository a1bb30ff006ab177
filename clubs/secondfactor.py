"""The second step of signing in: a code from an app on the phone, for whoever runs a club."""

from base64 import urlsafe_b64encode
from io import BytesIO
from typing import Any, ClassVar, Final

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from clubs.models import Role, User

FIRST: Final = (
    "Everyone who runs a club here must use two-step verification. Set it up now: it takes two "
    "minutes."
)


class SecondStep(DefaultMFAAdapter):  # type: ignore[misc]
    """Codes from an app, and recovery codes; what makes them is kept sealed in the database."""

    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": (
            "That code is wrong or has expired. Wait for the next one and enter that."
        ),
        "cannot_delete_authenticator": (
            "Your club requires two-step verification, so you cannot turn it off."
        ),
    }

    def build_totp_svg(self, url: str) -> str:
        """The code to scan, black on white."""
        drawn = BytesIO()
        segno.make(url, micro=False).save(drawn, kind="svg", omitsize=True, light="white")
        return drawn.getvalue().decode()

    def encrypt(self, text: str) -> str:
        """Sealed, so that a stolen backup without the secret key makes no codes."""
        return _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """What was sealed, also under an earlier secret key that is still named."""
        return _seal().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """Not by an organiser where the installation asks for a second step."""
        return not (is_required() and is_organiser(authenticator.user))


def is_required() -> bool:
    """Whether this installation asks its organisers for a second step."""
    return bool(settings.SECOND_FACTOR == "required")


def is_organiser(user: User) -> bool:
    """Whether they run a club, or every club as a superuser; at most one query."""
    return user.is_superuser or user.memberships.exclude(role=Role.PLAYER).exists()


def is_missing(user: User) -> bool:
    """Whether an organiser's role waits until this person has set up the second step.

    One query where the installation requires the second step, else none.
    """
    return is_required() and not is_mfa_enabled(user)


def _seal() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(secret)) for secret in secrets])


def _key(secret: str) -> bytes:
    derived = HKDF(SHA256(), 32, salt=None, info=b"tongbox second step").derive(secret.encode())
    return urlsafe_b64encode(derived)
