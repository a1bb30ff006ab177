"""Programs that a club notifies: added, changed, stopped; and events delivered to them."""

import hmac
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Min
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.services import secretaries_of
from clubs.core.addresses import site_address
from clubs.core.audit_log import last_entry, log_event
from clubs.core.forms import Event, ShownState, done_already_refusal
from clubs.core.locks import lock_club, reload_or_refuse
from clubs.core.mail import send_notice
from clubs.core.queue import emit_event_to, queue_task
from clubs.models import Club, Delivery, News, User, Webhook
from clubs.tenancy import across_clubs, club_scope
from clubs.webhooks import safe_http
from scoring.scorebook.refusals import refuse

MAX_WEBHOOKS: Final = 20
DELIVERIES_SHOWN: Final = 10  # deliveries that the page shows of each
FORMER_SECRET_LASTS: Final = timedelta(days=1)
TONGBOX_ACTOR: Final = "Tongbox"
ONE_MINUTE: Final = timedelta(minutes=1)
RETRY_PAUSES: Final = [ONE_MINUTE * count for count in (1, 5, 15, 60, 180, 360, 720)]
CLAIM_LASTS: Final = timedelta(minutes=2)
DELIVERIES_KEPT_FOR: Final = timedelta(days=30)
GONE_STATUS: Final = 410
MAX_PER_SWEEP: Final = 500
BLOCKING_TRIES: Final = 3  # tries of one event, while the webhook's later ones wait


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook, its events in words, and its last deliveries."""

    webhook: Webhook
    kinds: tuple[str, ...]
    last: tuple[Delivery, ...]


def webhooks_of(club: Club) -> list[WebhookRow]:
    """Every webhook of the club; a query, and one for each of them (twenty at most)."""
    return [
        WebhookRow(
            webhook=webhook,
            kinds=tuple(News(kind).label for kind in webhook.kinds),
            last=tuple(webhook.deliveries.all()[:DELIVERIES_SHOWN]),
        )
        for webhook in club.webhooks.all()
    ]


@transaction.atomic
def add_webhook(
    *, club: Club, address: str, kinds: Iterable[str], made_by: User | None = None
) -> Webhook:
    """Add a webhook; its ``secret``, which signs the events, is shown only once."""
    lock_club(club.pk)
    if club.rehearsal_of_id is not None:
        raise refuse("rehearsal", "Webhooks are not sent from a practice evening.")
    if club.webhooks.count() >= MAX_WEBHOOKS:
        raise refuse("too_many", f"There are already {MAX_WEBHOOKS} webhooks. Delete one first.")
    address, kinds = _check_address(address), _check_kinds(kinds)
    return Webhook.objects.create(
        club=club, address=address, secret=_new_secret(), kinds=kinds, made_by=made_by
    )


@transaction.atomic
def change_webhook(
    *, webhook: Webhook, address: str, kinds: Iterable[str], is_active: bool
) -> Webhook:
    """Change the address and the events; stop it, or restart it with what is waiting."""
    _lock(webhook)
    webhook.address, webhook.kinds = _check_address(address), _check_kinds(kinds)
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
        text = f"The webhook was already {'restarted' if is_active else 'stopped'}"
        event = Event(webhook.club, "webhook", webhook.pk, {"webhook-switch": text})
        last = last_entry(
            event.club, event.kind, event.pk, ("webhook-switch", "api-webhook-detail")
        )
        by_itself = bool(webhook.stopped_because)
        raise done_already_refusal(event, ShownState("webhook-switch"), None if by_itself else last)
    return change_webhook(
        webhook=webhook, address=webhook.address, kinds=webhook.kinds, is_active=is_active
    )


@transaction.atomic
def change_secret(*, webhook: Webhook) -> Webhook:
    """Replace the ``secret``; for a day the former one signs as well."""
    _lock(webhook)
    webhook.former_secret, webhook.secret = webhook.secret, _new_secret()
    webhook.former_until = timezone.now() + FORMER_SECRET_LASTS
    webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook


def remove_webhook(*, webhook: Webhook) -> None:
    webhook.delete()


@transaction.atomic
def try_webhook(*, webhook: Webhook) -> Delivery:
    """Send a test event; refused while the webhook is stopped."""
    if not webhook.is_active:
        raise refuse("stopped", "This webhook is stopped. Restart it first.")
    return emit_event_to(webhook, News.TRIED, route=("api-webhook-detail", webhook.pk))


@transaction.atomic
def resend_delivery(*, delivery: Delivery) -> Delivery:
    """Send an event once more, with the same id."""
    if not delivery.webhook.is_active:
        raise refuse("stopped", "This webhook is stopped. Restart it first.")
    delivery.try_at, delivery.tries, delivery.done_at = timezone.now(), 0, None
    delivery.save(update_fields=["try_at", "tries", "done_at"])
    queue_task("clubs.tasks.send_news", delivery.pk)
    return delivery


def _lock(webhook: Webhook) -> None:
    lock_club(webhook.club_id)
    reload_or_refuse(webhook, f"{webhook.address} has been deleted.")


def _new_secret() -> str:
    return f"tbs_{secrets.token_urlsafe(32)}"


def _check_address(address: str) -> str:
    if fault := safe_http.address_fault(address, private=settings.WEBHOOKS_TO_PRIVATE):
        raise refuse("bad_address", fault, "address")
    return address


def _check_kinds(kinds: Iterable[str]) -> list[str]:
    kind_values = [kind.value for kind in News if kind.value in set(kinds) and kind != News.TRIED]
    if not kind_values:
        raise refuse("no_kind", "Choose at least one event.", "kinds")
    return kind_values


def stop_webhook(*, webhook: Webhook, because: str) -> None:
    """Stop it, once: an entry in the activity log, and an email to each secretary."""
    with transaction.atomic():
        running = Webhook.objects.filter(pk=webhook.pk, is_active=True)
        if not running.update(is_active=False, stopped_because=because):
            return
        log_event(club=webhook.club_id, act_name="webhook-stopped", actor=TONGBOX_ACTOR)
    # Nothing waits for it: without a mail server the page says the same.
    club = Club.objects.get(pk=webhook.club_id)
    page = site_address() + reverse("webhooks", args=[club.slug])
    for address in secretaries_of(club).values_list("email", flat=True):
        send_notice(
            f"{club.name}: a webhook has stopped",
            f"{webhook.address} no longer receives events from {club.name}.\n"
            f"{because}\n\nLater events are kept until it is restarted. "
            f"To restart or delete the webhook:\n{page}\n",
            [address],
            fail_silently=True,
        )


def due_deliveries(*, now: datetime) -> list[int]:
    """The keys of the deliveries that are due, the oldest first."""
    with across_clubs():
        due = Delivery.objects.filter(try_at__lte=now, webhook__is_active=True).order_by("try_at")
        return list(due.values_list("pk", flat=True)[:MAX_PER_SWEEP])


def deliver(*, delivery_id: int, now: datetime) -> None:
    """Make one delivery, unless another worker does or has done, or it was given up.

    A worker has it for two minutes; if it dies, the next sweep delivers again with the same id.
    So an event may arrive twice, but is never lost.
    """
    with across_clubs():
        delivery = _claim_delivery(delivery_id, now)
    if delivery is not None:
        with club_scope(delivery.webhook.club_id):
            try:
                answer = _post_delivery(delivery, now)
            except safe_http.PostFailed as why:
                _note_failure(delivery, str(why))
            else:
                outcome = f"It answered {answer.status}."
                if answer.is_good:
                    _note_outcome(delivery, outcome, done_at=timezone.now())
                else:
                    _note_failure(delivery, outcome, for_good=answer.status == GONE_STATUS)


def _claim_delivery(delivery_id: int, now: datetime) -> Delivery | None:
    deliveries = Delivery.objects.filter(pk=delivery_id, try_at__lte=now, webhook__is_active=True)
    # An earlier event of the same webhook that is to be tried again goes first.
    of_the_same = Delivery.objects.filter(pk=delivery_id).values("webhook")
    blocking_deliveries = Delivery.objects.filter(
        webhook__in=of_the_same,
        pk__lt=delivery_id,
        try_at__gt=now,
        tries__range=(1, BLOCKING_TRIES),
    ).exclude(answer="")
    if (next_try := blocking_deliveries.aggregate(until=Min("try_at"))["until"]) is not None:
        deliveries.update(try_at=next_try)
        return None
    claimed_count = deliveries.update(try_at=now + CLAIM_LASTS, tries=F("tries") + 1)
    return Delivery.objects.select_related("webhook").get(pk=delivery_id) if claimed_count else None


def signature(secrets: Iterable[str], timestamp: int, body: bytes) -> str:
    """The header ``Tongbox-Signature``: one ``v1`` a secret, ``timestamp`` seconds since 1970."""
    value = f"{timestamp}.".encode() + body
    digests = (hmac.new(secret.encode(), value, sha256).hexdigest() for secret in secrets)
    return ",".join([f"t={timestamp}", *(f"v1={value}" for value in digests)])


def _post_delivery(delivery: Delivery, now: datetime) -> safe_http.PostResponse:
    body = json.dumps(delivery.payload, separators=(",", ":")).encode()
    # The secret, and for a day the one before it.
    webhook = delivery.webhook
    secrets = [webhook.secret]
    if webhook.former_until is not None and now < webhook.former_until:
        secrets.append(webhook.former_secret)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Tongbox",
        "Tongbox-Id": str(delivery.payload["id"]),
        "Tongbox-Signature": signature(secrets, int(now.timestamp()), body),
    }
    return safe_http.post(webhook.address, body, headers, private=settings.WEBHOOKS_TO_PRIVATE)


def _note_failure(delivery: Delivery, outcome: str, *, for_good: bool = False) -> None:
    """Try again after a longer pause; after a day give up.

    The webhook is then stopped, unless other events have arrived meanwhile.
    """
    if delivery.tries <= len(RETRY_PAUSES) and not for_good:
        _note_outcome(delivery, outcome, try_at=timezone.now() + RETRY_PAUSES[delivery.tries - 1])
        return
    _note_outcome(delivery, outcome)
    deliveries = Delivery.objects.filter(webhook=delivery.webhook_id)
    if for_good or not deliveries.filter(done_at__gte=delivery.made_at).exists():
        reason = "The receiver says the address no longer exists."
        explanation = reason if for_good else f"Nothing was delivered for a day. {outcome}"
        stop_webhook(webhook=delivery.webhook, because=explanation)


def _note_outcome(
    delivery: Delivery,
    outcome: str,
    *,
    try_at: datetime | None = None,
    done_at: datetime | None = None,
) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(try_at=try_at, done_at=done_at, answer=outcome)


def delete_old_deliveries(*, now: datetime) -> int:
    """Delete the deliveries of more than a month ago; returns how many there were."""
    with across_clubs():
        deleted_count, _ = Delivery.objects.filter(made_at__lt=now - DELIVERIES_KEPT_FOR).delete()
    return deleted_count
