"""Secrets that stand in addresses: drawn at random, and sealed so that a forged one is known."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

DRAWN: Final = 16  # letters: 96 bits by chance
SEALED: Final = 8  # letters: 48 bits that only this installation can make
SALT: Final = "clubs.models.keys"


def link_key() -> str:
    """A secret for an address that is printed as a QR code: 96 bits by chance, then its seal."""
    drawn = secrets.token_urlsafe(DRAWN * 3 // 4)
    return drawn + _seal(drawn, settings.SECRET_KEY)


def is_ours(key: str) -> bool:
    """Whether the key may be one of ours: it carries our seal, or is of before there were seals.

    Asks no database. An earlier SECRET_KEY that is still named is ours as well.
    """
    if len(key) == DRAWN:
        return True
    drawn, seal = key[:DRAWN], key[DRAWN:]
    return any(constant_time_compare(seal, _seal(drawn, secret)) for secret in our_secrets())


def our_secrets() -> Iterator[str]:
    """The secret key, then those of before that still count."""
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _seal(drawn: str, secret: str) -> str:
    made = salted_hmac(SALT, drawn, secret=secret, algorithm="sha256").digest()
    return urlsafe_b64encode(made[: SEALED * 3 // 4]).decode()
