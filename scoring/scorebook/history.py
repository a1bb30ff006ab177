"""What was said of a game's hands, what was decided, and which hands were taken back."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from scoring.scorebook.models import Agreement, Decision, EntryKind, Game, Hand, LedgerEntry
from scoring.scorebook.selectors import HandRow, hand_row


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A hand that was taken out of the book, nothing put in its place: by whom and when."""

    hand: HandRow
    taken_by: str
    taken_at: datetime


def said_of(game: Game) -> dict[int, list[Agreement]]:
    """What the seats said of the current hands, by the hand's key, oldest first; one query."""
    found: dict[int, list[Agreement]] = defaultdict(list)
    for one in Agreement.objects.filter(hand__game=game, hand__is_current=True):
        found[one.hand_id].append(one)
    return found


def decisions_of(game: Game) -> dict[int, Decision]:
    """The scorer's last decision on each current hand, by the hand's key; one query."""
    decided = Decision.objects.filter(hand__game=game, hand__is_current=True)
    return {one.hand_id: one for one in decided}


def taken_back(game: Game) -> tuple[TakenBack, ...]:
    """The hands that were taken back, the oldest first; one query, two where there are any."""
    gone = {
        hand.pk: hand
        for hand in game.hands.filter(is_current=False, replaced_by=None).order_by("pk")
    }
    if not gone:
        return ()
    reversals = LedgerEntry.objects.filter(hand__in=gone, kind=EntryKind.REVERSAL)
    entered = {entry.hand_id: entry for entry in reversals}
    return tuple(_row(hand, entered[key]) for key, hand in gone.items())


def _row(hand: Hand, entry: LedgerEntry) -> TakenBack:
    return TakenBack(hand_row(hand), entry.written_by, entry.written_at)
