"""The programs that a club tells, each with what it was told last."""

from dataclasses import dataclass

from clubs.models import Club, Delivery, News, Webhook

LAST = 10


@dataclass(frozen=True, slots=True)
class Told:
    """A program, the kinds of news in words, and the last that it was sent."""

    webhook: Webhook
    kinds: tuple[str, ...]
    last: tuple[Delivery, ...]


def webhooks_of(club: Club) -> list[Told]:
    """Every program of the club; a query, and one for each of them (twenty at most)."""
    return [
        Told(
            webhook=webhook,
            kinds=tuple(News(kind).label for kind in webhook.kinds),
            last=tuple(webhook.deliveries.all()[:LAST]),
        )
        for webhook in club.webhooks.all()
    ]
