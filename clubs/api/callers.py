"""Who asks the API: a key, a sign-in, a printed link, or someone at an address."""

from hashlib import sha256
from typing import Any, NamedTuple

from rest_framework.request import Request

from clubs.models import ApiToken, User


class Caller(NamedTuple):
    """Who asks: the kind, and which of that kind (no secret: digests and row numbers)."""

    kind: str
    which: str

    def __str__(self) -> str:
        return f"{self.kind} {self.which}"


def caller(request: Request, view: Any, *, address: str) -> Caller:
    """Who sent the request; ``address`` is where from, for callers without a name."""
    if isinstance(request.auth, ApiToken):
        return Caller("key", request.auth.digest[:32])
    if isinstance(request.user, User):
        return Caller("person", str(request.user.pk))
    if "key" in view.kwargs:
        return Caller("link", _digest(str(view.kwargs["key"])))
    return Caller("address", _digest(address))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()[:32]
