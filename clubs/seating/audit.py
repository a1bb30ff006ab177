"""The report on a plan, counted from the finished rounds and nothing else."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from clubs.seating.answer import WINDS, Plan, Report, Round, SeatingProblem
from clubs.seating.board import team_mates
from clubs.seating.request import Request
from clubs.seating.words import in_rounds

Meetings = Counter[frozenset[str]]


def audited(request: Request, rounds: Sequence[Round], *, began: float, cut_short: bool) -> Plan:
    """The plan with its report. Raises AssertionError where a round does not seat all there."""
    for number, one in enumerate(rounds[len(request.played) :], len(request.played) + 1):
        _verify(request, number, one)
    meetings = meetings_of(rounds)
    mates = [frozenset(pair) for pair in team_mates(request.teams)]
    report = Report(
        repeated_meetings=sum(times - 1 for times in meetings.values()),
        least_possible=least_repeats(request, rounds, meetings),
        most_meetings=max(meetings.values(), default=0),
        wind_imbalance=sum(wind_imbalance(held) for held in winds_of(rounds).values()),
        table_revisits=_revisits(rounds),
        team_meetings=sum(meetings[pair] for pair in mates),
        broken=tuple(_broken(request, rounds)),
        seconds=round(time.monotonic() - began, 3),
        cut_short=cut_short,
    )
    return Plan(tuple(rounds), report, len(request.played))


def _verify(request: Request, number: int, one: Round) -> None:
    seated = [name for table in one.tables for name in table.names]
    if sorted([*seated, *one.sitting_out]) != sorted(request.roster(number)):
        raise AssertionError(f"round {number} does not give everyone one place")
    if not {len(table.seats) for table in one.tables} <= set(request.table_sizes):
        raise AssertionError(f"round {number} has a table of a size that was not allowed")


def meetings_of(rounds: Sequence[Round]) -> Meetings:
    """How often each pair that met sat together."""
    return Counter(
        frozenset(pair)
        for one in rounds
        for table in one.tables
        for pair in combinations(table.names, 2)
    )


def winds_of(rounds: Sequence[Round]) -> dict[str, Counter[str]]:
    """How often each player who was seated started with each wind, or as fifth."""
    held: dict[str, Counter[str]] = {}
    for one in rounds:
        for table in one.tables:
            for wind, name in table.seats.items():
                held.setdefault(name, Counter())[wind] += 1
    return held


def wind_imbalance(held: Counter[str]) -> int:
    """The fullest wind less the emptiest, beyond the one that uneven games force."""
    times = [held[wind] for wind in WINDS]
    return max(times) - min(times) - (sum(times) % 4 > 0)


def least_repeats(request: Request, rounds: Sequence[Round], met: Meetings) -> int:
    """A lower bound of the repeats, given how the rounds already played went.

    met: the meetings of all rounds.
    Where all new tables have one size, every player's meetings are known beforehand, and
    nobody meets more different people than there are; of mixed sizes only their sum is known.
    """
    new = rounds[len(request.played) :]
    before = meetings_of(request.played)
    if len({len(table.seats) for one in new for table in one.tables}) > 1:
        strangers = comb(len(request.players), 2) - len(before)
        forced = max(0, met.total() - before.total() - strangers)
        return before.total() - len(before) + forced
    return _least_of_one_size(len(request.players) - 1, met, before)


def _least_of_one_size(others: int, met: Meetings, before: Meetings) -> int:
    known = Counter(name for pair in before for name in pair)
    company, old = _company(met), _company(before)
    forced = sum(
        meetings - min(others, known[name] + meetings - old[name])
        for name, meetings in company.items()
    )
    return -(-forced // 2)


def _company(meetings: Meetings) -> Counter[str]:
    """How many meetings each player had."""
    company: Counter[str] = Counter()
    for pair, times in meetings.items():
        for name in pair:
            company[name] += times
    return company


def _revisits(rounds: Sequence[Round]) -> int:
    visits = Counter(
        (name, table.number) for one in rounds for table in one.tables for name in table.names
    )
    return sum(times - 1 for times in visits.values())


def _broken(request: Request, rounds: Sequence[Round]) -> Iterator[SeatingProblem]:
    """The wishes that the new rounds do not keep."""
    new = list(enumerate(rounds[len(request.played) :], len(request.played) + 1))
    for index, (one, other) in enumerate(request.apart):
        met = [
            number
            for number, r in new
            if _table_of(r, one) and _table_of(r, one) == _table_of(r, other)
        ]
        if met:
            sentence = f"{one} and {other} are to be kept apart, but meet in {in_rounds(met)}."
            yield SeatingProblem("apart_not_kept", f"apart.{index}", sentence)
    for index, (one, other) in enumerate(request.together):
        missed = [number for number, r in new if _are_parted(request, number, r, one, other)]
        if missed:
            sentence = f"{one} and {other} are to sit together, but do not in {in_rounds(missed)}."
            yield SeatingProblem("together_not_kept", f"together.{index}", sentence)
    for name, table in request.fixed_table.items():
        away = [number for number, r in new if _table_of(r, name) not in (None, table)]
        if away:
            sentence = f"{name} is to sit at table {table}, but does not in {in_rounds(away)}."
            yield SeatingProblem("table_not_kept", f"fixed_table.{name}", sentence)


def _are_parted(request: Request, number: int, one: Round, name: str, other: str) -> bool:
    """Whether two players who are both there do not share a table."""
    there = set(request.roster(number))
    tables = _table_of(one, name), _table_of(one, other)
    return {name, other} <= there and (tables[0] is None or tables[0] != tables[1])


def _table_of(one: Round, name: str) -> int | None:
    return next((table.number for table in one.tables if name in table.names), None)
