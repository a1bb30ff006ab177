"""Pages of a wall, cut to what can be read from ten metres."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from clubs.models.names import split_surname, surname_key

LARGE_COLUMN, LARGE_COLUMNS = 14, 2
SMALL_COLUMN, SMALL_COLUMNS = 14, 3
LEAST_COLUMN = 6
SECONDS_TO_FIND_A_NAME = 12
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Where:
    """Where someone sits; no table: they sit out. ``wind`` is a letter of ESWN, or empty."""

    name: str
    table: int | None
    wind: str = ""


@dataclass(frozen=True, slots=True)
class Guided:
    """Someone on the wall; ``guide``: the surname's initial, at the first of each in a column.

    ``before`` and ``surname`` are the two parts of the name.
    """

    guide: str
    where: Where
    before: str
    surname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WallPage:
    """One page, shown for ``seconds``; ``kind`` selects the template part."""

    kind: str
    title: str
    note: str = ""
    seconds: int = 10
    tables: tuple[object, ...] = ()
    columns: tuple[tuple[object, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """All pages, and the number of the one to start with (from 1)."""

    pages: tuple[WallPage, ...]
    shown: int

    @property
    def next(self) -> int:
        """The number of the next page; after the last comes the first."""
        return self.shown % len(self.pages) + 1 if self.pages else 1


def asked_page(wanted: str, pages: Sequence[WallPage]) -> int:
    """The number of the wanted page (``?page=3``) if there is one, else 1."""
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 4 else 1
    return number if 1 <= number <= len(pages) else 1


def seat_pages(title: str, seats: Iterable[Where]) -> Iterator[WallPage]:
    """Everyone in order of surname, with initials as guides."""
    in_order = sorted(seats, key=lambda seat: (surname_key(seat.name), seat.table or 0))
    for page in pages_of_columns(in_order):
        first, last = (initial_of(seat.name) for seat in (page[0][0], page[-1][-1]))
        yield WallPage(
            kind="seats",
            title=title,
            note=f"surnames {first}" if first == last else f"surnames {first} to {last}",
            seconds=SECONDS_TO_FIND_A_NAME,
            columns=tuple(tuple(_guided(column)) for column in page),
        )


def _guided(column: Sequence[Where]) -> Iterator[Guided]:
    above = ""
    for seat in column:
        initial = initial_of(seat.name)
        yield Guided("" if initial == above else initial, seat, *split_surname(seat.name))
        above = initial


def initial_of(name: str) -> str:
    """The initial of the surname, without accents: ``Ann Ł.`` and ``Ben lin`` are both under L."""
    return surname_key(name)[0][:1].upper()


def pages_of_columns(rows: Sequence[Part]) -> Iterator[tuple[tuple[Part, ...], ...]]:
    """Pages of two columns of fourteen large rows; if one page is not enough, of three columns.

    All pages are about equally full, and so are the columns of a page.
    """
    is_large = len(rows) <= LARGE_COLUMN * LARGE_COLUMNS
    count, height = (LARGE_COLUMNS, LARGE_COLUMN) if is_large else (SMALL_COLUMNS, SMALL_COLUMN)
    pages = max(1, -(-len(rows) // (count * height)))
    for page in cut(rows, max(1, -(-len(rows) // pages))):
        yield tuple(cut(page, max(LEAST_COLUMN, -(-len(page) // count))))


def cut(parts: Sequence[Part], size: int) -> Iterator[tuple[Part, ...]]:
    """The parts in order, at most ``size`` at a time."""
    for at in range(0, len(parts), size):
        yield tuple(parts[at : at + size])
