"""Stops a webhook that no longer answers, and emails the secretaries."""

from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse

from clubs.accounts.selectors import secretaries_of
from clubs.core.audit_log import note
from clubs.models import Club, Webhook

US: Final = "Tongbox"


def stop_webhook(*, webhook: Webhook, because: str) -> None:
    """Stop it, once: an entry in the activity log, and an email to each secretary."""
    with transaction.atomic():
        running = Webhook.objects.filter(pk=webhook.pk, is_active=True)
        if not running.update(is_active=False, stopped_because=because):
            return
        note(club=webhook.club_id, what="webhook-stopped", by=US)
    _write_to_secretaries(webhook, because)


def _write_to_secretaries(webhook: Webhook, because: str) -> None:
    """Nothing waits for it: without a mail server the page says the same."""
    club = Club.objects.get(pk=webhook.club_id)
    page = settings.SITE_ADDRESS + reverse("webhooks", args=[club.slug])
    for address in secretaries_of(club).values_list("email", flat=True):
        send_mail(
            f"{club.name}: a webhook has stopped",
            f"{webhook.address} no longer receives events from {club.name}.\n"
            f"{because}\n\nLater events are held. To restart or delete the webhook:\n{page}\n",
            None,
            [address],
            fail_silently=True,
        )
