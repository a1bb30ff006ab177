"""Seats the rounds that are drawn, and clears the seating."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from django.db import transaction

from clubs import seating
from clubs.core.forms import ShownState
from clubs.core.locks import lock_club
from clubs.models.names import ORGANISER_READER
from clubs.seating import BadRequest, Plan, Request, explain_plan, plan, plan_by_standing
from clubs.seating.request import request_to_json
from clubs.seating.why import SeatingRemark, players_in_round
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.core import lock_tournament, set_state, touch
from tournaments.models import (
    MOST_TABLES,
    Drawing,
    Entrant,
    OddNumber,
    Placement,
    RoundState,
    SeatingChange,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.results.selectors.standings import StandingRow, place_of, standings_of
from tournaments.rounds.couples import couples
from tournaments.rounds.services import (
    RoundSeating,
    Sitter,
    TableSeating,
    games_at,
    has_hands,
    house_players,
    keep_substitutes,
    remove_tables,
    round_seatings,
    sitter_of,
    unseated_round,
    with_stored_players,
    write_seatings,
)
from tournaments.rounds.steps import STANDINGS_ACTS, check_shown, last_step
from tournaments.seating.selectors import TABLE_SIZE, WINDS

HOUSE = "house players"
SEARCH_SECONDS = 3  # for a round by standings: with 5, mates in a hall of 400 are no nearer (3 %)
STANDINGS_CHANGED_MESSAGE = "The standings have changed since you looked. This is the new seating."


def seat_rounds(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Seat every round that is drawn in advance; repeatable until a hand is recorded.

    Rounds by standing are seated later, one by one. The search runs for seconds before the
    transaction begins, so that no table waits for it.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    roster = roster_of(tournament)
    request = request_for(tournament, roster, rounds=tournament.drawn_rounds)
    rounds = seatings_of_plan(plan_for(request), sitters_by_key(roster))
    with transaction.atomic():
        tournament = _delete_rounds(tournament, page_state)
        check_roster(tournament, roster)
        write_seatings(tournament, with_stored_players(tournament, roster, rounds))
        store_drawing(tournament, request, roster)
        set_state(tournament, TournamentState.PLAYING)


def roster_of(tournament: Tournament) -> list[Entrant]:
    """Everyone to seat, with as many house players as the tables need; nobody is stored."""
    entrants = list(tournament.entrants.entered())
    if len(entrants) < 4 or (len(entrants) % 4 and tournament.odd_number == OddNumber.WAIT):
        raise refuse(
            "not_fours",
            f"{len(entrants)} have entered. Tables seat four, so you need 4, 8, 12, 16 and so on. "
            "On the Entries page you can add house players, or let players sit out in turn.",
        )
    if tournament.odd_number == OddNumber.HOUSE:
        return [*entrants, *house_players(tournament, -len(entrants) % 4)]
    return entrants


def check_roster(tournament: Tournament, roster: Sequence[Entrant]) -> None:
    """Refuses if entrants have joined or left since the roster was read."""
    entered_keys = set(tournament.entrants.entered().values_list("pk", flat=True))
    if entered_keys != {entrant.pk for entrant in roster if not entrant.is_house}:
        raise refuse("list_changed", "The entry list has changed. Draw the seating again.")


def request_for(
    tournament: Tournament,
    roster: Sequence[Entrant],
    *,
    rounds: int,
    started_rounds: Sequence[RoundSeating] = (),
) -> Request:
    """The seating's request for so many more rounds; players are named by entrant key.

    Former players of rounds that have begun are absent; team mates, couples and house players are
    kept apart.
    """
    keys = [str(entrant.pk) for entrant in roster]
    played_rounds = tuple(planned_round(round_) for round_ in started_rounds)
    former_keys = {name for round_ in played_rounds for name in players_in_round(round_)} - set(
        keys
    )
    new = range(len(played_rounds) + 1, len(played_rounds) + rounds + 1)
    teams = {str(entrant.pk): HOUSE if entrant.is_house else entrant.team for entrant in roster}
    return Request(
        players=(*keys, *sorted(former_keys)),
        rounds=rounds,
        played=played_rounds,
        absent=dict.fromkeys(new, former_keys),
        apart=tuple(
            (str(first_entrant.pk), str(second_entrant.pk))
            for first_entrant, second_entrant in couples(roster)
        ),
        teams={key: team for key, team in teams.items() if team},
        seed=tournament.pk,
        seconds=5,
    )


def plan_for(request: Request) -> Plan:
    """The plan. Raises ``Refused`` with every problem of the request."""
    try:
        return plan(request)
    except BadRequest as bad:
        raise _refusal_of(bad) from bad


def _refusal_of(bad: BadRequest) -> Refused:
    return Refused([Refusal(problem.code, problem.message) for problem in bad.problems])


def store_drawing(tournament: Tournament, request: Request, roster: Sequence[Entrant]) -> None:
    """Store the request with the names of the roster, so that it can be repeated."""
    first = len(request.played) + 1
    Drawing.objects.create(
        tournament=tournament,
        first_round=first,
        last_round=first + request.rounds - 1,
        asked=request_to_json(request.with_new_names(_names_by_key(tournament, roster))),
    )


def _names_by_key(tournament: Tournament, roster: Sequence[Entrant]) -> dict[str, str]:
    """The names of all entrants, and of house players of the roster who were not yet stored."""
    names = {str(entrant.pk): entrant.name for entrant in roster}
    return names | {str(pk): name for pk, name in tournament.entrants.values_list("pk", "name")}


def planned_round(round_: RoundSeating, name_of: Callable[[int], str] = str) -> seating.Round:
    """The round for the seating; players are named by entrant key, unless another name is given."""
    tables = (
        seating.PlannedTable(
            table.number,
            {
                wind: name_of(sitter.entrant)
                for wind, sitter in zip(WINDS, table.seats, strict=True)
            },
        )
        for table in round_.tables
    )
    return seating.Round(tuple(tables), tuple(map(name_of, round_.sitting_out)))


def sitters_by_key(roster: Sequence[Entrant]) -> dict[str, Sitter]:
    """Everyone to seat, by their key in the plan."""
    return {str(entrant.pk): sitter_of(entrant) for entrant in roster}


def seatings_of_plan(plan: Plan, sitters: Mapping[str, Sitter]) -> list[RoundSeating]:
    """The new rounds of a plan, for writing."""
    return [
        RoundSeating(
            number,
            tuple(
                TableSeating(table.number, tuple(sitters[table.seats[wind]] for wind in WINDS))
                for table in round_.tables
            ),
            tuple(sitters[key].entrant for key in round_.sitting_out),
        )
        for number, round_ in enumerate(plan.new_rounds, start=plan.played_count + 1)
    ]


@transaction.atomic
def clear_rounds(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Clear the seating; refused once a hand is recorded."""
    tournament = _delete_rounds(tournament, page_state)
    tournament.entrants.filter(is_house=True).delete()
    set_state(tournament, TournamentState.ENTERING)


def lock_for_seating(tournament: Tournament, page_state: ShownState | None = None) -> Tournament:
    """Lock the tournament for writing rounds; refused once it is finished.

    Refused too if the seating is no longer as shown. Locks the club's row first, so that no game is
    added meanwhile.
    """
    lock_club(tournament.club_id)
    scorebook.lock_games(games_at(tournament))
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    return tournament


def _delete_rounds(tournament: Tournament, page_state: ShownState | None) -> Tournament:
    tournament = lock_for_seating(tournament, page_state)
    if has_hands(games_at(tournament)):
        raise refuse(
            "hands_recorded", "Hands have been recorded, so the seating can no longer be changed."
        )
    remove_tables(Table.objects.filter(round__tournament=tournament))
    tournament.rounds.all().delete()
    tournament.changes.all().delete()
    tournament.drawings.all().delete()
    return tournament


@dataclass(frozen=True, slots=True)
class ProposedSeat:
    """Who would sit there, and their place."""

    wind: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class ProposedTable:
    """A table as it would be, East first."""

    number: int
    seats: tuple[ProposedSeat, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """How the next round would be seated by standings.

    ``remarks`` are sentences on who meets again, on winds and on what was traded for what.
    ``moves`` is empty unless the round is seated already. ``mark`` stands for the whole of it.
    """

    number: int
    is_final: bool
    tables: tuple[ProposedTable, ...]
    sitting_out: tuple[str, ...]
    remarks: tuple[SeatingRemark, ...]
    doubts: Annotated[tuple[str, ...], "points the director may want to settle first"]
    is_seated: bool
    moves: Annotated[tuple[str, ...], "who would change tables"]
    mark: Annotated[str, "send it back to seat the round this way"]


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What the seating is asked: under the players' names, in the order of their standing."""

    number: int
    roster: Sequence[Entrant]
    rows: Sequence[StandingRow]
    request: Request
    bands: tuple[int, ...]


def preview_round(*, tournament: Tournament) -> Proposal:
    """How the next round would be seated; refused where it is not to be seated by standing."""
    inputs = _read_inputs(tournament)
    stored_rounds = round_seatings(tournament.rounds.filter(number=inputs.number))
    plan = _seated_by_standing(inputs)
    standing = {row.name: place_of(row) for row in inputs.rows}
    last = plan.rounds[-1]
    names = [name for name in inputs.request.players if name in _roster_names(inputs.roster)]
    return Proposal(
        number=inputs.number,
        is_final=inputs.bands[:1] == (1,),
        tables=tuple(
            ProposedTable(
                table.number,
                tuple(
                    ProposedSeat(wind, table.seats[wind], standing.get(table.seats[wind], ""))
                    for wind in WINDS
                ),
            )
            for table in last.tables
        ),
        sitting_out=last.sitting_out,
        remarks=explain_plan(plan, names).remarks,
        doubts=(*_doubts(inputs), *_substitute_warnings(tournament, inputs)),
        is_seated=bool(stored_rounds),
        moves=tuple(_moves(inputs, plan, stored_rounds)),
        mark=_proposal_digest(inputs, plan),
    )


def seat_by_standing(
    *,
    tournament: Tournament,
    made_by: str,
    mark: str | None = None,
    page_state: ShownState | None = None,
) -> SeatingChange:
    """Seat the next round by the standing after the one before; can be undone until it starts.

    With a mark only as it was looked at: refused where the standings or the entries have
    changed since. Where it is seated just so already, that stays and nothing is noted twice.
    """
    inputs = _read_inputs(tournament)
    plan = _seated_by_standing(inputs)
    if mark is not None and mark != _proposal_digest(inputs, plan):
        raise _standings_changed(tournament)
    with transaction.atomic():
        tournament = lock_for_seating(tournament, page_state)
        inputs = replace(inputs, roster=_reread_roster(tournament, inputs))
        waiting = round_seatings(tournament.rounds.filter(state=RoundState.SEATED))
        now = _seating_of_plan(inputs, plan)
        change = tournament.changes.filter(undone_at=None).first()
        if change and [_decided_places(round_) for round_ in waiting] == [_decided_places(now)]:
            return change
        other_rounds = [
            unseated_round(round_.number) for round_ in waiting if round_.number != inputs.number
        ]
        new_rounds = with_stored_players(tournament, inputs.roster, [now])
        write_seatings(
            tournament, [*keep_substitutes(tournament, new_rounds, waiting), *other_rounds]
        )
        touch(tournament)
        is_reseated = any(round_.number == inputs.number for round_ in waiting)
        description = (
            f"Round {inputs.number} {'reseated' if is_reseated else 'seated'} by standings"
        )
        old_rounds = waiting if is_reseated else [*waiting, unseated_round(inputs.number)]
        return store_change(tournament, description, old_rounds, made_by)


def _decided_places(round_: RoundSeating) -> tuple[object, ...]:
    """Everything that seating by standing decides: who sits where, who rests, in what order."""
    seats = {
        (table.number, seat_index): sitter.entrant
        for table in round_.tables
        for seat_index, sitter in enumerate(table.seats)
    }
    return (round_.number, round_.in_order, seats, set(round_.sitting_out))


def store_change(
    tournament: Tournament, description: str, old_rounds: Iterable[RoundSeating], made_by: str
) -> SeatingChange:
    """Store what was changed by hand, with the former seats of the changed rounds."""
    return SeatingChange.objects.create(
        tournament=tournament,
        what=description,
        before=[round_.as_json() for round_ in old_rounds],
        made_by=made_by,
    )


def next_round_by_standing(tournament: Tournament) -> int:
    """The number of the round that is to be seated by standing now; refused where none is."""
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    rounds = dict(tournament.rounds.values_list("number", "state"))
    playing = [number for number, state in rounds.items() if state == RoundState.PLAYING]
    number = sum(state == RoundState.CLOSED for state in rounds.values()) + 1
    if number > tournament.rounds_planned:
        raise refuse("no_round", "Every round has been played.")
    drawn_count = tournament.drawn_rounds
    if tournament.state == TournamentState.ENTERING or number <= drawn_count:
        message = (
            f"Round {drawn_count + 1} is seated by standings once round {drawn_count} is closed."
        )
        if drawn_count == tournament.rounds_planned:
            message = (
                "All rounds of this tournament are drawn at once. None is seated by standings."
            )
        raise refuse("no_round", message)
    if playing:
        raise refuse("round_open", f"Round {playing[0]} is being played. Close it first.")
    return number


def _read_inputs(tournament: Tournament) -> _Inputs:
    """What the seating is asked; nothing is stored: house players come when the round is saved."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    number = next_round_by_standing(tournament)
    roster = roster_of(tournament)
    started_rounds = round_seatings(tournament.rounds.filter(state=RoundState.CLOSED))
    rows = standings_of(tournament, last_round=number - 1, reader=ORGANISER_READER)
    request = request_for(tournament, roster, rounds=1, started_rounds=started_rounds)
    names = _names_by_key(tournament, roster)
    ranked_keys = [key for row in rows if (key := str(row.entrant_id)) in request.players]
    other_keys = [key for key in request.players if key not in ranked_keys]
    request = replace(request, players=(*ranked_keys, *other_keys)).with_new_names(names)
    return _Inputs(number, roster, rows, request, _bands(tournament, number))


def _bands(tournament: Tournament, number: int) -> tuple[int, ...]:
    """The bands as the seating knows them: none, tables in each, or a final table before."""
    bands = (tournament.bands,) if tournament.by_standing_from and tournament.bands > 1 else ()
    if tournament.has_final and number == tournament.rounds_planned:
        return (1, *(bands or (MOST_TABLES,)))
    return bands


def _seated_by_standing(inputs: _Inputs) -> Plan:
    request = inputs.request
    try:
        return plan_by_standing(
            request.players,
            request.played,
            bands=inputs.bands,
            absent=request.absent[inputs.number],
            apart=request.apart,
            teams=request.teams,
            seed=request.seed,
            seconds=SEARCH_SECONDS,
        )
    except BadRequest as bad:
        raise _refusal_of(bad) from bad


def _reread_roster(tournament: Tournament, inputs: _Inputs) -> list[Entrant]:
    """Everyone who is to be seated, read again.

    Under the locks: refused unless it is the same turn, with the same players in the same order.
    """
    check_roster(tournament, inputs.roster)
    rows = standings_of(tournament, last_round=inputs.number - 1, reader=ORGANISER_READER)
    if next_round_by_standing(tournament) != inputs.number or _standing_order(
        rows
    ) != _standing_order(inputs.rows):
        raise _standings_changed(tournament)
    roster = roster_of(tournament)
    if _roster_names(roster) != _roster_names(inputs.roster):
        raise _standings_changed(tournament)
    return roster


def _standings_changed(tournament: Tournament) -> Refused:
    """The refusal that names the last step which can have moved the standings or the seats."""
    step_text = last_step(tournament, STANDINGS_ACTS)
    return refuse("standings_changed", f"{STANDINGS_CHANGED_MESSAGE} {step_text}".rstrip())


def _standing_order(rows: Sequence[StandingRow]) -> tuple[int, ...]:
    return tuple(row.entrant_id for row in rows)


def _seating_of_plan(inputs: _Inputs, plan: Plan) -> RoundSeating:
    by_name = {
        entrant.name: sitters_by_key([entrant])[str(entrant.pk)] for entrant in inputs.roster
    }
    (round_,) = seatings_of_plan(plan, by_name)
    return replace(round_, in_order=_standing_order(inputs.rows), traded=plan.report.trades)


def _proposal_digest(inputs: _Inputs, plan: Plan) -> str:
    seats = [list(table.names) for table in plan.rounds[-1].tables]
    told_all = json.dumps([inputs.number, _standing_order(inputs.rows), seats])
    return hashlib.sha256(told_all.encode()).hexdigest()[:24]


def _roster_names(roster: Sequence[Entrant]) -> set[str]:
    return {entrant.name for entrant in roster}


def _doubts(inputs: _Inputs) -> list[str]:
    """Whoever shares the last place at a final table with someone who would not sit there."""
    names = _roster_names(inputs.roster)
    roster_rows = [row for row in inputs.rows if row.name in names]
    if inputs.bands[:1] != (1,) or len(roster_rows) <= TABLE_SIZE:
        return []
    last, first_out = roster_rows[TABLE_SIZE - 1], roster_rows[TABLE_SIZE]
    if last.place != first_out.place:
        return []
    *level, last_player = [row.name for row in roster_rows if row.place == last.place]
    text = (
        f"{', '.join(level)} and {last_player} share place {last.place}, and the final has no room "
        "for all of them. Places go in alphabetical order. To change this, seat the round and "
        "then swap two players."
    )
    return [text]


def _substitute_warnings(tournament: Tournament, inputs: _Inputs) -> Iterator[str]:
    """Whoever had a substitute in the round before, who does not move on by themselves."""
    last_placements = Placement.objects.filter(
        round__tournament=tournament, round__number=inputs.number - 1
    )
    pairs = last_placements.exclude(substitute="").filter(
        entrant__in=[entrant.pk for entrant in inputs.roster]
    )
    round_title = "The final" if inputs.bands[:1] == (1,) else f"Round {inputs.number}"
    for name, substitute in pairs.order_by("pk").values_list("entrant__name", "substitute"):
        yield (
            f"{substitute} played for {name} in round {inputs.number - 1}. {round_title} is drawn "
            f"without substitutes, so {name} has the seat. If {substitute} plays on, add them "
            "again after seating."
        )


def _moves(inputs: _Inputs, plan: Plan, stored_rounds: Sequence[RoundSeating]) -> list[str]:
    """Who would change tables, where the round is seated already."""
    names = {entrant.pk: entrant.name for entrant in inputs.roster}
    now = {
        names.get(sitter.entrant, ""): table.number
        for round_ in stored_rounds
        for table in round_.tables
        for sitter in table.seats
    }
    new_tables = {name: table.number for table in plan.rounds[-1].tables for name in table.names}
    return [
        f"{name} moves from table {now[name]} to table {number}."
        for name, number in new_tables.items()
        if name in now and now[name] != number
    ]
