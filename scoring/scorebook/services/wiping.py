"""A whole book taken away with everything that was written in it."""

from collections.abc import Sequence

from django.db import transaction

from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    Game,
    Hand,
    LedgerEntry,
    Link,
    Repair,
    RepairedGame,
    Seat,
)
from scoring.scorebook.services.games import lock_games


@transaction.atomic
def remove_books(book_ids: Sequence[int]) -> None:
    """Games, hands, ledger, what was said, and the chain itself: nothing of these books is left.

    For what never counted: whoever calls it has made sure of that, and has taken away what its
    own app keeps of the games. A row is deleted whole, never edited.
    """
    games = Game.objects.filter(book__in=book_ids)
    lock_games(games)
    Link.objects.filter(book__in=book_ids).delete()
    _remove_repairs(list(games.values_list("pk", flat=True)))
    for said in (Agreement, Decision):
        said.objects.filter(hand__game__in=games).delete()
    LedgerEntry.objects.filter(seat__game__in=games).delete()
    hands = Hand.objects.filter(game__in=games)
    hands.update(replaces=None)
    hands.delete()
    Seat.objects.filter(game__in=games).delete()
    games.delete()
    Book.objects.filter(pk__in=book_ids).delete()


def _remove_repairs(game_ids: Sequence[int]) -> None:
    parts = RepairedGame.objects.filter(game__in=game_ids)
    repairs = list(parts.values_list("repair_id", flat=True))
    parts.delete()
    Repair.objects.filter(pk__in=repairs, games=None).delete()
