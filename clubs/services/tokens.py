"""Keys for programs: made, used, revoked."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.models import ApiToken, Club, Scope, User
from clubs.selectors.tokens import digest_of, tokens_of
from scoring.scorebook.refusals import refuse

MARK: Final = "tbx_"
SHOWN: Final = 12
MOST: Final = 50
A_YEAR: Final = 365  # days
USED_EVERY: Final = timedelta(minutes=1)


class Made(NamedTuple):
    """A new token, and its key: nobody is told the key again."""

    token: ApiToken
    key: str


@transaction.atomic
def make_token(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    club: Club | None = None,
    days: int | None = A_YEAR,
) -> Made:
    """A key for a program, for ``days`` days or (None) until it is revoked.

    Only its digest is kept. Raises ``Refused`` for someone who has fifty already, without any
    scope, and where all their keys ended while this one was asked for.
    """
    now = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if now.get_session_auth_hash() != user.get_session_auth_hash():
        raise refuse("signed_out", "You have been signed out. Sign in, then create the key.")
    if tokens_of(user).count() >= MOST:
        raise refuse("too_many", f"You already have {MOST} keys. Revoke any that are not used.")
    wanted = [scope.value for scope in Scope if scope in set(scopes)]
    if not wanted:
        raise refuse("no_scope", "Choose at least one permission.", "scopes")
    key = MARK + secrets.token_urlsafe(30)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        name=name,
        beginning=key[:SHOWN],
        digest=digest_of(key),
        scopes=wanted,
        ends_at=None if days is None else timezone.now() + timedelta(days=days),
    )
    return Made(token, key)


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Note when a key was last used; written at most once a minute."""
    if token.used_at is None or token.used_at <= now - USED_EVERY:
        stale = Q(used_at=None) | Q(used_at__lte=now - USED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(used_at=now)


def revoke_token(*, token: ApiToken) -> None:
    """The key opens nothing from now on; revoking twice is revoking once."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def revoke_all(*, user: User) -> list[str]:
    """Every key of theirs opens nothing from now on; returns the keys' names, the newest first."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    names = list(tokens_of(user).values_list("name", flat=True))
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
    return names
