"""The foot of a paper sheet: what its columns add up to, beside what is written there."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from django.core.exceptions import ValidationError

from clubs.forms.hands import points_of
from clubs.forms.sheets.rows import SheetRow
from clubs.rows import signed
from scoring import RuleSet, Wind
from scoring.detective import Finding, Slip, examine_row
from scoring.detective.findings import BELIEVED, VAGUE
from scoring.detective.pen import pen_slip
from scoring.hands import WonBy
from scoring.naming import listed

if TYPE_CHECKING:
    from clubs.forms.sheets.sheet import Sheet

MOST = 3
NO_EXPLANATION = frozenset({*VAGUE, Slip.UNEXPLAINED, Slip.TWO_SLIPS})


class Sum(NamedTuple):
    """One column: what it adds up to, and what the paper has below it, as it was typed."""

    seat: int
    name: str
    total: int
    typed: str
    is_wrong: bool


class Foot:
    """The sums of a sheet, from the first hand of the game on, and what may have gone wrong."""

    def __init__(self, sheet: "Sheet") -> None:
        self.names, self.rules = sheet.view.names, sheet.rules
        self.rows = sheet.rows
        gains = [hand.row.gains for hand in sheet.done]
        gains += [row.hand.row.gains for row in sheet.rows if row.hand]
        self.totals = {seat: sum(one.get(seat, 0) for one in gains) for seat in self.names}
        self.typed = {seat: str(sheet.data.get(f"total_{seat}", "")).strip() for seat in self.names}
        self.is_whole = all(row.is_blank or row.hand for row in sheet.rows)

    @property
    def written(self) -> dict[int, int]:
        """What the paper has, where it can be read."""
        return dict(self._read())

    def _read(self) -> Iterator[tuple[int, int]]:
        for seat, typed in self.typed.items():
            try:
                points = points_of(typed.removeprefix("+").replace("–", "-"))
            except ValidationError:
                continue
            if points is not None:
                yield seat, points

    @property
    def off(self) -> dict[int, int]:
        """By how much the paper has more than the rows, where it has another total."""
        apart = {seat: points - self.totals[seat] for seat, points in self.written.items()}
        return {seat: points for seat, points in apart.items() if points}

    @property
    def sums(self) -> list[Sum]:
        """The columns in the order of the paper."""
        unread = {seat for seat, typed in self.typed.items() if typed} - self.written.keys()
        wrong = unread | self.off.keys()
        return [
            Sum(seat, name, self.totals[seat], self.typed[seat], seat in wrong)
            for seat, name in sorted(self.names.items())
        ]

    @property
    def agrees(self) -> bool:
        """Whether the paper's totals are typed, and right."""
        return bool(self.written) and not any(one.is_wrong for one in self.sums)

    @property
    def sentences(self) -> list[str]:
        """By how much the totals differ, and the likeliest slips, the likeliest first."""
        if not self.off or not self.is_whole:
            return []
        apart = [f"{self.names[seat]} by {signed(points)}" for seat, points in self.off.items()]
        said = f"The paper differs: {listed(apart)}."
        found = sorted(set(self._suspicions()))[:MOST]
        return [said, *(words for _, words in found)] if found else [f"{said} {self._look}"]

    @property
    def _look(self) -> str:
        return "No single mistake explains the difference. Compare the columns hand by hand."

    def _suspicions(self) -> Iterator[tuple[int, str]]:
        yield from self._of_the_totals()
        for row in self.rows:
            if row.hand is None or row.report is None:
                continue
            for found in _behind(row, self.off, self.written.keys(), self.rules):
                yield BELIEVED[found.kind], f"Hand {row.number}: {found.sentence}"
            yield from self._of_gains(row)

    def _of_the_totals(self) -> Iterator[tuple[int, str]]:
        """A slip of the pen in the one total that differs."""
        if len(self.off) == 1:
            (seat,) = self.off
            if pen := pen_slip(self.totals[seat], self.written[seat]):
                name = self.names[seat]
                yield BELIEVED[pen.kind], f"In {name}’s total on the paper, perhaps {pen.words}."

    def _of_gains(self, row: SheetRow) -> Iterator[tuple[int, str]]:
        """Gains of one row that would make all of the difference, and still add to nothing."""
        gains = row.hand.row.gains if row.hand else {}
        together = sum(self.off.values(), 0)
        if not row.is_gains or together != 0 or not self.off.keys() <= gains.keys():
            return
        right = {seat: gains[seat] + points for seat, points in self.off.items()}
        names = listed(self.names[seat] for seat in right)
        if list(right.values()) == [gains[seat] for seat in reversed(right)]:
            yield (
                BELIEVED[Slip.SEATS_SWAPPED],
                (f"Hand {row.number}: the gains of {names} may have been swapped."),
            )
        pens = [pen_slip(points, gains[seat]) for seat, points in right.items()]
        if all(pens):
            would = listed(f"{self.names[seat]} {signed(points)}" for seat, points in right.items())
            yield BELIEVED[Slip.TWO_SLIPS], f"Hand {row.number}: it would fit with {would}."


def _behind(
    row: SheetRow, off: Mapping[int, int], written: Collection[int], rules: RuleSet
) -> Iterator[Finding]:
    """What the detective says if all of the difference is in the gains of this one row."""
    hand = row.hand.row if row.hand else None
    if hand is None or row.report is None or hand.scores.keys() < hand.gains.keys():
        return
    if not off.keys() <= hand.gains.keys():
        return
    gains = {
        wind: hand.gains[seat] + off.get(seat, 0) if seat in written else None
        for seat, wind in hand.winds.items()
    }
    scores: dict[Wind, int | None] = {wind: hand.scores[seat] for seat, wind in hand.winds.items()}
    way = row.report.won_by
    yield from (
        found
        for found in examine_row(
            scores,
            gains,
            winner=None if hand.winner is None else hand.winds[hand.winner],
            rules=rules,
            dealer=hand.winds[hand.dealer],
            won_by=WonBy(way).value if way else None,
            discarder=hand.winds.get(row.report.discarder or 0),
        )
        if found.kind not in NO_EXPLANATION
    )
