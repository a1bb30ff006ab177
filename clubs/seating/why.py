"""Why this seating: all that a page or a sheet of paper needs to show that it is fair."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clubs.language.words import counted
from clubs.seating.answer import FIFTH, SEATS, WINDS, Plan, Report, Round
from clubs.seating.audit import meetings_of, wind_imbalance, winds_of
from clubs.seating.words import times_in_words


@dataclass(frozen=True, slots=True)
class PlayerDetail:
    """What one player has of a plan.

    winds: how often they start as East, South, West, North and, at a table of five, fifth.
    tables: round by round the number of their table, None where they have no seat.
    sits_out: the rounds (from 1) in which they are there without a seat.
    odd_tables: how often they sit at a table that is not of four.
    """

    name: str
    winds: tuple[int, ...]
    tables: tuple[int | None, ...]
    sits_out: tuple[int, ...]
    odd_tables: int


@dataclass(frozen=True, slots=True)
class Said:
    """One thing about a seating; `is_kept` is None where it is neither good nor bad."""

    sentence: str
    is_kept: bool | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """A plan player by player, and in sentences.

    players: everyone in the order given to `why`.
    meetings: `meetings[i][j]` is how often players i and j share a table; 0 for i = j.
    above_least: repeated meetings above the least that arithmetic allows.
    said: how the plan keeps what a good seating keeps, and what was traded for what.
    """

    players: tuple[PlayerDetail, ...]
    meetings: tuple[tuple[int, ...], ...]
    least_possible: int
    above_least: int
    said: tuple[Said, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The bare sentences."""
        return tuple(one.sentence for one in self.said)


def why(plan: Plan, names: Sequence[str]) -> Detail:
    """The detail of a plan for these players; winds and meetings of played rounds count too."""
    met, report = meetings_of(plan.rounds), plan.report
    return Detail(
        players=tuple(_player(plan.rounds, name) for name in names),
        meetings=tuple(
            tuple(met[frozenset((one, other))] if one != other else 0 for other in names)
            for one in names
        ),
        least_possible=report.least_possible,
        above_least=report.repeated_meetings - report.least_possible,
        said=tuple(_said(plan)),
    )


def _player(rounds: Sequence[Round], name: str) -> PlayerDetail:
    tables = [next((t for t in one.tables if name in t.names), None) for one in rounds]
    seats = [seat for t in tables if t for seat, held in t.seats.items() if held == name]
    return PlayerDetail(
        name=name,
        winds=tuple(seats.count(seat) for seat in SEATS),
        tables=tuple(table.number if table else None for table in tables),
        sits_out=tuple(n for n, one in enumerate(rounds, 1) if name in one.sitting_out),
        odd_tables=sum(len(table.seats) != len(WINDS) for table in tables if table),
    )


def _said(plan: Plan) -> Iterator[Said]:
    yield _of_meetings(plan.report)
    yield _of_winds(plan)
    yield _of_tables(plan.report)
    yield from map(Said, _of_sitting_out(plan.rounds))
    if plan.report.team_meetings:
        times = times_in_words(plan.report.team_meetings)
        yield Said(f"Members of a team meet {times}.", is_kept=False)
    yield from (Said(problem.sentence, is_kept=False) for problem in plan.report.broken)
    yield from map(Said, plan.report.traded)
    if plan.report.cut_short:
        yield Said(
            "The search reached its time limit. A longer search might find a better seating."
        )


def _of_meetings(report: Report) -> Said:
    again, least = report.repeated_meetings, report.least_possible
    if not again:
        return Said("No one meets anyone twice.", is_kept=True)
    said = f"{counted(again, 'meeting')} {'is' if again == 1 else 'are'} with someone met before"
    most = f"no two meet more than {times_in_words(report.most_meetings)}"
    if again == least:
        return Said(f"{said}, as few as there can be; {most}.", is_kept=True)
    return Said(f"{said}; unavoidable: {least or 'none'}; {most}.", is_kept=False)


def _of_winds(plan: Plan) -> Said:
    held = winds_of(plan.rounds)
    uneven = sum(wind_imbalance(winds) > 0 for winds in held.values())
    if not uneven:
        fair = "Everyone starts in each wind equally often, as far as their games divide."
        return Said(fair, is_kept=True)
    who = counted(uneven, "player")
    said = f"{who} {'starts' if uneven == 1 else 'start'} in one wind more often than necessary"
    threes = any(len(table.seats) == 3 for one in plan.rounds for table in one.tables)
    why_so = ": no one is North at a table of three" if threes else ""
    return Said(f"{said}{why_so}.", is_kept=False)


def _of_tables(report: Report) -> Said:
    if not report.table_revisits:
        return Said("No one returns to a table.", is_kept=True)
    times = times_in_words(report.table_revisits)
    return Said(f"Over all players, someone returns to a table {times}.")


def _of_sitting_out(rounds: Sequence[Round]) -> Iterator[str]:
    turns = Counter(name for one in rounds for name in one.sitting_out)
    if turns:
        times = [turns[name] for name in {*turns, *winds_of(rounds)}]
        yield _of_turns(min(times), max(times))
    fifths = sum(FIFTH in table.seats for one in rounds for table in one.tables)
    if fifths:
        so_often = times_in_words(fifths)
        yield f"At tables of five a fifth player starts without a seat, {so_often} in all."


def _of_turns(least: int, most: int) -> str:
    if least == 0:
        return f"No one sits out more than {times_in_words(most)}."
    if least == most:
        return f"Everyone sits out {times_in_words(most)}."
    joined = "or" if most == least + 1 else "to"
    return f"Everyone sits out {times_in_words(least)} {joined} {times_in_words(most)}."
