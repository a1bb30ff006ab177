"""A tournament's certificates and the poster of its results."""

from collections.abc import Iterator, Sequence

from clubs.pdf.formats import USUAL, Format
from clubs.pdf.page import BOLD, CINNABAR, DISPLAY, INK, LINE, SOFT, TEXT, Paper, halves_of
from scoring.scorebook.links import sealed_words
from tournaments.models import Tournament
from tournaments.pdf import FRACTIONS
from tournaments.selectors.board import Line
from tournaments.selectors.prizes import BEST_OF
from tournaments.selectors.records import Records
from tournaments.selectors.results import PrizeGiving, Results

HONOUR_TILES = ("DR", "DG", "DW")
ON_THE_POSTER = 10
Honoured = tuple[str, str, str]


def honoured(giving: PrizeGiving, records: Records) -> tuple[Honoured, ...]:
    """Each winner of each prize: the prize, the name, with what it was won.

    Whoever made the highest hand or went Mah-Jong most often is honoured for it also where no
    prize was declared for it, or where the prize passed on to the next in line.
    """
    won = [(row.title, name, row.figure) for row in giving.rows for name in row.names]
    figures = {(name, figure) for _, name, figure in won}
    return (*won, *(one for one in _remembered(records) if one[1:] not in figures))


def _remembered(records: Records) -> Iterator[Honoured]:
    """The best hand and the most Mah-Jongs, each of whoever has it once, as a prize names them."""
    highest = dict.fromkeys((hand.name, hand.score) for hand in records.highest)
    for name, score in highest:
        yield (BEST_OF["best_hand"][0], name, f"{BEST_OF['best_hand'][1]}: {score:,}")
    for name in records.most_mahjongs:
        yield (BEST_OF["mahjongs"][0], name, f"{BEST_OF['mahjongs'][1]}: {records.mahjongs:,}")


def certificates_pdf(
    tournament: Tournament, honours: Sequence[Honoured], form: Format = USUAL
) -> bytes:
    """A PDF with a wide page for each of the honoured, to be signed."""
    paper = Paper(f"{tournament.name}: certificates", form, wide=True)
    for at, one in enumerate(honours):
        if at:
            paper.next_page()
        _certificate(paper, tournament, one)
    return paper.done()


def _certificate(paper: Paper, tournament: Tournament, one: Honoured) -> None:
    title, name, figure = one
    high, edge = paper.height, paper.margin
    paper.box(edge, edge, paper.room, high - 2 * edge, line=2.4, colour=CINNABAR)
    paper.box(edge + 7, edge + 7, paper.room - 14, high - 2 * edge - 14, colour=LINE)
    tiles = high * 0.12
    wide = 3 * tiles * 0.75 + 2 * tiles / 16
    paper.tiles(HONOUR_TILES, (paper.width - wide) / 2, high * 0.78, tiles)
    _centred(paper, high * 0.7, tournament.club.name, 13, BOLD)
    _centred(paper, high * 0.585, title, 34, DISPLAY, CINNABAR)
    _name(paper, name)
    _centred(paper, high * 0.3, figure.translate(FRACTIONS), 14, TEXT, SOFT)
    when = f"{tournament.name}, {_day(tournament)}"
    _centred(paper, high * 0.235, when, 13, TEXT)
    middle, floor = paper.width / 2, edge + high * 0.085
    paper.rule(middle - 90, floor + 13, middle + 90, floor + 13, width=0.8, colour=INK)
    _centred(paper, floor, "Tournament director", 10.5, TEXT, SOFT)


def _name(paper: Paper, name: str) -> None:
    lines = halves_of(name) if len(name) > 24 else [name]
    size = paper.height * (0.06 if len(lines) > 1 else 0.075)
    for at, line in enumerate(lines):
        base = paper.height * 0.42 + size * ((len(lines) - 1) / 2 - at) * 1.1
        _centred(paper, base, line, size, DISPLAY)


def poster_pdf(tournament: Tournament, results: Results, form: Format = USUAL) -> bytes:
    """A one-page PDF for the wall: the first in large letters, the next, the highest hand."""
    paper = Paper(f"{tournament.name}: results", form)
    high = paper.height
    y = paper.masthead(tournament.club.name, _day(tournament))
    _centred(paper, y - high * 0.06, tournament.name, high * 0.045, DISPLAY, CINNABAR)
    _centred(paper, y - high * 0.09, results.board.standing.capitalize(), 11, TEXT, SOFT)
    y = _places(paper, results.board.lines[:ON_THE_POSTER], y - high * 0.13)
    _highest(paper, results, y)
    paper.footer(f"{tournament.name}, {results.board.standing}{sealed_words(tournament.book)}")
    return paper.done()


def _places(paper: Paper, lines: tuple[Line, ...], y: float) -> float:
    step = paper.height * 0.052
    for line, size in zip(lines, _sizes(paper), strict=False):
        y -= step if size < paper.height * 0.03 else step * 1.25
        left, face = paper.margin, DISPLAY if size > paper.height * 0.025 else BOLD
        paper.text(left, y, line.place, size=size, face=DISPLAY, colour=CINNABAR, room=44)
        paper.text(left + 50, y, line.row.name, size=size, face=face, room=paper.room - 140)
        figure = line.figures[0].translate(FRACTIONS).strip() if line.figures else ""
        paper.text(paper.right, y, figure, size=size * 0.8, face=BOLD, align="right", room=84)
        paper.rule(left, y - size * 0.36, paper.right, y - size * 0.36, colour=LINE)
    return y


def _sizes(paper: Paper) -> Iterator[float]:
    yield from (paper.height * part for part in (0.042, 0.034, 0.031))
    yield from [paper.height * 0.022] * (ON_THE_POSTER - 3)


def _highest(paper: Paper, results: Results, y: float) -> None:
    if not results.records.highest:
        return
    best = results.records.highest[0]
    said = f"The highest hand: {best.name}, {best.score:,} points"
    _centred(paper, y - paper.height * 0.06, said, 12, BOLD)


def _centred(paper: Paper, y: float, words: str, size: float, face: str, colour: str = INK) -> None:
    room = paper.room - 40
    paper.text(
        paper.width / 2, y, words, size=size, face=face, colour=colour, align="centre", room=room
    )


def _day(tournament: Tournament) -> str:
    return f"{tournament.held_on.day} {tournament.held_on:%B %Y}"
