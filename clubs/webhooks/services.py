"""Programs that a club tells of what happens: noted, changed, tried, stopped, taken away."""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from clubs.core.audit_log import last_deed
from clubs.core.forms import Event, Shown, done_already
from clubs.core.locks import lock_club, read_again
from clubs.core.queue import send, tell_one
from clubs.models import Club, Delivery, News, User, Webhook
from clubs.webhooks import safe_http
from scoring.scorebook.refusals import refuse

MOST: Final = 20
BOTH_SIGN_FOR: Final = timedelta(days=1)


@transaction.atomic
def add_webhook(
    *, club: Club, address: str, kinds: Iterable[str], made_by: User | None = None
) -> Webhook:
    """Another program; its ``secret``, by which it knows our news, is to be shown this once."""
    lock_club(club.pk)
    if club.rehearsal_of_id is not None:
        raise refuse("rehearsal", "Webhooks are not sent from a practice evening.")
    if club.webhooks.count() >= MOST:
        raise refuse("too_many", f"There are already {MOST} webhooks. Delete one first.")
    return Webhook.objects.create(
        club=club,
        address=_checked(address),
        secret=_new_secret(),
        kinds=_known(kinds),
        made_by=made_by,
    )


@transaction.atomic
def change_webhook(
    *, webhook: Webhook, address: str, kinds: Iterable[str], is_active: bool
) -> Webhook:
    """Another address, other kinds; stopped, or begun again with what waits."""
    _lock(webhook)
    webhook.address, webhook.kinds = _checked(address), _known(kinds)
    begins = is_active and not webhook.is_active
    webhook.is_active = is_active
    webhook.stopped_because = "" if is_active else webhook.stopped_because
    webhook.save(update_fields=["address", "kinds", "is_active", "stopped_because"])
    if begins:
        webhook.deliveries.filter(done_at=None).update(try_at=timezone.now(), tries=0)
    return webhook


@transaction.atomic
def switch_webhook(*, webhook: Webhook, is_active: bool) -> Webhook:
    """Stop it, or restart it with what waits; ``Overtaken`` where that is done already."""
    _lock(webhook)
    if webhook.is_active == is_active:
        words = f"The webhook was already {'restarted' if is_active else 'stopped'}"
        event = Event(webhook.club, "webhook", webhook.pk, {"webhook-switch": words})
        acts = ("webhook-switch", "api-webhook")
        last = last_deed(event.club, event.kind, event.pk, acts)
        by_itself = bool(webhook.stopped_because)
        raise done_already(event, Shown("webhook-switch"), None if by_itself else last)
    return change_webhook(
        webhook=webhook, address=webhook.address, kinds=webhook.kinds, is_active=is_active
    )


@transaction.atomic
def change_secret(*, webhook: Webhook) -> Webhook:
    """Another ``secret``, to be shown this once; for a day the former one signs beside it."""
    _lock(webhook)
    webhook.former_secret, webhook.secret = webhook.secret, _new_secret()
    webhook.former_until = timezone.now() + BOTH_SIGN_FOR
    webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook


def remove_webhook(*, webhook: Webhook) -> None:
    """It is told nothing more, and what it was told is forgotten."""
    webhook.delete()


@transaction.atomic
def try_webhook(*, webhook: Webhook) -> Delivery:
    """Send something that only says that it arrives; refused while the program is stopped."""
    if not webhook.is_active:
        raise refuse("stopped", "This webhook is stopped. Restart it first.")
    return tell_one(webhook, News.TRIED, at=("api-webhook", webhook.pk))


@transaction.atomic
def send_again(*, delivery: Delivery) -> Delivery:
    """Send a piece of news once more, with the same id."""
    if not delivery.webhook.is_active:
        raise refuse("stopped", "This webhook is stopped. Restart it first.")
    delivery.try_at, delivery.tries, delivery.done_at = timezone.now(), 0, None
    delivery.save(update_fields=["try_at", "tries", "done_at"])
    send("clubs.tasks.send_news", delivery.pk)
    return delivery


def _lock(webhook: Webhook) -> None:
    lock_club(webhook.club_id)
    read_again(webhook, f"{webhook.address} has been deleted.")


def _new_secret() -> str:
    return f"tbs_{secrets.token_urlsafe(32)}"


def _checked(address: str) -> str:
    if fault := safe_http.fault_of(address, private=settings.WEBHOOKS_TO_PRIVATE):
        raise refuse("bad_address", fault, "address")
    return address


def _known(kinds: Iterable[str]) -> list[str]:
    wanted = [kind.value for kind in News if kind.value in set(kinds) and kind != News.TRIED]
    if not wanted:
        raise refuse("no_kind", "Choose at least one event.", "kinds")
    return wanted
