"""Lists for the door and the tables: who sits where, who is here, what is paid in sticks."""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models.names import surname_key
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import Column, Part, draw_list
from clubs.paper.page import Paper
from clubs.pdf.seated import SeatedTable
from clubs.rows import tallied

SPARE = 6


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a list belongs to: the club, the evening or the tournament, and its format."""

    club: str
    event: str
    form: Format = USUAL

    def paper(self, title: str) -> Paper:
        """A fresh document for a list of that title."""
        return Paper(f"{title}: {self.event}", self.form, wide=self.form.is_large)


def seats_pdf(about: Occasion, tables: Sequence[SeatedTable]) -> bytes:
    """A PDF of everyone by surname, with table and wind, to hang on the door."""
    paper = about.paper("Seating list")
    draw_seats(paper, about, tables)
    return paper.done()


def draw_seats(paper: Paper, about: Occasion, tables: Sequence[SeatedTable]) -> None:
    """The list of seats from a fresh page on."""
    seated = [
        (chair.name, f"{table.view.number}", chair.part)
        for table in tables
        for chair in table.chairs
    ]
    rows = sorted(seated, key=lambda row: surname_key(row[0]))
    columns = (
        Column("Name", 60, "left", is_bold=True),
        Column("Table", 14, "left", is_bold=True),
        Column("Starts as", 30, "left"),
    )
    _draw(paper, about, "Seating list", columns, rows)


def attendance_pdf(about: Occasion, names: Sequence[tuple[str, bool]]) -> bytes:
    """A PDF to tick names on at the door; those who are here already are marked."""
    paper = about.paper("Attendance list")
    draw_attendance(paper, about, names)
    return paper.done()


def draw_attendance(paper: Paper, about: Occasion, names: Sequence[tuple[str, bool]]) -> None:
    """The list for the door from a fresh page on, with empty lines for guests."""
    rows = [(name, "yes" if is_here else "", "", "") for name, is_here in names]
    rows += [("", "", "", "")] * SPARE
    columns = (
        Column("Name", 60, "left", is_bold=True),
        Column("Here", 16, "left"),
        Column("Paid", 16, "left"),
        Column("Notes", 40, "left"),
    )
    _draw(paper, about, "Attendance list", columns, rows)


def tally_pdf(about: Occasion, tables: Sequence[SeatedTable]) -> bytes:
    """A PDF to settle up with sticks: what everyone has at the start, at the end, and gained."""
    paper = about.paper("Tally sheet")
    draw_tally(paper, about, tables)
    return paper.done()


def draw_tally(paper: Paper, about: Occasion, tables: Sequence[SeatedTable]) -> None:
    """The tally sheet from a fresh page on: a part for each table, each adding to nothing."""
    columns = (
        Column("Name", 50, "left", is_bold=True),
        Column("At the start", 20, "left"),
        Column("At the end", 20, "left"),
        Column("Gained or lost", 24, "left"),
        Column("Recorded", 20),
    )
    parts = tuple(Part(table.view.title, _tallies(table)) for table in tables)
    _parts(paper, about, "Tally sheet", columns, parts)


def _tallies(table: SeatedTable) -> tuple[tuple[str, ...], ...]:
    totals, pays = table.view.game.totals, table.rules.zero_sum
    stake = f"{table.view.stake:,}" if table.view.stake else ""
    rows = [
        (chair.name, stake, "", "", tallied(totals[chair.number], pays=pays))
        for chair in table.chairs
    ]
    total = "All gains must add up to 0" if pays else "Total"
    return (*rows, (total, "", "", "", ""))


def _draw(
    paper: Paper,
    about: Occasion,
    title: str,
    columns: tuple[Column, ...],
    rows: Sequence[tuple[str, ...]],
) -> None:
    _parts(paper, about, title, columns, (Part("", tuple(rows)),))


def _parts(
    paper: Paper,
    about: Occasion,
    title: str,
    columns: tuple[Column, ...],
    parts: tuple[Part, ...],
) -> None:
    def top(page: int) -> float:
        y = paper.masthead(about.club, about.event)
        return paper.title(y, title) if page == 1 else y

    footer = f"{title}, {about.event}"
    draw_list(paper, columns=columns, parts=parts, top=top, footer=footer)
