"""A paper sheet as it is typed: a row a hand, each tried as if those above were in the book."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple
from uuid import uuid4

from clubs.forms.hands import FROM_THE_WALL, NOBODY, HandForm, places_of, told_number
from clubs.forms.problems import add_problems
from clubs.rows import HandView, TableView
from clubs.services.sheets import SheetHand
from scoring import Deal, RuleSet, Wind
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import HandRow, Outcome, hand_row, outcome_of, progress_after

MOST_ROWS = 16
BLANK_ROWS = 8
EMPTY = "This row is empty, so those below it cannot be reckoned. Fill it, or move them up."
WAITS = "Waits until the rows above are in order."
Typed = Mapping[str, str]


class ScoreCell(NamedTuple):
    """A player's score in a row, as it was typed."""

    who: str
    name: str
    value: str
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: what was typed, and what it would be.

    ``deal`` is None as long as it is not known who has which wind. ``hand`` is the hand as it
    would stand in the book, ``stands`` the one that is there already with other figures.
    """

    number: int
    typed: Typed
    submission_id: str
    deal: Deal | None = None
    hand: HandView | None = None
    stands: HandView | None = None
    problems: tuple[str, ...] = ()
    wrong: frozenset[str] = frozenset()
    ready: SheetHand | None = None
    outcome: Outcome | None = None
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been typed."""
        return not any(self.typed.values())

    @property
    def scores(self) -> list[ScoreCell]:
        """What each scored, in the order of the paper."""
        return [
            ScoreCell(
                name, f"score_{seat}", self.typed[f"score_{seat}"], f"score_{seat}" in self.wrong
            )
            for seat, name in sorted(self.names.items())
        ]

    @property
    def sum_of_gains(self) -> int:
        """What the gains add up to; nothing, where players pay one another."""
        return 0 if self.hand is None else sum(self.hand.row.gains.values())


class Sheet:
    """The rows that are not in the book yet; ``data`` is what was sent, None for a blank sheet."""

    def __init__(self, game: Game, view: TableView, rules: RuleSet, data: Any = None) -> None:
        self.game, self.view, self.rules = game, view, rules
        self.data = {} if data is None else data
        self.winner_only = not rules.losers_score
        self.asks_who_discarded = asks_who_discarded(rules)

    @property
    def seats(self) -> list[tuple[int, str]]:
        """The columns of scores in the order of the paper: seat and name."""
        return [] if self.winner_only else sorted(self.view.names.items())

    @property
    def winners(self) -> list[tuple[str, str]]:
        """Who can have gone Mah-Jong."""
        return [*self._players(), (NOBODY, "Nobody: drawn")]

    @property
    def discarders(self) -> list[tuple[str, str]]:
        """Who can have discarded the last tile."""
        return [*self._players(), (FROM_THE_WALL, "Nobody: drawn from the wall")]

    def _players(self) -> list[tuple[str, str]]:
        return [(str(seat), name) for seat, name in sorted(self.view.names.items())]

    @property
    def first(self) -> int:
        """The number of the first row."""
        upcoming = len(self._book) + 1
        return min(told_number({"number": self.data.get("first", "")}) or upcoming, upcoming)

    @property
    def count(self) -> int:
        """How many rows there are."""
        told = told_number({"number": self.data.get("count", "")})
        return min(told, MOST_ROWS) or self._blank_rows

    @property
    def _blank_rows(self) -> int:
        planned = self.game.hands_planned
        left = BLANK_ROWS if planned is None else planned - len(self._book)
        return max(0, min(MOST_ROWS, left))

    @property
    def _book(self) -> Sequence[HandRow]:
        return self.view.game.hands

    @cached_property
    def rows(self) -> tuple[SheetRow, ...]:
        """Every row as it stands now, one after another."""
        if self.view.game.is_over and not self.data:
            return ()
        found = list(self._tried())
        last = max((at for at, row in enumerate(found) if not row.is_blank), default=-1)
        return tuple(
            replace(row, problems=(EMPTY,)) if row.is_blank and at < last else row
            for at, row in enumerate(found)
        )

    def _tried(self) -> Iterator[SheetRow]:
        played: list[Outcome] | None = [Outcome(row.winner, row.gains) for row in self._book]
        for number in range(self.first, self.first + self.count):
            typed = self._typed(number)
            row = SheetRow(number, typed, self._id(number), names=self.view.names)
            if number <= len(self._book):
                yield from self._in_the_book(row)
            elif played is None:
                yield row if row.is_blank else replace(row, problems=(WAITS,))
            else:
                tried = self._after(row, played)
                played = [*played, tried.outcome] if tried.outcome else None
                yield tried

    def _typed(self, number: int) -> dict[str, str]:
        names = ["winner", *(f"score_{seat}" for seat, _ in self.seats), "score", "last_tile"]
        return {name: str(self.data.get(f"{number}-{name}", "")).strip() for name in names}

    def _id(self, number: int) -> str:
        return str(self.data.get(f"{number}-submission_id", "") or uuid4())

    def _in_the_book(self, row: SheetRow) -> Iterator[SheetRow]:
        """A row that somebody else has entered meanwhile: nothing where the figures are alike."""
        stands = self._book[row.number - 1]
        if row.is_blank:
            return
        form = self._form(row, stands.winds)
        if form.is_valid() and _is_alike(form.report, stands):
            return
        sentence = "Somebody else has entered this hand, with other figures."
        yield replace(row, stands=HandView(stands, self.view.names), problems=(sentence,))

    def _after(self, row: SheetRow, played: Sequence[Outcome]) -> SheetRow:
        """The row, tried as the next hand after these."""
        told = progress_after(self.game, played)
        if told.finished:
            over = "All the hands of this game have been played."
            return row if row.is_blank else replace(row, problems=(over,))
        row = replace(row, deal=told.deals[-1])
        return row if row.is_blank else self._reckoned(row, told.deals[-1], played)

    def _reckoned(self, row: SheetRow, deal: Deal, played: Sequence[Outcome]) -> SheetRow:
        form = self._form(row, deal.winds)
        if not form.is_valid():
            return self._faulty(row, form)
        try:
            hand = scorebook.hand_after(game=self.game, played=played, report=form.report)
        except Refused as refused:
            add_problems(form, refused)
            return self._faulty(row, form)
        if resting := self._scored_at_rest(row, deal):
            return replace(row, problems=(resting,))
        ready = SheetHand(form.cleaned_data["submission_id"], row.number, form.report)
        shown = HandView(hand_row(hand), self.view.names)
        return replace(row, hand=shown, ready=ready, outcome=outcome_of(hand))

    def _form(self, row: SheetRow, winds: Mapping[int, Wind]) -> HandForm:
        told = {**row.typed, "submission_id": row.submission_id, "number": str(row.number)}
        return HandForm(places_of(winds, self.view.names), told, rules=self.rules)

    def _faulty(self, row: SheetRow, form: HandForm) -> SheetRow:
        """Who won is enough to go on to the winds of the row below."""
        problems = tuple(str(said) for errors in form.errors.values() for said in errors)
        is_told = "winner" in form.cleaned_data
        outcome = Outcome(form.cleaned_data["winner"], {}) if is_told else None
        return replace(row, problems=problems, wrong=frozenset(form.errors), outcome=outcome)

    def _scored_at_rest(self, row: SheetRow, deal: Deal) -> str:
        seat = deal.sits_out
        if seat is None or not row.typed.get(f"score_{seat}"):
            return ""
        return f"{self.view.names[seat]} sits this hand out and has no score."

    @property
    def ready(self) -> list[SheetHand]:
        """The hands that can be saved now."""
        return [row.ready for row in self.rows if row.ready]

    @property
    def problems(self) -> list[str]:
        """Everything that is in the way of saving it."""
        return [sentence for row in self.rows for sentence in row.problems]

    @property
    def conflicts(self) -> list[SheetRow]:
        """The rows that stand in the book with other figures."""
        return [row for row in self.rows if row.stands]


def _is_alike(report: Report, stands: HandRow) -> bool:
    """Whether it says what the book has, tiles or totals."""
    if (report.winner, report.discarder) != (stands.winner, stands.report.get("discarder")):
        return False
    return report.winner is None or dict(report.totals) == stands.scores
