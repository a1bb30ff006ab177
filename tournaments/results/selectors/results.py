"""The complete results of a tournament: places, prizes, records, rulings."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from zlib import crc32

from clubs.core.versioned_cache import made_once
from clubs.models import Player, ShownAs
from clubs.models.names import EVERYBODY, Reader
from tournaments.models import Prize, Tournament
from tournaments.results.selectors.prizes import (
    ORDINALS,
    PrizeRow,
    RulingRow,
    awarded,
    prizes_declared,
    rulings_of,
    usual_prizes,
)
from tournaments.results.selectors.records import CrossTable, Records, cross_table, records_of
from tournaments.results.selectors.standings import Board, board, played_in


@dataclass(frozen=True, slots=True)
class Honour:
    """A step of the podium."""

    place: int
    title: str
    names: tuple[str, ...]
    figure: str
    gifts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """All the results of a tournament; prizes and podium once it is final."""

    board: Board
    records: Records
    rulings: tuple[RulingRow, ...]
    prizes: tuple[PrizeRow, ...]
    cross: CrossTable

    @property
    def podium(self) -> tuple[Honour, ...]:
        """The first three places, with or without prizes; only in final results."""
        result = []
        for place, title in enumerate(ORDINALS[:3] if self.board.is_final else (), 1):
            lines = [line for line in self.board.lines if line.row.place == place]
            names = tuple(line.row.name for line in lines)
            rows = (row for row in self.prizes if row.place and row.place <= 3)
            gifts = tuple(row.gift for row in rows if row.names == names and row.gift)
            if lines:
                figure = f"{self.board.columns[0]}: {lines[0].figures[0]}"
                result.append(Honour(place, title, names, figure, gifts))
        return tuple(result)

    @property
    def other_prizes(self) -> tuple[PrizeRow, ...]:
        """The prizes other than for the first three places, in order."""
        return tuple(row for row in self.prizes if row.place is None or row.place > 3)

    def won_by(self, name: str) -> tuple[str, ...]:
        """What that player has won, alone or shared; without team prizes."""
        return tuple(row.title for row in self.prizes if name in row.names and not row.is_team)


def results_of(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> Results:
    """The results up to a round, or of all; at most eleven queries."""
    played = played_in(tournament)
    shown = board(tournament, through=through, reader=reader, played=played)
    records = records_of(tournament, through=through, reader=reader, played=played)
    rows: tuple[PrizeRow, ...] = ()
    if shown.is_final:
        rows = _awarded(tournament, prizes_declared(tournament), shown, records)
    return Results(
        board=shown,
        records=records,
        rulings=rulings_of(tournament, through=through, reader=reader),
        prizes=tuple(row for row in rows if row.names),
        cross=cross_table(tournament, board=shown, played=played, reader=reader),
    )


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """Every prize, in order."""

    rows: tuple[PrizeRow, ...]
    are_usual: Annotated[bool, "none were added, so these are given"]
    is_final: bool
    standing: str


def prize_giving(tournament: Tournament, *, reader: Reader = EVERYBODY) -> PrizeGiving:
    """The prizes in their order; at most seven queries however many."""
    played = played_in(tournament)
    shown = board(tournament, reader=reader, played=played)
    records = records_of(tournament, reader=reader, played=played)
    declared = prizes_declared(tournament)
    return PrizeGiving(
        rows=_awarded(tournament, declared, shown, records),
        are_usual=not declared,
        is_final=shown.is_final,
        standing=shown.standing,
    )


def _awarded(
    tournament: Tournament, declared: Sequence[Prize], shown: Board, records: Records
) -> tuple[PrizeRow, ...]:
    prizes = declared or usual_prizes(with_teams=bool(shown.teams))
    return awarded(prizes, board=shown, records=records, one_each=tournament.one_prize_each)


A_MINUTE = 60  # seconds: a round's time may end without any write


def mark_of(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> str:
    """A text that changes with the standings that the reader sees; one query.

    Readers who see the same share it: a player shown by full name shares everyone's.
    """
    chosen = Player.objects.filter(entries__tournament=tournament).exclude(shown_as=ShownAs.FULL)
    ways = dict(chosen.order_by("pk").values_list("pk", "shown_as"))
    if not reader.is_organiser and reader.player not in ways:
        reader = Reader(at_table=reader.at_table)
    value = crc32(repr((tournament.state, reader, ways)).encode())
    return f"{tournament.wall_key}-{tournament.version}-{through}-{value:x}"


def kept_results(
    tournament: Tournament, mark: str, *, through: int | None = None, reader: Reader = EVERYBODY
) -> Results:
    """``results_of``, cached for readers who see the same."""
    read = partial(results_of, tournament, through=through, reader=reader)
    return made_once(f"results-{mark}", read, seconds=A_MINUTE)


def kept_board(
    tournament: Tournament, *, through: int | None = None, mark: str | None = None
) -> Board:
    """``board`` for everyone, cached; one query without its ``mark``, three more on a miss."""
    mark = mark or mark_of(tournament, through=through)
    return made_once(f"board-{mark}", partial(board, tournament, through=through), seconds=A_MINUTE)
