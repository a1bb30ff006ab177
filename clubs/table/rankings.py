"""A ranking before and after a change: who moves up, who down."""

from collections.abc import Sequence
from dataclasses import dataclass

NO_PLACE = "–"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of a ranking: its place as text (``3=``), ``rank`` as a number if any, and figures."""

    key: int
    name: str
    rank: int | None
    place: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    title: str
    columns: tuple[str, ...]
    rows: tuple[RankedRow, ...]


@dataclass(frozen=True, slots=True)
class PlayerMove:
    """A player whose place or scores change."""

    old_row: RankedRow
    new_row: RankedRow

    @property
    def text(self) -> str:
        """``up from 5 to 3``, ``stays 2``."""
        old_row, new_row = self.old_row, self.new_row
        if old_row.place == new_row.place:
            return f"stays {new_row.place}" if new_row.rank else "stays without a place"
        if old_row.rank is None or new_row.rank is None or old_row.rank == new_row.rank:
            return f"from {old_row.place} to {new_row.place}"
        return (
            f"{'up' if new_row.rank < old_row.rank else 'down'} from {old_row.place} to "
            f"{new_row.place}"
        )

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        return tuple(zip(self.old_row.figures, self.new_row.figures, strict=True))

    @property
    def changes_place(self) -> bool:
        return self.old_row.place != self.new_row.place


@dataclass(frozen=True, slots=True)
class RankingChange:
    """A ranking that changes.

    ``moves`` are in its new order.
    """

    title: str
    columns: tuple[str, ...]
    moves: tuple[PlayerMove, ...]

    @property
    def places(self) -> int:
        return sum(move.changes_place for move in self.moves)


def place_words(place: int | None, *, is_tied: bool) -> str:
    """``3``, ``3=`` for a shared place, ``–`` for none."""
    return NO_PLACE if place is None else f"{place}{'=' * is_tied}"


def ranked_row(key: int, name: str, place: int | None, *figures: str, is_tied: bool) -> RankedRow:
    """A ranking's row, its place in words."""
    return RankedRow(key, name, place, place_words(place, is_tied=is_tied), figures)


def ranking_changes(
    old_rankings: Sequence[Ranking], new_rankings: Sequence[Ranking]
) -> tuple[RankingChange, ...]:
    """For each ranking, the players whose place or figures have changed."""
    result = []
    for old_ranking, now in zip(old_rankings, new_rankings, strict=True):
        old, new = ({row.key: row for row in ranking.rows} for ranking in (old_ranking, now))
        moves = []
        for key in [*new, *(key for key in old if key not in new)]:
            name = (new.get(key) or old[key]).name
            nowhere = ranked_row(key, name, None, *(NO_PLACE for _ in now.columns), is_tied=False)
            moves.append(PlayerMove(old.get(key, nowhere), new.get(key, nowhere)))
        changed_moves = tuple(move for move in moves if move.old_row != move.new_row)
        result.append(RankingChange(now.title, now.columns, changed_moves))
    return tuple(result)
