"""The codes of the second step: each opens once, and none that is older than the last one used."""

from typing import Final

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from django.db import transaction

from clubs.models import User

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
