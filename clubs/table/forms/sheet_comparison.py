"""A typed paper sheet beside the score book: each row’s hand, and what the paper would change."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from django.core.exceptions import ValidationError

from clubs.table.forms.hands import NO_WINNER, keep_tiles, parse_points
from clubs.table.forms.sheet_rows import (
    BOOK,
    CHOOSE_ALL,
    PAPER,
    LoneHand,
    RowChoice,
    RowComparison,
    RowTrial,
    SheetRow,
    has_all_scores,
)
from clubs.table.rows import HandView
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, Outcome, progress_after

WAITING_MESSAGE = "Waiting for the rows above to be corrected."
ALL_PLAYED_MESSAGE = "All the hands of this game have been played."
UNPAIRED_COST: Final = 1.6
"""The cost of an unpaired hand: more than a pair with nothing in common, which costs 1."""
AGREEMENT_BONUS: Final = 0.75
"""The bonus for a pair that agrees: it suggests that a hand before it is missing."""
WINNER_WEIGHT: Final = 2
RowPair = tuple[int | None, int | None]
"""Indexes into both lists; None if the hand is missing from one."""
_Costs = list[list[float]]


@dataclass(frozen=True, slots=True)
class HandAccount:
    """A hand as a list has it: its winner (or ``nobody``; empty: unknown) and figures."""

    winner: str = ""
    figures: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RowStep:
    """A row's counterpart in the book, and lone hands before it; ``is_extra``: only later ones."""

    lone_hands: tuple[HandRow, ...]
    stands: HandRow | None
    is_extra: bool


class Comparison:
    """The rows in order, each tried, with the book's hand beside it.

    ``reports`` are of the game as it will be, from row ``first`` on, ``added`` the rows to
    be entered after them, ``beyond`` the hands of the book that the paper has not come to.
    ``choices`` are the answers given so far, by the question's key; whoever may not correct hands
    (``may_change``) leaves the book as it is.
    """

    def __init__(
        self,
        trial: RowTrial,
        book: Sequence[HandRow],
        rows: Sequence[SheetRow],
        *,
        first: int,
        choices: Mapping[str, str],
        may_change: bool,
    ) -> None:
        self.trial, self.answers, self.may_change = trial, choices, may_change
        earlier_rows = book[: first - 1]
        self.outcomes: list[Outcome] | None = [
            Outcome(row.winner, row.gains) for row in earlier_rows
        ]
        self.reports: list[Report] = []
        self.new_rows: list[SheetRow] = []
        self.changes_the_book = False
        steps, self.beyond = _row_steps(rows, book[first - 1 :])
        self.rows = tuple(self._walk(rows, steps))
        self.reports += [Report.from_json(row.report) for row in self.beyond]

    def _walk(self, rows: Sequence[SheetRow], steps: Mapping[int, RowStep]) -> Iterator[SheetRow]:
        fresh = next((row.number for row in rows if row.is_blank), 0)
        for row in rows:
            if not row.is_blank:
                step, lone_hands = steps[row.number], []
                for lone in step.lone_hands:  # it stays, unless the paper is chosen as right
                    choice = self._choice(f"choose-{lone.pk}")
                    lone_hands.append(LoneHand(HandView(lone, self.trial.names), choice))
                    if choice.decision == PAPER:
                        self.changes_the_book = True
                    else:
                        self._keep(lone)
                tried_row = replace(self._try_row(row), lone_hands=tuple(lone_hands))
                stands = step.stands
                yield (
                    self._compare_row(tried_row, stands)
                    if stands
                    else self._add_row(tried_row, step)
                )
            elif row.number == fresh and self.outcomes is not None:
                progress = progress_after(self.trial.game, self.outcomes)
                yield row if progress.is_finished else replace(row, deal=progress.deals[-1])
            else:
                yield row

    def _choice(self, key: str) -> RowChoice:
        choice = self.answers.get(key) or self.answers.get(CHOOSE_ALL, "")
        return RowChoice(key, choice) if self.may_change else RowChoice(key, BOOK, is_asked=False)

    def _compare_row(self, row: SheetRow, stands: HandRow) -> SheetRow:
        """A row that the book has too, with the same figures or with others."""
        row = replace(row, stands=HandView(stands, self.trial.names))
        if _is_same(row, stands):
            self._keep(stands)
            return replace(row, kind=RowComparison.SAME)
        choice = self._choice(f"choose-{stands.pk}")
        if choice.decision == BOOK:
            self._keep(stands)
        report = row.report and keep_tiles(row.report, stands)
        return self._decide_row(replace(row, kind=RowComparison.OTHER), choice, report)

    def _add_row(self, row: SheetRow, step: RowStep) -> SheetRow:
        """A row that the book lacks: new at the end, otherwise missed."""
        if step.is_extra:
            choice = self._choice(f"choose-row-{row.number}")
            return self._decide_row(replace(row, kind=RowComparison.EXTRA), choice, row.report)
        self.new_rows.append(row)
        self._go_on(row.outcome)
        return row

    def _decide_row(self, row: SheetRow, choice: RowChoice, report: Report | None) -> SheetRow:
        """Until something else is chosen, later rows are tried as if the paper were right."""
        row = replace(row, choice=choice)
        if choice.decision == BOOK:
            return replace(row, problems=(), wrong=frozenset())
        self.changes_the_book = True
        self.reports += [report] if report else []
        self._go_on(row.outcome)
        return row

    def _try_row(self, row: SheetRow) -> SheetRow:
        if self.outcomes is None:
            return replace(row, problems=(WAITING_MESSAGE,))
        progress = progress_after(self.trial.game, self.outcomes)
        if progress.is_finished:
            return replace(row, problems=(ALL_PLAYED_MESSAGE,))
        deal = progress.deals[-1]
        return self.trial.try_row(replace(row, deal=deal), deal, self.outcomes)

    def _keep(self, stands: HandRow) -> None:
        self.reports.append(Report.from_json(stands.report))
        self._go_on(Outcome(stands.winner, stands.gains))

    def _go_on(self, outcome: Outcome | None) -> None:
        if self.outcomes is not None:
            self.outcomes = [*self.outcomes, outcome] if outcome else None


def unlikeness(first: HandAccount, second: HandAccount) -> float:
    """From 0 (they agree wherever both have a value) to 1 (nothing in common)."""
    parts = (
        [(WINNER_WEIGHT, first.winner == second.winner)] if first.winner and second.winner else []
    )
    shared_seats = first.figures.keys() & second.figures.keys()
    parts += [(1, first.figures[seat] == second.figures[seat]) for seat in shared_seats]
    total_weight = sum(weight for weight, _ in parts)
    return (
        sum(weight for weight, is_alike in parts if not is_alike) / total_weight
        if total_weight
        else 0.0
    )


def _cost(first: HandAccount, second: HandAccount) -> float:
    return unlikeness(first, second) or -AGREEMENT_BONUS


def align_hands(first: Sequence[HandAccount], second: Sequence[HandAccount]) -> tuple[RowPair, ...]:
    """The likeliest pairs, in order; a surplus at the end of one list stays unpaired.

    The end costs nothing: the rest of a half-typed sheet is unknown.
    """
    # The minimal cost of each pair of prefixes.
    costs: _Costs = [[UNPAIRED_COST * column for column in range(len(second) + 1)]]
    for row, account in enumerate(first, start=1):
        line = [UNPAIRED_COST * row]
        for column, other_account in enumerate(second, start=1):
            together = costs[-1][column - 1] + _cost(account, other_account)
            line.append(min(together, costs[-1][column] + UNPAIRED_COST, line[-1] + UNPAIRED_COST))
        costs.append(line)
    # The cheapest end at which one list is exhausted, as far along the other as possible.
    rows, columns = len(costs) - 1, len(costs[0]) - 1
    ends = [
        *((rows, column) for column in range(columns + 1)),
        *((row, columns) for row in range(rows)),
    ]
    first_index, second_index = min(
        ends, key=lambda end: (costs[end[0]][end[1]], abs(end[0] - end[1]))
    )
    pairs = list(_trace_back(costs, first_index, second_index, first, second))[::-1]
    pairs += [(place, None) for place in range(first_index, len(first))]
    return (*pairs, *((None, place) for place in range(second_index, len(second))))


def _trace_back(
    costs: _Costs,
    first_index: int,
    second_index: int,
    first: Sequence[HandAccount],
    second: Sequence[HandAccount],
) -> Iterator[RowPair]:
    """The pairs, traced back from the end."""
    while first_index or second_index:
        cost = costs[first_index][second_index]
        if (
            first_index
            and second_index
            and _is_equal(
                cost,
                costs[first_index - 1][second_index - 1]
                + _cost(first[first_index - 1], second[second_index - 1]),
            )
        ):
            first_index, second_index = first_index - 1, second_index - 1
            yield first_index, second_index
        elif first_index and _is_equal(cost, costs[first_index - 1][second_index] + UNPAIRED_COST):
            first_index -= 1
            yield first_index, None
        else:
            second_index -= 1
            yield None, second_index


def _is_equal(first: float, second: float) -> bool:
    return abs(first - second) < 1e-9


def _row_steps(
    rows: Sequence[SheetRow], book: Sequence[HandRow]
) -> tuple[dict[int, RowStep], list[HandRow]]:
    """The counterpart of each filled row, and the book's hands after the last."""
    filled_rows = [row for row in rows if not row.is_blank]
    is_gains = any(row.is_gains for row in filled_rows)
    on_paper = [
        HandAccount(
            row.parsed_row.winner,
            {seat: points or 0 for seat, points in readable_points(row.parsed_row.figures).items()},
        )
        for row in filled_rows
    ]
    book_accounts = [
        HandAccount(
            NO_WINNER if row.winner is None else str(row.winner),
            row.gains if is_gains else row.scores,
        )
        for row in book
    ]
    pairs = align_hands(on_paper, book_accounts)
    last = max(
        (place for place, (_, book_index) in enumerate(pairs) if book_index is not None), default=-1
    )
    steps: dict[int, RowStep] = {}
    waiting: list[HandRow] = []
    for place, (row_index, book_index) in enumerate(pairs):
        stands = None if book_index is None else book[book_index]
        if row_index is not None:
            steps[filled_rows[row_index].number] = RowStep(
                tuple(waiting), stands, stands is None and place < last
            )
            waiting = []
        elif stands is not None:
            waiting.append(stands)
    return steps, waiting


def readable_points(figures: Mapping[int, str]) -> dict[int, int | None]:
    points = {}
    for seat, figure in figures.items():
        with suppress(ValidationError):
            points[seat] = parse_points(figure)
    return points


def _is_same(row: SheetRow, stands: HandRow) -> bool:
    """Whether the row agrees with the book, in whichever way the hand was entered."""
    if row.hand is None or row.report is None or row.hand.row.winner != stands.winner:
        return False
    if row.report.discarder != stands.report.get("discarder"):
        return False
    if has_all_scores(row.hand.row) and has_all_scores(stands):
        return row.hand.row.scores == stands.scores
    return row.hand.row.gains == stands.gains
