"""Games, their seats and hands, and the ledger of every gain: added to, never edited."""

from scoring.scorebook.models.entries import (
    EntryKind,
    LedgerEntry,
    Link,
    LinkKind,
    Repair,
    RepairedGame,
    RepairKind,
)
from scoring.scorebook.models.games import (
    SEAT_NUMBERS,
    AgreementPolicy,
    Book,
    Edition,
    Game,
    Recording,
    Seat,
)
from scoring.scorebook.models.hands import (
    Agreement,
    Decision,
    Hand,
    HandState,
    TappedHand,
    went_out_for,
)

__all__ = [
    "SEAT_NUMBERS",
    "Agreement",
    "AgreementPolicy",
    "Book",
    "Decision",
    "Edition",
    "EntryKind",
    "Game",
    "Hand",
    "HandState",
    "LedgerEntry",
    "Link",
    "LinkKind",
    "Recording",
    "Repair",
    "RepairKind",
    "RepairedGame",
    "Seat",
    "TappedHand",
    "went_out_for",
]
