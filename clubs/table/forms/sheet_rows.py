"""One row of a paper sheet: what was typed, its result, and its errors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Final, NamedTuple
from uuid import UUID

from django.core.exceptions import ValidationError

from clubs.core.forms import add_problems
from clubs.table.forms.hands import FROM_THE_WALL, NO_WINNER, HandForm, parse_points, playing_seats
from clubs.table.rows import HandView, signed_points
from scoring import Deal, RuleSet
from scoring.detective.slips import pen_slip
from scoring.hands.hand import WonBy, join_words
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import HandRow, Outcome, hand_row, outcome_of

WINNER_MARKS: Final = ".,"
DASHES: Final = frozenset("-–—−")
GOULASH_MARK: Final = "+"
TWO_WINNERS = "Two players are marked. Choose the one who went Mah-Jong."
TWO_DISCARDERS = "Two players have a dash. Leave it only with the one who discarded the last tile."
PAPER = "paper"
BOOK = "book"
CHOOSE_ALL = "choose-all"
UNEXPLAINED_MESSAGE = (
    "These gains do not match any scores. Check each number and its sign. If the paper really "
    "says this, tick “As written”."
)
TypedFields = Mapping[str, str]

NO_GOULASH = (
    "The paper has a goulash here, but no hand above was drawn. "
    "A row may be missing above. If not, remove the G."
)
ONLY_THE_WINNER = "Only the winner scores under these rules. Leave the others empty."


@dataclass(frozen=True, slots=True)
class ParsedRow:
    """A parsed row: the winner (a seat as text, ``nobody``, or empty) and the figures.

    ``discarder`` is a seat as text, or empty; ``faults`` are the errors.
    """

    winner: str
    figures: Mapping[int, str]
    discarder: str
    is_goulash: bool
    faults: tuple[str, ...] = ()


def read_row(
    entries: Mapping[str, str], seats: Sequence[int], *, asks_discarder: bool, winner_only: bool
) -> ParsedRow:
    """``60.`` went Mah-Jong with 60; ``+`` alone is a goulash; a dash alone a drawn hand.

    Beside a figure a dash is nothing scored, or the discarder where the rules ask who that was.
    Where the winner alone scores, the column of the one figure says who it was.
    """
    cells = {seat: entries.get(f"score_{seat}", "").strip() for seat in seats}
    plain = {seat: cell.strip(WINNER_MARKS).strip() for seat, cell in cells.items()}
    figures = {
        seat: _with_plain_sign(cell)
        for seat, cell in plain.items()
        if (bool(cell) and cell not in DASHES and cell != GOULASH_MARK)
    }
    dashes = [str(seat) for seat, cell in plain.items() if cell in DASHES]
    # The ringed players, and those whose figure has a point at one end.
    marked_winners = [
        entries.get("winner"),
        *(str(seat) for seat in seats if cells[seat] != plain[seat]),
    ]
    winners = [*dict.fromkeys(filter(None, marked_winners))]
    if winner_only and not winners and len(figures) == 1:
        winners = [str(seat) for seat in figures]
    is_drawn = bool(dashes) and not winners and not figures
    discarders = dashes if asks_discarder and not is_drawn else []
    faults = ((TWO_WINNERS, winners), (TWO_DISCARDERS, discarders))
    return ParsedRow(
        winner=NO_WINNER if is_drawn else next(iter(winners), ""),
        figures=figures,
        discarder=next(iter(discarders), ""),
        is_goulash=bool(entries.get("goulash")) or GOULASH_MARK in plain.values(),
        faults=tuple(fault for fault, marked_seats in faults if len(marked_seats) > 1),
    )


def _with_plain_sign(cell: str) -> str:
    """With a plain minus sign or none, for parsing."""
    head, remainder = cell[0], cell[1:].strip()
    return f"-{remainder}" if head in DASHES else remainder if head == GOULASH_MARK else cell


class ScoreCell(NamedTuple):
    """A player's figure in a row, as typed; ``key`` is the form's value for that winner."""

    name: str
    player_name: str
    value: str
    key: str
    is_winner: bool
    is_wrong: bool


class RowComparison(StrEnum):
    """How a row compares with the book."""

    NEW = "new"
    SAME = "same"
    OTHER = "other"
    EXTRA = "extra"


class ComparedFigure(NamedTuple):
    """What the paper and the score book have for one player."""

    name: str
    paper: str
    book: str
    differs: bool


@dataclass(frozen=True, slots=True)
class RowChoice:
    """A difference between the paper and the score book."""

    key: str
    decision: Annotated[str, "paper, book, or empty"] = ""
    is_asked: bool = True

    @property
    def is_open(self) -> bool:
        return self.decision not in {PAPER, BOOK}


@dataclass(frozen=True, slots=True)
class LoneHand:
    """A recorded hand that is missing from the paper."""

    stands: HandView
    choice: RowChoice


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the paper compared with the score book.

    ``deal`` is None while the winds are unknown.
    """

    number: int
    typed_fields: TypedFields
    submission_id: UUID
    parsed_row: ParsedRow
    hands_before: Annotated[int, "hands of the table before its players changed"] = 0
    names: Mapping[int, str] = field(default_factory=dict)
    deal: Deal | None = None
    hand: Annotated[HandView | None, "as it would be recorded"] = None
    report: Report | None = None
    outcome: Outcome | None = None
    problems: tuple[str, ...] = ()
    wrong: frozenset[str] = frozenset()
    as_written: bool = False
    is_gains: bool = False
    stands: Annotated[HandView | None, "what the score book has"] = None
    kind: Annotated[
        RowComparison, "new, same, other (the score book differs) or extra (not in the score book)"
    ] = RowComparison.NEW
    choice: RowChoice | None = None
    lone_hands: Annotated[tuple[LoneHand, ...], "recorded hands that come before it"] = ()

    @property
    def number_at_table(self) -> int:
        """As people count, hands before a change of players too."""
        return self.hands_before + self.number

    @property
    def is_blank(self) -> bool:
        return not any(self.typed_fields.values())

    @property
    def is_drawn(self) -> bool:
        return self.parsed_row.winner == "nobody"

    @property
    def is_unexplained(self) -> Annotated[bool, "whether no scores lead to these gains"]:
        return self.as_written or UNEXPLAINED_MESSAGE in self.problems

    @property
    def is_shifted(self) -> bool:
        """Whether the book has the hand under another number."""
        return self.stands is not None and self.stands.row.number != self.number

    @property
    def cells(self) -> list[ScoreCell]:
        """What each scored or gained, in the paper's order."""
        return [
            ScoreCell(
                name=f"score_{seat}",
                player_name=name,
                value=self.typed_fields.get(f"score_{seat}", ""),
                key=str(seat),
                is_winner=self.parsed_row.winner == str(seat),
                is_wrong=f"score_{seat}" in self.wrong,
            )
            for seat, name in sorted(self.names.items())
        ]

    @property
    def sum_of_gains(self) -> int:
        """The sum of the gains; zero if players pay one another."""
        return 0 if self.hand is None else sum(self.hand.row.gains.values())

    @property
    def figures(self) -> Iterator[ComparedFigure]:
        """Paper and book side by side, player by player in the paper's order."""
        if self.stands is None:
            return
        book = self.stands.row
        for seat, name in sorted(self.names.items()):
            if seat not in book.winds:
                continue
            paper, stands = self.parsed_row.figures.get(seat, "0"), f"{book.scores.get(seat, 0)}"
            if self._in_gains:
                stands = signed_points(book.gains.get(seat, 0))
                if self.hand is not None:
                    paper = signed_points(self.hand.row.gains.get(seat, 0))
            if book.is_drawn:
                stands = "0"
            paper_text = f"MJ {paper}" if self.parsed_row.winner == str(seat) else paper
            book_text = f"MJ {stands}" if book.winner == seat else stands
            yield ComparedFigure(name, paper_text, book_text, paper_text != book_text)

    @property
    def _in_gains(self) -> bool:
        """Whether gains are compared, because one side has nothing else."""
        return self.is_gains or (self.stands is not None and not has_all_scores(self.stands.row))


def has_all_scores(row: HandRow) -> bool:
    return row.is_drawn or row.scores.keys() >= row.gains.keys()


def gains_report(row: SheetRow, sticks_before: Mapping[int, int], rules: RuleSet) -> Report:
    """The report that a row's gains make, given what each ``sticks_before``; an empty cell is 0.

    Raises ``Refused`` if they cannot be read or do not add up to zero.
    """
    winner, gains = row.parsed_row.winner, dict.fromkeys(sticks_before, 0)
    findings: list[ProblemLike] = []
    for seat in sticks_before:
        try:
            gains[seat] = parse_points(row.parsed_row.figures.get(seat, "")) or 0
        except ValidationError as wrong:
            findings.append(Refusal("bad_score", wrong.messages[0], f"scores.{seat}"))
    if findings:
        raise Refused(findings)
    if not winner:
        message = "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
        raise refuse("no_winner", message, "winner")
    if winner == NO_WINNER:
        if any(gains.values()):
            raise refuse("drawn_hand", "No one gains on a drawn hand.")
        return Report(winner=None)
    if winner not in map(str, sticks_before):
        raise refuse("bad_seat", "Choose one of the players of this hand.", "winner")
    discarder = int(row.parsed_row.discarder) if row.parsed_row.discarder else None
    won_by = (WonBy.DISCARD if discarder else WonBy.WALL).value
    return Report(
        winner=int(winner),
        won_by=won_by if asks_who_discarded(rules) else None,
        discarder=discarder,
        tallies={seat: sticks_before[seat] + gain for seat, gain in gains.items()},
        had=sticks_before,
        as_counted=row.as_written,
    )


def with_problems(row: SheetRow, refusal: Refused, names: Mapping[int, str]) -> SheetRow:
    """The row with the book's answer in terms of a sheet of gains, and the cells it is about."""
    codes = {problem.code for problem in refusal.problems}
    places = [problem.path.partition(".") for problem in refusal.problems]
    wrong = frozenset(
        f"score_{seat}" for place, _, seat in places if place in {"scores", "tallies"} and seat
    )
    sentences = tuple(problem.message for problem in refusal.problems)
    if "counts_astray" in codes:
        sentences = (_sum_sentence(row, names, wrong),)
    elif "unexplained" in codes:
        sentences = (UNEXPLAINED_MESSAGE,)
    return replace(row, problems=sentences, wrong=wrong)


def _sum_sentence(row: SheetRow, names: Mapping[int, str], wrong: frozenset[str]) -> str:
    """The sum of the gains, and which single one may be wrong."""
    gains = {seat: (parse_points(row.parsed_row.figures.get(seat, "")) or 0) for seat in names}
    difference = sum(gains.values())
    text = f"The gains add up to {signed_points(difference)}, not to zero."
    guesses: list[str] = []
    likely: list[str] = []
    for seat in names:
        if f"score_{seat}" in wrong:
            right = gains[seat] - difference
            guesses.append(f"{signed_points(right)} for {names[seat]}")
            if pen := pen_slip(right, gains[seat]):
                likely.append(f"{guesses[-1]} ({pen.description})")
    if not guesses:
        return f"{text} Check each number and its sign."
    return f"{text} It would be right with {join_words(likely or guesses, last='or')}."


@dataclass(frozen=True, slots=True)
class RowTrial:
    """The context in which a row is tried; ``start`` is what everyone had before the first hand."""

    game: Game
    names: Mapping[int, str]
    rules: RuleSet
    start: Mapping[int, int]

    def try_row(self, row: SheetRow, deal: Deal, hand_outcomes: Sequence[Outcome]) -> SheetRow:
        """The row with the hand that it makes after these outcomes, or with its problems."""
        parsed_row, seat_out = row.parsed_row, deal.sits_out
        faults = [*parsed_row.faults]
        if seat_out is not None and (
            seat_out in parsed_row.figures or parsed_row.winner == str(seat_out)
        ):
            faults.append(f"{self.names[seat_out]} sits out this hand and has no score.")
        if parsed_row.is_goulash and not deal.goulash:
            faults.append(NO_GOULASH)
        if not self.rules.losers_score and not row.is_gains and len(parsed_row.figures) > 1:
            faults.append(ONLY_THE_WINNER)
        if faults:
            return _winner_only_row(replace(row, problems=tuple(faults)), deal)
        if row.is_gains:
            return self._of_gains(row, deal, hand_outcomes)
        form = self._form(row, deal)
        if not form.is_valid():
            return _faulty_row(row, form, deal)
        try:
            return self._with_hand(row, form.report, hand_outcomes)
        except Refused as no:
            add_problems(form, no)
            return _faulty_row(row, form, deal)

    def _of_gains(self, row: SheetRow, deal: Deal, hand_outcomes: Sequence[Outcome]) -> SheetRow:
        sticks_before = {
            seat: self.start[seat] + sum(outcome.gains.get(seat, 0) for outcome in hand_outcomes)
            for seat in deal.winds
        }
        try:
            return self._with_hand(row, gains_report(row, sticks_before, self.rules), hand_outcomes)
        except Refused as no:
            return _winner_only_row(with_problems(row, no, self.names), deal)

    def _with_hand(
        self, row: SheetRow, report: Report, hand_outcomes: Sequence[Outcome]
    ) -> SheetRow:
        hand = scorebook.hand_after(game=self.game, hand_outcomes=hand_outcomes, report=report)
        hand_view = HandView(hand_row(hand, hands_before=row.hands_before), self.names)
        return replace(row, hand=hand_view, report=report, outcome=outcome_of(hand))

    def _form(self, row: SheetRow, deal: Deal) -> HandForm:
        parsed_row = row.parsed_row
        fields = {
            "submission_id": str(row.submission_id),
            "number": str(row.number),
            "winner": parsed_row.winner,
        }
        if self.rules.losers_score:
            fields |= {f"score_{seat}": figure for seat, figure in parsed_row.figures.items()}
        else:
            fields["score"] = next(iter(parsed_row.figures.values()), "")
        if asks_who_discarded(self.rules):
            fields["last_tile"] = parsed_row.discarder or FROM_THE_WALL
        return HandForm(playing_seats(deal.winds, self.names), fields, rules=self.rules)


def _faulty_row(row: SheetRow, form: HandForm, deal: Deal) -> SheetRow:
    sentences = tuple(str(error) for errors in form.errors.values() for error in errors)
    at_winner = f"score_{row.parsed_row.winner}"
    wrong = frozenset(at_winner if name == "score" else name for name in form.errors)
    return _winner_only_row(replace(row, problems=sentences, wrong=wrong), deal)


def _winner_only_row(row: SheetRow, deal: Deal) -> SheetRow:
    """The winner alone is enough to work out the winds of the next row."""
    winner = row.parsed_row.winner
    if winner == NO_WINNER:
        return replace(row, outcome=Outcome(None, {}))
    return replace(row, outcome=Outcome(int(winner), {})) if winner in map(str, deal.winds) else row
