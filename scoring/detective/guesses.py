"""A total that no hand scores: which one was perhaps meant."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from scoring.detective.findings import Slip, plain
from scoring.detective.pen import pen_slip
from scoring.totals import nearest

_MOST: Final = 2
_OF_THE_PEN: Final = (Slip.SWAPPED_DIGITS, Slip.NOUGHT)


class Guess(NamedTuple):
    """A total in points that can be, and in words how the other came of it; or it is near."""

    points: int
    words: str = ""


def guess_total(written: int, possible: Sequence[int]) -> tuple[Guess, ...]:
    """The totals, of those that are possible, that were perhaps meant; the likeliest first.

    At most two slips that explain what is written, then the nearest below and above. Nothing
    where what is written is possible itself.
    """
    if written in possible:
        return ()
    slips = list(_slips(written, possible))[:_MOST]
    explained = {guess.points for guess in slips}
    near = [points for points in nearest(written, tuple(possible)) if points is not None]
    return (*slips, *(Guess(points) for points in near if points not in explained))


def _slips(written: int, possible: Sequence[int]) -> Iterator[Guess]:
    for points in possible:
        pen = pen_slip(points, written)
        if pen and pen.kind in _OF_THE_PEN:
            yield Guess(points, f"{pen.words} ({plain(points)})")
    if written % 2 == 0 and written // 2 in possible:
        yield Guess(written // 2, f"{plain(written // 2)} was doubled once too often")
