"""The organisers' list of a table's hands: each with what was said of it and what stood before."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clubs.language.moments import time_of_day
from clubs.rows import HandLine, HandView
from clubs.tablepages.talk import HandTalk
from scoring.scorebook.history import TakenBack
from scoring.scorebook.selectors import HandRow

BY_SEAT = re.compile(r"table \d+ seat (\d)")

Lines = list[HandLine | None]


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand that stands no longer: corrected, or taken back by whom and when."""

    hand: HandView
    lines: Lines
    words: str


@dataclass(frozen=True, slots=True)
class BookRow:
    """A hand of the list and what stood in its place before, the newest first.

    ``talk`` is None where the last hand of that number was taken back and none came in its place.
    """

    number: int
    talk: HandTalk | None
    lines: Lines
    past: tuple[PastHand, ...]


def book_of(
    talks: Sequence[HandTalk],
    replaced: Iterable[HandRow],
    gone: Iterable[TakenBack],
    names: Mapping[int, str],
) -> list[BookRow]:
    """Every hand, the last first, each seat's part in the order of the seats."""
    seats = sorted(names)
    past: dict[int, list[PastHand]] = defaultdict(list)
    for row in replaced:
        hand = HandView(row, names)
        words = f"corrected; {row.reason}" if row.reason else "corrected"
        past[row.number].append(PastHand(hand, in_seats(hand, seats), words))
    for one in gone:
        hand = HandView(one.hand, names)
        past[one.hand.number].append(PastHand(hand, in_seats(hand, seats), _taken(one, names)))
    standing = {talk.hand.row.number: talk for talk in talks}
    return [
        _row(number, standing.get(number), past[number], seats)
        for number in sorted({*standing, *past}, reverse=True)
    ]


def _row(
    number: int, talk: HandTalk | None, past: Sequence[PastHand], seats: Sequence[int]
) -> BookRow:
    newest = sorted(past, key=lambda one: -one.hand.row.pk)
    return BookRow(number, talk, in_seats(talk.hand, seats) if talk else [], tuple(newest))


def in_seats(hand: HandView, seats: Sequence[int]) -> Lines:
    """A hand's lines in the order of these seats; None for who sat out."""
    lines = {line.seat: line for line in hand.lines}
    return [lines.get(seat) for seat in seats]


def _taken(one: TakenBack, names: Mapping[int, str]) -> str:
    """``taken back at 8:14pm on Margaret’s phone``."""
    seat = BY_SEAT.search(one.taken_by)
    who = f" on {names[int(seat[1])]}’s phone" if seat else ""
    return f"undone at {time_of_day(one.taken_at)}{who}"
