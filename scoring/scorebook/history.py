"""What was said of a game's hands, what was decided, and which hands were taken back."""

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from scoring.scorebook.ledger import CODE_DIGITS, short_code
from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    EntryKind,
    Game,
    Hand,
    LedgerEntry,
    Link,
    LinkKind,
)
from scoring.scorebook.selectors import HandRow


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A hand that was taken out of the book, nothing put in its place: by whom and when."""

    hand: HandRow
    taken_by: str
    taken_at: datetime


def said_of(game: Game) -> dict[int, list[Agreement]]:
    """What the seats said of the current hands, by the hand's key, oldest first; one query."""
    by_hand: dict[int, list[Agreement]] = defaultdict(list)
    for agreement in Agreement.objects.filter(hand__game=game, hand__is_current=True):
        by_hand[agreement.hand_id].append(agreement)
    return by_hand


def decisions_of(game: Game) -> dict[int, Decision]:
    """The scorer's last decision on each current hand, by the hand's key; one query."""
    decided = Decision.objects.filter(hand__game=game, hand__is_current=True)
    return {decision.hand_id: decision for decision in decided}


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


ADDRESS_DIGITS: Final = 32
_HEX: Final = re.compile(r"[0-9a-f]+")
_AFTER_ANY_DIGIT: Final = "g"


@dataclass(frozen=True, slots=True)
class SealedHand:
    """A hand's link: its number, its printed code, its receipt's address, when it was sealed."""

    number: int
    code: str
    address: str
    sealed_at: datetime


def head_code(book: Book | None) -> str:
    """What proves everything in a book so far: ``3F9A 22C1 7B04 E5D8``; empty before a hand."""
    return short_code(book.head) if book and book.head else ""


def sealed_words(book: Book | None) -> str:
    """For the foot of a printout: `` · verification code 3F9A 22C1 7B04 E5D8``, or nothing."""
    code = head_code(book)
    return f" · verification code {code}" if code else ""


def sealed_hands(keys: Collection[int]) -> dict[int, SealedHand]:
    """The links that recorded these hands, by the hands' keys; one query."""
    links = Link.objects.filter(hand__in=keys, kind=LinkKind.HAND)
    return {
        hand: SealedHand(number, short_code(digest), digest[:ADDRESS_DIGITS], written_at)
        for hand, number, digest, written_at in links.values_list(
            "hand_id", "number", "digest", "written_at"
        )
        if hand is not None
    }


def address_of(hand: Hand) -> str:
    """What the hand's receipt is found by: nobody guesses it, and a printed code is too short."""
    return sealed_hands([hand.pk])[hand.pk].address


def addresses_in(game: Game) -> dict[int, str]:
    """The same for every hand of a game, by the hands' keys; one query."""
    links = Link.objects.filter(hand__game=game, kind=LinkKind.HAND)
    return {
        hand: digest[:ADDRESS_DIGITS]
        for hand, digest in links.values_list("hand_id", "digest")
        if hand is not None
    }


def hand_at(address: str) -> Hand | None:
    """The hand whose receipt has the address, standing or not."""
    if len(address) != ADDRESS_DIGITS:
        return None
    link = _beginning_with(address, kind=LinkKind.HAND)
    return link.hand if link else None


def link_with_code(code: str) -> Link | None:
    """The link of a printed code, however it was typed; at least its sixteen digits."""
    digits = re.sub(r"[\s-]", "", code).lower()
    return _beginning_with(digits) if len(digits) >= CODE_DIGITS else None


def _beginning_with(digits: str, **where: str) -> Link | None:
    if not _HEX.fullmatch(digits):
        return None
    links = Link.objects.select_related("book", "hand__game").filter(**where)
    return links.filter(digest__gte=digits, digest__lt=digits + _AFTER_ANY_DIGIT).first()
