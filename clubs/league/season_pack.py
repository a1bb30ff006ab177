"""A season as one printout: its cover, the league and the result of every evening."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from clubs.evenings.selectors.evenings import ResultRow, result_of
from clubs.language.moments import full_date, long_date
from clubs.language.words import count_words
from clubs.league.papers import MIN_ROW_HEIGHT, draw_cover, draw_league, draw_rows, result_parts
from clubs.league.selectors.seasons import league_table
from clubs.models import Season, Session, counting_evenings
from clubs.paper.document import ROW_HEIGHT, height_of_list
from clubs.paper.fonts import DISPLAY_FACE, TEXT_FACE, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import MASTHEAD_HEIGHT, ROUNDING, SOFT_INK, Paper, ReportProgress
from scoring.scorebook.selectors import verification_text

HEADING_HEIGHT: Final = 30.0  # of an evening
EVENING_GAP: Final = 14.0  # two evenings on a page


@dataclass(frozen=True, slots=True)
class PackedEvening:
    """An evening, its result, and the least height that it takes."""

    session: Session
    rows: tuple[ResultRow, ...]
    least: float


def season_pack(
    season: Season, *, progress: ReportProgress, form: Format = DEFAULT_FORMAT
) -> bytes:
    """The whole season as one PDF; ``progress`` is called with parts done and in total.

    The league is the first part, each evening another.
    """
    club, table = season.league.club.name, league_table(season)
    evenings = season.sessions.filter(counting_evenings(), places__isnull=False).select_related(
        "book"
    )
    sessions = list(evenings.distinct().order_by("held_on"))
    parts_done, total = 1, len(sessions) + 1
    paper = Paper(f"{club}: {table.title}", form)
    facts = [
        f"{long_date(season.starts_on)} to {long_date(season.ends_on)}",
        f"{count_words(len(table.evenings), 'evening')}, {count_words(len(table.rows), 'player')}",
    ]
    draw_cover(paper, club, (season.league.name, season.name), facts)
    paper.next_page(wide=form.is_large)
    draw_league(paper, club, table, fills=True)
    progress(parts_done, total)
    nights = (_packed_evening(paper, session) for session in sessions)
    for page in _evenings_by_page(paper, nights):
        _draw_evenings(paper, club, table.title, page)
        for _ in page:
            parts_done += 1
            progress(parts_done, total)
    return paper.finish()


def _packed_evening(paper: Paper, session: Session) -> PackedEvening:
    rows = result_of(session)
    columns, part = result_parts(rows)
    return PackedEvening(
        session, rows, HEADING_HEIGHT + height_of_list(paper, columns, (part,), MIN_ROW_HEIGHT)
    )


def _page_room(paper: Paper) -> float:
    return paper.height - paper.margin - MASTHEAD_HEIGHT - paper.foot - ROUNDING


def _evenings_by_page(
    paper: Paper, nights: Iterable[PackedEvening]
) -> Iterator[list[PackedEvening]]:
    """The evenings of each page: as many as are whole on it, in large print one."""
    page, remaining_room = list[PackedEvening](), _page_room(paper)
    for night in nights:
        if page and (paper.form.is_large or EVENING_GAP + night.least > remaining_room):
            yield page
            page, remaining_room = [], _page_room(paper)
        remaining_room -= night.least + (EVENING_GAP if page else 0.0)
        page.append(night)
    if page:
        yield page


def _draw_evenings(paper: Paper, club: str, season: str, nights: Sequence[PackedEvening]) -> None:
    """Draw the evenings of a page, their rows as high as fill it."""
    spare = (
        _page_room(paper) - sum(night.least for night in nights) - EVENING_GAP * (len(nights) - 1)
    )
    rows = sum(len(night.rows) for night in nights)
    height = min(ROW_HEIGHT, MIN_ROW_HEIGHT + spare / rows) if spare > 0 else ROW_HEIGHT
    paper.next_page()
    y = paper.masthead(club, season) + EVENING_GAP
    for night in nights:
        y = _draw_evening(paper, (club, season), night, y - EVENING_GAP, height)


def _draw_evening(
    paper: Paper, heads: tuple[str, str], night: PackedEvening, y: float, height: float
) -> float:
    """Draw an evening below y; ``heads`` are the club and the season."""
    session = night.session
    state = verification_text(session.book) if session.is_over else ", not finished yet"
    lede = f"{count_words(len(night.rows), 'player')}{state}"

    def top(page: int) -> float:
        if page > 1:
            return paper.masthead(*heads)
        return _draw_heading(paper, y, session.held_on, lede)

    return draw_rows(paper, night.rows, top, heads[1], height)


def _draw_heading(paper: Paper, y: float, held_on: date, lede: str) -> float:
    """The date and what is said of the evening, in one line below y.

    The day of the week goes where both have no room.
    """
    base = y - HEADING_HEIGHT + 4
    room_for_day = paper.room - 16 - width_of(lede, TEXT_FACE, max(9.5, paper.form.smallest))
    full_day = full_date(held_on)
    day = full_day if width_of(full_day, DISPLAY_FACE, 16) <= room_for_day else long_date(held_on)
    with paper.tags.element("H1"):
        paper.text(paper.margin, base, day, size=16, face=DISPLAY_FACE)
    room = paper.room - width_of(day, DISPLAY_FACE, 16) - 16
    paper.text(paper.right, base, lede, size=9.5, colour=SOFT_INK, align="right", room=room)
    return y - HEADING_HEIGHT
