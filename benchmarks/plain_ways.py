"""Plain Django in place of what is written by hand: each by its name, while that is in force."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from django.db.backends.postgresql import base as postgresql

from clubs.api import base as api
from clubs.core import audit_log
from config.postgresql.base import DatabaseWrapper
from scoring.scorebook import ledger
from scoring.scorebook.models import Hand, Seat
from scoring.scorebook.prepared import Prepared

AS_IT_IS: Final = "as it is"
AGAIN: Final = "as it is, again"
QUERIES: Final = "queries compiled each time"
TOTALS: Final = "totals read, saved four times"
TOTALS_AT_ONCE: Final = "totals read, `bulk_update`"
NOTED_FIRST: Final = "line written first, statements not watched"
NOT_NOTED: Final = "no line written"
USABLE: Final = "connection asked `SELECT 1`"

# What is plain in each way, for each kind of request.
SAVING: Final = {
    AS_IT_IS: {""},
    QUERIES: {QUERIES},
    TOTALS: {TOTALS},
    TOTALS_AT_ONCE: {TOTALS_AT_ONCE},
    AGAIN: {""},
}
WRITING_DOWN: Final = {
    AS_IT_IS: {""},
    NOTED_FIRST: {NOTED_FIRST},
    NOT_NOTED: {NOT_NOTED},
    AGAIN: {""},
}
POLLING: Final = {AS_IT_IS: {""}, QUERIES: {QUERIES}, USABLE: {USABLE}, AGAIN: {""}}

in_force: set[str] = set()


def install() -> None:
    """From now on each is done plainly while its name is in force; the look costs all alike."""
    for name, owner, attribute, plainly in (
        (QUERIES, Prepared, "__call__", _ask),
        (TOTALS, ledger, "_raise_totals", _raise_one_by_one),
        (TOTALS_AT_ONCE, ledger, "_raise_totals", _raise_at_once),
        (NOTED_FIRST, api, "written_down", _noted_first),
        (NOT_NOTED, api, "written_down", lambda _: nullcontext()),
        (USABLE, DatabaseWrapper, "is_usable", postgresql.DatabaseWrapper.is_usable),
    ):
        setattr(owner, attribute, _switched(name, plainly, getattr(owner, attribute)))


def _switched(name: str, plainly: Any, usual: Any) -> Any:
    def chosen(*rows: Any, **named: Any) -> Any:
        return plainly(*rows, **named) if name in in_force else usual(*rows, **named)

    return chosen


def _ask(query: Prepared[Any], *values: Any) -> list[Any]:
    return list(query._draw(*values))


def _raise_one_by_one(hand: Hand) -> list[Seat]:
    seats = _raised(hand)
    for seat in seats:
        seat.save(update_fields=ledger.TOTALS)
    return seats


def _raise_at_once(hand: Hand) -> list[Seat]:
    seats = _raised(hand)
    Seat.objects.bulk_update(seats, ledger.TOTALS)
    return seats


def _raised(hand: Hand) -> list[Seat]:
    gains, made = hand.gains, hand.made
    played = Seat.objects.filter(game_id=hand.game_id, number__in=list(gains))
    seats = list(played.order_by("number"))
    for seat in seats:
        seat.points += gains[seat.number]
        seat.hands += 1
        seat.mahjongs += hand.winner == seat.number
        seat.best_hand = max(seat.best_hand, made.get(seat.number, 0))
    return seats


@contextmanager
def _noted_first(doing: audit_log.Doing) -> Iterator[None]:
    audit_log._write(doing)
    yield
