"""Posting to the ledger, and the totals per seat that follow from it."""

from itertools import chain as joined

from django.db import connection
from django.db.models import F
from django.utils import timezone

from scoring.scorebook import chain
from scoring.scorebook.models import EntryKind, Hand, LedgerEntry, Seat

TOTALS = ["points", "hands", "mahjongs", "best_hand"]

# A row of told: the seat's number, its gain, whether it went Mah-Jong, and its score if it did.
# Read and saved row by row, a hand takes a sixth longer: docs/decisions/0022-what-raw-sql-earns.md
RAISE_TOTALS = """
UPDATE scorebook_seat AS seat SET
    points = points + told.column2, hands = hands + 1, mahjongs = mahjongs + told.column3,
    best_hand = CASE WHEN told.column4 > best_hand THEN told.column4 ELSE best_hand END
FROM (VALUES {rows}) AS told
WHERE game_id = %s AND number = told.column1
RETURNING number, id
"""


def post(hand: Hand) -> None:
    """One entry for each seat that played the hand; its totals go up. The game must be locked."""
    seats = _raise_totals(hand)
    entries = _enter(hand, seats, EntryKind.HAND, sign=1, written_by=hand.sent_by, reason="")
    chain.hand_recorded(hand, seats, entries)


def reverse(hand: Hand, *, written_by: str, reason: str) -> None:
    """Entries that take the hand's gains back; the seats' totals are told anew from what stands."""
    seats = _seats(hand)
    entries = _enter(hand, seats, EntryKind.REVERSAL, sign=-1, written_by=written_by, reason=reason)
    for seat in seats:
        retell(seat)
    chain.hand_taken_back(hand, entries)


def adjust(seat: Seat, *, points: int, written_by: str, reason: str) -> None:
    """One entry that belongs to no hand; the seat's points follow. The game must be locked."""
    entry = LedgerEntry.objects.create(
        seat=seat,
        kind=EntryKind.ADJUSTMENT,
        points=points,
        written_by=written_by,
        written_at=timezone.now(),
        reason=reason,
    )
    Seat.objects.filter(pk=seat.pk).update(points=F("points") + points)
    chain.adjusted(entry, seat=seat)


def retell(seat: Seat) -> None:
    """Set a seat's totals to what its ledger and its game's current hands say."""
    for name, value in totals_of(seat).items():
        setattr(seat, name, value)
    seat.save(update_fields=TOTALS)


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
        "best_hand": max((hand.made.get(seat.number, 0) for hand in hands), default=0),
    }


def points_of_hands(seat: Seat) -> int:
    """What the seat's entries for hands, and those taken back, add up to."""
    entries = seat.ledger.exclude(kind=EntryKind.ADJUSTMENT)
    return sum(entries.values_list("points", flat=True))


def _seats(hand: Hand) -> list[Seat]:
    return list(Seat.objects.filter(game_id=hand.game_id, number__in=list(hand.gains)))


def _raise_totals(hand: Hand) -> list[Seat]:
    """The seats that played the hand, without their totals, which now have it in them."""
    gains, made = hand.gains, hand.made
    told = [
        (number, gain, int(hand.winner == number), made.get(number, 0))
        for number, gain in gains.items()
    ]
    rows = ", ".join(["(%s, %s, %s, %s)"] * len(told))
    with connection.cursor() as cursor:
        cursor.execute(RAISE_TOTALS.format(rows=rows), [*joined.from_iterable(told), hand.game_id])
        return [
            Seat(pk=key, game_id=hand.game_id, number=number)
            for number, key in sorted(cursor.fetchall())
        ]


def _enter(
    hand: Hand, seats: list[Seat], kind: EntryKind, *, sign: int, written_by: str, reason: str
) -> list[LedgerEntry]:
    now, gains = timezone.now(), hand.gains
    return LedgerEntry.objects.bulk_create(
        LedgerEntry(
            seat=seat,
            hand=hand,
            kind=kind,
            points=sign * gains[seat.number],
            written_by=written_by,
            written_at=now,
            reason=reason,
        )
        for seat in seats
    )
