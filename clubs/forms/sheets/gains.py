"""A row on which only gains were written: checked, and told as sticks that were counted."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.core.exceptions import ValidationError

from clubs.forms.hands import NOBODY, points_of
from clubs.forms.sheets.rows import UNEXPLAINED, SheetRow
from clubs.rows import signed
from scoring import RuleSet
from scoring.detective.pen import pen_slip
from scoring.hands import WonBy
from scoring.naming import listed
from scoring.scorebook.refusals import Finding, Refusal, Refused
from scoring.scorebook.reports import Report, asks_who_discarded

WHO_WON = "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
NOTHING_DRAWN = "No one gains on a drawn hand."


class Said(NamedTuple):
    """What is in the way, and the cells that it is about."""

    sentences: tuple[str, ...]
    wrong: frozenset[str]


def gains_report(row: SheetRow, had: Mapping[int, int], rules: RuleSet) -> Report:
    """The report that the gains of a row make after what each ``had``; an empty cell is 0.

    Raises ``Refused`` where they cannot be read or do not add to nothing.
    """
    winner, gains = row.written.winner, dict(_read(row, had))
    if not winner:
        raise Refused([Refusal("no_winner", WHO_WON, "winner")])
    if winner == NOBODY:
        if any(gains.values()):
            raise Refused([Refusal("drawn_hand", NOTHING_DRAWN)])
        return Report(winner=None)
    if winner not in map(str, had):
        raise Refused([Refusal("bad_seat", "Choose one of the players of this hand.", "winner")])
    discarder = int(row.written.discarder) if row.written.discarder else None
    way = (WonBy.DISCARD if discarder else WonBy.WALL).value
    return Report(
        winner=int(winner),
        won_by=way if asks_who_discarded(rules) else None,
        discarder=discarder,
        tallies={seat: had[seat] + gain for seat, gain in gains.items()},
        had=had,
        as_counted=row.as_written,
    )


def _read(row: SheetRow, had: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    found: list[Finding] = []
    for seat in had:
        try:
            yield seat, points_of(row.written.figures.get(seat, "")) or 0
        except ValidationError as wrong:
            found.append(Refusal("bad_score", wrong.messages[0], f"scores.{seat}"))
    if found:
        raise Refused(found)


def said_of_gains(refused: Refused, row: SheetRow, names: Mapping[int, str]) -> Said:
    """The book's answer in the words of a sheet of gains."""
    codes = {problem.code for problem in refused.problems}
    wrong = frozenset(_cell(problem.where) for problem in refused.problems) - {""}
    if "counts_astray" in codes:
        return _astray(refused, row, names)
    if "unexplained" in codes:
        return Said((UNEXPLAINED,), wrong)
    return Said(tuple(problem.sentence for problem in refused.problems), wrong)


def _cell(where: str) -> str:
    place, _, seat = where.partition(".")
    return f"score_{seat}" if place in {"scores", "tallies"} and seat else ""


def _astray(refused: Refused, row: SheetRow, names: Mapping[int, str]) -> Said:
    """What the gains add up to, and which one alone may be wrong."""
    written = {seat: _points(row, seat) for seat in names}
    off = sum(written.values())
    wrong = frozenset(_cell(problem.where) for problem in refused.problems) - {""}
    suspects = [seat for seat in names if f"score_{seat}" in wrong]
    sentence = f"The gains add up to {signed(off)}, not to zero."
    if not suspects:
        return Said((f"{sentence} Check each number and its sign.",), wrong)
    guesses = [_guess(names[seat], written[seat] - off, written[seat]) for seat in suspects]
    likely = [words for words, is_likely in guesses if is_likely]
    told = likely or [words for words, _ in guesses]
    right = listed(told, last="or")
    return Said((f"{sentence} It would fit with {right}.",), wrong)


def _points(row: SheetRow, seat: int) -> int:
    return points_of(row.written.figures.get(seat, "")) or 0


def _guess(name: str, right: int, found: int) -> tuple[str, bool]:
    pen = pen_slip(right, found)
    words = f"{signed(right)} for {name}"
    return (f"{words} ({pen.words})", True) if pen else (words, False)
