"""A row of a paper sheet tried as the next hand of the game, in scores or in gains."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.core.forms import add_problems
from clubs.forms.hands import FROM_THE_WALL, NOBODY, HandForm, places_of
from clubs.forms.sheets.gains import gains_report, said_of_gains
from clubs.forms.sheets.rows import SheetRow, refused
from clubs.rows import HandView
from scoring import Deal, RuleSet
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import Outcome, hand_row, outcome_of

NO_GOULASH = (
    "The paper has a goulash here, but no hand above was drawn. "
    "A row may be missing above. If not, remove the G."
)
ONLY_THE_WINNER = "Only the winner scores under these rules. Leave the others empty."


@dataclass(frozen=True, slots=True)
class Trial:
    """What a row is tried under; ``start`` is what everyone had before the first hand."""

    game: Game
    names: Mapping[int, str]
    rules: RuleSet
    start: Mapping[int, int]

    def tried(self, row: SheetRow, deal: Deal, played: Sequence[Outcome]) -> SheetRow:
        """The row with the hand that it makes after these outcomes, or with what is wrong."""
        if faults := [*row.written.faults, *self._beside_the_deal(row, deal)]:
            return _going_on(refused(row, *faults), deal)
        if row.is_gains:
            return self._of_gains(row, deal, played)
        form = self._form(row, deal)
        if not form.is_valid():
            return _faulty(row, form, deal)
        try:
            return self._made(row, form.report, played)
        except Refused as no:
            add_problems(form, no)
            return _faulty(row, form, deal)

    def _beside_the_deal(self, row: SheetRow, deal: Deal) -> list[str]:
        """What the paper has of the hand and cannot be so."""
        found = []
        written, out = row.written, deal.sits_out
        if out is not None and (out in written.figures or written.winner == str(out)):
            found.append(f"{self.names[out]} sits out this hand and has no score.")
        if written.is_goulash and not deal.goulash:
            found.append(NO_GOULASH)
        if not self.rules.losers_score and not row.is_gains and len(written.figures) > 1:
            found.append(ONLY_THE_WINNER)
        return found

    def _of_gains(self, row: SheetRow, deal: Deal, played: Sequence[Outcome]) -> SheetRow:
        had = {
            seat: self.start[seat] + sum(outcome.gains.get(seat, 0) for outcome in played)
            for seat in deal.winds
        }
        try:
            report = gains_report(row, had, self.rules)
            return self._made(row, report, played)
        except Refused as no:
            said = said_of_gains(no, row, self.names)
            return _going_on(replace(row, problems=said.sentences, wrong=said.wrong), deal)

    def _made(self, row: SheetRow, report: Report, played: Sequence[Outcome]) -> SheetRow:
        hand = scorebook.hand_after(game=self.game, played=played, report=report)
        shown = HandView(hand_row(hand), self.names)
        return replace(row, hand=shown, report=report, outcome=outcome_of(hand))

    def _form(self, row: SheetRow, deal: Deal) -> HandForm:
        written = row.written
        told = {
            "submission_id": str(row.submission_id),
            "number": str(row.number),
            "winner": written.winner,
        }
        if self.rules.losers_score:
            told |= {f"score_{seat}": figure for seat, figure in written.figures.items()}
        else:
            told["score"] = next(iter(written.figures.values()), "")
        if asks_who_discarded(self.rules):
            told["last_tile"] = written.discarder or FROM_THE_WALL
        return HandForm(places_of(deal.winds, self.names), told, rules=self.rules)


def _faulty(row: SheetRow, form: HandForm, deal: Deal) -> SheetRow:
    sentences = tuple(str(said) for errors in form.errors.values() for said in errors)
    at_winner = f"score_{row.written.winner}"
    wrong = frozenset(at_winner if name == "score" else name for name in form.errors)
    return _going_on(replace(row, problems=sentences, wrong=wrong), deal)


def _going_on(row: SheetRow, deal: Deal) -> SheetRow:
    """Who won is enough to go on to the winds of the row below."""
    winner = row.written.winner
    if winner == NOBODY:
        return replace(row, outcome=Outcome(None, {}))
    is_one = winner in map(str, deal.winds)
    return replace(row, outcome=Outcome(int(winner), {})) if is_one else row
