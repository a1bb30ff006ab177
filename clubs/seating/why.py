"""Explains a seating: the report on a plan, computed from the finished rounds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Annotated

from clubs.language.words import count_words
from clubs.seating.request import FIFTH, SEATS, WINDS, Plan, Report, Request, Round, SeatingProblem
from clubs.seating.search import team_mates

Meetings = Counter[frozenset[str]]
THREE_PLAYER_GAMES = "of three"  # among a player's winds: the games at tables of three


def rounds_in_words(numbers: Sequence[int]) -> str:
    """The rounds in words: "round 2", "rounds 2, 3 and 5"."""
    numbers_text = join_with_and([str(number) for number in numbers])
    return f"round{'s' if len(numbers) > 1 else ''} {numbers_text}"


def join_with_and(parts: Sequence[str]) -> str:
    """The parts as a list in words: "Ann", "Ann and Ben", "Ann, Ben and Cy"."""
    *first, last = parts or [""]
    return f"{', '.join(first)} and {last}" if first else last


def times_in_words(count: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def plan_with_report(
    request: Request, rounds: Sequence[Round], *, seconds: float = 0, cut_short: bool = False
) -> Plan:
    """The plan with its report. Raises AssertionError if a round does not seat everyone present."""
    for number, round_ in enumerate(rounds[len(request.played) :], len(request.played) + 1):
        if sorted(players_in_round(round_)) != sorted(request.roster(number)):
            raise AssertionError(f"round {number} does not give everyone one place")
        if not {len(table.seats) for table in round_.tables} <= set(request.table_sizes):
            raise AssertionError(f"round {number} has a table of a size that was not allowed")
    meetings = meetings_of(rounds)
    mates = [frozenset(pair) for pair in team_mates(request.teams)]
    visits = Counter(
        (name, table.number) for round_ in rounds for table in round_.tables for name in table.names
    )
    report = Report(
        repeated_meetings=sum(times - 1 for times in meetings.values()),
        least_possible=least_repeats(request, rounds, meetings),
        most_meetings=max(meetings.values(), default=0),
        wind_imbalance=sum(wind_imbalance(counts) for counts in winds_of(rounds).values()),
        table_revisits=sum(times - 1 for times in visits.values()),
        team_meetings=sum(meetings[pair] for pair in mates),
        broken=tuple(_broken_wishes(request, rounds)),
        seconds=round(seconds, 3),
        cut_short=cut_short,
    )
    return Plan(tuple(rounds), report, len(request.played))


def rounds_met(rounds: Sequence[Round]) -> dict[frozenset[str], list[int]]:
    """The rounds (from 1) in which each pair that met sat together."""
    rounds_together: dict[frozenset[str], list[int]] = {}
    for number, round_ in enumerate(rounds, 1):
        for table in round_.tables:
            for pair in combinations(table.names, 2):
                rounds_together.setdefault(frozenset(pair), []).append(number)
    return rounds_together


def meetings_of(rounds: Sequence[Round]) -> Meetings:
    """How often each pair sat together."""
    return Counter({pair: len(numbers) for pair, numbers in rounds_met(rounds).items()})


def winds_of(rounds: Sequence[Round]) -> dict[str, Counter[str]]:
    """How often each seated player started with each wind, or as fifth; and games of three."""
    counts: dict[str, Counter[str]] = {}
    for round_ in rounds:
        for table in round_.tables:
            for wind, name in table.seats.items():
                counts.setdefault(name, Counter())[wind] += 1
                counts[name][THREE_PLAYER_GAMES] += len(table.seats) == 3
    return counts


def wind_imbalance(counts: Counter[str]) -> int:
    """The most frequent wind minus the rarest, beyond what cannot be helped.

    One is forced where four does not divide the games. A North that is missing for games at tables
    of three, which have none, is not counted; then the other three winds are to be even.
    """
    times = [counts[wind] for wind in WINDS]
    games, norths = sum(times), times[-1]
    if 0 < games // len(WINDS) - norths <= counts[THREE_PLAYER_GAMES]:
        other_counts = times[:-1]
        return max(other_counts) - min(other_counts) - (sum(other_counts) % len(other_counts) > 0)
    return max(times) - min(times) - (games % len(WINDS) > 0)


def least_repeats(request: Request, rounds: Sequence[Round], all_meetings: Meetings) -> int:
    """A lower bound of the repeats, given how the rounds already played went.

    met: the meetings of all rounds.
    Where all new tables have one size, every player's meetings are known beforehand, and
    nobody meets more different people than there are; of mixed sizes only their sum is known.
    """
    new = rounds[len(request.played) :]
    past_meetings = meetings_of(request.played)
    if len({len(table.seats) for round_ in new for table in round_.tables}) > 1:
        strangers = comb(len(request.players), 2) - len(past_meetings)
        forced_repeats = max(0, all_meetings.total() - past_meetings.total() - strangers)
        return past_meetings.total() - len(past_meetings) + forced_repeats
    other_players = len(request.players) - 1
    acquaintances = Counter(name for pair in past_meetings for name in pair)
    company, old = _meeting_counts(all_meetings), _meeting_counts(past_meetings)
    forced_repeats = sum(
        meetings - min(other_players, acquaintances[name] + meetings - old[name])
        for name, meetings in company.items()
    )
    return -(-forced_repeats // 2)


def _meeting_counts(meetings: Meetings) -> Counter[str]:
    company: Counter[str] = Counter()
    for pair, times in meetings.items():
        for name in pair:
            company[name] += times
    return company


def _broken_wishes(request: Request, rounds: Sequence[Round]) -> Iterator[SeatingProblem]:
    """The wishes that the new rounds do not meet."""
    new = list(enumerate(rounds[len(request.played) :], len(request.played) + 1))
    for index, pair in enumerate(request.apart):
        if meeting_rounds := [number for number, round_ in new if _has_shared_table(round_, pair)]:
            message = (
                f"{' and '.join(pair)} are to be kept apart, but meet in "
                f"{rounds_in_words(meeting_rounds)}."
            )
            yield SeatingProblem("apart_not_kept", f"apart.{index}", message)
    for index, pair in enumerate(request.together):
        shared_rounds = [
            (number, r) for number, r in new if set(pair) <= set(request.roster(number))
        ]
        if missed_numbers := [
            number for number, round_ in shared_rounds if not _has_shared_table(round_, pair)
        ]:
            names, rounds_text = " and ".join(pair), rounds_in_words(missed_numbers)
            message = f"{names} are to sit together, but do not in {rounds_text}."
            yield SeatingProblem("together_not_kept", f"together.{index}", message)
    for name, table_number in request.fixed_table.items():
        missed_rounds = [
            number
            for number, round_ in new
            if any(name in table.names and table.number != table_number for table in round_.tables)
        ]
        if missed_rounds:
            message = (
                f"{name} is to sit at table {table_number}, but does not in "
                f"{rounds_in_words(missed_rounds)}."
            )
            yield SeatingProblem("table_not_kept", f"fixed_table.{name}", message)


def _has_shared_table(round_: Round, pair: tuple[str, str]) -> bool:
    return any(set(pair) <= set(table.names) for table in round_.tables)


@dataclass(frozen=True, slots=True)
class PlayerDetail:
    """One player's part in a plan.

    winds: how often they start as East, South, West, North and, at a table of five, fifth. tables:
    round by round the number of their table, None where they have no seat. sits_out: the rounds
    (from 1) in which they are there without a seat. is_uneven: one wind comes more often than
    necessary.
    """

    name: str
    winds: tuple[int, ...]
    tables: tuple[int | None, ...]
    sits_out: tuple[int, ...]
    is_uneven: bool


@dataclass(frozen=True, slots=True)
class SeatingRemark:
    """One fact about a seating."""

    sentence: str
    is_kept: Annotated[bool | None, "null: neither good nor bad"] = None


@dataclass(frozen=True, slots=True)
class PlanDetail:
    """A plan player by player, and in sentences.

    players: everyone in the order given to `explain_plan`. meetings: `meetings[i][j]`: how often i
    and j share a table; 0 for i = j. said: how well the plan meets each criterion, and its
    trade-offs.
    """

    players: tuple[PlayerDetail, ...]
    meetings: tuple[tuple[int, ...], ...]
    least_possible: int
    remarks: tuple[SeatingRemark, ...]


def explain_plan(plan: Plan, names: Sequence[str]) -> PlanDetail:
    """The detail of a plan for these players; includes winds and meetings of played rounds."""
    meetings, winds = meetings_of(plan.rounds), winds_of(plan.rounds)
    players = []
    for name in names:
        tables = [next((t for t in r.tables if name in t.names), None) for r in plan.rounds]
        seats = [seat for t in tables if t for seat, current in t.seats.items() if current == name]
        rounds_sat_out = (
            n for n, round_ in enumerate(plan.rounds, 1) if name in round_.sitting_out
        )
        players.append(
            PlayerDetail(
                name=name,
                winds=tuple(seats.count(seat) for seat in SEATS),
                tables=tuple(table.number if table else None for table in tables),
                sits_out=tuple(rounds_sat_out),
                is_uneven=name in winds and wind_imbalance(winds[name]) > 0,
            )
        )
    return PlanDetail(
        players=tuple(players),
        meetings=tuple(
            tuple(meetings[frozenset((name, mate))] if name != mate else 0 for mate in names)
            for name in names
        ),
        least_possible=plan.report.least_possible,
        remarks=tuple(_summary_remarks(plan)),
    )


def _summary_remarks(plan: Plan) -> Iterator[SeatingRemark]:
    repeats, least = plan.report.repeated_meetings, plan.report.least_possible
    are = (
        f"{count_words(repeats, 'meeting')} {'is' if repeats == 1 else 'are'} with someone met "
        "before"
    )
    most = f"no two meet more than {times_in_words(plan.report.most_meetings)}"
    if not repeats:
        yield SeatingRemark("No one meets anyone twice.", is_kept=True)
    elif repeats == least:
        yield SeatingRemark(f"{are}, as few as there can be; {most}.", is_kept=True)
    else:
        yield SeatingRemark(f"{are}; unavoidable: {least or 'none'}; {most}.", is_kept=False)
    yield _wind_remark(plan)
    if plan.report.table_revisits:
        times = times_in_words(plan.report.table_revisits)
        yield SeatingRemark(f"In all, players return to a table {times}.")
    else:
        yield SeatingRemark("No one returns to a table.", is_kept=True)
    yield from map(SeatingRemark, _sitting_out_sentences(plan.rounds))
    if plan.report.team_meetings:
        times = times_in_words(plan.report.team_meetings)
        yield SeatingRemark(f"Teammates meet {times}.", is_kept=False)
    yield from (SeatingRemark(problem.message, is_kept=False) for problem in plan.report.broken)
    yield from map(SeatingRemark, plan.report.trades)
    if plan.report.cut_short:
        yield SeatingRemark(
            "The search reached its time limit. A longer search might find a better seating."
        )


def _wind_remark(plan: Plan) -> SeatingRemark:
    uneven = sum(wind_imbalance(counts) > 0 for counts in winds_of(plan.rounds).values())
    threes = any(len(table.seats) == 3 for round_ in plan.rounds for table in round_.tables)
    if not uneven:
        divide = "as far as the number of rounds allows"
        if threes:
            divide = "as far as possible: no one is North at a table of three"
        return SeatingRemark(f"Everyone starts in each wind equally often, {divide}.", is_kept=True)
    players_text = count_words(uneven, "player")
    start = "starts" if uneven == 1 else "start"
    return SeatingRemark(
        f"{players_text} {start} in one wind more often than necessary.", is_kept=False
    )


def _sitting_out_sentences(rounds: Sequence[Round]) -> Iterator[str]:
    turns = Counter(name for round_ in rounds for name in round_.sitting_out)
    if turns:
        times = [turns[name] for name in {*turns, *winds_of(rounds)}]
        least, most = min(times), max(times)
        if least == 0:
            yield f"No one sits out more than {times_in_words(most)}."
        elif least == most:
            yield f"Everyone sits out {times_in_words(most)}."
        else:
            conjunction = "or" if most == least + 1 else "to"
            yield f"Everyone sits out {times_in_words(least)} {conjunction} {times_in_words(most)}."
    fifths = sum(FIFTH in table.seats for round_ in rounds for table in round_.tables)
    if fifths:
        so_often = times_in_words(fifths)
        yield f"At tables of five a fifth player starts without a seat, {so_often} in all."


def review_rounds(
    rounds: Sequence[Round], players: Sequence[str], *, teams: Mapping[str, str] | None = None
) -> Plan:
    """The rounds as they are, with the report that a drawn plan would have.

    players: everyone who has a place in some round, and whoever else is to be counted.
    Raises AssertionError where someone has two places in a round.
    """
    sizes = {len(table.seats) for round_ in rounds for table in round_.tables}
    request = Request(
        players=tuple(players),
        rounds=len(rounds),
        table_sizes=tuple(sorted(sizes)) or (len(WINDS),),
        absent={
            n: set(players) - set(players_in_round(round_)) for n, round_ in enumerate(rounds, 1)
        },
        teams=teams or {},
    )
    return plan_with_report(request, rounds)


def players_in_round(round_: Round) -> list[str]:
    """Everyone in the round, seated or sitting out."""
    return [*(name for table in round_.tables for name in table.names), *round_.sitting_out]
