"""What happens in a club is written down for the programs that are told: with what happened.

The rows are of the change's own transaction: nothing is told that did not happen, and nothing
that happened is forgotten. They name rows by number, and nobody by name.
"""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from clubs.core.queue import send
from clubs.models import Delivery, News, Webhook
from clubs.models.tenancy import within
from scoring.scorebook.prepared import Prepared


def _listening(club: int) -> QuerySet[Webhook]:
    with within(club):
        return Webhook.objects.filter(is_active=True).select_related("club")


_LISTENING = Prepared(_listening, int)


def tell(kind: News, *, club: int, at: tuple[Any, ...], **about: int) -> None:
    """Write down news for every program of the club (its key) that asked for this kind.

    ``at`` is where the API tells of it: the address's name and what it takes after the club;
    ``about`` names the rows. One query where nobody listens.
    """
    told = [one for one in _LISTENING(club) if kind.value in one.kinds]
    if told:
        _write(told, kind, at, about)


def tell_one(webhook: Webhook, kind: News, *, at: tuple[Any, ...]) -> Delivery:
    """Write down news for one program, whatever it asked for; returns what will be sent."""
    return _write([webhook], kind, at, {})[0]


def _write(
    told: list[Webhook], kind: News, at: tuple[Any, ...], about: dict[str, int]
) -> list[Delivery]:
    now = timezone.now()
    name, *rest = at
    slug = told[0].club.slug
    news = {
        "kind": kind.value,
        "at": now.isoformat(),
        "club": slug,
        "about": about,
        "address": settings.SITE_ADDRESS + reverse(name, args=[slug, *rest]),
    }
    rows = Delivery.objects.bulk_create(
        Delivery(webhook=one, kind=kind, payload={"id": str(uuid4()), **news}, try_at=now)
        for one in told
    )
    for row in rows:
        send("clubs.tasks.send_news", row.pk)
    return rows
