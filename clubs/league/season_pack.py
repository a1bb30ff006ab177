"""A season as one printout: its cover, the league and the result of every evening."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from clubs.evenings.selectors.evenings import ResultRow, result_of
from clubs.language.moments import full_date, long_date
from clubs.language.words import counted
from clubs.league.papers import LOW_ROW, draw_cover, draw_league, draw_rows, result_parts
from clubs.league.selectors.seasons import league_table
from clubs.models import Season, Session, counts
from clubs.paper.document import ROW, height_of_list
from clubs.paper.fonts import DISPLAY, TEXT, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import MASTHEAD, ROUNDING, SOFT, Paper, Progress
from scoring.scorebook.selectors import sealed_words

HEADING: Final = 30.0  # of an evening
APART: Final = 14.0  # two evenings on a page


@dataclass(frozen=True, slots=True)
class Night:
    """An evening, its result, and the least height that it takes."""

    session: Session
    rows: tuple[ResultRow, ...]
    least: float


def season_pack(season: Season, *, progress: Progress, form: Format = USUAL) -> bytes:
    """The whole season as one PDF; ``progress`` is called with parts done and in total.

    The league is the first part, each evening another.
    """
    club, table = season.league.club.name, league_table(season)
    played = season.sessions.filter(counts(), places__isnull=False).select_related("book")
    sessions = list(played.distinct().order_by("held_on"))
    done, total = 1, len(sessions) + 1
    paper = Paper(f"{club}: {table.title}", form)
    facts = [
        f"{long_date(season.starts_on)} to {long_date(season.ends_on)}",
        f"{counted(len(table.evenings), 'evening')}, {counted(len(table.rows), 'player')}",
    ]
    draw_cover(paper, club, (season.league.name, season.name), facts)
    paper.next_page(wide=form.is_large)
    draw_league(paper, club, table, fills=True)
    progress(done, total)
    nights = (_night(paper, session) for session in sessions)
    for page in _by_page(paper, nights):
        _draw_nights(paper, club, table.title, page)
        for _ in page:
            done += 1
            progress(done, total)
    return paper.done()


def _night(paper: Paper, session: Session) -> Night:
    rows = result_of(session)
    columns, part = result_parts(rows)
    return Night(session, rows, HEADING + height_of_list(paper, columns, (part,), LOW_ROW))


def _room(paper: Paper) -> float:
    return paper.height - paper.margin - MASTHEAD - paper.foot - ROUNDING


def _by_page(paper: Paper, nights: Iterable[Night]) -> Iterator[list[Night]]:
    """The evenings of each page: as many as are whole on it, in large print one."""
    page, left = list[Night](), _room(paper)
    for night in nights:
        if page and (paper.form.is_large or APART + night.least > left):
            yield page
            page, left = [], _room(paper)
        left -= night.least + (APART if page else 0.0)
        page.append(night)
    if page:
        yield page


def _draw_nights(paper: Paper, club: str, season: str, nights: Sequence[Night]) -> None:
    """Draw the evenings of a page, their rows as high as fill it."""
    spare = _room(paper) - sum(night.least for night in nights) - APART * (len(nights) - 1)
    rows = sum(len(night.rows) for night in nights)
    height = min(ROW, LOW_ROW + spare / rows) if spare > 0 else ROW
    paper.next_page()
    y = paper.masthead(club, season) + APART
    for night in nights:
        y = _draw_night(paper, (club, season), night, y - APART, height)


def _draw_night(
    paper: Paper, heads: tuple[str, str], night: Night, y: float, height: float
) -> float:
    """Draw an evening below y; ``heads`` are the club and the season."""
    session = night.session
    state = sealed_words(session.book) if session.is_over else ", not finished yet"
    lede = f"{counted(len(night.rows), 'player')}{state}"

    def top(page: int) -> float:
        if page > 1:
            return paper.masthead(*heads)
        return _head(paper, y, session.held_on, lede)

    return draw_rows(paper, night.rows, top, heads[1], height)


def _head(paper: Paper, y: float, held_on: date, lede: str) -> float:
    """The date and what is said of the evening, in one line below y.

    The day of the week goes where both have no room.
    """
    base = y - HEADING + 4
    rest = paper.room - 16 - width_of(lede, TEXT, max(9.5, paper.form.smallest))
    whole = full_date(held_on)
    day = whole if width_of(whole, DISPLAY, 16) <= rest else long_date(held_on)
    with paper.tags.element("H1"):
        paper.text(paper.margin, base, day, size=16, face=DISPLAY)
    room = paper.room - width_of(day, DISPLAY, 16) - 16
    paper.text(paper.right, base, lede, size=9.5, colour=SOFT, align="right", room=room)
    return y - HEADING
