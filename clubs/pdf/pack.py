"""A season's pack: a cover, the league table, and a page for each evening."""

from collections.abc import Callable
from datetime import date

from clubs.models import Season
from clubs.pdf.page import BOLD, CINNABAR, DISPLAY, HEIGHT, INK, MARGIN, RIGHT, SOFT, WIDTH, Paper
from clubs.pdf.tables import counted_evenings, counted_players, draw_league, draw_result
from clubs.selectors.evenings import result_of
from clubs.selectors.leagues import LeagueTable, league_table

COVER_TILES = ("WE", "WS", "WW", "WN", "DR", "DG", "DW")
Progress = Callable[[int, int], None]


def season_pack(season: Season, *, progress: Progress) -> bytes:
    """The whole season as one PDF; ``progress`` is told pages done and pages to do."""
    club = season.league.club.name
    table = league_table(season)
    sessions = list(season.sessions.filter(places__isnull=False).distinct().order_by("held_on"))
    total = len(sessions) + 1
    paper = Paper(f"{club}: {table.title}")
    _cover(paper, club, season, table)
    paper.next_page()
    draw_league(paper, club, table)
    progress(1, total)
    for done, session in enumerate(sessions, start=2):
        paper.next_page()
        draw_result(paper, club, session.held_on, result_of(session), table.title)
        progress(done, total)
    return paper.done()


def _cover(paper: Paper, club: str, season: Season, table: LeagueTable) -> None:
    middle, room = WIDTH / 2, RIGHT - MARGIN
    paper.mark("sign", middle - 48, HEIGHT - 300, 96)
    paper.text(middle, HEIGHT - 352, club, size=15, face=BOLD, align="centre", room=room)
    paper.text(
        middle, HEIGHT - 404, season.league.name, size=40, face=DISPLAY, align="centre", room=room
    )
    paper.text(
        middle,
        HEIGHT - 444,
        season.name,
        size=26,
        face=DISPLAY,
        colour=CINNABAR,
        align="centre",
        room=room,
    )
    paper.rule(middle - 60, HEIGHT - 470, middle + 60, HEIGHT - 470, width=1.2, colour=INK)
    for down, said in enumerate(_facts(season, table)):
        paper.text(
            middle, HEIGHT - 496 - 17 * down, said, size=11, colour=SOFT, align="centre", room=room
        )
    height = 64.0
    width = len(COVER_TILES) * height * 0.75 + (len(COVER_TILES) - 1) * height / 16
    paper.tiles(COVER_TILES, middle - width / 2, 110, height)


def _facts(season: Season, table: LeagueTable) -> list[str]:
    return [
        f"{_day(season.starts_on)} to {_day(season.ends_on)}",
        f"{counted_evenings(len(table.evenings))}, {counted_players(len(table.rows))}",
    ]


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
