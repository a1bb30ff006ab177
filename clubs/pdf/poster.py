"""One page for the wall: the first in large letters, those after them, the highest hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clubs.pdf.formats import USUAL, Format
from clubs.pdf.page import BOLD, CINNABAR, DISPLAY, INK, LINE, SOFT, TEXT, Paper

ON_THE_POSTER = 10


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


def poster_of(poster: Poster, form: Format = USUAL) -> bytes:
    """A PDF of one page with the first ten."""
    paper = Paper(f"{poster.title}: results", form)
    high = paper.height
    y = paper.masthead(poster.club, poster.when)
    centred(paper, y - high * 0.06, poster.title, high * 0.045, DISPLAY, CINNABAR)
    centred(paper, y - high * 0.09, poster.standing, 11, TEXT, SOFT)
    y = _places(paper, poster.lines[:ON_THE_POSTER], y - high * 0.13)
    if poster.highest:
        centred(paper, y - high * 0.06, poster.highest, 12, BOLD)
    paper.footer(poster.footer)
    return paper.done()


def _places(paper: Paper, lines: Sequence[tuple[str, str, str]], y: float) -> float:
    step = paper.height * 0.052
    for (place, name, figure), size in zip(lines, _sizes(paper), strict=False):
        y -= step if size < paper.height * 0.03 else step * 1.25
        left, face = paper.margin, DISPLAY if size > paper.height * 0.025 else BOLD
        paper.text(left, y, place, size=size, face=DISPLAY, colour=CINNABAR, room=44)
        paper.text(left + 50, y, name, size=size, face=face, room=paper.room - 140)
        paper.text(paper.right, y, figure, size=size * 0.8, face=BOLD, align="right", room=84)
        paper.rule(left, y - size * 0.36, paper.right, y - size * 0.36, colour=LINE)
    return y


def _sizes(paper: Paper) -> Iterator[float]:
    yield from (paper.height * part for part in (0.042, 0.034, 0.031))
    yield from [paper.height * 0.022] * (ON_THE_POSTER - 3)


def centred(paper: Paper, y: float, words: str, size: float, face: str, colour: str = INK) -> None:
    """A line in the middle of the page."""
    room = paper.room - 40
    paper.text(
        paper.width / 2, y, words, size=size, face=face, colour=colour, align="centre", room=room
    )
