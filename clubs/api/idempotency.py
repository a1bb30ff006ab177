"""``Idempotency-Key``: whoever is not sure that a request arrived sends it again, done once.

The key is claimed, the work done and the answer kept in one transaction: a request that died in the
middle, with its process or its database, leaves nothing, and the same key does it. Whoever asks
with the key of a request that is being done waits for that one's end.
"""

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.api.callers import caller
from clubs.core import idempotency
from clubs.models import KeptAnswer
from clubs.models.tenancy import until_answered

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 200


class Replayed(Exception):
    """The request was answered before; ``kept`` is that answer."""

    def __init__(self, kept: KeptAnswer) -> None:
        super().__init__(kept.key)
        self.kept = kept


class OtherRequest(APIException):
    """The key was used for something else."""

    status_code = 422
    default_code = "key_used"
    default_detail = (
        "This Idempotency-Key was used for another request. Use a new key for each request."
    )


class InProgress(APIException):
    """It was begun by a release that claimed keys first and worked then, and is not answered."""

    status_code = 409
    default_code = "in_progress"
    default_detail = (
        "The request with this Idempotency-Key is being done, or was broken off. Ask again in a "
        "moment; if it stays so, look whether it was done before you use another key."
    )


def begin(request: Request, view: Any) -> KeptAnswer | None:
    """Claim the request's key, and begin the transaction that lasts until it is answered.

    None for a request without one, or that changes nothing. Raises ``Replayed`` for a request that
    was answered, ``InProgress`` and ``OtherRequest``.
    """
    key = request.headers.get(HEADER)
    if key is None or request.method in SAFE_METHODS:
        return None
    _check(key, view)
    owner = str(caller(request, view, address=str(BaseThrottle().get_ident(request))))
    asked = _asked(request)
    until_answered(transaction.atomic())
    while (claimed := idempotency.claim(owner=owner, key=key, asked=asked)) is None:
        before = KeptAnswer.objects.filter(owner=owner, key=key).first()
        if before is not None:
            raise _again(before, asked)
    return claimed


def end(kept: KeptAnswer, answer: HttpResponse) -> None:
    """Keep what was done; a refusal frees the key, for nothing was done."""
    is_told = answer.headers.get("Content-Type", "application/json") == "application/json"
    if answer.status_code < 300 and is_told:
        idempotency.keep(answer=kept, status=answer.status_code, body=answer.content.decode())
    else:
        idempotency.release(answer=kept)


def _check(key: str, view: Any) -> None:
    if not 0 < len(key) <= LONGEST or not key.isascii() or not key.isprintable():
        raise ValidationError(f"{HEADER} is 1 to {LONGEST} printable characters.", "bad_key")
    if view.answers_secret:
        raise ValidationError(f"This operation does not support {HEADER}.", "bad_key")


def _again(before: KeptAnswer, asked: str) -> Exception:
    if before.asked != asked:
        return OtherRequest()
    return InProgress() if before.status is None else Replayed(before)


def _asked(request: Request) -> str:
    """What was asked for: method, address and body."""
    plain = request._request
    line = f"{plain.method} {plain.get_full_path()}\n".encode()
    return sha256(line + plain.body).hexdigest()
