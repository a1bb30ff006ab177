"""What the bell means at a table: how many hands may still be entered, and when it is done."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from clubs.language.moments import time_of_day
from scoring.scorebook.models import Hand
from tournaments.models import AtTheBell, RoundState, Table, Tournament
from tournaments.selectors.clock import Clock, clock_of

MORE_HANDS = {AtTheBell.FINISH: 1, AtTheBell.ONE_MORE: 2}
TIME_TO_TYPE = timedelta(minutes=2)
ASK = "If you think another hand should count, tell the director."


@dataclass(frozen=True, slots=True)
class Timing:
    """A table's time: its clock, and why it plays no further hand though its round is open.

    ``done_because`` is empty where it may enter hands; ``stopped_at`` is when it said itself
    that it has stopped, ``minutes_added`` what this table alone was given.
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
        done_because=why_done(table, now=now),
        stopped_at=table.stopped_at,
        minutes_added=table.minutes_added,
    )


def why_done(table: Table, *, now: datetime) -> str:
    """Why the players enter no further hand though their round is open; empty where they may.

    No query before the bell, one after it, with the round and its tournament at hand.
    """
    if table.stopped_at is not None:
        return f"This table stopped at {time_of_day(table.stopped_at)}."
    clock = clock_of(table.round, now=now, table=table)
    if clock is None or clock.ends_at is None or not clock.has_rung:
        return ""
    if not _is_over(clock, _entered_after({table.game_id: clock.ends_at})[table.game_id], now):
        return ""
    over = "no more hands count" if clock.at_the_bell == AtTheBell.STOP else "the last hand is in"
    return f"The bell rang at {time_of_day(clock.ends_at)} and {over}. {ASK}"


def out_of_time(tournament: Tournament, *, now: datetime) -> frozenset[int]:
    """The tables, by key, of the round being played that have used up what the bell leaves them.

    Two queries after the bell, one before it, none where there is no clock.
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
    entered = _entered_after(bells)
    return frozenset(
        table.pk for table, clock in rung.items() if _is_over(clock, entered[table.game_id], now)
    )


def _is_over(clock: Clock, entered: int, now: datetime) -> bool:
    """Whether no further hand counts, so many having been entered since the bell."""
    if clock.ends_at is None:
        return False
    if clock.at_the_bell == AtTheBell.STOP:
        return now > clock.ends_at + TIME_TO_TYPE
    return entered >= MORE_HANDS[clock.at_the_bell]


def _entered_after(bells: Mapping[int, datetime]) -> Counter[int]:
    """How many hands each game has had since its bell; a correction is no new hand.

    Nor does a hand count that was taken back.
    """
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
