"""An evening's papers as PDFs, for the pages and the API."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from clubs.evenings.selectors.evenings import linked_tables, result_of, tables_now, tick_list
from clubs.language.moments import weekday_and_date
from clubs.league.papers import draw_league, draw_result
from clubs.league.selectors.seasons import league_table
from clubs.models import Club, Session
from clubs.models.names import AT_THE_TABLE, EVERYBODY, Reader
from clubs.paper.formats import PACKED, TENTS, USUAL, Format
from clubs.table.papers import cards
from clubs.table.papers.score_sheets import (
    Drawing,
    blank_sheets,
    crib_pdf,
    emergency_pack,
    score_sheets,
)
from clubs.table.rows import LinkedTable
from scoring.scorebook.editions import rule_set

NOBODY_SEATED: Final = "No one is seated yet, so there is nothing to print."
OFFERED: Final = (
    ("emergency", "Emergency pack", PACKED),
    ("sheets", "Score sheets", "One for each table, with names, winds and recorded hands"),
    ("cards", "Table cards", "With a QR code, one for each table"),
    ("seating-cards", "Seating cards", TENTS),
    ("seats", "Seating list", "Everyone by name, to put up at the entrance"),
    ("tally", "Tally sheet", "What everyone has at the start and end"),
    ("door", "Attendance list", "The member list, to tick off as people arrive"),
    ("blank-sheets", "Blank score sheets", "For a table of four and a table of five"),
    ("crib", "Crib sheet", "The rules as they are played here"),
)
AT_THE_DESK: Final = frozenset({"door", "tally"})
WITHOUT_TABLES: Final = frozenset({"door", "blank-sheets", "crib"})


def offered_for(session: Session) -> tuple[tuple[str, str, str], ...]:
    """The kinds of paper that can be printed now, as (kind, title, note)."""
    is_seated = session.tables.exists()
    return tuple(paper for paper in OFFERED if is_seated or paper[0] in WITHOUT_TABLES)


@dataclass(frozen=True, kw_only=True)
class Printing:
    """What to print, and how.

    ``at`` gives the full address of the phone page of a table's key; ``table`` the number of the
    one table that is printed (empty: all); ``with_code`` adds the code to seating cards.
    """

    at: Callable[[str], str]
    form: Format = USUAL
    reader: Reader = EVERYBODY
    table: str = ""
    with_code: bool = False


def paper_of(session: Session, kind: str, printing: Printing) -> bytes | None:
    """The paper of that kind as PDF; None where it needs tables and nobody is seated.

    Raises ``KeyError`` for an unknown kind.
    """
    draw = PAPERS[kind]
    if kind in WITHOUT_TABLES:
        return draw(session, [], printing)
    if kind == "sheets":
        linked = linked_tables(session)
    else:
        reader = printing.reader if kind in AT_THE_DESK else AT_THE_TABLE
        linked = tables_now(session, reader=reader)
    tables = seated(session.club, linked, at=printing.at, table=printing.table)
    return draw(session, tables, printing) if tables else None


def seated(
    club: Club, tables: Iterable[LinkedTable], *, at: Callable[[str], str], table: str = ""
) -> list[cards.SeatedTable]:
    """The tables with the addresses of their phone pages; with ``table``, only that one."""
    return [
        cards.SeatedTable(club.name, linked.view, at(linked.link_key))
        for linked in tables
        if table in {"", str(linked.view.number)}
    ]


def _occasion(session: Session, printing: Printing) -> cards.Occasion:
    return cards.Occasion(session.club.name, weekday_and_date(session.held_on), printing.form)


def _attending(session: Session) -> list[tuple[str, bool]]:
    return [(row.name, row.is_here) for row in tick_list(session)]


def _emergency(session: Session, tables: list[cards.SeatedTable], printing: Printing) -> bytes:
    """The pack ends with the result so far, if a hand was played, and the season's league table."""
    about, rows = _occasion(session, printing), result_of(session)
    standings: list[Drawing] = []
    if any(row.hands for row in rows):
        result = partial(draw_result, club=about.club, held_on=session.held_on, rows=rows)
        standings.append(partial(result, footer="Result so far"))
    if session.season:
        standings.append(partial(draw_league, club=about.club, table=league_table(session.season)))
    return emergency_pack(about, tables, _attending(session), session.plays, standings)


Draw = Callable[[Session, list[cards.SeatedTable], Printing], bytes]
PAPERS: Final[Mapping[str, Draw]] = {
    "emergency": _emergency,
    "sheets": lambda _, tables, printing: score_sheets(tables, printing.form),
    "cards": lambda _, tables, printing: cards.table_cards(tables, printing.form),
    "seating-cards": lambda _, tables, printing: cards.seating_cards(
        tables, printing.form, with_code=printing.with_code
    ),
    "seats": lambda session, tables, printing: cards.seats_pdf(
        _occasion(session, printing), tables
    ),
    "tally": lambda session, tables, printing: cards.tally_pdf(
        _occasion(session, printing), tables
    ),
    "door": lambda session, _, printing: cards.attendance_pdf(
        _occasion(session, printing), _attending(session)
    ),
    "blank-sheets": lambda session, _, printing: blank_sheets(
        _occasion(session, printing), session.plays
    ),
    "crib": lambda session, _, printing: crib_pdf(
        session.club.name, rule_set(session.plays), printing.form
    ),
}
