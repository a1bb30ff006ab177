"""Games from before there were books: what was written of them is sealed in its order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.apps.registry import Apps
from django.utils import timezone

from scoring.scorebook.sealing import Writing, next_link

AT_ONCE: Final = 500
KINDS: Final = {"hand": "hand", "reversal": "taken_back", "adjustment": "adjusted"}


def give_books(apps: Apps, *, events: Iterable[Any], games_of: str) -> None:
    """Every event of before gets a book, with all that was written of its games.

    ``games_of`` is the way from a game to its event. For migrations: the models are theirs.
    The seal says what was there at the upgrade; nobody can say more of the time before.
    """
    for event in events:
        event.book = apps.get_model("scorebook", "Book").objects.create()
        event.save(update_fields=["book"])
        games = apps.get_model("scorebook", "Game").objects.filter(**{games_of: event.pk})
        games.update(book=event.book)
        _seal(apps, event.book)


def _seal(apps: Apps, book: Any) -> None:
    links, now = apps.get_model("scorebook", "Link"), timezone.now()
    found = (next_link(book, told, at=now, links=links) for told in _writings(apps, book))
    links.objects.bulk_create(found, batch_size=AT_ONCE)
    book.save(update_fields=["length", "head"])


def _writings(apps: Apps, book: Any) -> Iterator[Writing]:
    """The ledger knows the order: each hand, each taking back, each penalty has its entries."""
    entries = apps.get_model("scorebook", "LedgerEntry").objects.filter(seat__game__book=book)
    written: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for entry in entries.select_related("seat__game", "hand__game").order_by("pk"):
        written[entry.kind, entry.hand_id or -entry.pk].append(entry)
    for (kind, _), rows in written.items():
        hand, seats = rows[0].hand, [entry.seat for entry in rows]
        if hand is None:
            yield Writing(KINDS[kind], (*rows, *seats), {"entry": rows[0]})
        elif kind == "hand":
            yield Writing(KINDS[kind], (hand, hand.game, *seats, *rows), {"hand": hand}, hand.state)
        else:
            yield Writing(KINDS[kind], tuple(rows), {"hand": hand}, hand.state)
