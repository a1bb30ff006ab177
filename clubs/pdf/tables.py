"""The league table and an evening's result as lists on paper."""

from datetime import date

from clubs.evenings.selectors.evenings import ResultRow
from clubs.language.moments import full_date
from clubs.language.words import counted
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import Column, Part, draw_list
from clubs.paper.page import Paper
from clubs.pdf.poster import Poster, highest_hand, poster_of
from clubs.selectors.leagues import LeagueRow, LeagueTable
from clubs.table.rows import tallied


def league_pdf(club: str, table: LeagueTable, form: Format = USUAL) -> bytes:
    """A PDF of the season's table, as many pages as it takes."""
    paper = Paper(table.title, form, wide=form.is_large)
    draw_league(paper, club, table)
    return paper.done()


def season_poster(club: str, when: str, table: LeagueTable, form: Format = USUAL) -> bytes:
    """A one-page PDF for the wall: the first ten of the season, and its highest hand."""
    best = max((row.best_hand for row in table.rows), default=0)
    names = [row.name for row in table.rows if row.best_hand == best]
    poster = Poster(
        club=club,
        when=when,
        title=table.title,
        standing=f"{counted(len(table.evenings), 'evening')}, {counted(len(table.rows), 'player')}",
        lines=[
            (
                place_words(row.place, is_tied=row.is_tied),
                row.name,
                tallied(row.counts, pays=row.is_signed),
            )
            for row in table.ranked
        ],
        highest=highest_hand(names, best) if best else "",
        footer=table.title,
    )
    return poster_of(poster, form)


def draw_league(paper: Paper, club: str, table: LeagueTable) -> float:
    """The season's table from a fresh page on; returns the height below it."""

    def top(page: int) -> float:
        y = paper.masthead(club, counted(len(table.evenings), "evening"))
        return paper.title(y, table.title, table.rule) if page == 1 else y

    ranked = tuple(_league_row(row, table) for row in table.rows if row.place is not None)
    short = tuple(_league_row(row, table) for row in table.rows if row.place is None)
    return draw_list(
        paper,
        columns=_league_columns(table),
        parts=(Part("", ranked), Part("Not ranked yet", short)),
        top=top,
        footer=table.title,
    )


def _league_columns(table: LeagueTable) -> tuple[Column, ...]:
    return (
        Column("Place", 40, "left", is_bold=True),
        Column("Name", 172, "left", is_bold=True),
        Column(table.heading, 66, is_bold=True),
        Column("Evenings", 52),
        *([Column("Total", 58)] if table.shows_total else []),
        *([Column("Average", 58)] if table.shows_average else []),
        Column("Mah-Jongs", 56),
        Column("Best hand", 54),
    )


def _league_row(row: LeagueRow, table: LeagueTable) -> tuple[str, ...]:
    return (
        place_words(row.place, is_tied=row.is_tied),
        row.name,
        tallied(row.counts, pays=row.is_signed),
        f"{row.attended}",
        *([tallied(row.total, pays=row.pays)] if table.shows_total else []),
        *([tallied(row.mean, pays=row.pays)] if table.shows_average else []),
        f"{row.mahjongs}",
        f"{row.best_hand:,}",
    )


def place_words(place: int | None, *, is_tied: bool) -> str:
    """``3``, ``3=`` for a shared place, ``–`` for none."""
    if place is None:
        return "–"
    return f"{place}=" if is_tied else f"{place}"


def draw_result(
    paper: Paper, club: str, held_on: date, rows: tuple[ResultRow, ...], footer: str
) -> None:
    """One evening's result from a fresh page on."""
    pays = all(row.pays for row in rows)
    day = full_date(held_on)

    def top(page: int) -> float:
        y = paper.masthead(club, counted(len(rows), "player"))
        return paper.title(y, day) if page == 1 else y

    draw_list(
        paper,
        columns=(
            Column("Place", 40, "left", is_bold=True),
            Column("Name", 190, "left", is_bold=True),
            Column("Gain" if pays else "Points", 62, is_bold=True),
            Column("Table", 46),
            Column("Hands", 48),
            Column("Mah-Jongs", 60),
            Column("Best hand", 58),
        ),
        parts=(Part("", tuple(_result_row(row) for row in rows)),),
        top=top,
        footer=f"{footer} · {day}",
    )


def _result_row(row: ResultRow) -> tuple[str, ...]:
    return (
        place_words(row.place, is_tied=row.is_tied),
        row.name,
        tallied(row.points, pays=row.pays),
        f"{row.table}",
        f"{row.hands}",
        f"{row.mahjongs}",
        f"{row.best_hand:,}",
    )
