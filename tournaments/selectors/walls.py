"""What hangs on the wall of a tournament, cut into pages that can be read from ten metres."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tournaments.models import Tournament, TournamentState
from tournaments.selectors.board import Board, Line, board
from tournaments.selectors.desk import TableRow
from tournaments.selectors.floor import Floor, floor_of
from tournaments.selectors.showing import shown_through

LARGE_TABLES = 6
SMALL_TABLES = 9
ROWS_A_COLUMN = 10
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class WallPage:
    """One picture: tables of a round, or rows of the standings in columns."""

    title: str
    note: str
    tables: tuple[TableRow, ...] = ()
    columns: tuple[tuple[Line, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Wall:
    """All pages of a tournament, and the one to begin with (1 is the first)."""

    pages: tuple[WallPage, ...]
    shown: int
    floor: Floor
    board: Board

    @property
    def next(self) -> int:
        """The page that follows; the first follows the last."""
        return self.shown % len(self.pages) + 1 if self.pages else 1


def wall_of(tournament: Tournament, *, page: str = "") -> Wall:
    """The wall of a tournament, beginning with the page asked for if there is one."""
    floor, standings = floor_of(tournament), board(tournament, through=shown_through(tournament))
    pages = (*_seating(tournament, floor), *_standings(standings))
    asked = int(page) if page.isascii() and page.isdecimal() and len(page) < 4 else 1
    return Wall(pages, asked if 1 <= asked <= len(pages) else 1, floor, standings)


def _seating(tournament: Tournament, floor: Floor) -> Iterator[WallPage]:
    if floor.now is None or tournament.state == TournamentState.FINISHED:
        return
    title = f"Round {floor.now.number} of {len(floor.rounds)}"
    size = SMALL_TABLES if len(floor.now.tables) > LARGE_TABLES else LARGE_TABLES
    for tables in _cut(floor.now.tables, size):
        yield WallPage(title, floor.now.state.label, tables=tables)


def _standings(standings: Board) -> Iterator[WallPage]:
    if not standings.is_begun:
        return
    for lines in _cut(standings.lines, 2 * ROWS_A_COLUMN):
        height = max(ROWS_A_COLUMN // 2, -(-len(lines) // 2))
        yield WallPage("Standings", standings.standing, columns=tuple(_cut(lines, height)))


def _cut(parts: Sequence[Part], size: int) -> Iterator[tuple[Part, ...]]:
    """The parts in order, at most ``size`` at a time."""
    for at in range(0, len(parts), size):
        yield tuple(parts[at : at + size])
