"""What was said of a game's hands, what was decided, and which hands were taken back."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from scoring.scorebook.models import Agreement, Decision, EntryKind, Game, LedgerEntry
from scoring.scorebook.selectors import HandRow


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


def taken_back(hands: Collection[HandRow]) -> tuple[TakenBack, ...]:
    """When and by whom these of ``GameView.taken_back`` were; one query where there are any."""
    if not hands:
        return ()
    keys = [hand.pk for hand in hands]
    reversals = LedgerEntry.objects.filter(hand__in=keys, kind=EntryKind.REVERSAL)
    entered = {entry.hand_id: entry for entry in reversals}
    return tuple(_row(hand, entered[hand.pk]) for hand in hands)


def _row(hand: HandRow, entry: LedgerEntry) -> TakenBack:
    return TakenBack(hand, entry.written_by, entry.written_at)
