"""What officials watch in a round: calls, silent tables, and hands that are not agreed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from clubs.language.words import count_words, whole_number
from tournaments.models import Call, RoundState, Table, Tournament
from tournaments.rounds.selectors import RoundView, TableRow

QUIET_AFTER = timedelta(minutes=20)
ONE_MINUTE = timedelta(minutes=1)
ATTENTION_SIGNS = ("called", "trouble", "quiet")
SIGN_ORDER = (*ATTENTION_SIGNS, "waiting", "idle", "playing", "done")


@dataclass(frozen=True, slots=True)
class TableMark:
    """A note on a table: its symbol, and the words."""

    sign: Annotated[str, "called, trouble, quiet, waiting, idle, playing or done"]
    text: str


@dataclass(frozen=True, slots=True)
class CallRow:
    """A table that has called the director."""

    called_at: datetime
    what: Annotated[str, "the subject, if given"]
    ago: str
    pk: int


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A table on the director's desk.

    ``since_time`` is when its most urgent mark began, if waiting time matters.
    """

    table: TableRow
    marks: tuple[TableMark, ...]
    call: CallRow | None = None
    since_time: datetime | None = None
    is_watched: bool = True

    @property
    def sign(self) -> str:
        return self.marks[0].sign

    @property
    def wants(self) -> bool:
        """Whether an official should go there."""
        return self.is_watched and self.sign in ATTENTION_SIGNS


@dataclass(frozen=True, slots=True)
class Watch:
    """Every table of a round, problems first; ``valid_until`` is when the picture expires."""

    tables: tuple[WatchedTable, ...] = ()
    valid_until: datetime | None = None

    @property
    def urgent_tables(self) -> tuple[WatchedTable, ...]:
        """The tables that need attention."""
        return tuple(table for table in self.tables if table.wants)

    @property
    def calm(self) -> tuple[WatchedTable, ...]:
        return tuple(table for table in self.tables if not table.wants)

    @property
    def unagreed_count(self) -> int:
        """How many hands there are to which the players have not agreed."""
        return sum(len(watched_table.table.unagreed_hands) for watched_table in self.tables)

    @property
    def calm_sentence(self) -> str:
        """What the desk says while no table needs attention."""
        if not self.unagreed_count:
            return "No tables need attention"
        tables = sum(bool(watched_table.table.unagreed_hands) for watched_table in self.tables)
        are = "is" if self.unagreed_count == 1 else "are"
        hands = f"{count_words(self.unagreed_count, 'hand')} {are} not agreed yet"
        return f"No calls. {hands} at {count_words(tables, 'table')}."


def watch_round(tournament: Tournament, round_: RoundView, *, watched_at: datetime) -> Watch:
    """The tables of a round at that time; one query."""
    calls: dict[int, Call] = {}
    answer_times: dict[int, datetime] = {}  # when the table's last call was answered
    in_round = Call.objects.filter(table__round__tournament=tournament)
    for call in in_round.filter(table__round__number=round_.number).select_related("table"):
        if call.answered_at is None:
            calls[call.table.number] = call
        else:
            answer_times[call.table.number] = call.answered_at
    quiet = {row.number: _quiet_since(round_, row, answer_times) for row in round_.tables}
    tables = [
        _watched_table(row, calls.get(row.number), quiet[row.number], watched_at)
        for row in round_.tables
    ]
    # Within a minute if minutes are shown, else when the first table becomes silent.
    valid_until = min(
        (quiet_since + QUIET_AFTER for quiet_since in quiet.values() if quiet_since), default=None
    )
    if any(table.sign in {"called", "quiet"} for table in tables):
        valid_until = watched_at + ONE_MINUTE
    return Watch(tuple(sorted(tables, key=_urgency)), valid_until)


def watch_for_spectators(round_: RoundView) -> Watch:
    """The same for spectators: only how far each table has come."""
    tables = [
        WatchedTable(row, (TableMark(row.sign, row.state),), is_watched=False)
        for row in round_.tables
    ]
    return Watch(tuple(sorted(tables, key=_urgency)))


def open_call(table: Table, *, now: datetime) -> CallRow | None:
    """The table's own open call; one query."""
    call = table.calls.filter(answered_at=None).first()
    return None if call is None else _call_row(call, now)


def is_outdated(valid_until: str, *, now: datetime) -> bool:
    """Whether a picture valid until then (seconds, from its address) is out of date."""
    return bool(valid_until) and now.timestamp() >= (whole_number(valid_until) or 0)


def duration_text(earlier_time: datetime, later_time: datetime) -> str:
    """``1 minute``, ``23 minutes``, ``2 hours``."""
    minutes = int((later_time - earlier_time) / ONE_MINUTE)
    count, unit = (minutes, "minute") if minutes < 120 else (minutes // 60, "hour")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def time_ago(earlier_time: datetime, later_time: datetime) -> str:
    """``just now``, ``2 minutes ago``."""
    return (
        "just now"
        if later_time - earlier_time < ONE_MINUTE
        else f"{duration_text(earlier_time, later_time)} ago"
    )


def _call_row(call: Call, now: datetime) -> CallRow:
    return CallRow(call.called_at, call.what, time_ago(call.called_at, now), call.pk)


def _quiet_since(
    round_: RoundView, row: TableRow, answer_times: Mapping[int, datetime]
) -> datetime | None:
    """When the table was last active; None once it is done, or while round or clock is stopped."""
    if row.is_done or round_.state != RoundState.PLAYING or round_.running_since is None:
        return None
    activity_times = (round_.running_since, row.last_at, answer_times.get(row.number))
    return max(activity_time for activity_time in activity_times if activity_time)


def _watched_table(
    row: TableRow, call: Call | None, quiet_since: datetime | None, now: datetime
) -> WatchedTable:
    call_row = None if call is None else _call_row(call, now)
    silent = quiet_since if quiet_since and now - quiet_since >= QUIET_AFTER else None
    marks = [TableMark("called", f"called {call_row.ago}")] if call_row else []
    if row.disputed_hands:
        marks.append(TableMark("trouble", row.state))
    if silent and not call_row:
        marks.append(TableMark("quiet", f"no hand for {duration_text(silent, now)}"))
    if row.unagreed_hands and not row.disputed_hands:
        which, *other_hands = row.unagreed_hands
        hands = f"{len(row.unagreed_hands)} hands" if other_hands else f"hand {which}"
        marks.append(TableMark("waiting", f"{hands} not agreed yet"))
    if not row.disputed_hands:
        marks.append(TableMark(row.sign, row.state))
    since_time = call_row.called_at if call_row else silent if marks[0].sign == "quiet" else None
    return WatchedTable(row, tuple(marks), call_row, since_time)


def _urgency(watched_table: WatchedTable) -> tuple[int, float, int, int]:
    """The sort key: what needs attention first, longest wait first; then who has most to play."""
    row, since_time = watched_table.table, watched_table.since_time
    waits = since_time.timestamp() if since_time else 0
    return SIGN_ORDER.index(watched_table.sign), waits, row.hands, row.number
