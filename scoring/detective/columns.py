"""Slips in carrying the totals of a score sheet on, hand by hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from scoring.detective.slips import (
    MOST,
    Finding,
    Slip,
    pen_slip,
    plain,
    ranked,
    signed,
)

_EACH = 2


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One hand on a sheet: what each column gained and the total carried, in points.

    None stands for a figure that is not written.
    """

    gains: Mapping[str, int | None]
    carried: Mapping[str, int | None]


def examine_sheet(rows: Sequence[SheetRow], *, start: int = 0) -> tuple[Finding, ...]:
    """The slips in carrying each column's total on, hand by hand, from `start` points.

    For each total that does not fit, at most two explanations, with `likelihood` 1 and 2. Whether
    the gains of a hand are right is `examine_row`'s question.
    """
    columns = dict.fromkeys(name for row in rows for name in row.carried)
    amiss = [sum_ for name in columns for sum_ in _wrong_sums(rows, name, start)]
    amiss.sort(key=lambda sum_: sum_.hand)
    findings = (finding for sum_ in amiss for finding in ranked(_explanations(sum_))[:_EACH])
    return tuple(islice(findings, MOST))


@dataclass(frozen=True, slots=True)
class _Sum:
    """One total that is not the total before and the gain."""

    rows: Sequence[SheetRow]
    hand: int
    name: str
    before: int
    earlier: int | None
    gain: int
    written: int

    @property
    def right(self) -> int:
        return self.before + self.gain

    @property
    def alone(self) -> bool:
        """Whether the next total was carried on from the right figure."""
        if self.hand + 1 == len(self.rows):
            return False
        row = self.rows[self.hand + 1]
        gain, carried = row.gains.get(self.name), row.carried.get(self.name)
        return gain is not None and carried == self.right + gain

    @property
    def gain_is_amiss(self) -> bool:
        """Whether the gain that was carried balances the row, and the written one does not."""
        gains = [points or 0 for points in self.rows[self.hand].gains.values()]
        return sum(gains) != 0 and sum(gains) - self.gain + self.written == self.before


def _wrong_sums(rows: Sequence[SheetRow], name: str, start: int) -> Iterator[_Sum]:
    before: int | None = start
    earlier: int | None = None
    for hand, row in enumerate(rows):
        gain, written = row.gains.get(name), row.carried.get(name)
        after = written
        if before is not None and gain is not None:
            after = before + gain
            if written is not None and written != after:
                amiss = _Sum(rows, hand, name, before, earlier, gain, written)
                yield amiss
                after = after if amiss.alone else written
        before, earlier = after, before


def _explanations(amiss: _Sum) -> Iterator[Finding]:
    if amiss.gain_is_amiss:
        gain = amiss.written - amiss.before
        pen = pen_slip(gain, amiss.gain)
        sentence = (
            f"{amiss.name}'s gain in hand {amiss.hand + 1} should be {signed(gain)},"
            f" not {signed(amiss.gain)}: then the row balances, and the total carried is right."
        )
        corrected = {f"rows.{amiss.hand}.gain.{amiss.name}": gain}
        yield Finding(pen.kind if pen else Slip.WRONG_SUM, (amiss.name,), sentence, corrected)
        return
    pen = pen_slip(amiss.right, amiss.written)
    reasons = [(pen.kind, pen.words)] if pen else []
    if not amiss.alone:
        reasons += _miscarried(amiss)
    corrected = _corrected(amiss)
    tail = ""
    if len(corrected) > 1:
        off = amiss.written - amiss.right
        tail = f" Every later total is {abs(off):,} too {'high' if off > 0 else 'low'}."
    for kind, words in reasons or [(Slip.WRONG_SUM, "it is added up wrongly")]:
        sentence = (
            f"{amiss.name}'s total after hand {amiss.hand + 1} should be {plain(amiss.right)},"
            f" not {plain(amiss.written)}: {words}.{tail}"
        )
        yield Finding(kind, (amiss.name,), sentence, corrected)


def _miscarried(amiss: _Sum) -> Iterator[tuple[Slip, str]]:
    added = amiss.written - amiss.before
    gain = signed(amiss.gain)
    if added == -amiss.gain:
        yield Slip.GAIN_TURNED, f"{gain} was carried with the wrong sign"
    if added == 0:
        yield Slip.GAIN_LEFT_OUT, f"{gain} was left out"
    if added == 2 * amiss.gain:
        yield Slip.GAIN_TWICE, f"{gain} was added twice"
    if amiss.earlier is not None and amiss.written == amiss.earlier + amiss.gain:
        yield Slip.ROW_ABOVE, "it was carried on from the row before the last"
    for other, points in amiss.rows[amiss.hand].gains.items():
        if other != amiss.name and points == added:
            yield Slip.GAIN_OF_ANOTHER, f"{other}'s {signed(added)} was added"
    misread = pen_slip(amiss.before, amiss.written - amiss.gain)
    if misread:
        yield misread.kind, f"in the total carried {misread.words}"


def _corrected(amiss: _Sum) -> dict[str, int]:
    """The total, and the later ones that were carried on from it."""
    off = amiss.written - amiss.right
    last = amiss.hand + 1 if amiss.alone else len(amiss.rows)
    written = {hand: amiss.rows[hand].carried.get(amiss.name) for hand in range(amiss.hand, last)}
    return {
        f"rows.{hand}.carried.{amiss.name}": points - off
        for hand, points in written.items()
        if points is not None
    }
