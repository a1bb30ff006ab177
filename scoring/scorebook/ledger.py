"""The chained ledger of a book: its entries, totals and seals, and who locks what before it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import chain as joined
from typing import Any, Final, cast
from uuid import UUID

from django.db import connection
from django.db.models import F, Field, Model, QuerySet
from django.utils import timezone

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
    Repair,
    Seat,
)
from scoring.scorebook.prepared import PreparedChange, PreparedInsert, PreparedQuery, update_query
from scoring.scorebook.refusals import refuse

VERSION: Final = "tongbox 1"
CODE_DIGITS: Final = 16

# Columns that go on moving after their row was sealed, and what tells them instead.
UNSEALED_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "hand": frozenset({"is_current", "state"}),  # the links of the hand, one after another
    "seat": frozenset({"points", "hands", "mahjongs", "best_hand"}),  # ledger and current hands
    # How the event is run: nothing is won by it; and what the deals of its hands tell.
    "game": frozenset({"closed_at", "agreement", "first_dealer", "continues_id", "opening"}),
}

RowsByTable = Mapping[str, list[dict[str, Any]]]

_LOCK_GAME = PreparedQuery(
    lambda key: Game.objects.select_for_update(no_key=True).filter(pk=key), int
)
_LOCK_BOOK = PreparedQuery(
    lambda key: Book.objects.select_for_update(no_key=True).filter(pk=key), int
)
_UPDATE_BOOK_HEAD = PreparedChange(
    lambda key, length, head: update_query(Book.objects.filter(pk=key), length=length, head=head),
    int,
    int,
    str,
)
_STORE_LINKS, _STORE_ENTRIES = PreparedInsert(Link), PreparedInsert(LedgerEntry)
TOTAL_FIELDS = ["points", "hands", "mahjongs", "best_hand"]

# A row of told: the seat's number, its gain, whether it went Mah-Jong, and its score if it did.
# Read and saved row by row, a hand takes a sixth longer: docs/decisions/0022-what-raw-sql-earns.md
RAISE_TOTALS_SQL = """
UPDATE scorebook_seat AS seat SET
    points = points + told.column2, hands = hands + 1, mahjongs = mahjongs + told.column3,
    best_hand = CASE WHEN told.column4 > best_hand THEN told.column4 ELSE best_hand END
FROM (VALUES {rows}) AS told
WHERE game_id = %s AND number = told.column1
RETURNING number, id
"""


@dataclass(frozen=True, slots=True)
class Writing:
    """One thing that was written: its kind, the rows it consists of, what it is about.

    ``subjects`` are the columns of its link: the hand, agreement, decision, entry or repair.
    ``state`` is the hand's afterwards; empty where it is about no hand.
    """

    kind: str
    rows: tuple[Model, ...]
    subjects: Mapping[str, Model]
    state: str = ""


@cache
def sealed_fields(model: type[Model]) -> list["Field[Any, Any]"]:
    """The columns of a table that a link seals: all but those in ``UNSEALED_COLUMNS``."""
    left_out = UNSEALED_COLUMNS.get(str(model._meta.model_name), frozenset())
    return [field for field in model._meta.concrete_fields if field.attname not in left_out]


def row_content(row: Model) -> dict[str, Any]:
    """A row as plain data, the same whether it was just made or is read from any database."""
    return {
        field.attname: plain_value(field.to_python(getattr(row, field.attname)))
        for field in sealed_fields(type(row))
    }


def plain_value(value: Any) -> Any:
    """A column's value as JSON has it."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, dict | list | tuple):
        return json.loads(json.dumps(value))
    return value


def rows_by_table(rows: Iterable[Model]) -> RowsByTable:
    """The contents of rows under the names of their tables, in the order of their keys."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row.pk):
        tables.setdefault(str(row._meta.model_name), []).append(row_content(row))
    return tables


def next_link(book: Book, writing: Writing, *, written_at: datetime) -> Link:
    """The link that seals a writing over the book's head (unsaved); book and head move on."""
    subject_keys = {name: row.pk for name, row in writing.subjects.items()}
    text = canonical_json(
        {
            "as": VERSION,
            "book": book.pk,
            "number": book.length + 1,
            "before": book.head,
            "kind": str(writing.kind),
            "about": subject_keys,
            "state": str(writing.state),
            "written_at": plain_value(written_at),
            "rows": rows_by_table(writing.rows),
        }
    )
    book.length += 1
    book.head = sha256_digest(text)
    return Link(
        book_id=book.pk,
        number=book.length,
        kind=writing.kind,
        state=writing.state,
        sealed=text,
        digest=book.head,
        written_at=written_at,
        **{f"{name}_id": key for name, key in subject_keys.items()},
    )


def canonical_json(data: Any) -> str:
    """Data as text, one way to write it: sorted keys, nothing between, ASCII alone."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def sha256_digest(text: str) -> str:
    """SHA-256 in hexadecimal digits."""
    return sha256(text.encode()).hexdigest()


def short_code(digest: str) -> str:
    """The first sixteen digits in words of four, to be printed: ``3F9A 22C1 7B04 E5D8``."""
    digits = digest[:CODE_DIGITS].upper()
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def lock_games(games: QuerySet[Game]) -> None:
    """Lock them in one order, before whatever event they belong to: so nobody waits in a ring."""
    list(games.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))


def lock_game(game_id: int) -> Game:
    """The game's row, locked until the transaction ends (SQLite locks the whole file).

    Refused where the seating was taken away in the meantime.
    """
    game = _LOCK_GAME.first(game_id)
    if game is None:
        message = "This table has been removed or reseated. Ask the organiser for the new card."
        raise refuse("no_game", message)
    return game


def lock_with_later_games(game_id: int) -> Game:
    """The game, and those that carry it on one after another: a correction may move their winds."""
    game = lock_game(game_id)
    if game.is_closed:
        lock_games(Game.objects.filter(pk__in=later_game_ids(game_id)))
    return game


def later_game_ids(game_id: int) -> list[int]:
    """The keys of the games that carry this one on, in their order; a query for each, and one."""
    keys: list[int] = []
    last: int | None = game_id
    while last := Game.objects.filter(continues=last).values_list("pk", flat=True).first():
        keys.append(last)
    return keys


def lock_book(game: Game) -> Book:
    """The book of a game's event, locked; to be done after the game and before the event."""
    return _LOCK_BOOK(cast(int, game.book_id))[0]  # every game has a book by now


def seal_hand(hand: Hand, seats: Iterable[Seat], entries: Iterable[LedgerEntry]) -> None:
    """A hand came into the book, with the state it has now; seals its game's terms too."""
    rows = (hand, hand.game, *seats, *entries)
    _append(hand.game, Writing(LinkKind.HAND, rows, {"hand": hand}, hand.state))


def seal_agreements(hand: Hand, agreements: Sequence[Agreement]) -> None:
    """Seats said what they think of the hand, whose state has moved already if it does."""
    writings = [
        Writing(LinkKind.SAID, (agreement,), {"hand": hand, "agreement": agreement}, hand.state)
        for agreement in agreements
    ]
    if writings:
        _append(hand.game, *writings)


def seal_decision(hand: Hand, decision: Decision) -> None:
    """The scorer let the hand stand; its state has moved already."""
    subjects = {"hand": hand, "decision": decision}
    _append(hand.game, Writing(LinkKind.DECIDED, (decision,), subjects, hand.state))


def seal_repair(kind: LinkKind, repair: Repair, games: Sequence[Game]) -> None:
    """Hands of one event were put right, or this was taken back; comes after all that it wrote."""
    fresh = Game.objects.filter(pk__in=[game.pk for game in games])
    _append(games[0], Writing(kind, (repair, *repair.games.all(), *fresh), {"repair": repair}))


def _append(game: Game, *writings: Writing) -> None:
    book, now = lock_book(game), timezone.now()
    _STORE_LINKS([next_link(book, writing, written_at=now) for writing in writings])
    _UPDATE_BOOK_HEAD(book.pk, book.length, book.head)


def post_hand(hand: Hand) -> None:
    """One entry for each seat that played the hand; its totals go up. The game must be locked."""
    gains, mahjong_scores = hand.gains, hand.winner_scores
    raises = [
        (number, gain, int(hand.winner == number), mahjong_scores.get(number, 0))
        for number, gain in gains.items()
    ]
    rows = ", ".join(["(%s, %s, %s, %s)"] * len(raises))
    with connection.cursor() as cursor:
        cursor.execute(
            RAISE_TOTALS_SQL.format(rows=rows), [*joined.from_iterable(raises), hand.game_id]
        )
        # Without their totals, which only the database has now.
        seats = [
            Seat(pk=key, game_id=hand.game_id, number=number)
            for number, key in sorted(cursor.fetchall())
        ]
    entries = _create_entries(
        hand, seats, EntryKind.HAND, sign=1, written_by=hand.sent_by, reason=""
    )
    seal_hand(hand, seats, entries)


def reverse_hand(hand: Hand, *, written_by: str, reason: str) -> None:
    """Entries that take the hand's gains back; the seats' totals are told anew from what stands."""
    seats = list(Seat.objects.filter(game_id=hand.game_id, number__in=list(hand.gains)))
    entries = _create_entries(
        hand, seats, EntryKind.REVERSAL, sign=-1, written_by=written_by, reason=reason
    )
    for seat in seats:
        recount_totals(seat)
    _append(hand.game, Writing(LinkKind.TAKEN_BACK, tuple(entries), {"hand": hand}, hand.state))


def post_adjustment(seat: Seat, *, points: int, written_by: str, reason: str) -> None:
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
    _append(seat.game, Writing(LinkKind.ADJUSTED, (entry, seat), {"entry": entry}))


def recount_totals(seat: Seat) -> None:
    """Set a seat's totals to what its ledger and its game's current hands say."""
    for name, value in totals_of(seat).items():
        setattr(seat, name, value)
    seat.save(update_fields=TOTAL_FIELDS)


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
        "best_hand": max((hand.winner_scores.get(seat.number, 0) for hand in hands), default=0),
    }


def hand_points(seat: Seat) -> int:
    """What the seat's entries for hands, and those taken back, add up to."""
    return sum(seat.ledger.exclude(kind=EntryKind.ADJUSTMENT).values_list("points", flat=True))


def _create_entries(
    hand: Hand, seats: list[Seat], kind: EntryKind, *, sign: int, written_by: str, reason: str
) -> list[LedgerEntry]:
    now, gains = timezone.now(), hand.gains
    entries = [
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
    ]
    _STORE_ENTRIES(entries)
    return entries
