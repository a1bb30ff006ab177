"""Repairs for the score book's tests: mistakes, done and undone, and all a game is told by."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Game, Hand, Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.verifying import recount, verify_book

SEATS, FIGURES, WINNER, SHEETS = RepairKind


def put_right(mistake: Mistake, *, reason: str = "Seen on the paper", **more: Any) -> Repair:
    return services.repair(
        mistake=mistake, words="what was done", reason=reason, made_by="user 7", **more
    ).repair


def nothing_differs(game: Game) -> bool:
    """Whether every hand recounts, every total adds up and the book is as it was sealed."""
    return recount().differences == () and verify_book(game.book_id or 0).findings == ()


def undo(repair: Repair) -> None:
    services.undo_repair(repair_id=repair.pk, undone_by="user 8")


def seats_mixed(game: Game, first: int, one: int, other: int, **more: Any) -> Mistake:
    return Mistake(kind=SEATS, game_id=game.pk, first=first, seats=(one, other), **more)


def current(game: Game) -> list[Hand]:
    return list(game.hands.filter(is_current=True).order_by("number"))


def winds(game: Game) -> list[str]:
    """Each hand's winds in the order of the seats, a dash for who sits out."""
    return [
        "".join(hand.deal["winds"].get(str(seat), "-") for seat in range(1, game.size + 1))
        for hand in current(game)
    ]


def standing(game: Game) -> list[tuple[Any, ...]]:
    """Everything about the current hands that a game is told by, and the totals."""
    hands = [
        (hand.number, hand.report, hand.deal, hand.gains, hand.scores) for hand in current(game)
    ]
    return [*hands, tuple(game.seats.values_list("points", "hands", "mahjongs", "best_hand"))]


def refusals(act: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        act()
    return [(found.where, found.sentence) for found in refused.value.problems]


def two_tables() -> tuple[Game, Game]:
    """Two tables of one event."""
    one, other = services.open_games(rules="bmja", sizes=[4, 4], book=services.open_book())
    return one[0].game, other[0].game


def sheets(one: Game, other: Game, first: int = 1) -> Mistake:
    return Mistake(kind=SHEETS, game_id=one.pk, other_id=other.pk, first=first)
