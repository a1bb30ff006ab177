"""Keys for programs: whose a key is, and which someone has."""

from hashlib import sha256

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import ApiToken, User


def digest_of(key: str) -> str:
    """What is kept of a key: it cannot be turned back."""
    return sha256(key.encode()).hexdigest()


def alive() -> QuerySet[ApiToken]:
    """The keys that open something now."""
    not_ended = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
    return ApiToken.objects.filter(not_ended, revoked_at=None, user__is_active=True)


def token_of(key: str) -> ApiToken | None:
    """The living token with this key; one query."""
    return alive().select_related("user", "club").filter(digest=digest_of(key)).first()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Every key that someone has now, the newest first."""
    return alive().filter(user=user).select_related("club").order_by("-pk")
