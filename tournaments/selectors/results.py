"""Everything that a tournament comes to: places, prizes, records, rulings."""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.models import Tournament
from tournaments.selectors.board import Board, board
from tournaments.selectors.records import Records, records_of
from tournaments.selectors.rulings import RulingRow, rulings_of

ORDINALS = {1: "First", 2: "Second", 3: "Third"}


@dataclass(frozen=True, slots=True)
class Prize:
    """What there is a prize for, who has it (shared: several), and with what."""

    title: str
    names: tuple[str, ...]
    figure: str


@dataclass(frozen=True, slots=True)
class Results:
    """The results of the rounds that count."""

    board: Board
    records: Records
    rulings: tuple[RulingRow, ...]

    @property
    def places(self) -> tuple[Prize, ...]:
        """The prizes for the first three places and the best team; none before they are final."""
        return tuple(_places(self.board)) if self.board.is_final else ()

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """Those and the prizes for the records."""
        return (*self.places, *_for_records(self.records)) if self.places else ()


def results_of(tournament: Tournament, *, through: int | None = None) -> Results:
    """The results up to a round, or of all; at most nine queries."""
    return Results(
        board=board(tournament, through=through),
        records=records_of(tournament, through=through),
        rulings=rulings_of(tournament, through=through),
    )


def _places(shown: Board) -> Iterator[Prize]:
    for place, title in ORDINALS.items():
        lines = [line for line in shown.prizes if line.row.place == place]
        if lines:
            figure = f"{shown.columns[0]}: {lines[0].figures[0]}"
            yield Prize(title, tuple(line.row.name for line in lines), figure)
    best = [line for line in shown.teams if line.row.place == 1]
    if best:
        figure = f"{shown.columns[0]}: {best[0].figures[0]}"
        yield Prize("Best team", tuple(line.row.name for line in best), figure)


def _for_records(records: Records) -> Iterator[Prize]:
    if records.highest:
        names = dict.fromkeys(hand.name for hand in records.highest)
        yield Prize("Highest hand", tuple(names), f"Points: {records.highest[0].score:,}")
    if records.mahjongs:
        yield Prize("Most Mah-Jongs", records.most_mahjongs, f"Mah-Jongs: {records.mahjongs}")
