"""A typed paper sheet compared with the score book, with its sums."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError

from clubs.table.forms.hands import NO_WINNER, hand_number, keep_tiles, parse_points
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
    read_row,
)
from clubs.table.rows import HandView, TableView, signed_points
from clubs.table.services import PaperAccount, SheetHand
from scoring import RuleSet, Wind
from scoring.detective import Finding, Slip, examine_row
from scoring.detective.slips import SLIP_RANK, VAGUE_SLIPS, pen_slip
from scoring.hands.hand import WonBy, join_words
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import HandRow, Outcome, progress_after, starting_winds

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
ROW_BUTTON: Final = re.compile(r"(\d{1,3})-(\w+)")
ALL_BUTTONS: Final = {"all-paper": PAPER, "all-book": BOOK}
MAX_SHEET_ROWS = 40
ROWS_ON_PAPER = 16
MIN_ROWS = 4
SCORES = "scores"
GAINS = "gains"
EMPTY_ROW_MESSAGE = (
    "This row is empty, so the rows below cannot be scored. Fill it in or delete it."
)
MAX_SUSPICIONS = 3
NO_MISTAKE = "No single mistake explains the difference. Compare the columns hand by hand."
NO_EXPLANATION = frozenset({*VAGUE_SLIPS, Slip.UNEXPLAINED, Slip.TWO_SLIPS})


@dataclass(frozen=True, slots=True)
class HandAccount:
    """A hand as a list has it: its winner (or ``nobody``; empty: unknown) and figures."""

    winner: str = ""
    figures: Mapping[int, int] = field(default_factory=dict)


def unlikeness(first: HandAccount, second: HandAccount) -> float:
    """From 0 (they agree wherever both have a value) to 1 (nothing in common)."""
    parts = (
        [(WINNER_WEIGHT, first.winner == second.winner)] if first.winner and second.winner else []
    )
    both = first.figures.keys() & second.figures.keys()
    parts += [(1, first.figures[seat] == second.figures[seat]) for seat in both]
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
    first_index, other = min(ends, key=lambda end: (costs[end[0]][end[1]], abs(end[0] - end[1])))
    pairs = list(_trace_back(costs, first_index, other, first, second))[::-1]
    pairs += [(place, None) for place in range(first_index, len(first))]
    return (*pairs, *((None, place) for place in range(other, len(second))))


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
        self.added: list[SheetRow] = []
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
                tried = replace(self._tried(row), lone_hands=tuple(lone_hands))
                stands = step.stands
                yield self._compare_row(tried, stands) if stands else self._added(tried, step)
            elif row.number == fresh and self.outcomes is not None:
                progress = progress_after(self.trial.game, self.outcomes)
                yield row if progress.finished else replace(row, deal=progress.deals[-1])
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
        return self._decided(replace(row, kind=RowComparison.OTHER), choice, report)

    def _added(self, row: SheetRow, step: RowStep) -> SheetRow:
        """A row that the book lacks: new at the end, otherwise missed."""
        if step.is_extra:
            choice = self._choice(f"choose-row-{row.number}")
            return self._decided(replace(row, kind=RowComparison.EXTRA), choice, row.report)
        self.added.append(row)
        self._go_on(row.outcome)
        return row

    def _decided(self, row: SheetRow, choice: RowChoice, report: Report | None) -> SheetRow:
        """Until something else is chosen, later rows are tried as if the paper were right."""
        row = replace(row, choice=choice)
        if choice.decision == BOOK:
            return replace(row, problems=(), wrong=frozenset())
        self.changes_the_book = True
        self.reports += [report] if report else []
        self._go_on(row.outcome)
        return row

    def _tried(self, row: SheetRow) -> SheetRow:
        if self.outcomes is None:
            return replace(row, problems=(WAITING_MESSAGE,))
        progress = progress_after(self.trial.game, self.outcomes)
        if progress.finished:
            return replace(row, problems=(ALL_PLAYED_MESSAGE,))
        deal = progress.deals[-1]
        return self.trial.tried(replace(row, deal=deal), deal, self.outcomes)

    def _keep(self, stands: HandRow) -> None:
        self.reports.append(Report.from_json(stands.report))
        self._go_on(Outcome(stands.winner, stands.gains))

    def _go_on(self, outcome: Outcome | None) -> None:
        if self.outcomes is not None:
            self.outcomes = [*self.outcomes, outcome] if outcome else None


def _row_steps(
    rows: Sequence[SheetRow], book: Sequence[HandRow]
) -> tuple[dict[int, RowStep], list[HandRow]]:
    """The counterpart of each filled row, and the book's hands after the last."""
    filled_rows = [row for row in rows if not row.is_blank]
    is_gains = any(row.is_gains for row in filled_rows)
    on_paper = [
        HandAccount(
            row.parsed_row.winner,
            {
                seat: points or 0
                for seat, points in _readable_points(row.parsed_row.figures).items()
            },
        )
        for row in filled_rows
    ]
    recorded = [
        HandAccount(
            NO_WINNER if row.winner is None else str(row.winner),
            row.gains if is_gains else row.scores,
        )
        for row in book
    ]
    pairs = align_hands(on_paper, recorded)
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


def _readable_points(figures: Mapping[int, str]) -> dict[int, int | None]:
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


def apply_step(form_data: Mapping[str, str], step: str, *, hands_before: int) -> dict[str, str]:
    """The form data, after the one thing that a button does to it.

    An empty row is inserted at a number, or the row of that number deleted, or all differences are
    decided alike, including those already decided. ``at`` counts as people do, with the
    ``hands_before`` a change of players.
    """
    if step in ALL_BUTTONS:
        kept_data = {
            name: value for name, value in form_data.items() if not name.startswith("choose-")
        }
        return kept_data | {CHOOSE_ALL: ALL_BUTTONS[step]}
    number = max(hand_number({"number": form_data.get("at", "")}) - hands_before, 0)
    by = {"put-in": 1, "take-out": -1}.get(step)
    if not number or by is None:
        return dict(form_data)
    moved = {}
    for name, value in form_data.items():
        match = ROW_BUTTON.fullmatch(name)
        row = int(match[1]) if match else 0
        if match is None or row < number:
            moved[name] = value
        elif row > number or step == "put-in":
            moved[f"{row + by}-{match[2]}"] = value
    if step == "put-in":
        count = hand_number({"number": form_data.get("count", "")})
        moved["count"] = str(count + 1) if count else ""
    return moved


class TypedSheet:
    """The rows from ``first`` on; ``data`` is what was sent, None for a blank sheet.

    ``start`` is what everyone had before the first hand. Whoever may not correct hands
    (``may_change``) leaves the book as it is.
    """

    def __init__(
        self,
        game: Game,
        view: TableView,
        rules: RuleSet,
        data: Mapping[str, Any] | None = None,
        *,
        start: Mapping[int, int],
        may_change: bool,
    ) -> None:
        self.game, self.view, self.rules, self.start = game, view, rules, start
        self.data: Mapping[str, Any] = data or {}
        self.may_change = may_change
        self.asks_who_discarded = asks_who_discarded(rules)
        self.has_goulash = rules.passing.goulash_after_a_draw

    @property
    def is_gains(self) -> bool:
        """Whether the paper has only everyone's gains."""
        return self.data.get("kind") == GAINS and self.rules.zero_sum

    @property
    def kind(self) -> str:
        return GAINS if self.is_gains else SCORES

    @property
    def columns(self) -> list[tuple[int, str, Wind | None]]:
        """The players in the paper's order, with their starting winds."""
        winds = starting_winds(self.game)
        return [(seat, name, winds.get(seat)) for seat, name in sorted(self.view.names.items())]

    @property
    def wide(self) -> int:
        return 1 + len(self.view.names)

    @property
    def first(self) -> int:
        upcoming = len(self.book) + 1
        return min(hand_number({"number": self.data.get("first", "")}) or upcoming, upcoming)

    @property
    def count(self) -> int:
        """The number of rows: always one blank row at the end."""
        value = hand_number({"number": self.data.get("count", "")})
        value = min(value, MAX_SHEET_ROWS) or self._blank_rows
        end = self.first + value
        is_full = any(any(self._typed_fields(row).values()) for row in (end - 2, end - 1))
        return value + 1 if is_full and self.may_grow and value < MAX_SHEET_ROWS else value

    @property
    def may_grow(self) -> bool:
        """Whether the game may have more hands than there are rows."""
        return self.game.hands_planned is None

    @property
    def _blank_rows(self) -> int:
        earlier_count, planned = self.first - 1, self.game.hands_planned
        if planned is None:
            return max(MIN_ROWS, ROWS_ON_PAPER - earlier_count)
        return max(0, min(MAX_SHEET_ROWS, planned - earlier_count))

    @property
    def book(self) -> Sequence[HandRow]:
        return self.view.game.hands

    @property
    def done(self) -> list[HandView]:
        return list(self.view.hands[: self.first - 1])

    @cached_property
    def _compared(self) -> Comparison:
        has_no_rows = self.view.game.is_over and self.first > len(self.book) and not self.data
        numbers = () if has_no_rows else range(self.first, self.first + self.count)
        return Comparison(
            RowTrial(self.game, self.view.names, self.rules, self.start),
            self.book,
            [self._row(number) for number in numbers],
            first=self.first,
            choices={
                name: str(choice)
                for name, choice in self.data.items()
                if name.startswith("choose-")
            },
            may_change=self.may_change,
        )

    def _row(self, number: int) -> SheetRow:
        entries = self._typed_fields(number)
        try:
            submission_id = UUID(str(self.data.get(f"{number}-submission_id", "")))
        except ValueError:
            submission_id = uuid4()
        return SheetRow(
            number=number,
            hands_before=self.game.hands_before,
            typed_fields=entries,
            submission_id=submission_id,
            parsed_row=read_row(
                entries,
                sorted(self.view.names),
                asks_discarder=asks_who_discarded(self.rules),
                winner_only=not (self.rules.losers_score or self.is_gains),
            ),
            names=self.view.names,
            is_gains=self.is_gains,
            as_written=bool(self.data.get(f"{number}-as_written")),
        )

    def _typed_fields(self, number: int) -> dict[str, str]:
        names = ["winner", "goulash", *(f"score_{seat}" for seat in sorted(self.view.names))]
        return {name: str(self.data.get(f"{number}-{name}", "")).strip() for name in names}

    @cached_property
    def rows(self) -> tuple[SheetRow, ...]:
        sheets = self._compared.rows
        last = max((index for index, row in enumerate(sheets) if not row.is_blank), default=-1)
        return tuple(
            replace(row, problems=(EMPTY_ROW_MESSAGE,)) if row.is_blank and index < last else row
            for index, row in enumerate(sheets)
        )

    @property
    def ready(self) -> list[SheetHand]:
        number = self.first + len(self._compared.reports)
        return [
            SheetHand(row.submission_id, number + index, row.report)
            for index, row in enumerate(self._compared.added)
            if row.report
        ]

    @property
    def telling(self) -> PaperAccount | None:
        """The game as on paper, if the book is to be changed by it."""
        if not self._compared.changes_the_book:
            return None
        earlier_reports = [hand.report for hand in self.book[: self.first - 1]]
        return PaperAccount(
            earlier_reports, self._compared.reports, [hand.pk for hand in self.book]
        )

    @cached_property
    def unfit(self) -> tuple[str, ...]:
        """Why the game is impossible with this paper and these decisions."""
        if self.telling is None or self.open_choices or self._row_problems:
            return ()
        try:
            scorebook.preview_rewrite(game=self.game, reports=self.telling.reports)
        except Refused as refused:
            return tuple(problem.message for problem in refused.problems)
        return ()

    @property
    def _row_problems(self) -> list[str]:
        return [problem for row in self.rows for problem in row.problems]

    @property
    def problems(self) -> list[str]:
        """Everything that prevents saving, except open choices."""
        return [*self._row_problems, *self.unfit]

    @property
    def open_choices(self) -> int:
        """The number of open choices between paper and book."""
        return sum(choice.is_open for choice in self._choices)

    @property
    def _choices(self) -> Iterator[RowChoice]:
        for row in self.rows:
            yield from (lone.choice for lone in row.lone_hands)
            if row.choice:
                yield row.choice

    @property
    def changed(self) -> int:
        """How many places of the book the paper would change."""
        return sum(choice.decision == PAPER for choice in self._choices)

    @property
    def same(self) -> int:
        """How many rows are identical in the book."""
        return sum(row.kind == RowComparison.SAME for row in self.rows)

    @property
    def beyond(self) -> list[int]:
        """The numbers of the book's hands after the end of the paper."""
        return [row.number_at_table for row in self._compared.beyond]

    @property
    def can_be_saved(self) -> bool:
        return bool(self.ready or self.changed) and not (self.problems or self.open_choices)

    @cached_property
    def foot(self) -> "SheetFoot":
        return SheetFoot(self)

    @property
    def typed_anything(self) -> bool:
        """Whether there is anything to keep for later."""
        return any(not row.is_blank for row in self.rows)

    @property
    def to_fill(self) -> int:
        return next((row.number for row in self.rows if row.is_blank), 0)


class ColumnSum(NamedTuple):
    """The total of a column, and the total at the foot of the paper."""

    seat: int
    name: str
    total: int
    typed: str
    is_wrong: bool


class SheetFoot:
    """The sums of a sheet from the first hand on, and the likely mistakes."""

    def __init__(self, sheet: TypedSheet) -> None:
        self.names, self.rules = sheet.view.names, sheet.rules
        self.rows = sheet.rows
        gains = [hand.row.gains for hand in sheet.done]
        gains += [row.hand.row.gains for row in sheet.rows if row.hand]
        self.totals = {seat: sum(gain.get(seat, 0) for gain in gains) for seat in self.names}
        self.typed_totals = {
            seat: str(sheet.data.get(f"total_{seat}", "")).strip() for seat in self.names
        }
        self.is_whole = all(row.is_blank or row.hand for row in sheet.rows)

    @cached_property
    def paper_totals(self) -> dict[int, int]:
        """The paper's total, if it can be read."""
        plain = {
            seat: text.removeprefix("+").replace("–", "-")
            for seat, text in self.typed_totals.items()
        }
        return {
            seat: points for seat, points in _readable_points(plain).items() if points is not None
        }

    @property
    def off(self) -> dict[int, int]:
        """By how much the paper's total exceeds the sum, if they differ."""
        apart = {seat: points - self.totals[seat] for seat, points in self.paper_totals.items()}
        return {seat: points for seat, points in apart.items() if points}

    @property
    def sums(self) -> list[ColumnSum]:
        unread = {
            seat for seat, text in self.typed_totals.items() if text
        } - self.paper_totals.keys()
        wrong = unread | self.off.keys()
        return [
            ColumnSum(seat, name, self.totals[seat], self.typed_totals[seat], seat in wrong)
            for seat, name in sorted(self.names.items())
        ]

    @property
    def agrees(self) -> bool:
        """Whether the paper's totals are typed, and right."""
        return bool(self.paper_totals) and not any(sum_.is_wrong for sum_ in self.sums)

    @property
    def sentences(self) -> list[str]:
        """By how much the totals differ, and the likely mistakes, likeliest first."""
        if not self.off or not self.is_whole:
            return []
        apart = [
            f"{self.names[seat]} by {signed_points(points)}" for seat, points in self.off.items()
        ]
        summary = f"The paper differs: {join_words(apart)}."
        suspicions: set[tuple[int, str]] = set()
        # A slip in the one total that differs.
        if len(self.off) == 1:
            (seat,) = self.off
            if pen := pen_slip(self.totals[seat], self.paper_totals[seat]):
                place = f"In {self.names[seat]}’s total on the paper"
                suspicions.add((SLIP_RANK[pen.kind], f"{place}, perhaps {pen.description}."))
        for row in self.rows:
            if row.hand and row.report:
                suspicions |= {
                    (SLIP_RANK[finding.kind], f"Hand {row.number_at_table}: {finding.message}")
                    for finding in _row_explanation(
                        row, self.off, self.paper_totals.keys(), self.rules
                    )
                }
                suspicions.update(self._of_gains(row))
        return (
            [summary, *(suspicion for _, suspicion in sorted(suspicions)[:MAX_SUSPICIONS])]
            if suspicions
            else [f"{summary} {NO_MISTAKE}"]
        )

    def _of_gains(self, row: SheetRow) -> Iterator[tuple[int, str]]:
        """Gains of one row that explain the difference, and still add up to zero."""
        gains = row.hand.row.gains if row.hand else {}
        together = sum(self.off.values(), 0)
        if not row.is_gains or together != 0 or not self.off.keys() <= gains.keys():
            return
        right = {seat: gains[seat] + points for seat, points in self.off.items()}
        names = join_words(self.names[seat] for seat in right)
        if list(right.values()) == [gains[seat] for seat in reversed(right)]:
            yield (
                SLIP_RANK[Slip.SEATS_SWAPPED],
                (f"Hand {row.number_at_table}: the gains of {names} may have been swapped."),
            )
        if all(pen_slip(points, gains[seat]) for seat, points in right.items()):
            would = join_words(
                f"{self.names[seat]} {signed_points(points)}" for seat, points in right.items()
            )
            yield (
                SLIP_RANK[Slip.TWO_SLIPS],
                f"Hand {row.number_at_table}: it would fit with {would}.",
            )


def _row_explanation(
    row: SheetRow, off: Mapping[int, int], written_seats: Collection[int], rules: RuleSet
) -> Iterator[Finding]:
    """The explanation if the whole difference is in this row's gains."""
    hand = row.hand.row if row.hand else None
    if hand is None or row.report is None or hand.scores.keys() < hand.gains.keys():
        return
    if not off.keys() <= hand.gains.keys():
        return
    gains = {
        wind: hand.gains[seat] + off.get(seat, 0) if seat in written_seats else None
        for seat, wind in hand.winds.items()
    }
    scores: dict[Wind, int | None] = {wind: hand.scores[seat] for seat, wind in hand.winds.items()}
    won_by = row.report.won_by
    yield from (
        finding
        for finding in examine_row(
            scores,
            gains,
            winner=None if hand.winner is None else hand.winds[hand.winner],
            rules=rules,
            dealer=hand.winds[hand.dealer],
            won_by=WonBy(won_by).value if won_by else None,
            discarder=hand.winds.get(row.report.discarder or 0),
        )
        if finding.kind not in NO_EXPLANATION
    )
