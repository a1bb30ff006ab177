"""Proof of identity: the second step and recent passwords."""

from base64 import urlsafe_b64encode
from io import BytesIO
from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import urlencode

import segno
from allauth.account.adapter import get_adapter as account_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.core import context
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
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
from django.http import HttpRequest
from django.urls import reverse

from clubs.core.tries import Entrance, count_try
from clubs.models import Role, User
from clubs.models.people import secret_keys

OPERATOR_SETUP_MESSAGE: Final = (
    "An administrator opens other people’s clubs only with two-step verification. Set it up now: "
    "it takes two minutes."
)
ORGANISER_SETUP_MESSAGE: Final = (
    "Everyone who runs a club here must use two-step verification. Set it up now: it takes two "
    "minutes."
)

# In the authenticator's data: the 30-second step of the last code.
LAST_COUNTER_KEY: Final = "last_counter"


class SecondStep(DefaultMFAAdapter):  # type: ignore[misc]
    """Authenticator codes and recovery codes; their secrets are encrypted in the database."""

    error_messages: ClassVar[dict[str, Any]] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": (
            "That code is wrong or has expired. Wait for the next one and enter that."
        ),
        "cannot_delete_authenticator": (
            "Your club requires two-step verification, so you cannot turn it off."
        ),
    }

    def build_totp_svg(self, url: str) -> str:
        """The QR code, black on white."""
        buffer = BytesIO()
        segno.make(url, micro=False).save(buffer, kind="svg", omitsize=True, light="white")
        return buffer.getvalue().decode()

    def encrypt(self, text: str) -> str:
        """Encrypt, so that a stolen backup without the secret key cannot generate codes."""
        return _secrets_cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt, with the current or an earlier configured secret key."""
        return _secrets_cipher().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Any) -> bool:
        """False for an organiser if the installation requires a second step."""
        return not (is_second_step_required() and is_organiser(authenticator.user))


def is_second_step_required() -> bool:
    return bool(settings.SECOND_FACTOR == "required")


def is_organiser(user: User) -> bool:
    """Whether the user runs a club, or is a superuser; at most one query."""
    return user.is_superuser or user.memberships.exclude(role=Role.PLAYER).exists()


def setup_message() -> str:
    """Why somebody must set up the second step before they may do this."""
    return ORGANISER_SETUP_MESSAGE if is_second_step_required() else OPERATOR_SETUP_MESSAGE


def is_second_step_missing(user: User) -> bool:
    """Whether an organiser's role is withheld until they have set up the second step.

    One query if the installation requires the second step, else none.
    """
    return is_second_step_required() and not is_mfa_enabled(user)


def is_operator(user: User) -> bool:
    """Whether every club opens to the user: a superuser who has set up the second step.

    One query for a superuser, else none.
    """
    return user.is_superuser and is_mfa_enabled(user)


def _secrets_cipher() -> MultiFernet:
    fernets = []
    for secret in secret_keys():
        derived_key = HKDF(SHA256(), 32, salt=None, info=b"tongbox second step").derive(
            secret.encode()
        )
        fernets.append(Fernet(urlsafe_b64encode(derived_key)))
    return MultiFernet(fernets)


@transaction.atomic
def spend_code(*, user: User, code: str) -> bool:
    """False for an authenticator code that was used before, or an older one.

    Marks a new one as used, in the database: two simultaneous requests do not both get True. Any
    other code, wrong or for recovery, is left to the caller.
    """
    totp = Authenticator.objects.select_for_update().filter(user=user, type=Authenticator.Type.TOTP)
    authenticator = totp.first()
    if authenticator is None:
        return True
    # The code's 30-second step (RFC 6238), among those accepted now.
    secret = decrypt(authenticator.data["secret"])
    counter = next(
        (
            counter
            for counter in yield_hotp_counters_from_time()
            if compare_user_code(
                actual=code, expected=format_hotp_value(hotp_value(secret, counter))
            )
        ),
        None,
    )
    if counter is None:
        return True
    if counter <= authenticator.data.get(LAST_COUNTER_KEY, -1):
        return False
    authenticator.data[LAST_COUNTER_KEY] = counter
    authenticator.save(update_fields=["data"])
    return True


class _SingleUseCode(BaseAuthenticateForm):  # type: ignore[misc]
    def clean_code(self) -> str:
        """The code; a used one is rejected like a wrong one, and both are counted."""
        guess = count_try(context.request, Entrance.SECOND_STEP, self.user.email)
        if not spend_code(user=self.user, code=self.cleaned_data["code"]):
            raise get_adapter().validation_error("incorrect_code")
        code = str(super().clean_code())
        guess.forget()
        return code


class CodeForm(_SingleUseCode, AuthenticateForm):  # type: ignore[misc]
    """The code when signing in."""


class CodeAgainForm(_SingleUseCode, ReauthenticateForm):  # type: ignore[misc]
    """The code for confirming a sensitive action while signed in."""


class Proof(NamedTuple):
    """What is missing: a code for programs, a sentence, and the page that fixes it."""

    code: str
    message: str
    button: str
    url: str


def missing_second_step(user: User) -> Proof | None:
    """The second step, if required of this organiser and not set up; else None."""
    if not (is_second_step_missing(user) and is_organiser(user)):
        return None
    return Proof(
        "second_step",
        ORGANISER_SETUP_MESSAGE,
        "Set up two-step verification",
        reverse("mfa_activate_totp"),
    )


def missing_proof(request: HttpRequest, user: User) -> Proof | None:
    """What a user must do before creating a key; None if nothing is missing.

    A user without a password sets one first: an emailed code alone cannot confirm who they are.
    """
    if proof := missing_second_step(user):
        return proof
    methods = account_adapter().get_reauthentication_methods(user)
    if not methods:
        message = "You sign in without a password. Choose one first, then create the key."
        return Proof("no_password", message, "Choose a password", reverse("account_set_password"))
    if did_recently_reauthenticate(request):
        return None
    return Proof(
        "password_again",
        "An API key works without you. To confirm it is you, enter your password again.",
        "Enter password",
        f"{methods[0]['url']}?{urlencode({'next': reverse('keys')})}",
    )


def missing_password(request: HttpRequest) -> Proof | None:
    """What someone must do before giving a role; None if they entered their password recently."""
    if did_recently_reauthenticate(request):
        return None
    return Proof(
        "password_again",
        "To confirm it is you, enter your password again.",
        "Enter password",
        reverse("account_reauthenticate"),
    )
