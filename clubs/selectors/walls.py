"""What hangs on the wall of an evening, cut into pages that can be read from ten metres."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.core.people_names import names_of
from clubs.models import Session, SessionState
from clubs.models.names import AT_THE_TABLE
from clubs.selectors.evenings import ResultRow, attendances, result_of
from clubs.selectors.floor import FloorTable, floor_of
from clubs.wallpages import Wall, WallPage, Where, asked_page, cut, pages_of_columns, seat_pages

TABLES_A_PAGE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningWall(Wall):
    """The pictures of an evening; how many are here, and who of them has no table."""

    here: int
    unseated: tuple[str, ...]


def evenings_on_walls() -> QuerySet[Session]:
    """Evenings with their club, for whoever holds the key of a wall."""
    return Session.objects.select_related("club")


def wall_of(session: Session, *, page: str = "") -> EveningWall:
    """The wall of the evening, beginning with the page asked for if there is one.

    People find their seats by first names at least; the result has names as they were chosen.
    """
    tables = floor_of(session, reader=AT_THE_TABLE)
    rows = result_of(session) if any(table.played for table in tables) else ()
    here = names_of((one.player for one in attendances(session)), AT_THE_TABLE)
    seated = {key for table in tables for key in table.players}
    is_over = session.state == SessionState.CLOSED and bool(rows)
    laid = () if is_over else (*_names(tables), *_tables(tables))
    pages = (*laid, *_results(session, rows))
    return EveningWall(
        pages=pages,
        shown=asked_page(page, pages),
        here=len(here),
        unseated=tuple(here[key] for key in here if key not in seated) if tables else (),
    )


def _names(tables: Sequence[FloorTable]) -> Iterator[WallPage]:
    """Everyone by name until the first hand, where the tables need more than one page."""
    if len(tables) <= TABLES_A_PAGE or any(table.played for table in tables):
        return
    yield from seat_pages(
        "Find your name",
        (
            Where(seat.name, table.number, str(seat.wind or ""))
            for table in tables
            for seat in table.seats
        ),
    )


def _tables(tables: Sequence[FloorTable]) -> Iterator[WallPage]:
    for shown in cut(tables, TABLES_A_PAGE):
        yield WallPage(kind="tables", title="Seating", tables=shown)


def _results(session: Session, rows: Sequence[ResultRow]) -> Iterator[WallPage]:
    title = "Result" if session.state == SessionState.CLOSED else "Result so far"
    for columns in pages_of_columns(rows):
        yield WallPage(kind="result", title=title, columns=columns)
