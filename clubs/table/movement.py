"""Who moves in a ranking: everyone's place and figures before and after something is done."""

from collections.abc import Sequence
from dataclasses import dataclass

NOWHERE = "–"


@dataclass(frozen=True, slots=True)
class Ranked:
    """Someone in a ranking: the place as it is written (``3=``) and its figures, in words' type.

    ``at`` is the place as a number, None for who has none.
    """

    key: int
    name: str
    at: int | None
    place: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking with the names of its columns of figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Ranked, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Someone whose place or figures change."""

    before: Ranked
    after: Ranked

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
        """Each figure before and after."""
        return tuple(zip(self.before.figures, self.after.figures, strict=True))

    @property
    def changes_place(self) -> bool:
        """Whether the place is another than before."""
        return self.before.place != self.after.place


@dataclass(frozen=True, slots=True)
class Moved:
    """A ranking in which someone moves, in the order that it will have."""

    title: str
    columns: tuple[str, ...]
    moves: tuple[Move, ...]

    @property
    def places(self) -> int:
        """How many have another place than before."""
        return sum(move.changes_place for move in self.moves)


def ranked(key: int, name: str, place: int | None, *figures: str, is_tied: bool) -> Ranked:
    """Someone's row; a shared place is written ``3=``, none ``–``."""
    written = NOWHERE if place is None else f"{place}{'=' if is_tied else ''}"
    return Ranked(key, name, place, written, figures)


def moved(before: Sequence[Ranking], after: Sequence[Ranking]) -> tuple[Moved, ...]:
    """For each ranking, those whose place or figures are not what they were."""
    return tuple(
        Moved(now.title, now.columns, _moves(was, now))
        for was, now in zip(before, after, strict=True)
    )


def _moves(was: Ranking, now: Ranking) -> tuple[Move, ...]:
    before = {row.key: row for row in was.rows}
    after = {row.key: row for row in now.rows}
    nowhere = tuple(NOWHERE for _ in now.columns)
    keys = [*after, *(key for key in before if key not in after)]
    pairs = [
        (
            before.get(key) or ranked(key, after[key].name, None, *nowhere, is_tied=False),
            after.get(key) or ranked(key, before[key].name, None, *nowhere, is_tied=False),
        )
        for key in keys
    ]
    return tuple(Move(old, new) for old, new in pairs if old != new)
