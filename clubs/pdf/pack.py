"""A season's pack: a cover, the league table, and a page for each evening."""

from collections.abc import Callable, Sequence

from clubs.evenings.selectors.evenings import result_of
from clubs.language.moments import long_date
from clubs.language.words import counted
from clubs.models import Season
from clubs.paper.fonts import BOLD, DISPLAY, TEXT
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, INK, SOFT, Paper
from clubs.pdf.poster import centred
from clubs.pdf.tables import draw_league, draw_result
from clubs.selectors.leagues import LeagueTable, league_table
from scoring.scorebook.links import sealed_words

COVER_TILES = ("WE", "WS", "WW", "WN", "DR", "DG", "DW")
Progress = Callable[[int, int], None]


def season_pack(season: Season, *, progress: Progress, form: Format = USUAL) -> bytes:
    """The whole season as one PDF; ``progress`` is told pages done and pages to do."""
    club = season.league.club.name
    table = league_table(season)
    played = season.sessions.filter(places__isnull=False).select_related("book")
    sessions = list(played.distinct().order_by("held_on"))
    total = len(sessions) + 1
    paper = Paper(f"{club}: {table.title}", form)
    draw_cover(paper, club, (season.league.name, season.name), _facts(season, table))
    paper.next_page(wide=form.is_large)
    draw_league(paper, club, table)
    progress(1, total)
    for done, session in enumerate(sessions, start=2):
        paper.next_page()
        footer = f"{table.title}{sealed_words(session.book)}"
        draw_result(paper, club, session.held_on, result_of(session), footer)
        progress(done, total)
    return paper.done()


def draw_cover(paper: Paper, club: str, titles: tuple[str, str], facts: Sequence[str]) -> float:
    """The first page: the club, what this is of which season; returns the height below."""
    middle, room, is_large = paper.width / 2, paper.room, paper.form.is_large
    high = paper.height - 128 if is_large else paper.height * 0.64
    paper.mark("sign", middle - 48, high, 96)
    centred(paper, high - 52, club, 15, BOLD, margins=0)
    centred(paper, high - 104, titles[0], 40, DISPLAY, margins=0)
    centred(paper, high - 144, titles[1], 26, DISPLAY, CINNABAR, margins=0)
    paper.rule(middle - 60, high - 170, middle + 60, high - 170, width=1.2, colour=INK)
    for down, said in enumerate(facts):
        centred(paper, high - 196 - 17 * down, said, 11, TEXT, SOFT, margins=0)
    height = min(44.0 if is_large else 64.0, room / (len(COVER_TILES) * 0.82))
    width = len(COVER_TILES) * height * 0.75 + (len(COVER_TILES) - 1) * height / 16
    paper.tiles(
        COVER_TILES, middle - width / 2, paper.height * (0.05 if is_large else 0.12), height
    )
    return high - 196 - 17 * len(facts)


def _facts(season: Season, table: LeagueTable) -> list[str]:
    return [
        f"{long_date(season.starts_on)} to {long_date(season.ends_on)}",
        f"{counted(len(table.evenings), 'evening')}, {counted(len(table.rows), 'player')}",
    ]
