"""An evening's papers, each drawn by its kind, for the pages and the API."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from clubs.table.papers.cards import (
    Occasion,
    SeatedTable,
    attendance_pdf,
    seating_cards,
    seats_pdf,
    table_cards,
    tally_pdf,
)
from clubs.table.papers.emergency import Drawing, blank_sheets, crib_pdf, emergency_pack
from clubs.table.papers.score_sheets import score_sheets
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
    """The kinds of paper that can be printed now, each with its title and a note."""
    is_seated = session.tables.exists()
    return tuple(one for one in OFFERED if is_seated or one[0] in WITHOUT_TABLES)


@dataclass(frozen=True, kw_only=True)
class Printing:
    """How a paper is asked for.

    ``at`` gives the full address of the phone page of a table's key; ``table`` the number of the
    one table that is printed (empty: all); ``with_code`` adds the code to seating cards.
    """

    at: Callable[[str], str]
    form: Format = USUAL
    reader: Reader = EVERYBODY
    table: str = ""
    with_code: bool = False


def paper_of(session: Session, kind: str, asked: Printing) -> bytes | None:
    """The paper of that kind as PDF; None where it needs tables and nobody is seated.

    Raises ``KeyError`` for a kind that there is not.
    """
    draw = PAPERS[kind]
    tables = () if kind in WITHOUT_TABLES else _tables(session, kind, asked)
    if not tables and kind not in WITHOUT_TABLES:
        return None
    return draw(session, seated(session.club, tables, at=asked.at, table=asked.table), asked)


def seated(
    club: Club, tables: Iterable[LinkedTable], *, at: Callable[[str], str], table: str = ""
) -> list[SeatedTable]:
    """The tables with the addresses of their phone pages; only the one of that number."""
    return [
        SeatedTable(club.name, one.view, at(one.link_key))
        for one in tables
        if table in {"", str(one.view.number)}
    ]


def _tables(session: Session, kind: str, asked: Printing) -> Sequence[LinkedTable]:
    if kind == "sheets":
        found = linked_tables(session)
    else:
        reader = asked.reader if kind in AT_THE_DESK else AT_THE_TABLE
        found = tables_now(session, reader=reader)
    return [one for one in found if asked.table in {"", str(one.view.number)}]


def _occasion(session: Session, asked: Printing) -> Occasion:
    day = weekday_and_date(session.held_on)
    return Occasion(session.club.name, day, asked.form)


def _attending(session: Session) -> list[tuple[str, bool]]:
    return [(row.name, row.is_here) for row in tick_list(session)]


def _emergency(session: Session, tables: list[SeatedTable], asked: Printing) -> bytes:
    about = _occasion(session, asked)
    return emergency_pack(
        about, tables, _attending(session), session.plays, _standings(session, about)
    )


def _standings(session: Session, about: Occasion) -> list[Drawing]:
    """The evening's result so far, once something is played, and the league of its season."""
    rows, found = result_of(session), list[Drawing]()
    if any(row.hands for row in rows):
        result = partial(draw_result, club=about.club, held_on=session.held_on, rows=rows)
        found.append(partial(result, footer="Result so far"))
    if session.season:
        found.append(partial(draw_league, club=about.club, table=league_table(session.season)))
    return found


Draw = Callable[[Session, list[SeatedTable], Printing], bytes]
PAPERS: Final[Mapping[str, Draw]] = {
    "emergency": _emergency,
    "sheets": lambda _, tables, asked: score_sheets(tables, asked.form),
    "cards": lambda _, tables, asked: table_cards(tables, asked.form),
    "seating-cards": lambda _, tables, asked: seating_cards(
        tables, asked.form, with_code=asked.with_code
    ),
    "seats": lambda session, tables, asked: seats_pdf(_occasion(session, asked), tables),
    "tally": lambda session, tables, asked: tally_pdf(_occasion(session, asked), tables),
    "door": lambda session, _, asked: attendance_pdf(
        _occasion(session, asked), _attending(session)
    ),
    "blank-sheets": lambda session, _, asked: blank_sheets(
        _occasion(session, asked), session.plays
    ),
    "crib": lambda session, _, asked: crib_pdf(
        session.club.name, rule_set(session.plays), asked.form
    ),
}
