"""A row of a paper sheet: what was typed, what it would be, and what the book has beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from clubs.forms.sheets.keys import Written
from clubs.rows import HandView, signed
from scoring import Deal
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, Outcome

PAPER = "paper"
BOOK = "book"
ALL = "choose-all"
UNEXPLAINED = (
    "These gains do not match any scores. Check each number and its sign. If the paper really "
    "says this, tick “As written”."
)
Typed = Mapping[str, str]


class ScoreCell(NamedTuple):
    """A player's figure in a row, as it was typed; ``key`` says in the form who won."""

    name: str
    who: str
    value: str
    key: str
    is_winner: bool
    is_wrong: bool


class Stands(StrEnum):
    """How a row stands to the book."""

    NEW = "new"
    SAME = "same"
    OTHER = "other"
    EXTRA = "extra"


class Figure(NamedTuple):
    """What paper and book have of one player, in words."""

    name: str
    paper: str
    book: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A question that paper and book answer otherwise; ``made`` is the answer, empty: none yet."""

    key: str
    made: str = ""
    is_asked: bool = True

    @property
    def is_open(self) -> bool:
        """Whether someone has yet to say which is right."""
        return self.made not in {PAPER, BOOK}


@dataclass(frozen=True, slots=True)
class Lone:
    """A hand of the book that the paper does not have, before one that it has."""

    stands: HandView
    choice: Choice


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: what was typed, and what it would be.

    ``deal`` is None as long as it is not known who has which wind. ``hand`` is the hand as it
    would stand in the book, ``stands`` the one that is beside it there already.
    """

    number: int
    typed: Typed
    submission_id: UUID
    written: Written
    names: Mapping[int, str] = field(default_factory=dict)
    deal: Deal | None = None
    hand: HandView | None = None
    report: Report | None = None
    outcome: Outcome | None = None
    problems: tuple[str, ...] = ()
    wrong: frozenset[str] = frozenset()
    as_written: bool = False
    is_gains: bool = False
    stands: HandView | None = None
    kind: Stands = Stands.NEW
    choice: Choice | None = None
    before: tuple[Lone, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been typed."""
        return not any(self.typed.values())

    @property
    def is_drawn(self) -> bool:
        """Whether the row says that nobody won."""
        return self.written.winner == "nobody"

    @property
    def is_unexplained(self) -> bool:
        """Whether its gains stand on the paper although no scores lead to them."""
        return self.as_written or UNEXPLAINED in self.problems

    @property
    def is_shifted(self) -> bool:
        """Whether the book has the hand under another number."""
        return self.stands is not None and self.stands.row.number != self.number

    @property
    def cells(self) -> list[ScoreCell]:
        """What each scored or gained, in the order of the paper."""
        return [self._cell(seat, name) for seat, name in sorted(self.names.items())]

    def _cell(self, seat: int, name: str) -> ScoreCell:
        field_name = f"score_{seat}"
        return ScoreCell(
            name=field_name,
            who=name,
            value=self.typed.get(field_name, ""),
            key=str(seat),
            is_winner=self.written.winner == str(seat),
            is_wrong=field_name in self.wrong,
        )

    @property
    def sum_of_gains(self) -> int:
        """What the gains add up to; nothing, where players pay one another."""
        return 0 if self.hand is None else sum(self.hand.row.gains.values())

    @property
    def figures(self) -> Iterator[Figure]:
        """Paper and book side by side, player by player in the order of the paper."""
        if self.stands is None:
            return
        book = self.stands.row
        for seat, name in sorted(self.names.items()):
            if seat not in book.winds:
                continue
            paper, stands = self._of_paper(seat), self._of_book(seat)
            one = self._ringed(paper, seat, self.written.winner)
            other = self._ringed(stands, seat, str(book.winner))
            yield Figure(name, one, other, one != other)

    @property
    def _in_gains(self) -> bool:
        """Whether gains are compared, because one of the two has nothing else."""
        return self.is_gains or (self.stands is not None and not has_all_scores(self.stands.row))

    def _of_paper(self, seat: int) -> str:
        if self._in_gains and self.hand is not None:
            return signed(self.hand.row.gains.get(seat, 0))
        return self.written.figures.get(seat, "0")

    def _of_book(self, seat: int) -> str:
        row = self.stands.row if self.stands else None
        if row is None or row.is_drawn:
            return "0"
        return signed(row.gains[seat]) if self._in_gains else f"{row.scores[seat]}"

    def _ringed(self, words: str, seat: int, winner: str) -> str:
        return f"MJ {words}" if winner == str(seat) else words


def has_all_scores(row: HandRow) -> bool:
    """Whether the book knows what everyone scored in the hand."""
    return row.is_drawn or row.scores.keys() >= row.gains.keys()


def refused(row: SheetRow, *sentences: str) -> SheetRow:
    """The row with these in the way of saving it."""
    return replace(row, problems=(*row.problems, *sentences))
