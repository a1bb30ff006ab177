"""The picture of who meets whom: squares on a grid, measured for a screen."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from clubs.seating.company import Together
from clubs.seating.words import listed

# From so many players down: the side of a square, the names' room and size, in pixels.
SCALES = ((24, 26, 150, 15), (72, 17, 130, 13), (128, 10, 0, 12), (2000, 6, 0, 12))
NUMBERS = 34
HEAD = 24


@dataclass(frozen=True, slots=True)
class Mark:
    """One pair's square; `figure` is how often they meet where that is more than once."""

    x: float
    y: float
    kind: str
    figure: str
    title: str


@dataclass(frozen=True, slots=True)
class Stripe:
    """The squares of one player who meets each of these once, drawn as one path."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A number or a name beside the grid."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Everything that a template needs to draw the picture, in pixels from the upper left corner.

    left, head: room for names and for numbers; side: the grid's; cell: a square's.
    chosen: the upper edge of the row of the player looked for, None where nobody is.
    """

    cell: int
    left: int
    head: int
    side: int
    letters: int
    has_names: bool
    marks: tuple[Mark, ...]
    stripes: tuple[Stripe, ...]
    names: tuple[Label, ...]
    numbers: tuple[Label, ...]
    grid: str
    chosen: int | None

    @property
    def width(self) -> int:
        """Of the whole picture."""
        return self.left + self.side + 2

    @property
    def height(self) -> int:
        """Of the whole picture; the numbers stand above and below."""
        return self.side + 2 * self.head

    @property
    def middle(self) -> float:
        """Half a square."""
        return self.cell / 2

    @property
    def inner(self) -> int:
        """The side of a mark within its square."""
        return self.cell - 2

    @property
    def inset(self) -> int:
        """How far the mark of a single meeting stays from its square's edge."""
        return max(2, self.cell // 6)

    @property
    def small(self) -> int:
        """The side of the mark of a single meeting."""
        return self.cell - 2 * self.inset

    @property
    def diamond(self) -> str:
        """The mark of meeting again where no number fits: it juts out of its square."""
        half = self.cell * 0.8
        return f"M{self.middle} {self.middle - half}l{half} {half}l{-half} {half}l{-half} {-half}z"

    @property
    def beside(self) -> int:
        """Where the names end, before the numbers."""
        return self.left - NUMBERS

    @property
    def foot(self) -> int:
        """The line of the numbers below."""
        return self.head + self.side + 16


def matrix_of(
    names: Sequence[str], pairs: Sequence[Together], chosen: str, numbers: Sequence[int]
) -> Matrix:
    """The picture for these names and numbers in their order; `chosen` is to be pointed out."""
    cell, room, letters = next(scale[1:] for scale in SCALES if len(names) <= scale[0])
    left, side = room + NUMBERS, cell * len(names)
    each = 1 if room else 5 if cell > 8 else 10
    shown = [at for at in range(len(names)) if each == 1 or (at + 1) % each == 0]
    in_one = [pair for pair in pairs if pair.kind == "once" and not room]
    return Matrix(
        cell=cell,
        left=left,
        head=HEAD,
        side=side,
        letters=letters,
        has_names=bool(room),
        marks=tuple(
            mark
            for pair in pairs
            if room or pair.kind != "once"
            for mark in _both_ways(names, pair, cell)
        ),
        stripes=_stripes(names, in_one, cell),
        names=tuple(
            Label(cell * (at + 0.5), _shortened(name, room // (letters * 0.52)))
            for at, name in enumerate(names)
            if room
        ),
        numbers=tuple(Label(cell * (at + 0.5), f"{numbers[at]}") for at in shown),
        grid=_grid(len(names), cell),
        chosen=cell * names.index(chosen) if chosen in names else None,
    )


def _shortened(name: str, most: float) -> str:
    return name if len(name) <= most else f"{name[: int(most) - 1].rstrip()}…"


def _both_ways(names: Sequence[str], pair: Together, cell: int) -> list[Mark]:
    figure = f"{pair.times}" if pair.kind != "once" else ""
    title = f"{names[pair.row]} and {names[pair.column]}: {pair.when}"
    at = ((pair.column, pair.row), (pair.row, pair.column))
    return [Mark(cell * x, cell * y, pair.kind, figure, title) for x, y in at]


def _stripes(names: Sequence[str], pairs: Sequence[Together], cell: int) -> tuple[Stripe, ...]:
    meets: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        meets[pair.row].append(pair.column)
        meets[pair.column].append(pair.row)
    return tuple(
        Stripe(
            "".join(
                f"M{cell * other + 1} {cell * row + 1}h{cell - 2}v{cell - 2}h{2 - cell}z"
                for other in sorted(others)
            ),
            f"{row + 1} {names[row]}: {listed([names[other] for other in sorted(others)])}",
        )
        for row, others in sorted(meets.items())
    )


def _grid(count: int, cell: int) -> str:
    """Thin lines: about every square where they are large, else every fifth or tenth."""
    each = 1 if cell > 12 else 5 if cell > 8 else 10
    side = cell * count
    lines = (cell * at for at in range(count + 1) if at % each == 0 or at == count)
    return "".join(f"M0 {at}h{side}M{at} 0v{side}" for at in lines)
