"""What the keys of a number pad mean in a row of a paper sheet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from clubs.forms.hands import NOBODY

WENT_MAHJONG: Final = ".,"
DASHES: Final = frozenset("-–—−")
GOULASH: Final = "+"
TWO_WINNERS = "Two players are marked. Choose the one who went Mah-Jong."
TWO_DISCARDERS = "Two players have a dash. Leave it only with the one who discarded the last tile."


@dataclass(frozen=True, slots=True)
class Written:
    """A row as it was meant: who won (a seat as text, ``nobody``, or empty) and the figures.

    ``discarder`` is a seat as text, or empty; ``faults`` say what cannot be.
    """

    winner: str
    figures: Mapping[int, str]
    discarder: str
    is_goulash: bool
    faults: tuple[str, ...] = ()


def read_row(
    typed: Mapping[str, str], seats: Sequence[int], *, asks_discarder: bool, winner_only: bool
) -> Written:
    """``60.`` went Mah-Jong with 60; ``+`` alone is a goulash; a dash alone a drawn hand.

    Beside a figure a dash is nothing scored, or the discarder where the rules ask who that was.
    Where the winner alone scores, the column of the one figure says who it was.
    """
    cells = {seat: typed.get(f"score_{seat}", "").strip() for seat in seats}
    plain = {seat: cell.strip(WENT_MAHJONG).strip() for seat, cell in cells.items()}
    figures = {seat: _signed(cell) for seat, cell in plain.items() if _is_figure(cell)}
    dashes = [str(seat) for seat, cell in plain.items() if cell in DASHES]
    told = dict.fromkeys(_winners(typed, cells))
    if winner_only and not told and len(figures) == 1:
        told = {str(next(iter(figures))): None}
    is_drawn = bool(dashes) and not told and not figures
    discarders = dashes if asks_discarder and not is_drawn else []
    return Written(
        winner=NOBODY if is_drawn else next(iter(told), ""),
        figures=figures,
        discarder=next(iter(discarders), ""),
        is_goulash=bool(typed.get("goulash")) or GOULASH in plain.values(),
        faults=tuple(_faults(told, discarders)),
    )


def _winners(typed: Mapping[str, str], cells: Mapping[int, str]) -> Iterator[str]:
    """Whoever is ringed, and whoever's figure has a point at one of its ends."""
    if typed.get("winner"):
        yield typed["winner"]
    yield from (str(seat) for seat, cell in cells.items() if cell != cell.strip(WENT_MAHJONG))


def _is_figure(cell: str) -> bool:
    return bool(cell) and cell not in DASHES and cell != GOULASH


def _signed(cell: str) -> str:
    """With a plain minus sign or none, as figures are read."""
    head, rest = cell[0], cell[1:].strip()
    return f"-{rest}" if head in DASHES else rest if head == GOULASH else cell


def _faults(told: Mapping[str, None], discarders: Sequence[str]) -> Iterator[str]:
    if len(told) > 1:
        yield TWO_WINNERS
    if len(discarders) > 1:
        yield TWO_DISCARDERS
