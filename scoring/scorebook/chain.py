"""Every writing in an event's games becomes a link of the event's book, sealed over the last.

Locks are taken in one order: games, then their book, then the event. Each call costs three
statements, however many rows are written.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from django.utils import timezone

from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    Game,
    Hand,
    LedgerEntry,
    Link,
    LinkKind,
    Repair,
    Seat,
)
from scoring.scorebook.prepared import Prepared
from scoring.scorebook.sealing import Writing, next_link

_LOCKED = Prepared(lambda key: Book.objects.select_for_update(no_key=True).filter(pk=key), int)


def hand_recorded(hand: Hand, seats: Iterable[Seat], entries: Iterable[LedgerEntry]) -> None:
    """A hand came into the book, with the state it has now; seals its game's terms too."""
    rows = (hand, hand.game, *seats, *entries)
    _add(hand.game, Writing(LinkKind.HAND, rows, {"hand": hand}, hand.state))


def hand_taken_back(hand: Hand, entries: Iterable[LedgerEntry]) -> None:
    """A hand no longer stands; its row stays, not current any more."""
    _add(hand.game, Writing(LinkKind.TAKEN_BACK, tuple(entries), {"hand": hand}, hand.state))


def said(hand: Hand, agreements: Sequence[Agreement]) -> None:
    """Seats said what they think of the hand, whose state has moved already if it does."""
    writings = [
        Writing(LinkKind.SAID, (one,), {"hand": hand, "agreement": one}, hand.state)
        for one in agreements
    ]
    if writings:
        _add(hand.game, *writings)


def decided(hand: Hand, decision: Decision) -> None:
    """The scorer let the hand stand; its state has moved already."""
    about = {"hand": hand, "decision": decision}
    _add(hand.game, Writing(LinkKind.DECIDED, (decision,), about, hand.state))


def adjusted(entry: LedgerEntry, *, seat: Seat) -> None:
    """A penalty or bonus was entered."""
    _add(seat.game, Writing(LinkKind.ADJUSTED, (entry, seat), {"entry": entry}))


def repaired(repair: Repair, games: Sequence[Game]) -> None:
    """Several hands were put right; comes after all that it wrote. The games are of one event."""
    _add(games[0], _of_repair(LinkKind.REPAIRED, repair, games))


def undone(repair: Repair, games: Sequence[Game]) -> None:
    """A repair was taken back; comes after all that this wrote, ``undone_at`` included."""
    _add(games[0], _of_repair(LinkKind.UNDONE, repair, games))


def lock_book(game: Game) -> Book:
    """The book of a game's event, locked; to be done after the game and before the event."""
    return _LOCKED(cast(int, game.book_id))[0]  # every game has a book by now


def _of_repair(kind: LinkKind, repair: Repair, games: Sequence[Game]) -> Writing:
    fresh = Game.objects.filter(pk__in=[game.pk for game in games])
    return Writing(kind, (repair, *repair.games.all(), *fresh), {"repair": repair})


def _add(game: Game, *writings: Writing) -> None:
    book, now = lock_book(game), timezone.now()
    Link.objects.bulk_create([next_link(book, writing, at=now) for writing in writings])
    Book.objects.filter(pk=book.pk).update(length=book.length, head=book.head)
