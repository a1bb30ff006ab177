"""The list at the door with what it comes to: how many are here, which tables and wishes fit."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from clubs.models import Session
from clubs.seating import BadRequest
from clubs.seating.advice import LIKED, Advice, advise, in_words, usual_split
from clubs.seating.wishes import heeded, of_those
from clubs.seating.wishwords import impossible, told
from clubs.selectors.evenings import TickRow, tick_list
from clubs.selectors.wishes import Noted, noted
from scoring.scorebook.editions import rule_set

LEAST = 3


@dataclass(frozen=True, slots=True)
class DoorList:
    """Everyone on the list, the most regular first."""

    rows: tuple[TickRow, ...]
    sizes: frozenset[int] = frozenset(LIKED)

    @property
    def here(self) -> int:
        """How many are ticked."""
        return sum(row.is_here for row in self.rows)

    @property
    def is_laid(self) -> bool:
        """Whether someone sits at a table already."""
        return any(row.table is not None for row in self.rows)

    @property
    def unseated(self) -> tuple[str, ...]:
        """Who is here but has no table."""
        return tuple(row.name for row in self.rows if row.is_here and row.table is None)

    @property
    def can_be_seated(self) -> bool:
        """Whether those who are here make a table."""
        return self.here >= LEAST

    @property
    def advice(self) -> Advice:
        """The tables that those who are here can make."""
        return advise(self.here, self.sizes)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Each way to sit, as a form sends it (``4,5,5``) and in words."""
        return tuple((sent(split), in_words(split)) for split in self.advice.splits)

    @property
    def kept(self) -> str:
        """The tables as they are laid, where they fit who is here; to be laid so again."""
        laid = Counter(row.table for row in self.rows if row.table is not None)
        split = tuple(sorted(laid.values(), key=LIKED.index))
        return sent(split) if sum(split) == self.here else ""

    def row(self, player_id: int) -> TickRow | None:
        """One person's line."""
        return next((row for row in self.rows if row.player_id == player_id), None)


@dataclass(frozen=True, slots=True)
class Tonight:
    """How many wishes of those here are kept or can be, and in sentences those that are not."""

    count: int
    said: tuple[str, ...]


def sent(split: tuple[int, ...]) -> str:
    """A split as a form sends it."""
    return ",".join(map(str, split))


def door_list(session: Session) -> DoorList:
    """The list at the door of this evening; one query."""
    sizes = frozenset(LIKED) & frozenset(rule_set(session.plays).seats)
    return DoorList(tick_list(session), sizes)


def wishes_tonight(session: Session, door: DoorList) -> Tonight:
    """What those who are ticked cannot be granted or, once they sit, was not; one query."""
    found = noted(session)
    return _as_laid(found, door) if door.is_laid else _before(found, door)


def _before(found: Noted, door: DoorList) -> Tonight:
    """Before the tables are laid: what the tables that the seating would take cannot keep."""
    here = [str(row.player_id) for row in door.rows if row.is_here]
    sizes = _sizes(door)
    left = heeded(found.wishes, here, sizes).left_out if sizes else ()
    said = (impossible(one, found.wishes, here, len(sizes), found.names) for one in left)
    return Tonight(sum(1 for _ in of_those(found.wishes, here)) - len(left), tuple(said))


def _sizes(door: DoorList) -> tuple[int, ...]:
    try:
        return usual_split(door.here, door.sizes)
    except BadRequest:
        return ()


def _as_laid(found: Noted, door: DoorList) -> Tonight:
    tables: dict[int, list[str]] = defaultdict(list)
    for row in door.rows:
        if row.table is not None:
            tables[row.table].append(str(row.player_id))
    said = told(found.wishes, tables, found.names)
    broken = tuple(one.sentence for one in said if not one.is_kept)
    return Tonight(len(said) - len(broken), broken)
