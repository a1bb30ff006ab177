"""A line drawn from evening to evening: places on a picture of 1,000 by 1,000, and its scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from clubs.language.moments import day_and_short_month

FIRST, LAST = 150, 965
TOP, FOOT = 90, 860
MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the picture as shares of its width and height, and what is said there."""

    x: str
    y: str
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its lines across, both curves, a dot for each evening, the days below.

    ``zero`` is the height at which everyone begins, ``end`` what the curve comes to; it
    ``falls`` where its last part goes down.
    """

    scale: tuple[Mark, ...]
    zero: str
    curve: str
    middle: str
    dots: tuple[Mark, ...]
    end: Mark
    falls: bool
    days: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """One evening: where the curve is, in words too; None where the player was not there."""

    day: date
    middle: float
    value: int | None
    words: str = ""


def chart(stops: Sequence[Stop], *, start: int = 0, signed: bool = False) -> Chart | None:
    """The chart of at least two evenings, from what everyone begins with; None of fewer."""
    if sum(stop.value is not None for stop in stops) < 2:
        return None
    values = [stop.value for stop in stops if stop.value is not None]
    lines = scale_of([start, *values, *(stop.middle for stop in stops)])
    frame = _Frame(len(stops), lines[0], lines[-1])
    points = [(at, stop.value) for at, stop in enumerate(stops, 1) if stop.value is not None]
    return Chart(
        scale=tuple(
            Mark("0%", _share(frame.y(value)), _written(value, signed=signed)) for value in lines
        ),
        zero=_share(frame.y(start)),
        curve=frame.curve([(points[0][0] - 1, start), *points]),
        middle=frame.curve([(0, start), *((at, stop.middle) for at, stop in enumerate(stops, 1))]),
        dots=tuple(_mark(frame, at, value, stops[at - 1].words) for at, value in points),
        end=_mark(frame, *points[-1], _written(points[-1][1], signed=signed)),
        falls=points[-1][1] < points[-2][1],
        days=tuple(
            Mark(_share(frame.x(at)), "100%", day_and_short_month(stop.day))
            for at, stop in ((1, stops[0]), (len(stops), stops[-1]))
        ),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    stops: int
    low: float
    high: float

    def x(self, at: float) -> float:
        """Where an evening is; 0 is before the first."""
        return FIRST + (LAST - FIRST) * at / self.stops

    def y(self, value: float) -> float:
        """How far down a value is."""
        return FOOT - (FOOT - TOP) * (value - self.low) / (self.high - self.low)

    def curve(self, points: Sequence[tuple[int, float]]) -> str:
        """The corners of a line, as SVG writes them."""
        return " ".join(f"{self.x(at):.1f},{self.y(value):.1f}" for at, value in points)


def scale_of(values: Sequence[float]) -> list[int]:
    """Round numbers in equal steps of 1, 2 or 5, from below the least to above the greatest."""
    low, high = min(values), max(values)
    step, tens = 1, 1
    while -(-high // step) - low // step > MOST_LINES:
        step = next((n * tens for n in (1, 2, 5) if n * tens > step), 10 * tens)
        tens = tens * 10 if step == 10 * tens else tens
    first, last = int(low // step), int(-(-high // step))
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _mark(frame: _Frame, at: int, value: int, words: str) -> Mark:
    return Mark(_share(frame.x(at)), _share(frame.y(value)), words)


def _written(value: int, *, signed: bool) -> str:
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{value:,}".replace("-", "\N{MINUS SIGN}")


def _share(part: float) -> str:
    return f"{part / 10:.2f}%"
