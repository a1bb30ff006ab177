"""The second step of signing in: who needs it, and codes that open once."""

from base64 import urlsafe_b64encode
from io import BytesIO
from typing import Any, ClassVar, Final

import segno
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt, is_mfa_enabled
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import transaction

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


LAST: Final = "last_counter"  # in the authenticator's data: which 30 seconds the last code was of


@transaction.atomic
def spend_code(*, user: User, code: str) -> bool:
    """False where it is a code of the person's app that opened before, or an older one.

    A fresh one is noted as used, in the database: two requests at once do not both get True.
    Anything else, such as a wrong code or one from the paper, is left to whoever checks it.
    """
    kept = Authenticator.objects.select_for_update().filter(user=user, type=Authenticator.Type.TOTP)
    authenticator = kept.first()
    if authenticator is None:
        return True
    counter = _counter_of(code, decrypt(authenticator.data["secret"]))
    if counter is None:
        return True
    if counter <= authenticator.data.get(LAST, -1):
        return False
    authenticator.data[LAST] = counter
    authenticator.save(update_fields=["data"])
    return True


def _counter_of(code: str, secret: str) -> int | None:
    """Which 30 seconds the code is of (RFC 6238), among those that are accepted now."""
    for counter in yield_hotp_counters_from_time():
        right = format_hotp_value(hotp_value(secret, counter))
        if compare_user_code(actual=code, expected=right):
            return int(counter)
    return None


class _OpensOnce(BaseAuthenticateForm):  # type: ignore[misc]
    def clean_code(self) -> str:
        """The code; one that opened before is as wrong as any other, and counted as such."""
        if not spend_code(user=self.user, code=self.cleaned_data["code"]):
            check_rate_limit(self.user)
            raise get_adapter().validation_error("incorrect_code")
        return str(super().clean_code())


class CodeForm(_OpensOnce, AuthenticateForm):  # type: ignore[misc]
    """A code at signing in."""


class CodeAgainForm(_OpensOnce, ReauthenticateForm):  # type: ignore[misc]
    """A code of someone who is signed in, before something that matters."""
