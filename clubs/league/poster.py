"""A poster for the notice board: the first ten in large, and the highest hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clubs.language.words import count_words
from clubs.league.selectors.seasons import LeagueTable
from clubs.paper.fonts import BOLD_FACE, DISPLAY_FACE, TEXT_FACE, break_lines, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import CINNABAR, INK, LINE_COLOUR, ROUNDING, SOFT_INK, Paper
from clubs.seating.why import join_with_and
from clubs.table.rankings import place_words
from clubs.table.rows import points_text

POSTER_LINES = 10
LINE_SHARES = (1.5, 1.3, 1.2, *[1.0] * (POSTER_LINES - 3))  # row height
MAX_LINE, MAX_LARGE_LINE = 0.068, 0.082  # of the height of the page, a line of share 1
LETTER_SHARE, LARGE_LETTER_SHARE = 0.44, 0.6  # of the height of a line, the type size
HIGHEST_HAND_SIZE, HIGHEST_HAND_LINE = (
    12,
    16,
)  # type size of the line about the highest hand, and its height
TWO_LINE_TITLE = 0.028  # of the height of the page, the type size of a title in two lines
TWO_LINE_NAME = 0.34  # of the height of a line, the type size of a name in two lines


@dataclass(frozen=True, slots=True)
class Poster:
    """The content of a poster; each line is a place, a name and a figure, counted in ``unit``."""

    club: str
    date_text: str
    title: str
    standing: str
    lines: Sequence[tuple[str, str, str]]
    highest: str
    footer: str
    unit: str = ""


def highest_hand(names: Iterable[str], points: int) -> str:
    """A line about the highest hand and everyone who made one with that score."""
    return f"The highest hand: {join_with_and(list(dict.fromkeys(names)))}, {points:,}\u00a0points"


def size_in_words(evenings: int, players: int) -> str:
    return f"{count_words(evenings, 'evening')}, {count_words(players, 'player')}"


def first_ten_pdf(poster: Poster, form: Format = DEFAULT_FORMAT) -> bytes:
    """A one-page PDF with the first ten."""
    paper = Paper(f"{poster.title}: results", form)
    high = paper.height
    y = paper.masthead(poster.club, poster.date_text)
    size = _one_line_size(poster.title, high * 0.045, paper.room - 40, least=high * TWO_LINE_TITLE)
    is_long = width_of(poster.title, DISPLAY_FACE, size) > paper.room - 40
    base = y - high * 0.06 - (size * 0.3 if is_long else 0)
    draw_centred(paper, base, poster.title, size, DISPLAY_FACE, CINNABAR)
    y -= size * 0.75 if is_long else 0
    draw_centred(paper, y - high * 0.1, poster.standing, 11, TEXT_FACE, SOFT_INK)
    unit = high * 0.123
    paper.text(paper.right, y - unit, poster.unit, size=11, colour=SOFT_INK, align="right")
    highest = (
        break_lines(poster.highest, BOLD_FACE, HIGHEST_HAND_SIZE, paper.room - 40)
        if poster.highest
        else []
    )
    lowest = paper.foot + (14 + HIGHEST_HAND_LINE * len(highest) if highest else 4)
    _draw_places(paper, poster.lines[:POSTER_LINES], y - high * 0.128, lowest)
    for line_index, line in enumerate(reversed(highest)):
        draw_centred(
            paper,
            paper.foot + 8 + line_index * HIGHEST_HAND_LINE,
            line,
            HIGHEST_HAND_SIZE,
            BOLD_FACE,
        )
    paper.footer(poster.footer)
    return paper.finish()


def _draw_places(
    paper: Paper, lines: Sequence[tuple[str, str, str]], y: float, lowest: float
) -> None:
    """Draw the places from y downwards; those of a full poster fill it down to ``lowest``."""
    is_large = paper.form.is_large
    step = min(
        (y - lowest) / sum(LINE_SHARES), paper.height * (MAX_LARGE_LINE if is_large else MAX_LINE)
    )
    part = LARGE_LETTER_SHARE if is_large else LETTER_SHARE
    sizes = [step * share * part for share in LINE_SHARES]
    places = [
        width_of(place, DISPLAY_FACE, size) for (place, *_), size in zip(lines, sizes, strict=False)
    ]
    first = max([step * part * 1.9, *places]) + 8
    wide = max((width_of(figure, BOLD_FACE, step * part) for *_, figure in lines), default=0.0)
    room = paper.room - first - wide - 8
    for (place, name, figure), share in zip(lines, LINE_SHARES, strict=False):
        high = step * share
        y -= high
        size, middle, left_edge = high * part, y + high * 0.46, paper.margin
        base = middle - size * 0.34
        paper.text(
            left_edge, base, place, size=size, face=DISPLAY_FACE, colour=CINNABAR, room=first
        )
        face = DISPLAY_FACE if share > min(LINE_SHARES) else BOLD_FACE
        letters = _one_line_size(name, size, room, face=face, least=high * TWO_LINE_NAME)
        low = middle - letters * 0.34
        paper.lines(
            left_edge + first, low, name, size=letters, face=face, room=room, is_centred=True
        )
        paper.figure(
            paper.right, base, figure, size=size * 0.8, face=BOLD_FACE, align="right", room=wide
        )
        paper.rule(left_edge, y, paper.right, y, colour=LINE_COLOUR)


def _one_line_size(
    text: str, size: float, room: float, *, least: float, face: str = DISPLAY_FACE
) -> float:
    """The font size at which the words fit on one line; ``least`` if that would be too small."""
    return max(least, min(size, size * (room - ROUNDING) / width_of(text or " ", face, size)))


def draw_centred(
    paper: Paper,
    y: float,
    text: str,
    size: float,
    face: str,
    colour: str = INK,
    *,
    margins: float = 40,
) -> None:
    """Draw a centred line, with this share of its width left free."""
    x, room = paper.width / 2, paper.room - margins
    paper.lines(
        x, y, text, size=size, face=face, colour=colour, align="centre", room=room, is_centred=True
    )


def season_poster(
    club: str, period: str, table: LeagueTable, form: Format = DEFAULT_FORMAT
) -> bytes:
    """A one-page PDF for the wall: the first ten of the season, and its highest hand."""
    best = max((row.best_hand for row in table.rows), default=0)
    names = [row.name for row in table.rows if row.best_hand == best]
    poster = Poster(
        club=club,
        date_text=period,
        title=table.title,
        standing=size_in_words(len(table.evenings), len(table.rows))
        + (", provisional" if table.unfinished_evenings else ""),
        lines=[
            (
                place_words(row.place, is_tied=row.is_tied),
                row.name,
                points_text(row.counts, pays=row.is_signed),
            )
            for row in table.ranked_rows
        ],
        highest=highest_hand(names, best) if best else "",
        footer=table.title,
        unit=table.heading,
    )
    return first_ten_pdf(poster, form)
