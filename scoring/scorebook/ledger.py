"""Posting to the ledger, and the totals per seat that follow from it."""

from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from scoring.scorebook.models import EntryKind, Hand, LedgerEntry, Seat


def post(hand: Hand) -> None:
    """One entry for each seat that played the hand; its totals go up."""
    _enter(hand, EntryKind.HAND, sign=1, written_by=hand.sent_by, reason="")
    for seat in _seats(hand):
        won = hand.winner == seat.number
        Seat.objects.filter(pk=seat.pk).update(
            points=F("points") + hand.gains[seat.number],
            hands=F("hands") + 1,
            mahjongs=F("mahjongs") + int(won),
            best_hand=Greatest(F("best_hand"), Value(hand.scores.get(seat.number, 0))),
        )


def reverse(hand: Hand, *, written_by: str, reason: str) -> None:
    """Entries that take the hand's gains back; the seats' totals are told anew from what stands."""
    _enter(hand, EntryKind.REVERSAL, sign=-1, written_by=written_by, reason=reason)
    for seat in _seats(hand):
        retell(seat)


def adjust(seat: Seat, *, points: int, written_by: str, reason: str) -> None:
    """One entry that belongs to no hand."""
    LedgerEntry.objects.create(
        seat=seat,
        kind=EntryKind.ADJUSTMENT,
        points=points,
        written_by=written_by,
        written_at=timezone.now(),
        reason=reason,
    )


def retell(seat: Seat) -> None:
    """Set a seat's totals to what its ledger and its game's current hands say."""
    for name, value in totals_of(seat).items():
        setattr(seat, name, value)
    seat.save(update_fields=["points", "hands", "mahjongs", "best_hand"])


def totals_of(seat: Seat) -> dict[str, int]:
    """A seat's totals, from the ledger and the current hands alone."""
    hands = [
        hand
        for hand in Hand.objects.filter(game_id=seat.game_id, is_current=True)
        if seat.number in hand.gains
    ]
    return {
        "points": sum(entry.points for entry in seat.ledger.all()),
        "hands": len(hands),
        "mahjongs": sum(hand.winner == seat.number for hand in hands),
        "best_hand": max((hand.scores.get(seat.number, 0) for hand in hands), default=0),
    }


def _seats(hand: Hand) -> list[Seat]:
    return list(Seat.objects.filter(game_id=hand.game_id, number__in=list(hand.gains)))


def _enter(hand: Hand, kind: EntryKind, *, sign: int, written_by: str, reason: str) -> None:
    now = timezone.now()
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            seat=seat,
            hand=hand,
            kind=kind,
            points=sign * hand.gains[seat.number],
            written_by=written_by,
            written_at=now,
            reason=reason,
        )
        for seat in _seats(hand)
    )
