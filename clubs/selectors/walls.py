"""What hangs on the wall of an evening, cut into pages that can be read from ten metres."""

from dataclasses import dataclass

from clubs.models import Session, SessionState
from clubs.selectors.evenings import ResultRow, result_of
from clubs.selectors.floor import FloorTable, floor_of

TABLES_A_PAGE = 6
ROWS_A_COLUMN = 12
ROWS_A_PAGE = 2 * ROWS_A_COLUMN


@dataclass(frozen=True, slots=True)
class WallPage:
    """One picture: some tables, or some rows of the result in columns."""

    number: int
    title: str
    tables: tuple[FloorTable, ...] = ()
    columns: tuple[tuple[ResultRow, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Wall:
    """All pictures of an evening, and the one to begin with (1 is the first)."""

    pages: tuple[WallPage, ...]
    shown: int
    here: int
    hands: int
    playing: int

    @property
    def next(self) -> int:
        """The page that follows; the first follows the last."""
        return self.shown % len(self.pages) + 1 if self.pages else 1


def wall_of(session: Session, *, page: str = "") -> Wall:
    """The wall of the evening, beginning with the page asked for if there is one."""
    tables = floor_of(session)
    hands = sum(table.hands for table in tables)
    rows = result_of(session) if hands else ()
    laid = () if session.state == SessionState.CLOSED and rows else _tables(tables)
    pages = tuple(
        WallPage(number, title, tables=shown, columns=columns)
        for number, (title, shown, columns) in enumerate([*laid, *_results(session, rows)], start=1)
    )
    asked = int(page) if page.isascii() and page.isdecimal() and len(page) < 4 else 1
    return Wall(
        pages=pages,
        shown=asked if 1 <= asked <= len(pages) else 1,
        here=session.attendances.count(),
        hands=hands,
        playing=sum(not table.is_over for table in tables),
    )


Cut = tuple[str, tuple[FloorTable, ...], tuple[tuple[ResultRow, ...], ...]]


def _tables(tables: tuple[FloorTable, ...]) -> list[Cut]:
    starts = range(0, len(tables), TABLES_A_PAGE)
    return [("Who sits where", tables[at : at + TABLES_A_PAGE], ()) for at in starts]


def _results(session: Session, rows: tuple[ResultRow, ...]) -> list[Cut]:
    title = "The result" if session.state == SessionState.CLOSED else "The result so far"
    return [
        (title, (), _columns(rows[at : at + ROWS_A_PAGE]))
        for at in range(0, len(rows), ROWS_A_PAGE)
    ]


def _columns(rows: tuple[ResultRow, ...]) -> tuple[tuple[ResultRow, ...], ...]:
    starts = range(0, len(rows), ROWS_A_COLUMN)
    return tuple(rows[at : at + ROWS_A_COLUMN] for at in starts)
