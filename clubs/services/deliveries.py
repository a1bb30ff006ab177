"""News on their way: sent, signed, tried again for a day, then given up in words."""

import hmac
import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from clubs import outside
from clubs.apart import across_clubs, within
from clubs.models import Delivery, Webhook

A_MINUTE: Final = timedelta(minutes=1)
PAUSES: Final = [A_MINUTE * count for count in (1, 5, 15, 60, 180, 360, 720)]
LEASE: Final = timedelta(minutes=2)
KEPT_FOR: Final = timedelta(days=30)
GONE: Final = 410
MOST_AT_ONCE: Final = 500


def waiting(*, now: datetime) -> list[int]:
    """The keys of news whose time has come, the oldest first."""
    with across_clubs():
        due = Delivery.objects.filter(try_at__lte=now, webhook__is_active=True).order_by("try_at")
        return list(due.values_list("pk", flat=True)[:MOST_AT_ONCE])


def send(*, delivery_id: int, now: datetime) -> None:
    """Send one piece of news; nothing where another worker does, has done, or it is given up.

    Whoever sends it has it for two minutes: a worker that dies leaves it to the next sweep, so
    that it may arrive twice, with the same id, and never not at all.
    """
    with across_clubs():
        delivery = _claimed(delivery_id, now)
    if delivery is not None:
        with within(delivery.webhook.club_id):
            _tell(delivery, now)


def _claimed(delivery_id: int, now: datetime) -> Delivery | None:
    claimed = Delivery.objects.filter(
        pk=delivery_id, try_at__lte=now, webhook__is_active=True
    ).update(try_at=now + LEASE, tries=F("tries") + 1)
    return Delivery.objects.select_related("webhook").get(pk=delivery_id) if claimed else None


def _tell(delivery: Delivery, now: datetime) -> None:
    try:
        answered = _post(delivery, now)
    except outside.Unreachable as why:
        _failed(delivery, str(why))
    else:
        words = f"It answered {answered.status}."
        if answered.is_good:
            _note(delivery, words, done_at=timezone.now())
        else:
            _failed(delivery, words, for_good=answered.status == GONE)


def signature(secret: str, at: int, body: bytes) -> str:
    """What is sent as ``Tongbox-Signature``; ``at`` in seconds since 1970."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, sha256).hexdigest()
    return f"t={at},v1={signed}"


def _post(delivery: Delivery, now: datetime) -> outside.Answered:
    body = json.dumps(delivery.payload, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tongbox",
        "Tongbox-Id": str(delivery.payload["id"]),
        "Tongbox-Signature": signature(delivery.webhook.secret, int(now.timestamp()), body),
    }
    private = settings.WEBHOOKS_TO_PRIVATE
    return outside.post(delivery.webhook.address, body, headers, private=private)


def _failed(delivery: Delivery, words: str, *, for_good: bool = False) -> None:
    """Tried again after a longer pause; after a day the program is told nothing more."""
    if delivery.tries <= len(PAUSES) and not for_good:
        pause = PAUSES[delivery.tries - 1]
        _note(delivery, words, try_at=timezone.now() + pause)
        return
    with transaction.atomic():
        _note(delivery, words)
        since = "It says that it is gone." if for_good else f"For a day nothing arrived. {words}"
        Webhook.objects.filter(pk=delivery.webhook_id).update(
            is_active=False, stopped_because=since
        )


def _note(
    delivery: Delivery,
    words: str,
    *,
    try_at: datetime | None = None,
    done_at: datetime | None = None,
) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(try_at=try_at, done_at=done_at, answer=words)


def let_go_of_news(*, now: datetime) -> int:
    """Delete news of more than a month ago; returns how many there were."""
    with across_clubs():
        gone, _ = Delivery.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    return gone
