"""A ranking before and after a change: who moves up, who down."""

from collections.abc import Sequence
from dataclasses import dataclass

NO_PLACE = "–"


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of a ranking: its place as text (``3=``), ``at`` as a number if any, and figures."""

    key: int
    name: str
    at: int | None
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

    before: RankedRow
    after: RankedRow

    @property
    def words(self) -> str:
        """``up from 5 to 3``, ``stays 2``."""
        before, after = self.before, self.after
        if before.place == after.place:
            return f"stays {after.place}" if after.at else "stays without a place"
        if before.at is None or after.at is None or before.at == after.at:
            return f"from {before.place} to {after.place}"
        return f"{'up' if after.at < before.at else 'down'} from {before.place} to {after.place}"

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        return tuple(zip(self.before.figures, self.after.figures, strict=True))

    @property
    def changes_place(self) -> bool:
        return self.before.place != self.after.place


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
    before: Sequence[Ranking], after: Sequence[Ranking]
) -> tuple[RankingChange, ...]:
    """For each ranking, the players whose place or figures have changed."""
    result = []
    for was, now in zip(before, after, strict=True):
        old, new = ({row.key: row for row in ranking.rows} for ranking in (was, now))
        moves = []
        for key in [*new, *(key for key in old if key not in new)]:
            name = (new.get(key) or old[key]).name
            nowhere = ranked_row(key, name, None, *(NO_PLACE for _ in now.columns), is_tied=False)
            moves.append(PlayerMove(old.get(key, nowhere), new.get(key, nowhere)))
        changed = tuple(move for move in moves if move.before != move.after)
        result.append(RankingChange(now.title, now.columns, changed))
    return tuple(result)
