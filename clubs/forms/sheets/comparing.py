"""A paper sheet beside the book: the rows tried one after another, and what stands beside each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError

from clubs.core.alignment import Account, aligned
from clubs.forms.hands import NOBODY, keeping_tiles, points_of
from clubs.forms.sheets.rows import (
    ALL,
    BOOK,
    PAPER,
    Choice,
    Lone,
    SheetRow,
    Stands,
    has_all_scores,
)
from clubs.forms.sheets.rows import refused as with_problem
from clubs.forms.sheets.trying import Trial
from clubs.rows import HandView
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, Outcome, progress_after

WAITS = "Waiting for the rows above to be corrected."
ALL_PLAYED = "All the hands of this game have been played."


@dataclass(frozen=True, slots=True)
class Step:
    """What the book has beside a row, and before it; ``is_extra``: it has none, but later ones."""

    before: tuple[HandRow, ...]
    stands: HandRow | None
    is_extra: bool


class Comparison:
    """The rows in their order, each tried, with what the book has beside it.

    ``told`` are the reports of the game as it will be, from row ``first`` on, ``added`` the rows
    to be entered after them, ``beyond`` the hands of the book that the paper has not come to.
    ``made`` are the answers given so far, by the question's key; whoever may not correct hands
    (``may_change``) leaves the book as it is.
    """

    def __init__(
        self,
        trial: Trial,
        book: Sequence[HandRow],
        rows: Sequence[SheetRow],
        *,
        first: int,
        made: Mapping[str, str],
        may_change: bool,
    ) -> None:
        self.trial, self.made, self.may_change = trial, made, may_change
        before = book[: first - 1]
        self.played: list[Outcome] | None = [Outcome(row.winner, row.gains) for row in before]
        self.told: list[Report] = []
        self.added: list[SheetRow] = []
        self.changes_the_book = False
        steps, self.beyond = _steps(rows, book[first - 1 :])
        self.rows = tuple(self._walk(rows, steps))
        self.told += [Report.from_json(row.report) for row in self.beyond]

    def _walk(self, rows: Sequence[SheetRow], steps: Mapping[int, Step]) -> Iterator[SheetRow]:
        fresh = next((row.number for row in rows if row.is_blank), 0)
        for row in rows:
            if row.is_blank:
                yield self._blank(row) if row.number == fresh else row
                continue
            step = steps[row.number]
            before = tuple(self._lone(stands) for stands in step.before)
            tried = replace(self._tried(row), before=before)
            yield (
                self._added(tried, step)
                if step.stands is None
                else self._beside(tried, step.stands)
            )

    def _blank(self, row: SheetRow) -> SheetRow:
        if self.played is None:
            return row
        told = progress_after(self.trial.game, self.played)
        return row if told.finished else replace(row, deal=told.deals[-1])

    def _lone(self, stands: HandRow) -> Lone:
        """A hand that the paper does not have: it stays, unless the paper is said to be right."""
        choice = self._choice(f"choose-{stands.pk}")
        if choice.made == PAPER:
            self.changes_the_book = True
        else:
            self._keep(stands)
        return Lone(HandView(stands, self.trial.names), choice)

    def _choice(self, key: str) -> Choice:
        made = self.made.get(key) or self.made.get(ALL, "")
        return Choice(key, made) if self.may_change else Choice(key, BOOK, is_asked=False)

    def _beside(self, row: SheetRow, stands: HandRow) -> SheetRow:
        """A row that the book has as well, with the same figures or with others."""
        row = replace(row, stands=HandView(stands, self.trial.names))
        if _is_same(row, stands):
            self._keep(stands)
            return replace(row, kind=Stands.SAME)
        choice = self._choice(f"choose-{stands.pk}")
        row = replace(row, kind=Stands.OTHER, choice=choice)
        if choice.made == BOOK:
            self._keep(stands)
            return replace(row, problems=(), wrong=frozenset())
        return self._changing(row, row.report and keeping_tiles(row.report, stands))

    def _added(self, row: SheetRow, step: Step) -> SheetRow:
        """A row that the book does not have: at the end it is new, before others it was missed."""
        if not step.is_extra:
            self.added.append(row)
            self._go_on(row.outcome)
            return row
        choice = self._choice(f"choose-row-{row.number}")
        row = replace(row, kind=Stands.EXTRA, choice=choice)
        if choice.made == BOOK:
            return replace(row, problems=(), wrong=frozenset())
        return self._changing(row, row.report)

    def _changing(self, row: SheetRow, report: Report | None) -> SheetRow:
        """As long as nothing else is chosen the rows below are tried as if the paper were right."""
        self.changes_the_book = True
        self.told += [report] if report else []
        self._go_on(row.outcome)
        return row

    def _tried(self, row: SheetRow) -> SheetRow:
        if self.played is None:
            return with_problem(row, WAITS)
        told = progress_after(self.trial.game, self.played)
        if told.finished:
            return with_problem(row, ALL_PLAYED)
        deal = told.deals[-1]
        return self.trial.tried(replace(row, deal=deal), deal, self.played)

    def _keep(self, stands: HandRow) -> None:
        self.told.append(Report.from_json(stands.report))
        self._go_on(Outcome(stands.winner, stands.gains))

    def _go_on(self, outcome: Outcome | None) -> None:
        if self.played is not None:
            self.played = [*self.played, outcome] if outcome else None


def _steps(
    rows: Sequence[SheetRow], book: Sequence[HandRow]
) -> tuple[dict[int, Step], list[HandRow]]:
    """What stands beside each row that is filled in, and what the book has beyond the last."""
    filled = [row for row in rows if not row.is_blank]
    is_gains = any(row.is_gains for row in filled)
    pairs = aligned(
        [_account(row) for row in filled], [_told(row, is_gains=is_gains) for row in book]
    )
    last = max((place for place, (_, beside) in enumerate(pairs) if beside is not None), default=-1)
    steps: dict[int, Step] = {}
    waiting: list[HandRow] = []
    for place, (at, beside) in enumerate(pairs):
        stands = None if beside is None else book[beside]
        if at is not None:
            steps[filled[at].number] = Step(tuple(waiting), stands, stands is None and place < last)
            waiting = []
        elif stands is not None:
            waiting.append(stands)
    return steps, waiting


def _account(row: SheetRow) -> Account:
    figures = {}
    for seat, figure in row.written.figures.items():
        try:
            figures[seat] = points_of(figure) or 0
        except ValidationError:
            continue
    return Account(row.written.winner, figures)


def _told(row: HandRow, *, is_gains: bool) -> Account:
    winner = NOBODY if row.winner is None else str(row.winner)
    return Account(winner, row.gains if is_gains else row.scores)


def _is_same(row: SheetRow, stands: HandRow) -> bool:
    """Whether the row says what the book has, whichever way it was told there."""
    if row.hand is None or row.report is None or row.hand.row.winner != stands.winner:
        return False
    if row.report.discarder != stands.report.get("discarder"):
        return False
    if has_all_scores(row.hand.row) and has_all_scores(stands):
        return row.hand.row.scores == stands.scores
    return row.hand.row.gains == stands.gains
