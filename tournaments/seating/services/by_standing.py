"""A round seated by standing: previewed first, then saved as previewed."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.core.forms import Shown
from clubs.models.names import ORGANISER
from clubs.seating import BadRequest, Plan, Request, by_standing, why
from clubs.seating.why import Said
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.core.locks import touch
from tournaments.models import (
    MOST_TABLES,
    Entrant,
    RoundState,
    SeatingChange,
    Tournament,
    TournamentState,
)
from tournaments.results.selectors.standings import StandingRow, place_of, standings
from tournaments.rounds.services import LaidRound, keeping_substitutes, laid, lay, unseated
from tournaments.rounds.steps import STANDINGS, last_step
from tournaments.seating.services.seating import (
    WINDS,
    check_roster,
    hold,
    laid_plan,
    request_for,
    roster_of,
    sitters,
)

A_TABLE = 4
CHANGED = "The standings have changed since you looked. This is the new seating."


@dataclass(frozen=True, slots=True)
class ProposedSeat:
    """A wind of a table, the proposed player, and their place (``3=``)."""

    wind: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class ProposedTable:
    """A proposed table, East first."""

    number: int
    seats: tuple[ProposedSeat, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposed seating of a round by standing.

    ``why`` are sentences on repeat meetings, winds and trade-offs; ``doubts`` what the director may
    want to rule on first. ``moves`` says, if the round is already seated, who would change tables.
    ``mark`` is a digest of all this.
    """

    number: int
    is_final: bool
    tables: tuple[ProposedTable, ...]
    sitting_out: tuple[str, ...]
    why: tuple[Said, ...]
    doubts: tuple[str, ...]
    is_seated: bool
    moves: tuple[str, ...]
    mark: str


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The seating's input: player names, in the order of their standing."""

    number: int
    roster: Sequence[Entrant]
    rows: Sequence[StandingRow]
    request: Request
    bands: tuple[int, ...]


def preview_round(*, tournament: Tournament) -> Proposal:
    """A preview of the next round; refused if it is not to be seated by standing."""
    inputs = _inputs(tournament)
    seated = laid(tournament.rounds.filter(number=inputs.number))
    return _proposal(inputs, _seated_by_standing(inputs), seated)


def seat_by_standing(
    *, tournament: Tournament, made_by: str, mark: str | None = None, shown: Shown | None = None
) -> SeatingChange:
    """Seat the next round by the standing after the one before; can be undone until it starts.

    With a mark, only as previewed: refused if the standings or the entries have changed since. If
    it is already seated this way, nothing is written twice.
    """
    inputs = _inputs(tournament)
    plan = _seated_by_standing(inputs)
    if mark is not None and mark != _mark(inputs, plan):
        raise _changed(tournament)
    with transaction.atomic():
        tournament = hold(tournament, shown)
        inputs = replace(inputs, roster=_roster(tournament, inputs))
        waiting = laid(tournament.rounds.filter(state=RoundState.SEATED))
        now, made = _as_laid(inputs, plan), tournament.changes.filter(undone_at=None).first()
        if made and [_places(round_) for round_ in waiting] == [_places(now)]:
            return made
        others = [unseated(round_.number) for round_ in waiting if round_.number != inputs.number]
        lay(tournament, [*keeping_substitutes(tournament, [now], waiting), *others])
        touch(tournament)
        return _noted(tournament, inputs.number, waiting, made_by)


def _places(round_: LaidRound) -> tuple[object, ...]:
    """Everything that the seating decides: who sits where, who rests, in what order."""
    seats = {
        (table.number, at): sitter.entrant
        for table in round_.tables
        for at, sitter in enumerate(table.seats)
    }
    return (round_.number, round_.in_order, seats, set(round_.sitting_out))


def _noted(
    tournament: Tournament, number: int, before: Sequence[LaidRound], made_by: str
) -> SeatingChange:
    anew = any(round_.number == number for round_ in before)
    told_before = before if anew else [*before, unseated(number)]
    return SeatingChange.objects.create(
        tournament=tournament,
        what=f"Round {number} {'reseated' if anew else 'seated'} by standings",
        before=[round_.as_json() for round_ in told_before],
        made_by=made_by,
    )


def turn_of(tournament: Tournament) -> int:
    """The number of the round to seat by standing now; refused if there is none."""
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    rounds = dict(tournament.rounds.values_list("number", "state"))
    playing = [number for number, state in rounds.items() if state == RoundState.PLAYING]
    number = sum(state == RoundState.CLOSED for state in rounds.values()) + 1
    if number > tournament.rounds_planned:
        raise refuse("no_round", "Every round has been played.")
    if tournament.state == TournamentState.ENTERING or number <= tournament.drawn:
        raise refuse("no_round", _not_yet(tournament))
    if playing:
        raise refuse("round_open", f"Round {playing[0]} is being played. Close it first.")
    return number


def _not_yet(tournament: Tournament) -> str:
    drawn = tournament.drawn
    if drawn == tournament.rounds_planned:
        return "All rounds of this tournament are drawn at once. None is seated by standings."
    return f"Round {drawn + 1} is seated by standings once round {drawn} is closed."


def _inputs(tournament: Tournament) -> _Inputs:
    """The seating's input; nothing is stored: house players are added when the round is saved."""
    with transaction.atomic():
        inputs = _asked_with_house(Tournament.objects.get(pk=tournament.pk))
        transaction.set_rollback(True)
    return inputs


def _asked_with_house(tournament: Tournament) -> _Inputs:
    number = turn_of(tournament)
    roster = roster_of(tournament)
    begun = laid(tournament.rounds.filter(state=RoundState.CLOSED))
    rows = standings(tournament, through=number - 1, reader=ORGANISER)
    request = request_for(tournament, roster, rounds=1, begun=begun)
    ranked = [key for row in rows if (key := str(row.entrant_id)) in request.players]
    others = [key for key in request.players if key not in ranked]
    names = {str(pk): name for pk, name in tournament.entrants.values_list("pk", "name")}
    request = replace(request, players=(*ranked, *others)).renamed(names)
    return _Inputs(number, roster, rows, request, _bands(tournament, number))


def _bands(tournament: Tournament, number: int) -> tuple[int, ...]:
    """The bands for the seating: none, tables in each, or a final table before."""
    bands = (tournament.bands,) if tournament.by_standing_from and tournament.bands > 1 else ()
    if tournament.has_final and number == tournament.rounds_planned:
        return (1, *(bands or (MOST_TABLES,)))
    return bands


def _seated_by_standing(inputs: _Inputs) -> Plan:
    request = inputs.request
    try:
        return by_standing(
            request.players,
            request.played,
            bands=inputs.bands,
            absent=request.absent[inputs.number],
            teams=request.teams,
            seed=request.seed,
            seconds=request.seconds,
        )
    except BadRequest as bad:
        raise Refused(
            [
                Refusal(seating_problem.code, seating_problem.sentence)
                for seating_problem in bad.problems
            ]
        ) from bad


def _roster(tournament: Tournament, inputs: _Inputs) -> list[Entrant]:
    """Everyone to seat, with house players now stored.

    Called under the locks: refused unless the turn, the players and their order are the same.
    """
    check_roster(tournament, inputs.roster)
    rows = standings(tournament, through=inputs.number - 1, reader=ORGANISER)
    if turn_of(tournament) != inputs.number or _order(rows) != _order(inputs.rows):
        raise _changed(tournament)
    roster = roster_of(tournament)
    if _names(roster) != _names(inputs.roster):
        raise _changed(tournament)
    return roster


def _changed(tournament: Tournament) -> Refused:
    """The refusal, naming the last step that can have changed the standings or the seats."""
    who = last_step(tournament, STANDINGS)
    return refuse("standings_changed", f"{CHANGED} {who}".rstrip())


def _order(rows: Sequence[StandingRow]) -> tuple[int, ...]:
    return tuple(row.entrant_id for row in rows)


def _as_laid(inputs: _Inputs, plan: Plan) -> LaidRound:
    by_name = {entrant.name: sitters([entrant])[str(entrant.pk)] for entrant in inputs.roster}
    (round_,) = laid_plan(plan, by_name)
    return replace(round_, in_order=_order(inputs.rows), traded=plan.report.traded)


def _mark(inputs: _Inputs, plan: Plan) -> str:
    seats = [list(table.names) for table in plan.rounds[-1].tables]
    told_all = json.dumps([inputs.number, _order(inputs.rows), seats])
    return hashlib.sha256(told_all.encode()).hexdigest()[:24]


def _proposal(inputs: _Inputs, plan: Plan, seated: Sequence[LaidRound]) -> Proposal:
    places = {row.name: place_of(row) for row in inputs.rows}
    last = plan.rounds[-1]
    names = [name for name in inputs.request.players if name in _names(inputs.roster)]
    return Proposal(
        number=inputs.number,
        is_final=inputs.bands[:1] == (1,),
        tables=tuple(
            ProposedTable(
                table.number,
                tuple(
                    ProposedSeat(wind, table.seats[wind], places.get(table.seats[wind], ""))
                    for wind in WINDS
                ),
            )
            for table in last.tables
        ),
        sitting_out=last.sitting_out,
        why=why(plan, names).said,
        doubts=tuple(_doubts(inputs)),
        is_seated=bool(seated),
        moves=tuple(_moves(inputs, plan, seated)),
        mark=_mark(inputs, plan),
    )


def _names(roster: Sequence[Entrant]) -> set[str]:
    return {entrant.name for entrant in roster}


def _doubts(inputs: _Inputs) -> list[str]:
    """Players tied for the last place at a final table with someone who would not sit there."""
    names = _names(inputs.roster)
    there = [row for row in inputs.rows if row.name in names]
    if inputs.bands[:1] != (1,) or len(there) <= A_TABLE:
        return []
    last, first_out = there[A_TABLE - 1], there[A_TABLE]
    if last.place != first_out.place:
        return []
    *level, other = [row.name for row in there if row.place == last.place]
    sentence = (
        f"{', '.join(level)} and {other} share place {last.place}, and the final has no room "
        "for all of them. Places go in alphabetical order. To change this, seat the round and "
        "then swap two players."
    )
    return [sentence]


def _moves(inputs: _Inputs, plan: Plan, seated: Sequence[LaidRound]) -> list[str]:
    """Who would change tables, if the round is already seated."""
    names = {entrant.pk: entrant.name for entrant in inputs.roster}
    now = {
        names.get(sitter.entrant, ""): table.number
        for round_ in seated
        for table in round_.tables
        for sitter in table.seats
    }
    then = {name: table.number for table in plan.rounds[-1].tables for name in table.names}
    return [
        f"{name} moves from table {now[name]} to table {number}."
        for name, number in then.items()
        if name in now and now[name] != number
    ]
