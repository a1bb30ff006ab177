"""A tournament's certificates and the poster of its results."""

from collections.abc import Iterator, Sequence

from clubs.language.moments import long_date
from clubs.league.papers import Poster, centred, highest_hand, poster_of
from clubs.paper.fonts import BOLD, DISPLAY, TEXT, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, INK, LINE, SOFT, Paper
from scoring.scorebook.links import sealed_words
from tournaments.models import Tournament
from tournaments.pdf import FRACTIONS
from tournaments.selectors.board import Line
from tournaments.selectors.prizes import BEST_OF
from tournaments.selectors.records import Records
from tournaments.selectors.results import PrizeGiving, Results

HONOUR_TILES = ("DR", "DG", "DW")
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
    centred(paper, high * 0.7, tournament.club.name, 13, BOLD)
    centred(paper, high * 0.585, title, 34, DISPLAY, CINNABAR)
    _name(paper, name)
    centred(paper, high * 0.3, figure.translate(FRACTIONS), 14, TEXT, SOFT)
    when = f"{tournament.name}, {long_date(tournament.held_on)}"
    centred(paper, high * 0.235, when, 13, TEXT)
    middle, floor = paper.width / 2, edge + high * 0.085
    paper.rule(middle - 90, floor + 13, middle + 90, floor + 13, width=0.8, colour=INK)
    centred(paper, floor, "Tournament director", 10.5, TEXT, SOFT)


def _name(paper: Paper, name: str) -> None:
    one_line = width_of(name, DISPLAY, paper.height * 0.075) <= paper.room - 60
    size = paper.height * (0.075 if one_line else 0.06)
    centred(paper, paper.height * 0.42, name, size, DISPLAY)


def poster_pdf(tournament: Tournament, results: Results, form: Format = USUAL) -> bytes:
    """A one-page PDF for the wall: the first in large letters, the next, the highest hand."""
    board, highest = results.board, results.records.highest
    names = [hand.name for hand in highest]
    poster = Poster(
        club=tournament.club.name,
        when=long_date(tournament.held_on),
        title=tournament.name,
        standing=board.standing.capitalize(),
        lines=[(line.place, line.row.name, _figure(line)) for line in board.lines],
        highest=highest_hand(names, highest[0].score) if highest else "",
        footer=f"{tournament.name}, {board.standing}{sealed_words(tournament.book)}",
    )
    return poster_of(poster, form)


def _figure(line: Line) -> str:
    return line.figures[0].translate(FRACTIONS).strip() if line.figures else ""
