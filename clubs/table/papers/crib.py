"""The crib sheet: what scores by these rules, on one sheet of paper that stays on the table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from re import findall
from typing import Final

from clubs.paper.fonts import BOLD_FACE, TEXT_FACE, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import (
    CINNABAR,
    HAIRLINE_COLOUR,
    INK,
    LINE_COLOUR,
    MASTHEAD_HEIGHT,
    SOFT_INK,
    Paper,
)
from clubs.seating.why import join_with_and
from clubs.table.selectors.rules import book_line
from scoring import RuleSet
from scoring.sheet import RuleSection, sections

# What a player looks up while playing is here; the page of the rules has the rest.
OMITTED_SECTIONS: Final = frozenset({"How a hand is read", "Penalties", "Open points"})
PLAIN_ROWS: Final = frozenset({"Order of the winds", "Players at a table"})
ORDINARY_HANDS: Final = "ordinary hands"
# Words that say nothing that a name does not say as well.
MINOR_WORDS: Final = {
    *("a", "all", "always", "and", "by", "each", "in", "of", "on", "or", "s", "the", "with"),
    *("last", "live", "one", "only", "player", "set", "suit", "tile", "tiles", "winning", "won"),
}
MAX_SIZE, SIZE_STEP = 12.0, 0.25
SIDES: Final = 2
COLUMNS_PER_SIDE: Final = 2
COMMON_SHAPES: Final = frozenset({"pungs or kongs and a pair", "any Mah-Jong"})
FIGURE_PATTERN: Final = r"^[0-9,]+"
GUTTER, LEADING, ROW_GAP = 18.0, 1.2, 0.36  # points; of the size of letters
ABOVE_TITLE, BELOW_TITLE = 0.8, 0.5  # a title, of the size of letters
SHORT_BLOCK: Final = 0.4  # of a column: a block up to this height is not divided
# Rows of a longer block that stay together at its beginning and its end.
ROWS_KEPT_TOGETHER: Final = 2
FIGURE_GAP = 6.0
HEAD_HEIGHT: Final = MASTHEAD_HEIGHT + 6.0
TextRun = tuple[str, str]  # words, and their face


@dataclass(frozen=True, slots=True)
class CribRow:
    """A line of the sheet: its name in bold, what it takes, what it is worth."""

    name: str
    details: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CribBlock:
    """Rows under a title, with the headers of their figures; its letters, in times of theirs."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[CribRow, ...]
    large: float = 1.25


def crib_blocks(rules: RuleSet) -> tuple[CribBlock, ...]:
    """What stands on the sheet, in the order of the book."""
    blocks: list[CribBlock] = []
    for section in sections(rules):
        if section.title not in OMITTED_SECTIONS:
            is_special = section.columns[0] == "Hand"
            blocks += (
                _special_hand_blocks(section) if is_special else [_section_block(section, rules)]
            )
    return tuple(blocks)


def _section_block(section: RuleSection, rules: RuleSet) -> CribBlock:
    worth = [name for name in section.columns if name in {"Exposed", "Concealed"}]
    worth = worth or [name for name in section.columns if name in {"Points", "Doubles"}]
    column_indexes = [section.columns.index(name) for name in worth]
    rows = [CribRow("", section.note)] if "Exposed" in worth else []
    for cells in section.rows:
        if cells[0] in PLAIN_ROWS:
            continue
        figures = tuple(cells[column] for column in column_indexes)
        name, details = (
            _without_repetition(cells[0], cells[1]) if column_indexes else (cells[0], cells[1])
        )
        name = book_line(rules.key, name)
        # A sentence, which has no room beside the name.
        if any(" " in figure for figure in figures):
            details, figures = "; ".join(filter(None, (figures[-1], details))), ()
        rows.append(CribRow(name, details, figures if len(set(figures)) > 1 else figures[-1:]))
    if "What is doubled" in section.columns:
        rows += _reach_rows(section)
    return CribBlock(section.title, tuple(worth), tuple(rows))


def _without_repetition(name: str, details: str) -> tuple[str, str]:
    """The name and what it takes, without saying the same thing twice."""
    in_name, in_details = (
        set(findall(r"\w+", text.lower())) - MINOR_WORDS for text in (name, details)
    )
    if in_details <= in_name:
        return name, ""
    return (details[:1].upper() + details[1:], "") if in_name <= in_details else (name, details)


def _reach_rows(section: RuleSection) -> Iterator[CribRow]:
    """For what doubles more than ordinary hands, a row that says so."""
    reach = section.columns.index("What is doubled")
    names: dict[str, list[str]] = {}
    for cells in section.rows:
        if cells[reach] != ORDINARY_HANDS:
            names.setdefault(cells[reach], []).append(cells[0])
    for doubled_hands, rule_names in names.items():
        yield CribRow(
            "",
            f"{join_with_and(rule_names)} {'doubles' if len(rule_names) == 1 else 'double'} "
            f"{doubled_hands}.",
        )


def _special_hand_blocks(section: RuleSection) -> list[CribBlock]:
    """The special hands, those of one worth and one shape together."""
    groups: dict[tuple[str, str], list[CribRow]] = {}
    for name, tiles, worth, short_worth, _ in section.rows:
        shape, mark, tile_text = tiles.partition(": ")
        is_named = mark and shape in COMMON_SHAPES
        points, short_points = (findall(FIGURE_PATTERN, text)[:1] for text in (worth, short_worth))
        value = f"{points[0]} points" if points else worth[:1].upper() + worth[1:]
        details = tile_text if is_named else tiles
        if short_points and " on " not in short_worth:
            value += f", one tile short {short_points[0]}"
        elif short_worth not in {"", "nothing", worth}:
            details += f"; one tile short {short_worth}"
        groups.setdefault((value, shape if is_named else ""), []).append(CribRow(name, details))
    blocks = [CribBlock(section.title, (), (CribRow("", section.note),))]
    for (value, shape), hands in groups.items():
        title = f"{value}: {shape}" if shape else value
        blocks.append(CribBlock(title, (), tuple(hands), 1.0))
    return blocks


def crib_pdf(club: str, rules: RuleSet, form: Format = DEFAULT_FORMAT) -> bytes:
    """A PDF of what scores by these rules: one sheet, printed on both sides."""
    paper = Paper(f"{rules.name}: crib sheet", form, wide=form.is_large)
    draw_crib(paper, club, rules)
    return paper.finish()


def draw_crib(paper: Paper, club: str, rules: RuleSet) -> None:
    """The sheet from a fresh page on, in the largest letters with which it has two sides."""
    blocks, size = crib_blocks(rules), MAX_SIZE
    least = paper.form.smallest
    top = paper.height - paper.margin - HEAD_HEIGHT - paper.foot
    while size > least and _columns_of(paper, blocks, size, top) > SIDES * COLUMNS_PER_SIDE:
        size = max(least, size - SIZE_STEP)
    high, columns = top, _columns_of(paper, blocks, size, top)
    while _columns_of(paper, blocks, size, high - size) == columns:
        high -= size
    Crib(paper, club, rules, size, high).draw(blocks)


def _wrap_row(row: CribRow, size: float, room: float, first: float) -> list[list[TextRun]]:
    """The words of a row in lines, the first of which leaves ``first`` points for figures."""
    colon = ":" if row.details and row.name else ""
    runs = [(word, BOLD_FACE) for word in f"{row.name}{colon}".split()]
    runs += [(word, TEXT_FACE) for word in row.details.split()]
    lines: list[list[TextRun]] = [[]]
    line_width = 0.0
    for word, face in runs:
        wide = width_of(f"{word} ", face, size)
        if lines[-1] and line_width + wide > (room - first if len(lines) == 1 else room):
            lines.append([])
            line_width = 0.0
        lines[-1].append((word, face))
        line_width += wide
    return [_merge_runs(line) for line in lines]


def _merge_runs(line: Sequence[TextRun]) -> list[TextRun]:
    """The words with those of one face together."""
    cuts = [
        0,
        *(index for index in range(1, len(line)) if line[index][1] != line[index - 1][1]),
        len(line),
    ]
    return [
        (" ".join(word for word, _ in line[start:end]), line[start][1])
        for start, end in pairwise(cuts)
        if start < end
    ]


def _figure_rooms(block: CribBlock, size: float) -> list[float]:
    """The width of each column of figures."""
    rooms = []
    for index, head in enumerate(block.heads):
        figures = [row.figures[index] for row in block.rows if len(row.figures) > index]
        wide = [width_of(figure, BOLD_FACE, size) for figure in figures]
        rooms.append(max([*wide, width_of(head, TEXT_FACE, size * 0.9)]) + FIGURE_GAP)
    return rooms


def _heights(block: CribBlock, size: float, room: float) -> list[float]:
    """The height of the title, and of each row."""
    first = sum(_figure_rooms(block, size))
    title = _wrap_row(CribRow(block.title), size * block.large, room, first)
    heights = [size * (block.large * LEADING * len(title) + ABOVE_TITLE + BELOW_TITLE)]
    for row in block.rows:
        lines = _wrap_row(row, size, room, first if row.figures else 0)
        heights.append(size * (LEADING * len(lines) + ROW_GAP))
    return heights


def _column_width(paper: Paper) -> float:
    return (paper.room - GUTTER * (COLUMNS_PER_SIDE - 1)) / COLUMNS_PER_SIDE


def _columns_of(paper: Paper, blocks: Iterable[CribBlock], size: float, high: float) -> int:
    """How many columns the blocks take in letters of that size."""
    columns, remaining_height = 1, high
    for block in blocks:
        for piece in _pieces(block, size, _column_width(paper), high):
            if piece.height > remaining_height:
                columns, remaining_height = columns + 1, high
            remaining_height -= piece.height
    return columns


@dataclass(frozen=True, slots=True)
class Piece:
    """What stays in one column: rows of a block, the first of them under the title of the block."""

    height: float
    rows: Sequence[tuple[CribRow, float]]
    has_title: bool


def _pieces(block: CribBlock, size: float, room: float, high: float) -> list[Piece]:
    """The block in one piece where it is short; else rows, those at either end together."""
    title, *heights = _heights(block, size, room)
    rows = list(zip(block.rows, heights, strict=True))
    is_short = title + sum(heights) <= high * SHORT_BLOCK or len(rows) < 2 * ROWS_KEPT_TOGETHER
    ends = range(ROWS_KEPT_TOGETHER, len(rows) - ROWS_KEPT_TOGETHER + 1)
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
        self.floor = paper.height - paper.margin - HEAD_HEIGHT - high
        self.column, self.room = 0, _column_width(paper)
        self.y = self._page()

    def _page(self) -> float:
        """The head and foot of a page; returns where its columns begin."""
        paper = self.paper
        y = paper.masthead(self.rules.name, f"Crib sheet, {self.club}")
        paper.footer(f"{self.rules.name}, {self.club}")
        return y - (HEAD_HEIGHT - MASTHEAD_HEIGHT)

    @property
    def left(self) -> float:
        return self.paper.margin + self.column * (self.room + GUTTER)

    def draw(self, blocks: Iterable[CribBlock]) -> None:
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
        self.column = (self.column + 1) % COLUMNS_PER_SIDE
        if self.column == 0:
            self.paper.next_page()
            self._page()
        self.y = self.paper.height - self.paper.margin - HEAD_HEIGHT

    def _title(self, block: CribBlock) -> None:
        """The title of a block, and the headers of its figures."""
        paper, large = self.paper, self.size * block.large
        rooms = _figure_rooms(block, self.size)
        lines = _wrap_row(CribRow(block.title), large, self.room, sum(rooms))
        self.y -= self.size * ABOVE_TITLE
        with paper.tags.element("H2"):
            for line in lines:
                self.y -= large * LEADING
                for text, _ in line:
                    x, y = self.left, self.y + large * 0.25
                    paper.text(x, y, text, size=large, face=BOLD_FACE, colour=CINNABAR)
        self._figures(
            block.heads, rooms, self.y + large * 0.25, self.size * 0.9, TEXT_FACE, SOFT_INK
        )
        self.y -= self.size * BELOW_TITLE
        y = self.y + self.size * 0.35
        paper.rule(self.left, y, self.left + self.room, y, width=0.9, colour=LINE_COLOUR)

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

    def _row(self, block: CribBlock, row: CribRow, height: float) -> None:
        paper, rooms = self.paper, _figure_rooms(block, self.size)
        lines = _wrap_row(row, self.size, self.room, sum(rooms) if row.figures else 0)
        with paper.tags.paragraph():
            y = self.y - self.size * (ROW_GAP / 2 + 0.92)
            for line in lines:
                x = self.left
                for text, face in line:
                    colour = INK if row.name else SOFT_INK
                    paper.text(x, y, text, size=self.size, face=face, colour=colour)
                    x += width_of(f"{text} ", face, self.size)
                y -= self.size * LEADING
            first = self.y - self.size * (ROW_GAP / 2 + 0.92)
            if row.figures:
                self._figures(row.figures, rooms, first, self.size, BOLD_FACE, INK)
        self.y -= height
        paper.rule(self.left, self.y, self.left + self.room, self.y, colour=HAIRLINE_COLOUR)
