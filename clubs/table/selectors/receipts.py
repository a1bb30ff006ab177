"""The receipt of a hand: what was recorded, when, by whom, who agreed, what happened to it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from clubs.models import ReplacedLink
from clubs.models.accounts import is_ours
from clubs.table.rows import HandView, TableView
from scoring.scorebook.models import EntryKind, Hand
from scoring.scorebook.selectors import SealedHand, hand_row, sealed_hands

SAID: Final = {"not right": "disputed", "let it stand": "kept as entered"}
SENT_BY_TABLE: Final = re.compile(r"(?:round )?table \d+(?: seat (?P<seat>\d))?")


@dataclass(frozen=True, slots=True)
class Word:
    """A statement about the hand, by a player or by the scorer who confirmed it."""

    name: str
    said: str
    note: str
    at: datetime

    @property
    def words(self) -> str:
        """The statement in words: agreed, disputed or kept as entered."""
        return SAID.get(self.said, self.said)

    @property
    def is_right(self) -> bool:
        """Whether it was found right."""
        return self.said != "not right"


@dataclass(frozen=True, slots=True)
class Undoing:
    """Why the hand no longer counts; ``instead`` is the address of the replacement's receipt."""

    was_corrected: bool
    by: str
    at: datetime
    reason: str
    instead: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """A hand as recorded, with the names shown at the table.

    ``before`` is the receipt's address of the hand that it corrected, or empty.
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


@dataclass(frozen=True, slots=True)
class _Instead:
    """A hand's replacement, None if there is none, and whether it is a correction."""

    hand: int | None
    was_corrected: bool


def receipt_of(hand: Hand, table: TableView) -> Receipt:
    """The receipt of a hand of this table, current or not; five queries at most."""
    names, instead = table.names, None if hand.is_current else _instead(hand, table)
    keys = [key for key in (hand.pk, hand.replaces_id, instead and instead.hand) if key]
    seals = sealed_hands(keys)
    return Receipt(
        event=table.event,
        table=table.title,
        rules=hand.game.rules,
        hand=HandView(hand_row(hand), names),
        sealed=seals[hand.pk],
        sent_by=_who(hand.sent_by, table),
        words=tuple(sorted(_words(hand, table), key=lambda word: word.at)),
        before=seals[hand.replaces_id].address if hand.replaces_id else "",
        undone=_undoing(hand, table, instead, seals) if instead else None,
    )


def _words(hand: Hand, table: TableView) -> Iterator[Word]:
    """Everyone's last statement on the hand, and the scorer's decisions."""
    last = {agreement.seat: agreement for agreement in hand.agreements.order_by("pk")}
    for seat, agreement in last.items():
        said = "agreed" if agreement.agrees else "not right"
        yield Word(table.names[seat], said, agreement.note, agreement.said_at)
    for decision in hand.decisions.order_by("pk"):
        yield Word("The scorer", "let it stand", decision.reason, decision.made_at)


def _instead(hand: Hand, table: TableView) -> _Instead:
    corrected = Hand.objects.filter(replaces=hand).values_list("pk", flat=True).first()
    stands = (row.pk for row in table.game.hands if row.number == hand.number)
    return _Instead(corrected or next(stands, None), was_corrected=corrected is not None)


def _undoing(
    hand: Hand, table: TableView, instead: _Instead, seals: Mapping[int, SealedHand]
) -> Undoing:
    entry = hand.entries.filter(kind=EntryKind.REVERSAL).earliest("pk")
    return Undoing(
        was_corrected=instead.was_corrected,
        by=_who(entry.written_by, table),
        at=entry.written_at,
        reason=entry.reason,
        instead=seals[instead.hand].address if instead.hand else "",
    )


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
