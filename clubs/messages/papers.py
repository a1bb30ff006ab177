"""Printed messages, two short ones to a sheet; and the phone list."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from clubs.messages.message_kinds import TextBlock
from clubs.messages.selectors import ContactList, PersonToContact
from clubs.paper.document import Column, ListPart, draw_list, title_drawer
from clubs.paper.fonts import BOLD_FACE, TEXT_FACE, break_lines, width_of
from clubs.paper.formats import Format
from clubs.paper.page import INK, SOFT_INK, Paper

# The letters of a letter: the largest with which all take as little paper as with the smallest.
LETTER_SIZES = (14.0, 13.0, 12.0, 11.0)
LETTER_LEADING, ROW, SUBJECT, LINE_GAP = 1.4, 1.36, 1.18, 0.8  # in times of their size
HEAD_HEIGHT = 52.0
COLUMN_GAP = 14.0
NOBODY_TO_PHONE = "There is no one to phone."
NO_NUMBER = "No phone number: send a letter or speak to them"


@dataclass(frozen=True, slots=True)
class PrintedLetter:
    name: str
    subject: str
    blocks: tuple[TextBlock, ...]


@dataclass(frozen=True, slots=True)
class _LetterLine:
    """One line, how far below the last one, and its cells with where each begins or ends."""

    drop: float
    cells: tuple[tuple[str, float], ...]
    size: float
    face: str = TEXT_FACE


def letters_pdf(club: str, day: str, letters: Sequence[PrintedLetter], form: Format) -> bytes:
    """A PDF with a letter for each: two to a sheet where both are short, to be cut apart.

    ``day`` is when they were written.
    """
    paper = Paper(f"{club}: letters", form)
    size = _size_of(paper, letters)
    is_lower_free, is_first = False, True
    for letter in letters:
        lines = list(_letter_lines(paper, letter, size))
        is_short = _half_sheets(paper, lines) == 1
        if is_short and is_lower_free:
            paper.dashes(paper.height / 2)
            _draw_letter(paper, (club, day), letter, lines, paper.height / 2)
            is_lower_free = False
            continue
        if not is_first:
            paper.next_page()
        is_first, is_lower_free = False, is_short
        _draw_letter(paper, (club, day), letter, lines, paper.height)
    return paper.finish()


def _size_of(paper: Paper, letters: Sequence[PrintedLetter]) -> float:
    """The size of their words: in large print they are large already."""

    def halves(size: float) -> list[int]:
        return [_half_sheets(paper, list(_letter_lines(paper, letter, size))) for letter in letters]

    *larger, least = LETTER_SIZES
    if paper.form.is_large:
        return least
    usual = halves(least)
    return next((size for size in larger if halves(size) == usual), least)


def _half_sheets(paper: Paper, lines: Sequence[_LetterLine]) -> int:
    """How many halves of sheets a letter takes: one, or those of whole sheets."""
    high, margin = sum(line.drop for line in lines), paper.margin
    if HEAD_HEIGHT + high <= paper.height / 2 - 2 * margin:
        return 1
    return 2 * ceil(high / (paper.height - 2 * margin - HEAD_HEIGHT))


def _draw_letter(
    paper: Paper,
    heads: tuple[str, str],
    letter: PrintedLetter,
    lines: Iterable[_LetterLine],
    height: float,
) -> None:
    """Draw a letter below ``height``; ``heads`` are the club and the day."""
    y = _draw_head(paper, heads, letter, height - paper.margin)
    for line in lines:
        if y - line.drop < paper.margin:
            paper.next_page()
            y = _draw_head(paper, heads, letter, paper.height - paper.margin)
        y -= line.drop
        for text, x in line.cells:
            room = paper.room - x
            paper.text(paper.margin + x, y, text, size=line.size, face=line.face, room=room)


def _draw_head(paper: Paper, heads: tuple[str, str], letter: PrintedLetter, top: float) -> float:
    club, day = heads
    paper.mark("sign", paper.margin, top - 20, 20)
    room = paper.room - 27 - width_of(day, TEXT_FACE, 11) - 12
    paper.lines(
        paper.margin + 27, top - 13, club, size=11, face=BOLD_FACE, room=room, is_centred=True
    )
    paper.text(paper.right, top - 13, day, size=11, align="right")
    paper.rule(paper.margin, top - 27, paper.right, top - 27, width=1.2, colour=INK)
    paper.text(
        paper.margin, top - 44, f"For {letter.name}", size=11, colour=SOFT_INK, room=paper.room
    )
    return top - HEAD_HEIGHT


def _letter_lines(paper: Paper, letter: PrintedLetter, size: float) -> Iterator[_LetterLine]:
    large = size * SUBJECT
    for subject_line in break_lines(letter.subject, BOLD_FACE, large, paper.room):
        yield _LetterLine(large * 1.35, ((subject_line, 0.0),), large, BOLD_FACE)
    for block in letter.blocks:
        gap = LINE_GAP * size
        text_lines = (
            part for line in block.lines for part in break_lines(line, TEXT_FACE, size, paper.room)
        )
        step = (ROW if block.rows else LETTER_LEADING) * size
        cells_of = (
            _table_rows(block, size) if block.rows else (((line, 0.0),) for line in text_lines)
        )
        for cells in cells_of:
            yield _LetterLine(step + gap, cells, size)
            gap = 0.0


def _table_rows(block: TextBlock, size: float) -> Iterator[tuple[tuple[str, float], ...]]:
    """Each column as wide as its widest cell; first and last are figures, at their right."""

    def wide(cell: str) -> float:
        return width_of(cell, TEXT_FACE, size)

    widths = [max(map(wide, column)) for column in zip(*block.rows, strict=True)]
    starts = [sum(widths[:index]) + COLUMN_GAP * index for index in range(len(widths))]
    figures = {0, len(widths) - 1}
    for row in block.rows:
        yield tuple(
            (cell, starts[index] + (widths[index] - wide(cell) if index in figures else 0.0))
            for index, cell in enumerate(row)
        )


def telephone_pdf(club: str, title: str, calls: ContactList, form: Format) -> bytes:
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
        ListPart(heading, tuple(row[: len(columns)] for row in _call_rows(of_kind)))
        for heading, of_kind in (("", calls.to_call), (NO_NUMBER, calls.to_write))
    ]
    top = title_drawer(paper, club, title, "Phone list", lede)
    if not any(part.rows for part in parts):
        paper.paragraph(
            paper.margin, top(1) - 10, NOBODY_TO_PHONE, room=paper.room, size=12, colour=INK
        )
        paper.footer(f"Phone list: {title}")
        return paper.finish()
    draw_list(paper, columns=columns, parts=parts, top=top, footer=f"Phone list: {title}")
    return paper.finish()


def _call_rows(calls: Iterable[PersonToContact]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        ("", call.name, ", ".join(filter(None, (call.phone, call.second_phone))), call.say)
        for call in calls
    )
