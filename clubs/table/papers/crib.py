"""The crib sheet: what scores by these rules, on one sheet of paper that stays on the table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from re import findall
from typing import Final

from clubs.paper.fonts import BOLD, TEXT, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, HAIR, INK, LINE, MASTHEAD, SOFT, Paper
from clubs.seating.why import listed
from clubs.table.selectors.rules import in_words_of_the_book
from scoring import RuleSet
from scoring.sheet import Section, sections

# What a player looks up while playing is here; the page of the rules has the rest.
LEFT_OUT: Final = frozenset({"How a hand is read", "Penalties", "Open points"})
PLAIN: Final = frozenset({"Order of the winds", "Players at a table"})
ORDINARY: Final = "ordinary hands"
# Words that say nothing that a name does not say as well.
SLIGHT: Final = {
    *("a", "all", "always", "and", "by", "each", "in", "of", "on", "or", "s", "the", "with"),
    *("last", "live", "one", "only", "player", "set", "suit", "tile", "tiles", "winning", "won"),
}
LARGEST, STEP = 12.0, 0.25
SIDES: Final = 2
COLUMNS: Final = 2
SHAPES: Final = frozenset({"pungs or kongs and a pair", "any Mah-Jong"})
FIGURE: Final = r"^[0-9,]+"
GUTTER, LEADING, GAP = 18.0, 1.2, 0.36  # points; of the size of letters
ABOVE, BELOW = 0.8, 0.5  # a title, of the size of letters
SHORT: Final = 0.4  # of a column: a block up to this height is not divided
TOGETHER: Final = 2  # rows of a longer block that stay together at its beginning and its end
FIGURES = 6.0
HEAD: Final = MASTHEAD + 6.0
Run = tuple[str, str]  # words, and their face


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the sheet: its name in bold, what it takes, what it is worth."""

    name: str
    details: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Rows under a title, with the headers of their figures; its letters, in times of theirs."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    large: float = 1.25


def blocks_of(rules: RuleSet) -> tuple[Block, ...]:
    """What stands on the sheet, in the order of the book."""
    blocks: list[Block] = []
    for section in sections(rules):
        if section.title not in LEFT_OUT:
            is_special = section.columns[0] == "Hand"
            blocks += _specials(section) if is_special else [_block(section, rules)]
    return tuple(blocks)


def _block(section: Section, rules: RuleSet) -> Block:
    worth = [name for name in section.columns if name in {"Exposed", "Concealed"}]
    worth = worth or [name for name in section.columns if name in {"Points", "Doubles"}]
    at = [section.columns.index(name) for name in worth]
    rows = [Row("", section.note)] if "Exposed" in worth else []
    for cells in section.rows:
        if cells[0] in PLAIN:
            continue
        figures = tuple(cells[column] for column in at)
        name, details = _without_repetition(cells[0], cells[1]) if at else (cells[0], cells[1])
        name = in_words_of_the_book(rules.key, name)
        if any(" " in words for words in figures):  # a sentence, which has no room beside the name
            details, figures = "; ".join(filter(None, (figures[-1], details))), ()
        rows.append(Row(name, details, figures if len(set(figures)) > 1 else figures[-1:]))
    if "What is doubled" in section.columns:
        rows += _reaching(section)
    return Block(section.title, tuple(worth), tuple(rows))


def _without_repetition(name: str, when: str) -> tuple[str, str]:
    """The name and what it takes, without saying the same thing twice."""
    in_name, in_details = (set(findall(r"\w+", words.lower())) - SLIGHT for words in (name, when))
    if in_details <= in_name:
        return name, ""
    return (when[:1].upper() + when[1:], "") if in_name <= in_details else (name, when)


def _reaching(section: Section) -> Iterator[Row]:
    """For what doubles more than ordinary hands, a row that says so."""
    reach = section.columns.index("What is doubled")
    names: dict[str, list[str]] = {}
    for cells in section.rows:
        if cells[reach] != ORDINARY:
            names.setdefault(cells[reach], []).append(cells[0])
    for doubled, of in names.items():
        yield Row("", f"{listed(of)} {'doubles' if len(of) == 1 else 'double'} {doubled}.")


def _specials(section: Section) -> list[Block]:
    """The special hands, those of one worth and one shape together."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for name, tiles, worth, short, _ in section.rows:
        shape, mark, rest = tiles.partition(": ")
        is_named = mark and shape in SHAPES
        points, less = (findall(FIGURE, words)[:1] for words in (worth, short))
        value = f"{points[0]} points" if points else worth[:1].upper() + worth[1:]
        details = rest if is_named else tiles
        if less and " on " not in short:
            value += f", one tile short {less[0]}"
        elif short not in {"", "nothing", worth}:
            details += f"; one tile short {short}"
        groups.setdefault((value, shape if is_named else ""), []).append(Row(name, details))
    blocks = [Block(section.title, (), (Row("", section.note),))]
    for (value, shape), hands in groups.items():
        title = f"{value}: {shape}" if shape else value
        blocks.append(Block(title, (), tuple(hands), 1.0))
    return blocks


def crib_pdf(club: str, rules: RuleSet, form: Format = USUAL) -> bytes:
    """A PDF of what scores by these rules: one sheet, printed on both sides."""
    paper = Paper(f"{rules.name}: crib sheet", form, wide=form.is_large)
    draw_crib(paper, club, rules)
    return paper.done()


def draw_crib(paper: Paper, club: str, rules: RuleSet) -> None:
    """The sheet from a fresh page on, in the largest letters with which it has two sides."""
    blocks, size = blocks_of(rules), LARGEST
    least = paper.form.smallest
    top = paper.height - paper.margin - HEAD - paper.foot
    while size > least and _columns_of(paper, blocks, size, top) > SIDES * COLUMNS:
        size = max(least, size - STEP)
    high, columns = top, _columns_of(paper, blocks, size, top)
    while _columns_of(paper, blocks, size, high - size) == columns:
        high -= size
    Crib(paper, club, rules, size, high).draw(blocks)


def _flow(row: Row, size: float, room: float, first: float) -> list[list[Run]]:
    """The words of a row in lines, the first of which leaves ``first`` points for figures."""
    colon = ":" if row.details and row.name else ""
    words = [(word, BOLD) for word in f"{row.name}{colon}".split()]
    words += [(word, TEXT) for word in row.details.split()]
    lines: list[list[Run]] = [[]]
    taken = 0.0
    for word, face in words:
        wide = width_of(f"{word} ", face, size)
        if lines[-1] and taken + wide > (room - first if len(lines) == 1 else room):
            lines.append([])
            taken = 0.0
        lines[-1].append((word, face))
        taken += wide
    return [_joined(line) for line in lines]


def _joined(line: Sequence[Run]) -> list[Run]:
    """The words with those of one face together."""
    cuts = [0, *(at for at in range(1, len(line)) if line[at][1] != line[at - 1][1]), len(line)]
    return [
        (" ".join(word for word, _ in line[start:end]), line[start][1])
        for start, end in pairwise(cuts)
        if start < end
    ]


def _figure_rooms(block: Block, size: float) -> list[float]:
    """The width of each column of figures."""
    rooms = []
    for at, head in enumerate(block.heads):
        figures = [row.figures[at] for row in block.rows if len(row.figures) > at]
        wide = [width_of(figure, BOLD, size) for figure in figures]
        rooms.append(max([*wide, width_of(head, TEXT, size * 0.9)]) + FIGURES)
    return rooms


def _heights(block: Block, size: float, room: float) -> list[float]:
    """The height of the title, and of each row."""
    first = sum(_figure_rooms(block, size))
    title = _flow(Row(block.title), size * block.large, room, first)
    heights = [size * (block.large * LEADING * len(title) + ABOVE + BELOW)]
    for row in block.rows:
        lines = _flow(row, size, room, first if row.figures else 0)
        heights.append(size * (LEADING * len(lines) + GAP))
    return heights


def _room(paper: Paper) -> float:
    return (paper.room - GUTTER * (COLUMNS - 1)) / COLUMNS


def _columns_of(paper: Paper, blocks: Iterable[Block], size: float, high: float) -> int:
    """How many columns the blocks take in letters of that size."""
    columns, left = 1, high
    for block in blocks:
        for piece in _pieces(block, size, _room(paper), high):
            if piece.height > left:
                columns, left = columns + 1, high
            left -= piece.height
    return columns


@dataclass(frozen=True, slots=True)
class Piece:
    """What stays in one column: rows of a block, the first of them under the title of the block."""

    height: float
    rows: Sequence[tuple[Row, float]]
    has_title: bool


def _pieces(block: Block, size: float, room: float, high: float) -> list[Piece]:
    """The block in one piece where it is short; else rows, those at either end together."""
    title, *heights = _heights(block, size, room)
    rows = list(zip(block.rows, heights, strict=True))
    is_short = title + sum(heights) <= high * SHORT or len(rows) < 2 * TOGETHER
    ends = range(TOGETHER, len(rows) - TOGETHER + 1)
    cuts = [0, *(() if is_short else ends), len(rows)]
    return [
        Piece(sum(heights[start:end]) + (0 if start else title), rows[start:end], start == 0)
        for start, end in pairwise(cuts)
    ]


class Crib:
    """The sheet as it is drawn, ``y`` being the height below what is in the column."""

    def __init__(self, paper: Paper, club: str, rules: RuleSet, size: float, high: float) -> None:
        self.paper, self.club, self.rules = paper, club, rules
        self.size, self.high = size, high
        self.floor = paper.height - paper.margin - HEAD - high
        self.column, self.room = 0, _room(paper)
        self.y = self._page()

    def _page(self) -> float:
        """The head and foot of a page; returns where its columns begin."""
        paper = self.paper
        y = paper.masthead(self.rules.name, f"Crib sheet, {self.club}")
        paper.footer(f"{self.rules.name}, {self.club}")
        return y - (HEAD - MASTHEAD)

    @property
    def left(self) -> float:
        return self.paper.margin + self.column * (self.room + GUTTER)

    def draw(self, blocks: Iterable[Block]) -> None:
        """Every block, down one column after the other."""
        for block in blocks:
            for piece in _pieces(block, self.size, self.room, self.high):
                if self.y - piece.height < self.floor - 0.01:
                    self._turn()
                if piece.has_title:
                    self._title(block)
                for row, height in piece.rows:
                    self._row(block, row, height)

    def _turn(self) -> None:
        """The next column, or the next page."""
        self.column = (self.column + 1) % COLUMNS
        if self.column == 0:
            self.paper.next_page()
            self._page()
        self.y = self.paper.height - self.paper.margin - HEAD

    def _title(self, block: Block) -> None:
        """The title of a block, and the headers of its figures."""
        paper, large = self.paper, self.size * block.large
        rooms = _figure_rooms(block, self.size)
        lines = _flow(Row(block.title), large, self.room, sum(rooms))
        self.y -= self.size * ABOVE
        with paper.tags.element("H2"):
            for line in lines:
                self.y -= large * LEADING
                for words, _ in line:
                    x, y = self.left, self.y + large * 0.25
                    paper.text(x, y, words, size=large, face=BOLD, colour=CINNABAR)
        self._figures(block.heads, rooms, self.y + large * 0.25, self.size * 0.9, TEXT, SOFT)
        self.y -= self.size * BELOW
        y = self.y + self.size * 0.35
        paper.rule(self.left, y, self.left + self.room, y, width=0.9, colour=LINE)

    def _figures(
        self,
        figures: Sequence[str],
        rooms: Sequence[float],
        y: float,
        size: float,
        face: str,
        colour: str,
    ) -> None:
        """Write figures at the right of the column, the last of them outermost."""
        right = self.left + self.room
        for figure, room in reversed(list(zip(figures, rooms[-len(figures) :], strict=True))):
            self.paper.text(right, y, figure, size=size, face=face, colour=colour, align="right")
            right -= room

    def _row(self, block: Block, row: Row, height: float) -> None:
        paper, rooms = self.paper, _figure_rooms(block, self.size)
        lines = _flow(row, self.size, self.room, sum(rooms) if row.figures else 0)
        with paper.tags.paragraph():
            y = self.y - self.size * (GAP / 2 + 0.92)
            for line in lines:
                x = self.left
                for words, face in line:
                    colour = INK if row.name else SOFT
                    paper.text(x, y, words, size=self.size, face=face, colour=colour)
                    x += width_of(f"{words} ", face, self.size)
                y -= self.size * LEADING
            first = self.y - self.size * (GAP / 2 + 0.92)
            if row.figures:
                self._figures(row.figures, rooms, first, self.size, BOLD, INK)
        self.y -= height
        paper.rule(self.left, self.y, self.left + self.room, self.y, colour=HAIR)
