"""Printed messages, two short ones to a sheet; and the phone list."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from clubs.messages.message_kinds import Block
from clubs.messages.selectors import Call, Calls
from clubs.paper.document import Column, Part, draw_list, titled
from clubs.paper.fonts import BOLD, TEXT, lines_of, width_of
from clubs.paper.formats import Format
from clubs.paper.page import INK, SOFT, Paper

# The letters of a letter: the largest with which all take as little paper as with the smallest.
SIZES = (14.0, 13.0, 12.0, 11.0)
LEADING, ROW, SUBJECT, GAP = 1.4, 1.36, 1.18, 0.8  # in times of their size
HEAD = 52.0
APART = 14.0
NOBODY = "There is no one to phone."
NO_NUMBER = "No phone number: send a letter or speak to them"


@dataclass(frozen=True, slots=True)
class PrintedLetter:
    name: str
    subject: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """One line, how far below the last one, and its cells with where each begins or ends."""

    drop: float
    cells: tuple[tuple[str, float], ...]
    size: float
    face: str = TEXT


def letters_pdf(club: str, day: str, letters: Sequence[PrintedLetter], form: Format) -> bytes:
    """A PDF with a letter for each: two to a sheet where both are short, to be cut apart.

    ``day`` is when they were written.
    """
    paper = Paper(f"{club}: letters", form)
    size = _size_of(paper, letters)
    is_lower_free, is_first = False, True
    for letter in letters:
        lines = list(_lines(paper, letter, size))
        is_short = _halves(paper, lines) == 1
        if is_short and is_lower_free:
            paper.dashes(paper.height / 2)
            _draw(paper, (club, day), letter, lines, paper.height / 2)
            is_lower_free = False
            continue
        if not is_first:
            paper.next_page()
        is_first, is_lower_free = False, is_short
        _draw(paper, (club, day), letter, lines, paper.height)
    return paper.done()


def _size_of(paper: Paper, letters: Sequence[PrintedLetter]) -> float:
    """The size of their words: in large print they are large already."""

    def halves(size: float) -> list[int]:
        return [_halves(paper, list(_lines(paper, letter, size))) for letter in letters]

    *larger, least = SIZES
    if paper.form.is_large:
        return least
    usual = halves(least)
    return next((size for size in larger if halves(size) == usual), least)


def _halves(paper: Paper, lines: Sequence[_Line]) -> int:
    """How many halves of sheets a letter takes: one, or those of whole sheets."""
    high, margin = sum(line.drop for line in lines), paper.margin
    if HEAD + high <= paper.height / 2 - 2 * margin:
        return 1
    return 2 * ceil(high / (paper.height - 2 * margin - HEAD))


def _draw(
    paper: Paper,
    heads: tuple[str, str],
    letter: PrintedLetter,
    lines: Iterable[_Line],
    height: float,
) -> None:
    """Draw a letter below ``height``; ``heads`` are the club and the day."""
    y = _head(paper, heads, letter, height - paper.margin)
    for line in lines:
        if y - line.drop < paper.margin:
            paper.next_page()
            y = _head(paper, heads, letter, paper.height - paper.margin)
        y -= line.drop
        for words, x in line.cells:
            room = paper.room - x
            paper.text(paper.margin + x, y, words, size=line.size, face=line.face, room=room)


def _head(paper: Paper, heads: tuple[str, str], letter: PrintedLetter, top: float) -> float:
    club, day = heads
    paper.mark("sign", paper.margin, top - 20, 20)
    room = paper.room - 27 - width_of(day, TEXT, 11) - 12
    paper.lines(paper.margin + 27, top - 13, club, size=11, face=BOLD, room=room, is_centred=True)
    paper.text(paper.right, top - 13, day, size=11, align="right")
    paper.rule(paper.margin, top - 27, paper.right, top - 27, width=1.2, colour=INK)
    paper.text(paper.margin, top - 44, f"For {letter.name}", size=11, colour=SOFT, room=paper.room)
    return top - HEAD


def _lines(paper: Paper, letter: PrintedLetter, size: float) -> Iterator[_Line]:
    large = size * SUBJECT
    for words in lines_of(letter.subject, BOLD, large, paper.room):
        yield _Line(large * 1.35, ((words, 0.0),), large, BOLD)
    for block in letter.blocks:
        gap = GAP * size
        broken = (part for line in block.lines for part in lines_of(line, TEXT, size, paper.room))
        step = (ROW if block.rows else LEADING) * size
        cells_of = _table(block, size) if block.rows else (((line, 0.0),) for line in broken)
        for cells in cells_of:
            yield _Line(step + gap, cells, size)
            gap = 0.0


def _table(block: Block, size: float) -> Iterator[tuple[tuple[str, float], ...]]:
    """Each column as wide as its widest cell; first and last are figures, at their right."""

    def wide(cell: str) -> float:
        return width_of(cell, TEXT, size)

    widths = [max(map(wide, column)) for column in zip(*block.rows, strict=True)]
    starts = [sum(widths[:at]) + APART * at for at in range(len(widths))]
    figures = {0, len(widths) - 1}
    for row in block.rows:
        yield tuple(
            (cell, starts[at] + (widths[at] - wide(cell) if at in figures else 0.0))
            for at, cell in enumerate(row)
        )


def telephone_pdf(club: str, title: str, calls: Calls, form: Format) -> bytes:
    """A PDF of everyone to phone: name, number, what to say, a box to tick."""
    paper = Paper(f"{club}: {title}", form, wide=form.is_large)
    columns = (
        Column("Contacted", 8, "centre", holds="ticks"),
        Column("Name", 56 if form.is_large else 38, "left", is_bold=True, wraps=True),
        Column("Phone", 30, "left", is_bold=True),
        Column("What to say", 46 if form.is_large else 60, "left", wraps=True),
    )[: 3 if calls.to_all else 4]
    lede = f"What to say: {calls.to_all}" if calls.to_all else ""
    parts = [
        Part(heading, tuple(row[: len(columns)] for row in _rows(of_kind)))
        for heading, of_kind in (("", calls.to_call), (NO_NUMBER, calls.to_write))
    ]
    top = titled(paper, club, title, "Phone list", lede)
    if not any(part.rows for part in parts):
        paper.paragraph(paper.margin, top(1) - 10, NOBODY, room=paper.room, size=12, colour=INK)
        paper.footer(f"Phone list: {title}")
        return paper.done()
    draw_list(paper, columns=columns, parts=parts, top=top, footer=f"Phone list: {title}")
    return paper.done()


def _rows(calls: Iterable[Call]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        ("", call.name, ", ".join(filter(None, (call.phone, call.second_phone))), call.say)
        for call in calls
    )
