"""A hand goes out of the book or comes into it; nothing that was written is ever lost."""

from scoring.scorebook import ledger
from scoring.scorebook.models import Hand


def take_out(hand: Hand, *, written_by: str, reason: str) -> None:
    """The hand stands no longer and its gains are taken back. The game must be locked."""
    Hand.objects.filter(pk=hand.pk).update(is_current=False)
    hand.is_current = False
    ledger.reverse(hand, written_by=written_by, reason=reason)


def put_in(hand: Hand) -> None:
    """A hand that was made and checked is stored and posted. The game must be locked."""
    hand.save()
    ledger.post(hand)
