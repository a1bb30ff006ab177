"""An evening's papers as PDFs, for the pages and the API."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from clubs.evenings.selectors.door import attendance_list
from clubs.evenings.selectors.evenings import linked_tables, result_of, tables_now
from clubs.evenings.selectors.floor import without_table_sentence
from clubs.language.moments import full_date
from clubs.league.papers import draw_league, draw_result, result_pdf
from clubs.league.selectors.seasons import league_table
from clubs.models import EARLIER_GAME_OFFSET, Club, Session
from clubs.models.names import PUBLIC_READER, TABLE_READER, Reader
from clubs.paper.formats import DEFAULT_FORMAT, NAME_CARDS_NOTE, PACK_NOTE, Format, PaperKind
from clubs.table.papers import cards, crib, score_sheets
from clubs.table.rows import Arrival, LinkedTable
from clubs.table.selectors.rules import rules_offered
from scoring.scorebook.editions import rule_set

NOBODY_SEATED: Final = "No one is seated yet, so there is nothing to print."


@dataclass(frozen=True, kw_only=True)
class PrintOptions:
    """What to print, and how.

    ``build_url`` gives the full address of the phone page of a table's key; ``table`` the number of
    the one table that is printed (empty: all); ``with_code`` adds the code to seating cards.
    """

    build_url: Callable[[str], str]
    form: Format = DEFAULT_FORMAT
    reader: Reader = PUBLIC_READER
    table: str = ""
    with_code: bool = False


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """What a paper is drawn from: the evening, its tables, and how it is printed."""

    session: Session
    tables: list[cards.SeatedTable]
    printing: PrintOptions

    @property
    def occasion(self) -> cards.PrintedEvent:
        day = full_date(self.session.held_on)
        return cards.PrintedEvent(self.session.club.name, day, self.printing.form)

    @property
    def attending(self) -> list[Arrival]:
        """Everyone on the list, whether they came and what they paid."""
        return attendance_list(self.session)


@dataclass(frozen=True, slots=True)
class EveningPaper:
    """A paper of an evening: its kind in addresses, its title, a note, and how it is drawn.

    Without ``needs_tables`` it can be printed before anybody is seated. Names are as at the table;
    at the desk (``shows_hidden``) they are as its reader may see them. ``has_hands`` where the
    recorded hands are on it, ``file_name`` where it is the same on every evening.
    """

    kind: str
    title: str
    note: str
    draw: Callable[[PrintOrder], bytes]
    needs_tables: bool = True
    shows_hidden: bool = False
    has_hands: bool = False
    file_name: str = ""

    @property
    def offer(self) -> PaperKind:
        is_first, has_code = self.kind == "cards", self.note == NAME_CARDS_NOTE
        return PaperKind(f"{self.kind}-pdf", self.title, self.note, is_first, has_code=has_code)

    def file_for(self, session: Session) -> str:
        """The name of its file, without ``.pdf``."""
        return f"{session.club.slug}-{self.file_name or f'{session.held_on}-{self.kind}'}"

    def render(self, session: Session, printing: PrintOptions) -> bytes | None:
        """The paper as PDF; None where it needs tables and nobody is seated."""
        if not self.needs_tables:
            return self.draw(PrintOrder(session, [], printing))
        if self.has_hands:
            session_tables = linked_tables(session)
        else:
            reader = printing.reader if self.shows_hidden else TABLE_READER
            session_tables = tables_now(session, reader=reader)
        dated_tables = (_with_year(table, session) for table in session_tables)
        tables = seated_tables(
            session.club, dated_tables, build_url=printing.build_url, table=printing.table
        )
        return self.draw(PrintOrder(session, tables, printing)) if tables else None


def _with_year(table: LinkedTable, session: Session) -> LinkedTable:
    """The table with the year in its date, for paper is kept."""
    return replace(table, view=replace(table.view, event=full_date(session.held_on)))


def papers_for(session: Session) -> list[EveningPaper]:
    is_seated = session.tables.exists()
    return [paper for paper in PAPERS.values() if is_seated or not paper.needs_tables]


def seated_tables(
    club: Club, tables: Iterable[LinkedTable], *, build_url: Callable[[str], str], table: str = ""
) -> list[cards.SeatedTable]:
    """The tables with the addresses of their phone pages; with ``table``, only that one."""
    return [
        cards.SeatedTable(club.name, linked_table.view, build_url(linked_table.link_key))
        for linked_table in tables
        if table in {"", str(linked_table.view.number)}
    ]


def _draw_emergency_pack(order: PrintOrder) -> bytes:
    """The pack ends with the result so far, if a hand was played, and the season's league table."""
    session, occasion, rows = order.session, order.occasion, result_of(order.session)
    standings: list[score_sheets.Drawing] = []
    if any(row.hands for row in rows):
        result = partial(draw_result, club=occasion.club, held_on=session.held_on, rows=rows)
        standings.append(partial(result, footer="Result so far"))
    if session.season:
        standings.append(
            partial(draw_league, club=occasion.club, table=league_table(session.season))
        )
    now = [table for table in order.tables if table.view.number < EARLIER_GAME_OFFSET]
    earlier_tables = [table for table in order.tables if table.view.number >= EARLIER_GAME_OFFSET]
    return score_sheets.emergency_pack(
        occasion,
        now,
        order.attending,
        session.plays,
        standings,
        earlier_tables=earlier_tables,
        unseated_notes={occasion.event: without_table_sentence(session)},
    )


@dataclass(frozen=True, slots=True)
class ClubPaper:
    """A paper that needs no evening: its kind in addresses, and how it is drawn for some rules."""

    kind: str
    title: str
    note: str
    draw: Callable[[Club, str, Format], bytes]

    @property
    def offer(self) -> PaperKind:
        return PaperKind(f"club-{self.kind}-pdf", self.title, self.note)

    def file_for(self, club: Club) -> str:
        """The name of its file, without ``.pdf``."""
        return f"{club.slug}-{self.kind}"


BLANK_SHEETS: Final = ClubPaper(
    "blank-sheets",
    "Blank score sheets",
    "For a table of four and a table of five",
    lambda club, rules, form: score_sheets.blank_sheets(
        cards.PrintedEvent(club.name, "", form), rules
    ),
)
CRIB: Final = ClubPaper(
    "crib",
    "Crib sheet",
    "What scores here, on one sheet for the table",
    lambda club, rules, form: crib.crib_pdf(club.name, rule_set(rules), form),
)
CLUB_PAPERS: Final = {paper.kind: paper for paper in (BLANK_SHEETS, CRIB)}


def rules_to_print(club: Club, requested_key: str) -> str:
    """The key of the rules that are wanted: the club's own if none, empty if it has no such."""
    key = requested_key or club.rules
    return key if key in dict(rules_offered(club, current=club.rules)) else ""


def _draw_seating_cards(order: PrintOrder) -> bytes:
    printing = order.printing
    return cards.seating_cards(order.tables, printing.form, with_code=printing.with_code)


def _draw_result(order: PrintOrder) -> bytes:
    session = order.session
    return result_pdf(
        order.occasion.club,
        session.held_on,
        result_of(session),
        order.printing.form,
        is_final=session.is_over,
    )


ALL_PAPERS: Final = (
    EveningPaper(
        "cards",
        "Table cards",
        "With a QR code, one for each table",
        lambda order: cards.table_cards(order.tables, order.printing.form),
    ),
    EveningPaper(
        "sheets",
        "Score sheets",
        "One for each table, with names, winds and recorded hands",
        lambda order: score_sheets.score_sheets(order.tables, order.printing.form),
        has_hands=True,
    ),
    EveningPaper("seating-cards", "Seating cards", NAME_CARDS_NOTE, _draw_seating_cards),
    EveningPaper(
        "seats",
        "Seating list",
        "Everyone by name, to put up at the entrance",
        lambda order: cards.seats_pdf(
            order.occasion, order.tables, without_table_sentence(order.session)
        ),
    ),
    EveningPaper(
        "tally",
        cards.SETTLING_TITLE,
        "What everyone has at the start and end, with boxes to write in",
        lambda order: cards.settling_pdf(order.occasion, order.tables),
        shows_hidden=True,
    ),
    EveningPaper(
        "door",
        "Attendance list",
        "Everyone by surname, to tick off as people arrive and pay",
        lambda order: cards.attendance_pdf(order.occasion, order.attending),
        needs_tables=False,
    ),
    EveningPaper(
        "result", "Result", "Everyone’s points, highest first, to put up on a wall", _draw_result
    ),
    EveningPaper("emergency", "Emergency pack", PACK_NOTE, _draw_emergency_pack, has_hands=True),
    EveningPaper(
        BLANK_SHEETS.kind,
        BLANK_SHEETS.title,
        BLANK_SHEETS.note,
        lambda order: score_sheets.blank_sheets(order.occasion, order.session.plays),
        needs_tables=False,
        file_name="blank-sheets",
    ),
    EveningPaper(
        CRIB.kind,
        CRIB.title,
        CRIB.note,
        lambda order: CRIB.draw(order.session.club, order.session.plays, order.printing.form),
        needs_tables=False,
        file_name="rules",
    ),
)
PAPERS: Final = {paper.kind: paper for paper in ALL_PAPERS}
