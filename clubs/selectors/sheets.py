"""The paper sheets of an evening or a round: which are in the book, by whom, and how far."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clubs.table.rows import TableView
from scoring.scorebook.models import HandState

AN_ORGANISER = "user "
"""How the score book begins the name of a person who entered a hand at the desk."""


class SheetState(StrEnum):
    """How far a table's hands have come into the book."""

    BEGUN = "begun"
    NONE = "none"
    HALF = "half"
    SOME = "some"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class StackedSheet:
    """One table's sheet: ``typed`` hands came from the desk, ``by_phone`` from the table itself."""

    number: int
    names: tuple[str, ...]
    typed: int
    by_phone: int
    planned: int | None
    disputed: int
    is_begun: bool
    is_over: bool

    @property
    def hands(self) -> int:
        """How many hands the book has of the table."""
        return self.typed + self.by_phone

    @property
    def state(self) -> SheetState:
        """A game without a planned number of hands is never known to be whole before its end."""
        if self.is_begun:
            return SheetState.BEGUN
        if not self.hands:
            return SheetState.NONE
        if self.is_over or (self.planned is not None and self.hands >= self.planned):
            return SheetState.WHOLE
        return SheetState.SOME if self.planned is None else SheetState.HALF

    @property
    def words(self) -> str:
        """``16 hands: 10 by phone, 6 typed in``; of those planned as long as some are missing."""
        if not self.hands:
            return "No hands recorded"
        planned = self.planned or 0
        of_all = f" of {planned}" if self.hands < planned else ""
        count = f"{self.hands}{of_all} hand{'' if (planned or self.hands) == 1 else 's'}"
        if not self.typed:
            return f"{count}, all by phone"
        if not self.by_phone:
            return f"{count}, all from paper"
        return f"{count}: {self.by_phone} by phone, {self.typed} from paper"


@dataclass(frozen=True, slots=True)
class SheetStack:
    """All sheets by their tables, and the one to take next."""

    sheets: tuple[StackedSheet, ...]

    @property
    def next(self) -> StackedSheet | None:
        """One that was begun, then one that has nothing, then one that is half."""
        order = (SheetState.BEGUN, SheetState.NONE, SheetState.HALF)
        waiting = [one for state in order for one in self.sheets if one.state == state]
        return next(iter(waiting), None)

    @property
    def waiting(self) -> int:
        """How many tables have no hand in the book, or not all of them."""
        return sum(1 for one in self.sheets if one.state in {SheetState.NONE, SheetState.HALF})


def stack_of(tables: Sequence[TableView], *, begun: Collection[int] = ()) -> SheetStack:
    """The stack of these tables; ``begun`` are the games whose sheets are typed and not saved."""
    return SheetStack(tuple(_stacked(table, begun) for table in tables))


def _stacked(table: TableView, begun: Collection[int]) -> StackedSheet:
    game = table.game
    typed = sum(1 for hand in game.hands if hand.sent_by.startswith(AN_ORGANISER))
    return StackedSheet(
        number=table.number,
        names=tuple(name for _, name in sorted(table.names.items())),
        typed=typed,
        by_phone=len(game.hands) - typed,
        planned=game.hands_planned,
        disputed=sum(1 for hand in game.hands if hand.state == HandState.DISPUTED),
        is_begun=game.pk in begun,
        is_over=game.is_over,
    )
