"""A typed paper sheet: its rows, what can be saved of it, and the sums at its foot."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from clubs.table.forms.hands import hand_number
from clubs.table.forms.sheet_comparison import Comparison, readable_points
from clubs.table.forms.sheet_rows import (
    BOOK,
    CHOOSE_ALL,
    PAPER,
    RowChoice,
    RowComparison,
    RowTrial,
    SheetRow,
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
from scoring.scorebook.reports import asks_who_discarded
from scoring.scorebook.selectors import HandRow, starting_winds

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
        earlier_count, planned_hands = self.first - 1, self.game.hands_planned
        if planned_hands is None:
            return max(MIN_ROWS, ROWS_ON_PAPER - earlier_count)
        return max(0, min(MAX_SHEET_ROWS, planned_hands - earlier_count))

    @property
    def book(self) -> Sequence[HandRow]:
        return self.view.game.hands

    @property
    def earlier_hands(self) -> list[HandView]:
        return list(self.view.hands[: self.first - 1])

    @cached_property
    def _comparison(self) -> Comparison:
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
        sheets = self._comparison.rows
        last = max((index for index, row in enumerate(sheets) if not row.is_blank), default=-1)
        return tuple(
            replace(row, problems=(EMPTY_ROW_MESSAGE,)) if row.is_blank and index < last else row
            for index, row in enumerate(sheets)
        )

    @property
    def ready(self) -> list[SheetHand]:
        number = self.first + len(self._comparison.reports)
        return [
            SheetHand(row.submission_id, number + index, row.report)
            for index, row in enumerate(self._comparison.new_rows)
            if row.report
        ]

    @property
    def telling(self) -> PaperAccount | None:
        """The game as on paper, if the book is to be changed by it."""
        if not self._comparison.changes_the_book:
            return None
        earlier_reports = [hand.report for hand in self.book[: self.first - 1]]
        return PaperAccount(
            earlier_reports, self._comparison.reports, [hand.pk for hand in self.book]
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
    def change_count(self) -> int:
        """How many places of the book the paper would change."""
        return sum(choice.decision == PAPER for choice in self._choices)

    @property
    def identical_count(self) -> int:
        """How many rows are identical in the book."""
        return sum(row.kind == RowComparison.SAME for row in self.rows)

    @property
    def beyond(self) -> list[int]:
        """The numbers of the book's hands after the end of the paper."""
        return [row.number_at_table for row in self._comparison.beyond]

    @property
    def can_be_saved(self) -> bool:
        return bool(self.ready or self.change_count) and not (self.problems or self.open_choices)

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
        gains = [hand.row.gains for hand in sheet.earlier_hands]
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
            seat: points for seat, points in readable_points(plain).items() if points is not None
        }

    @property
    def total_differences(self) -> dict[int, int]:
        """By how much the paper's total exceeds the sum, if they differ."""
        differences = {
            seat: points - self.totals[seat] for seat, points in self.paper_totals.items()
        }
        return {seat: points for seat, points in differences.items() if points}

    @property
    def sums(self) -> list[ColumnSum]:
        unread = {
            seat for seat, text in self.typed_totals.items() if text
        } - self.paper_totals.keys()
        wrong = unread | self.total_differences.keys()
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
        if not self.total_differences or not self.is_whole:
            return []
        differences = [
            f"{self.names[seat]} by {signed_points(points)}"
            for seat, points in self.total_differences.items()
        ]
        summary = f"The paper differs: {join_words(differences)}."
        suspicions: set[tuple[int, str]] = set()
        # A slip in the one total that differs.
        if len(self.total_differences) == 1:
            (seat,) = self.total_differences
            if pen := pen_slip(self.totals[seat], self.paper_totals[seat]):
                place = f"In {self.names[seat]}’s total on the paper"
                suspicions.add((SLIP_RANK[pen.kind], f"{place}, perhaps {pen.description}."))
        for row in self.rows:
            if row.hand and row.report:
                suspicions |= {
                    (SLIP_RANK[finding.kind], f"Hand {row.number_at_table}: {finding.message}")
                    for finding in _row_explanation(
                        row, self.total_differences, self.paper_totals.keys(), self.rules
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
        together = sum(self.total_differences.values(), 0)
        if not row.is_gains or together != 0 or not self.total_differences.keys() <= gains.keys():
            return
        right = {seat: gains[seat] + points for seat, points in self.total_differences.items()}
        names = join_words(self.names[seat] for seat in right)
        if list(right.values()) == [gains[seat] for seat in reversed(right)]:
            yield (
                SLIP_RANK[Slip.SEATS_SWAPPED],
                (f"Hand {row.number_at_table}: the gains of {names} may have been swapped."),
            )
        if all(pen_slip(points, gains[seat]) for seat, points in right.items()):
            gains_text = join_words(
                f"{self.names[seat]} {signed_points(points)}" for seat, points in right.items()
            )
            yield (
                SLIP_RANK[Slip.TWO_SLIPS],
                f"Hand {row.number_at_table}: it would fit with {gains_text}.",
            )


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
    offset = {"put-in": 1, "take-out": -1}.get(step)
    if not number or offset is None:
        return dict(form_data)
    changed_data = {}
    for name, value in form_data.items():
        match = ROW_BUTTON.fullmatch(name)
        row = int(match[1]) if match else 0
        if match is None or row < number:
            changed_data[name] = value
        elif row > number or step == "put-in":
            changed_data[f"{row + offset}-{match[2]}"] = value
    if step == "put-in":
        count = hand_number({"number": form_data.get("count", "")})
        changed_data["count"] = str(count + 1) if count else ""
    return changed_data


def _row_explanation(
    row: SheetRow, differences: Mapping[int, int], written_seats: Collection[int], rules: RuleSet
) -> Iterator[Finding]:
    """The explanation if the whole difference is in this row's gains."""
    hand = row.hand.row if row.hand else None
    if hand is None or row.report is None or hand.scores.keys() < hand.gains.keys():
        return
    if not differences.keys() <= hand.gains.keys():
        return
    gains = {
        wind: hand.gains[seat] + differences.get(seat, 0) if seat in written_seats else None
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
