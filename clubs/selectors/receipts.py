"""The receipt of one hand: what was recorded, when and by whom, who agreed, what became of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from clubs.rows import HandView, TableView
from scoring.scorebook.links import SealedHand, address_of, sealed_hand
from scoring.scorebook.models import EntryKind, Hand
from scoring.scorebook.selectors import hand_row

SENT_BY_TABLE: Final = re.compile(r"(?:round )?table \d+(?: seat (?P<seat>\d))?")


@dataclass(frozen=True, slots=True)
class Word:
    """What somebody said of the hand: a player, or the scorer who let it stand."""

    name: str
    said: str
    note: str
    at: datetime

    @property
    def is_right(self) -> bool:
        """Whether it was found right."""
        return self.said != "not right"


@dataclass(frozen=True, slots=True)
class Undoing:
    """Why the hand counts no longer; ``instead`` is the receipt's address of what stands."""

    was_corrected: bool
    by: str
    at: datetime
    reason: str
    instead: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """One hand as it was recorded, with the names told at the table.

    ``before`` is the receipt's address of what it corrected; empty where it is no correction.
    """

    event: str
    table: str
    rules: str
    hand: HandView
    sealed: SealedHand
    sent_by: str
    words: tuple[Word, ...]
    before: str
    undone: Undoing | None


def receipt_of(hand: Hand, table: TableView) -> Receipt:
    """The receipt of a hand of this table, standing or not."""
    names = table.names
    return Receipt(
        event=table.event,
        table=table.title,
        rules=hand.game.rules,
        hand=HandView(hand_row(hand), names),
        sealed=sealed_hand(hand),
        sent_by=_who(hand.sent_by, table),
        words=tuple(sorted(_words(hand, table), key=lambda word: word.at)),
        before=address_of(hand.replaces) if hand.replaces else "",
        undone=None if hand.is_current else _undoing(hand, table),
    )


def _words(hand: Hand, table: TableView) -> Iterator[Word]:
    """Everybody's last word of the hand, and the scorer's decisions."""
    last = {one.seat: one for one in hand.agreements.order_by("pk")}
    for seat, one in last.items():
        said = "agreed" if one.agrees else "not right"
        yield Word(table.names[seat], said, one.note, one.said_at)
    for decision in hand.decisions.order_by("pk"):
        yield Word("The scorer", "let it stand", decision.reason, decision.made_at)


def _undoing(hand: Hand, table: TableView) -> Undoing:
    entry = hand.entries.filter(kind=EntryKind.REVERSAL).earliest("pk")
    corrected = Hand.objects.filter(replaces=hand).first()
    instead = corrected or hand.game.hands.filter(number=hand.number, is_current=True).first()
    return Undoing(
        was_corrected=corrected is not None,
        by=_who(entry.written_by, table),
        at=entry.written_at,
        reason=entry.reason,
        instead=address_of(instead) if instead else "",
    )


def _who(sent_by: str, table: TableView) -> str:
    """Whose phone or hand it was, in words: ``Margaret Hill’s phone``."""
    told = SENT_BY_TABLE.fullmatch(sent_by)
    if told is None:
        return "the scorer"
    return f"{table.names[int(told['seat'])]}’s phone" if told["seat"] else "the table’s phone"
