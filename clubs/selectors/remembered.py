"""What an evening's seating remembers: the evenings before it, of its season and the last ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations

from clubs.models import Attendance, Session, SessionSeat
from clubs.seating.season import Evening

ALWAYS = 4  # the last evenings are remembered whatever their season
LOOKED_AT = 100
WHERE = ("session_id", "table_id", "player_id")
WITHOUT_SEASON = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Night:
    """An evening that was seated; players by their keys, as text."""

    held_on: date
    evening: Evening
    is_of_season: bool


@dataclass(frozen=True, slots=True)
class Remembered:
    """The evenings before this one, the first first.

    words: how the time is called for which turns are counted.
    """

    nights: tuple[Night, ...]
    words: str = "this season"

    @property
    def season(self) -> list[Evening]:
        """The evenings whose turns count."""
        return [night.evening for night in self.nights if night.is_of_season]

    @property
    def weighed(self) -> list[Evening]:
        """The evenings whose company counts."""
        return [night.evening for night in self.nights]

    @property
    def met(self) -> dict[frozenset[str], tuple[date, ...]]:
        """On which evenings each pair shared a table."""
        found: dict[frozenset[str], list[date]] = defaultdict(list)
        for night in self.nights:
            for table in night.evening.tables:
                for pair in combinations(table, 2):
                    found[frozenset(pair)].append(night.held_on)
        return {pair: tuple(days) for pair, days in found.items()}


def remembered(session: Session) -> Remembered:
    """The evenings before this one that its seating weighs; three queries however many."""
    before = Session.objects.filter(club_id=session.club_id, held_on__lt=session.held_on)
    found = before.order_by("-held_on").values_list("pk", "held_on", "season_id")[:LOOKED_AT]
    days = {pk: (held_on, _counts(session, held_on, season)) for pk, held_on, season in found}
    seats = SessionSeat.objects.filter(session__in=days).order_by("pk")
    tables: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    last = {(pk, player): table for pk, table, player in seats.values_list(*WHERE)}
    for (pk, player), table in last.items():
        tables[pk][table].append(str(player))
    here = Attendance.objects.filter(session__in=tables).values_list("session_id", "player_id")
    evenings = _evenings(tables, here)
    seated = [pk for pk in days if pk in evenings]  # the last first
    kept = [pk for at, pk in enumerate(seated) if at < ALWAYS or days[pk][1]]
    nights = (Night(days[pk][0], evenings[pk], is_of_season=days[pk][1]) for pk in reversed(kept))
    words = "this season" if session.season_id else "in the last year"
    return Remembered(tuple(nights), words)


def _counts(session: Session, held_on: date, season: int | None) -> bool:
    """Whether an evening is of the session's season, or of the year before where it has none."""
    if session.season_id:
        return season == session.season_id
    return held_on > session.held_on - WITHOUT_SEASON


def _evenings(
    tables: Mapping[int, Mapping[int, list[str]]], here: Iterable[tuple[int, int]]
) -> dict[int, Evening]:
    """By the session's key the tables, and who was ticked but had no seat."""
    came: dict[int, list[str]] = defaultdict(list)
    for pk, player in here:
        came[pk].append(str(player))
    found = {}
    for pk, laid in tables.items():
        seated = {player for players in laid.values() for player in players}
        out = tuple(player for player in came[pk] if player not in seated)
        found[pk] = Evening(tuple(map(tuple, laid.values())), out)
    return found
