"""The receipt of a hand: what was recorded, when, by whom, who agreed, what happened to it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from clubs.models import ReplacedLink
from clubs.models.accounts import is_ours
from clubs.table.rows import HandView, TableView
from scoring.scorebook.models import EntryKind, Hand
from scoring.scorebook.selectors import SealedHand, hand_row, sealed_hands

SAID: Final = {"not right": "disputed", "let it stand": "kept as entered"}
SENT_BY_TABLE: Final = re.compile(r"(?:round )?table \d+(?: seat (?P<seat>\d))?")


@dataclass(frozen=True, slots=True)
class Word:
    """What someone said about the hand."""

    name: str
    said: Annotated[str, "agreed, disputed, or kept as entered"]
    note: str
    at: datetime

    @property
    def words(self) -> str:
        return SAID.get(self.said, self.said)


@dataclass(frozen=True, slots=True)
class Undoing:
    """Why the hand no longer counts."""

    was_corrected: Annotated[bool, "false: undone"]
    by: str
    at: datetime
    reason: str
    instead: Annotated[str, "the receipt of the hand that counts"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was recorded, by whom and when, who agreed, and what happened to it.

    ``before`` and ``instead`` of ``undone`` are addresses, or empty.
    """

    event: str
    table: str
    rules: str
    hand: HandView
    sealed: SealedHand
    sent_by: str
    words: tuple[Word, ...]
    before: Annotated[str, "the receipt of what this one corrected"]
    undone: Undoing | None


def receipt_of(hand: Hand, table: TableView) -> Receipt:
    """The receipt of a hand of this table, current or not; five queries at most."""
    corrected = instead = None
    if not hand.is_current:
        corrected = Hand.objects.filter(replaces=hand).values_list("pk", flat=True).first()
        stands = (row.pk for row in table.game.hands if row.number == hand.number)
        instead = corrected or next(stands, None)
    seals = sealed_hands([key for key in (hand.pk, hand.replaces_id, instead) if key])
    undone = None
    if not hand.is_current:
        entry = hand.entries.filter(kind=EntryKind.REVERSAL).earliest("pk")
        undone = Undoing(
            was_corrected=corrected is not None,
            by=_who(entry.written_by, table),
            at=entry.written_at,
            reason=entry.reason,
            instead=seals[instead].address if instead else "",
        )
    return Receipt(
        event=table.event,
        table=table.title,
        rules=hand.game.rules,
        hand=HandView(hand_row(hand), table.names),
        sealed=seals[hand.pk],
        sent_by=_who(hand.sent_by, table),
        words=tuple(sorted(_words(hand, table), key=lambda word: word.at)),
        before=seals[hand.replaces_id].address if hand.replaces_id else "",
        undone=undone,
    )


def _words(hand: Hand, table: TableView) -> Iterator[Word]:
    """Everyone's last statement on the hand, and the scorer's decisions."""
    last = {agreement.seat: agreement for agreement in hand.agreements.order_by("pk")}
    for seat, agreement in last.items():
        said = "agreed" if agreement.agrees else "not right"
        yield Word(table.names[seat], said, agreement.note, agreement.said_at)
    for decision in hand.decisions.order_by("pk"):
        yield Word("The scorer", "let it stand", decision.reason, decision.made_at)


def _who(sent_by: str, table: TableView) -> str:
    """Who sent it, in words: ``Margaret Hill’s phone``."""
    match = SENT_BY_TABLE.fullmatch(sent_by)
    if match is None:
        return "the scorer"
    return f"{table.names[int(match['seat'])]}’s phone" if match["seat"] else "the table’s phone"


def is_replaced(key: str) -> bool:
    """Whether the key once opened a table; a forged one needs no query."""
    return is_ours(key) and ReplacedLink.objects.filter(key=key).exists()


def was_link_of(old: str, key: str) -> bool:
    """Whether the old key opened the table that the key opens now."""
    return is_ours(old) and ReplacedLink.objects.filter(key=old, stands=key).exists()
