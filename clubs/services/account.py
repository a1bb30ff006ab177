"""What someone does with their own sign-in."""

from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from clubs.models import User
from clubs.services.tokens import revoke_all
from scoring.scorebook.refusals import refuse

SALT: Final = "clubs.services.account.address"
A_DAY: Final = 24 * 60 * 60  # seconds


@transaction.atomic
def sign_out_everywhere(*, user: User, reason: str = "you signed out everywhere") -> list[str]:
    """End every session of theirs, this one too, and every key for programs.

    ``user`` comes back as it is stored. Returns the names of the keys, which a mail tells them.
    """
    User.objects.filter(pk=user.pk).update(signed_out=F("signed_out") + 1)
    user.refresh_from_db(fields=["signed_out"])
    return end_keys(user=user, reason=reason)


@transaction.atomic
def end_keys(*, user: User, reason: str) -> list[str]:
    """End every key for programs; a mail tells their names, if any, and the reason (a clause)."""
    names = revoke_all(user=user)
    if names:
        adapter, context = get_adapter(), {"keys": names, "reason": reason}
        transaction.on_commit(  # robust: without a mail server the keys end all the same
            lambda: adapter.send_notification_mail("account/email/keys_ended", user, context),
            robust=True,
        )
    return names


def ask_for_address(*, user: User, email: str) -> None:
    """Mail a link to the new address; whoever has that address already is told, nobody else."""
    email = email.lower()
    if User.objects.filter(email=email).exists():
        get_adapter().send_mail("account/email/address_taken", email, {})
        return
    told = {"person": user.pk, "was": user.email, "email": email}
    at = reverse("account_confirm_email", args=[signing.dumps(told, salt=SALT)])
    told_by = {"activate_url": f"{settings.SITE_ADDRESS}{at}"}
    get_adapter().send_mail("account/email/email_confirmation", email, told_by)


def take_address(*, key: str) -> User:
    """The person signs in with the address that the mailed link names; the old one is told.

    Refused: a link that is older than a day, was used, or names an address that is taken since.
    """
    told = read_address(key)
    with transaction.atomic():
        held = User.objects.select_for_update().filter(pk=told["person"], email=told["was"]).first()
        if held is None or User.objects.filter(email=told["email"]).exists():
            raise refuse("used_link", "This link has been used already.", "key")
        held.email = told["email"]
        held.save(update_fields=["email"])
    moved = {"to_email": held.email}
    get_adapter().send_notification_mail("account/email/email_changed", held, moved, told["was"])
    return held


def read_address(key: str) -> dict[str, str]:
    """What a mailed link says: ``person``, ``was`` and ``email``; refused where it is none."""
    try:
        told: dict[str, str] = signing.loads(key, salt=SALT, max_age=A_DAY)
    except signing.BadSignature as bad:
        raise refuse("bad_link", "This link is too old.", "key") from bad
    return told
