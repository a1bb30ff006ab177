"""The clock of a round, the bell, and tables that have stopped."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated

from django.db.models import Q, Sum
from django.utils import timezone

from clubs.language.moments import time_of_day
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import AtTheBell, Round, RoundState, Table, Tournament

LAST_SECONDS = 5 * 60
BEFORE_BELL_TEXTS = {
    AtTheBell.FINISH: "At the bell the hand in progress is finished and counts.",
    AtTheBell.ONE_MORE: "At the bell the hand in progress is finished, and one more is played.",
    AtTheBell.STOP: "At the bell the hand in progress stops and does not count.",
}
AFTER_BELL_TEXTS = {
    AtTheBell.FINISH: "Finish this hand and enter it. Then you are done.",
    AtTheBell.ONE_MORE: "Finish this hand, play one more, and enter both. Then you are done.",
    AtTheBell.STOP: "Stop now: the hand in progress does not count. You have two minutes to "
    "enter a hand that was finished before the bell.",
}

HANDS_AFTER_BELL = {AtTheBell.FINISH: 1, AtTheBell.ONE_MORE: 2}
TYPING_TIME = timedelta(minutes=2)
ASK_DIRECTOR = "If you think another hand should count, tell the director."


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock at the moment it was read; ``text`` is the text for people.

    ``ends_at`` is when the bell rings or rang.
    """

    round_number: int
    minutes: Annotated[int, "as planned"]
    minutes_added: Annotated[int, "negative: taken away"]
    at_the_bell: AtTheBell
    seconds_left: Annotated[int, "zero or negative once the bell has rung"]
    ends_at: Annotated[datetime | None, "null while it is paused"]
    has_begun: bool
    is_paused: bool
    is_rung_by_hand: bool

    @property
    def has_rung(self) -> bool:
        return self.seconds_left <= 0

    @property
    def is_running(self) -> bool:
        """Whether the clock is running, before the bell or after it."""
        return self.ends_at is not None

    @property
    def state(self) -> str:
        """The director's setting: ``going``, ``stopped``, or ``rung`` by hand."""
        if self.is_rung_by_hand:
            return "rung"
        return "stopped" if self.is_paused else "going"

    @property
    def face(self) -> str:
        """Its appearance: ``waiting``, ``standing``, ``running``, ``last`` minutes or ``rung``."""
        if self.has_rung:
            return "rung"
        if not self.has_begun:
            return "waiting"
        if self.is_paused:
            return "standing"
        return "last" if self.seconds_left <= LAST_SECONDS else "running"

    @property
    def digits(self) -> str:
        """Minutes and seconds: ``12:30``; ``0:00`` once the bell has rung."""
        minutes, seconds = divmod(max(0, self.seconds_left), 60)
        return f"{minutes}:{seconds:02}"

    @property
    def text(self) -> str:
        """``18 minutes left``, ``Paused``, ``The bell has rung``."""
        if self.face == "waiting":
            return f"Not started: {_minutes_text(self.seconds_left // 60)} to play"
        if self.face == "standing":
            return "Paused"
        if self.has_rung:
            return "The bell has rung"
        if self.seconds_left < 60:
            return "Less than a minute left"
        return f"{_minutes_text(self.seconds_left // 60)} left"

    @property
    def end_text(self) -> str:
        """``until 2:25pm``, ``at 2:25pm`` once it has rung; empty while the clock is stopped."""
        if self.ends_at is None:
            return ""
        return f"{'at' if self.has_rung else 'until'} {time_of_day(self.ends_at)}"

    @property
    def bell_text(self) -> str:
        """What the bell will mean."""
        return BEFORE_BELL_TEXTS[self.at_the_bell]

    @property
    def after_bell_text(self) -> str:
        """What a table does once the bell has rung."""
        return AFTER_BELL_TEXTS[self.at_the_bell]

    @property
    def mark(self) -> str:
        """A short text that changes when the clock is changed, but not as time passes."""
        stands = f"stands-{self.seconds_left}"
        end = stands if self.ends_at is None else str(round(self.ends_at.timestamp()))
        return f"{self.round_number}-{end}-{self.at_the_bell}{'-rung' if self.has_rung else ''}"


def clock_of(round_: Round, *, now: datetime, table: Table | None = None) -> Clock | None:
    """The clock of a round, or of one of its tables; no query if the tournament is loaded.

    None if the round is not played against the clock, or is closed.
    """
    minutes = round_.tournament.minutes_a_round
    if minutes is None or round_.state == RoundState.CLOSED:
        return None
    at_table = 0 if table is None else table.minutes_added
    time_left = _time_left(round_, minutes, at_table, now)
    has_rung = time_left <= timedelta(0)
    stands = round_.rung_at is None and (round_.started_at is None or round_.paused_at is not None)
    return Clock(
        round_number=round_.number,
        minutes=minutes,
        minutes_added=round_.minutes_added + at_table,
        at_the_bell=AtTheBell(round_.tournament.at_the_bell),
        seconds_left=ceil(time_left.total_seconds()),
        ends_at=_clock_moment(round_, now) + time_left if has_rung or not stands else None,
        has_begun=_has_begun(round_),
        is_paused=round_.rung_at is None and round_.paused_at is not None,
        is_rung_by_hand=round_.rung_at is not None,
    )


def _time_left(round_: Round, minutes: int, at_table: int, now: datetime) -> timedelta:
    """The time to the bell; negative after it."""
    if round_.rung_at is not None:
        return round_.rung_at + timedelta(minutes=at_table) - now
    total_time = timedelta(minutes=minutes + round_.minutes_added + at_table)
    if round_.started_at is None:
        return total_time
    paused_time = timedelta(seconds=round_.paused_seconds)
    return total_time - (_clock_moment(round_, now) - round_.started_at - paused_time)


def _clock_moment(round_: Round, now: datetime) -> datetime:
    """Now, or when the clock was stopped."""
    return now if round_.paused_at is None or round_.rung_at is not None else round_.paused_at


def _has_begun(round_: Round) -> bool:
    """Whether the clock has ever run: it may be held at the start until everyone sits."""
    if round_.started_at is None:
        return round_.rung_at is not None
    return round_.paused_at != round_.started_at or round_.paused_seconds > 0


def _minutes_text(count: int) -> str:
    return "1 minute" if count == 1 else f"{count} minutes"


def clock_now(tournament: Tournament, *, now: datetime) -> Clock | None:
    """The clock of the round being played; at most one query."""
    if tournament.minutes_a_round is None:
        return None
    playing = tournament.rounds.filter(state=RoundState.PLAYING).first()
    return None if playing is None else clock_of(playing, now=now)


@dataclass(frozen=True, slots=True)
class Timing:
    """A table's time: its clock, and why it has stopped though its round is open.

    ``done_because`` is empty if it may enter hands; ``stopped_at`` is when it reported that it had
    stopped, ``minutes_added`` are this table's own extra minutes.
    """

    clock: Clock | None
    done_because: str
    stopped_at: datetime | None
    minutes_added: int


def timing_of(table: Table, *, now: datetime) -> Timing | None:
    """The time of a table whose round is being played, None for any other; at most one query."""
    if table.round.state != RoundState.PLAYING:
        return None
    return Timing(
        clock=clock_of(table.round, now=now, table=table),
        done_because=done_reason(table, now=now),
        stopped_at=table.stopped_at,
        minutes_added=table.minutes_added,
    )


def done_reason(table: Table, *, now: datetime) -> str:
    """Why no more hands are entered though the round is open; empty if they may be.

    No query before the bell, one after it, with the round and its tournament loaded.
    """
    if table.stopped_at is not None:
        return f"This table stopped at {time_of_day(table.stopped_at)}."
    clock = clock_of(table.round, now=now, table=table)
    if clock is None or clock.ends_at is None or not clock.has_rung:
        return ""
    if not _is_over(clock, _hands_since({table.game_id: clock.ends_at})[table.game_id], now):
        return ""
    end_text = (
        "no more hands count" if clock.at_the_bell == AtTheBell.STOP else "the last hand is in"
    )
    return f"The bell rang at {time_of_day(clock.ends_at)} and {end_text}. {ASK_DIRECTOR}"


def tables_out_of_time(tournament: Tournament, *, now: datetime) -> frozenset[int]:
    """The tables of the current round, by key, that have used up the time after the bell.

    Two queries after the bell, one before it, none if there is no clock.
    """
    if tournament.minutes_a_round is None:
        return frozenset()
    playing = Table.objects.filter(round__tournament=tournament, round__state=RoundState.PLAYING)
    rung = {}
    for table in playing.select_related("round").order_by():
        table.round.tournament = tournament
        clock = clock_of(table.round, now=now, table=table)
        if clock is not None and clock.has_rung and clock.ends_at is not None:
            rung[table] = clock
    bells = {table.game_id: clock.ends_at for table, clock in rung.items() if clock.ends_at}
    hand_counts = _hands_since(bells)
    return frozenset(
        table.pk
        for table, clock in rung.items()
        if _is_over(clock, hand_counts[table.game_id], now)
    )


def _is_over(clock: Clock, hand_count: int, now: datetime) -> bool:
    """Whether no more hands count, after so many entered since the bell."""
    if clock.ends_at is None:
        return False
    if clock.at_the_bell == AtTheBell.STOP:
        return now > clock.ends_at + TYPING_TIME
    return hand_count >= HANDS_AFTER_BELL[clock.at_the_bell]


def _hands_since(bells: Mapping[int, datetime]) -> Counter[int]:
    """The number of hands of each game since its bell, without corrections and undone hands."""
    if not bells:
        return Counter()
    hands = Hand.objects.filter(
        Q(is_current=True) | Q(replaced_by__isnull=False),
        game__in=bells,
        replaces__isnull=True,
        sent_at__gt=min(bells.values()),
    )
    return Counter(
        game for game, sent_at in hands.values_list("game", "sent_at") if sent_at > bells[game]
    )


def is_reported_ended(*, round_state: str, stopped_at: datetime | None) -> bool:
    """Whether a table was reported to have stopped, or all of them were."""
    return stopped_at is not None or round_state == RoundState.CLOSED


def tables_ended_early(tournament: Tournament) -> frozenset[int]:
    """The tables, by key, that have ended without reporting it.

    Their time in the current round is up, or someone won the race. At most two queries if rounds
    have a clock, one if the rules are a race to so many points.
    """
    ended_tables = tables_out_of_time(tournament, now=timezone.now())
    first_to = rule_set(tournament.rules).passing.first_to
    if first_to is None:
        return ended_tables
    table_totals = (
        Hand.objects.filter(game__tournament_table__round__tournament=tournament, is_current=True)
        .values("game__tournament_table")
        .annotate(**{f"total_{seat}": Sum(f"gain_{seat}") for seat in SEAT_NUMBERS})
        .values_list("game__tournament_table", *(f"total_{seat}" for seat in SEAT_NUMBERS))
        .order_by()
    )
    return ended_tables | {table for table, *totals in table_totals if max(totals) >= first_to}
