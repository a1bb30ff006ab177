"""One page for the wall: the first in large letters, those after them, the highest hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.paper.fonts import BOLD, DISPLAY, TEXT, lines_of, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, INK, LINE, SOFT, Paper
from clubs.seating.words import listed

ON_THE_POSTER = 10
SHARES = (1.5, 1.3, 1.2, *[1.0] * (ON_THE_POSTER - 3))  # how high each line is
MOST, LARGE_MOST = 0.068, 0.082  # of the height of the page, a line of share 1
LETTERS, LARGE_LETTERS = 0.44, 0.6  # of the height of a line, its letters
HIGHEST, HIGHEST_STEP = 12, 16  # letters of the line about the highest hand, and its height
TITLE_IN_TWO = 0.028  # of the height of the page, the letters of a title in two lines
TWO_LINES = 0.4  # of the height of a line, the letters of a name in two lines


@dataclass(frozen=True, slots=True)
class Poster:
    """What a poster says; each of the ``lines`` is a place, a name and a figure."""

    club: str
    when: str
    title: str
    standing: str
    lines: Sequence[tuple[str, str, str]]
    highest: str
    footer: str


def highest_hand(names: Iterable[str], points: int) -> str:
    """A line about the highest hand and everyone who made one of so many points."""
    return f"The highest hand: {listed(list(dict.fromkeys(names)))}, {points:,}\u00a0points"


def poster_of(poster: Poster, form: Format = USUAL) -> bytes:
    """A PDF of one page with the first ten."""
    paper = Paper(f"{poster.title}: results", form)
    high = paper.height
    y = paper.masthead(poster.club, poster.when)
    size = _in_one_line(poster.title, high * 0.045, paper.room - 40, least=high * TITLE_IN_TWO)
    centred(paper, y - high * 0.06, poster.title, size, DISPLAY, CINNABAR)
    centred(paper, y - high * 0.1, poster.standing, 11, TEXT, SOFT)
    said = lines_of(poster.highest, BOLD, HIGHEST, paper.room - 40) if poster.highest else []
    lowest = paper.foot + (14 + HIGHEST_STEP * len(said) if said else 4)
    _places(paper, poster.lines[:ON_THE_POSTER], y - high * 0.12, lowest)
    for above, line in enumerate(reversed(said)):
        centred(paper, paper.foot + 8 + above * HIGHEST_STEP, line, HIGHEST, BOLD)
    paper.footer(poster.footer)
    return paper.done()


def _places(paper: Paper, lines: Sequence[tuple[str, str, str]], y: float, lowest: float) -> None:
    """The places from y downwards; those of a full poster fill it down to ``lowest``."""
    is_large = paper.form.is_large
    step = min((y - lowest) / sum(SHARES), paper.height * (LARGE_MOST if is_large else MOST))
    part = LARGE_LETTERS if is_large else LETTERS
    first = step * part * 1.9
    wide = max((width_of(figure, BOLD, step * part) for *_, figure in lines), default=0.0)
    room = paper.room - first - wide - 8
    for (place, name, figure), share in zip(lines, SHARES, strict=False):
        high = step * share
        y -= high
        size, middle, left = high * part, y + high * 0.46, paper.margin
        base = middle - size * 0.34
        paper.text(left, base, place, size=size, face=DISPLAY, colour=CINNABAR, room=first - 4)
        face = DISPLAY if share > min(SHARES) else BOLD
        letters = _in_one_line(name, size, room, face=face, least=high * TWO_LINES)
        paper.lines(
            left + first,
            middle - letters * 0.34,
            name,
            size=letters,
            face=face,
            room=room,
            is_centred=True,
        )
        paper.figure(
            paper.right, base, figure, size=size * 0.8, face=BOLD, align="right", room=wide
        )
        paper.rule(left, y, paper.right, y, colour=LINE)


def _in_one_line(
    words: str, size: float, room: float, *, least: float, face: str = DISPLAY
) -> float:
    """The size at which the words fit into one line; ``least`` where that would be too small."""
    return max(least, min(size, size * room / width_of(words or " ", face, size)))


def centred(
    paper: Paper,
    y: float,
    words: str,
    size: float,
    face: str,
    colour: str = INK,
    *,
    margins: float = 40,
) -> None:
    """A line in the middle of the page, with so much of its room left free beside it."""
    paper.lines(
        paper.width / 2,
        y,
        words,
        size=size,
        face=face,
        colour=colour,
        align="centre",
        room=paper.room - margins,
        is_centred=True,
    )
