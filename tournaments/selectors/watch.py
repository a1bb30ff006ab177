"""Which tables want looking at: who has called, what is disputed, who has fallen silent."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Call, RoundState, Table, Tournament
from tournaments.selectors.desk import RoundView, TableRow

SILENT_AFTER = timedelta(minutes=20)
A_MINUTE = timedelta(minutes=1)
WANTS_LOOKING_AT = ("called", "trouble", "quiet")
ORDER = (*WANTS_LOOKING_AT, "waiting", "idle", "playing", "done")


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing to know of a table: the shape that it is drawn with, and the words."""

    sign: str
    words: str


@dataclass(frozen=True, slots=True)
class CallRow:
    """A table that has called the director: since when, and what they said it was about."""

    called_at: datetime
    what: str
    ago: str
    pk: int


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A table as the director watches it: its marks, the most urgent first.

    ``since`` is when the first of them began, where that tells who has waited longest.
    """

    table: TableRow
    marks: tuple[Mark, ...]
    call: CallRow | None = None
    since: datetime | None = None
    is_watched: bool = True

    @property
    def sign(self) -> str:
        """The shape of what is most urgent."""
        return self.marks[0].sign

    @property
    def wants(self) -> bool:
        """Whether someone should go and look."""
        return self.is_watched and self.sign in WANTS_LOOKING_AT

    @property
    def is_timed(self) -> bool:
        """Whether its words change as the minutes pass."""
        return self.sign in {"called", "quiet"}


@dataclass(frozen=True, slots=True)
class Watch:
    """Every table of a round, trouble first; ``until`` is when the picture changes by itself."""

    tables: tuple[WatchedTable, ...] = ()
    until: datetime | None = None

    @property
    def wanted(self) -> tuple[WatchedTable, ...]:
        """The tables that want looking at."""
        return tuple(table for table in self.tables if table.wants)

    @property
    def calm(self) -> tuple[WatchedTable, ...]:
        """The others."""
        return tuple(table for table in self.tables if not table.wants)


def watch_over(tournament: Tournament, round_: RoundView, *, at: datetime) -> Watch:
    """The tables of a round as they stand at that time; one query."""
    calls, seen = _calls(tournament, round_.number)
    quiet = {row.number: _quiet_since(round_, row, seen) for row in round_.tables}
    tables = [_watched(row, calls.get(row.number), quiet[row.number], at) for row in round_.tables]
    return Watch(tuple(sorted(tables, key=_urgency)), _until(tables, quiet.values(), at))


def by_play_alone(round_: RoundView) -> Watch:
    """The same for those who only look on: how far each table has come, and no more."""
    tables = [
        WatchedTable(row, (Mark(row.sign, row.state),), is_watched=False) for row in round_.tables
    ]
    return Watch(tuple(sorted(tables, key=_urgency)))


def open_call(table: Table, *, now: datetime) -> CallRow | None:
    """The table's own call, as long as nobody has come; one query."""
    call = table.calls.filter(answered_at=None).first()
    return None if call is None else _row(call, now)


def is_due(until: str, *, now: datetime) -> bool:
    """Whether a picture that holds until then (seconds, as its address has it) is out of date."""
    return bool(until) and not (until.isdecimal() and now.timestamp() < int(until[:12]))


def minutes_between(earlier: datetime, later: datetime) -> str:
    """``1 minute``, ``23 minutes``, ``2 hours``."""
    minutes = int((later - earlier) / A_MINUTE)
    count, unit = (minutes, "minute") if minutes < 120 else (minutes // 60, "hour")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def ago(earlier: datetime, later: datetime) -> str:
    """``just now``, ``2 minutes ago``."""
    return "just now" if later - earlier < A_MINUTE else f"{minutes_between(earlier, later)} ago"


def _calls(tournament: Tournament, number: int) -> tuple[dict[int, Call], Mapping[int, datetime]]:
    """Open calls by table number, and when someone was last called to a table and came."""
    found: dict[int, Call] = {}
    seen: dict[int, datetime] = {}
    at_tables = Call.objects.filter(
        table__round__tournament=tournament, table__round__number=number
    )
    for call in at_tables.select_related("table"):
        if call.answered_at is None:
            found[call.table.number] = call
        else:
            seen[call.table.number] = call.answered_at
    return found, seen


def _row(call: Call, now: datetime) -> CallRow:
    return CallRow(call.called_at, call.what, ago(call.called_at, now), call.pk)


def _quiet_since(round_: RoundView, row: TableRow, seen: Mapping[int, datetime]) -> datetime | None:
    """When the table was last heard of; None once it is done, or while round or clock stands."""
    if row.is_done or round_.state != RoundState.PLAYING or round_.running_since is None:
        return None
    heard = (round_.running_since, row.last_at, seen.get(row.number))
    return max(when for when in heard if when)


def _watched(
    row: TableRow, call: Call | None, quiet_since: datetime | None, now: datetime
) -> WatchedTable:
    called = None if call is None else _row(call, now)
    silent = quiet_since if quiet_since and now - quiet_since >= SILENT_AFTER else None
    marks = tuple(_marks(row, called, silent, now))
    since = called.called_at if called else silent if marks[0].sign == "quiet" else None
    return WatchedTable(row, marks, called, since)


def _marks(
    row: TableRow, call: CallRow | None, silent: datetime | None, now: datetime
) -> Iterator[Mark]:
    if call:
        yield Mark("called", f"called {call.ago}")
    if row.disputed:
        yield Mark("trouble", row.state)
    if silent and not call:
        yield Mark("quiet", f"no hand for {minutes_between(silent, now)}")
    if row.unagreed and not row.disputed:
        yield Mark("waiting", f"hand {row.unagreed} not agreed yet")
    if not row.disputed:
        yield Mark(row.sign, row.state)


def _urgency(watched: WatchedTable) -> tuple[int, float, int, int]:
    """What wants looking at first, the longest wait first; then who has most to play."""
    row, since = watched.table, watched.since
    waits = since.timestamp() if since else 0
    return ORDER.index(watched.sign), waits, row.hands, row.number


def _until(
    tables: Iterable[WatchedTable], quiet: Iterable[datetime | None], now: datetime
) -> datetime | None:
    """Within a minute where minutes are told, else when the first table turns silent."""
    if any(table.is_timed for table in tables):
        return now + A_MINUTE
    return min((since + SILENT_AFTER for since in quiet if since), default=None)
