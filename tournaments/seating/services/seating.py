"""Seats the rounds that are drawn, and clears the seating."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from clubs import seating
from clubs.core.forms import Shown
from clubs.core.locks import lock_club
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.request import request_to_json
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.core.locks import lock, move
from tournaments.models import (
    Capacity,
    Drawing,
    Entrant,
    OddNumber,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.rounds.services import (
    LaidRound,
    LaidTable,
    Sitter,
    call_house_players,
    games_at,
    has_hands,
    lay,
    remove_tables,
)
from tournaments.rounds.steps import check_shown

WINDS = ("E", "S", "W", "N")
HOUSE = "house players"


def seat_rounds(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """Seat every round that is drawn in advance; repeatable until a hand is recorded.

    Rounds by standing are seated later, one by one. The search runs for seconds before the
    transaction begins, so that no table waits for it.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    roster = roster_of(tournament)
    request = request_for(tournament, roster, rounds=tournament.drawn)
    rounds = laid_plan(plan_for(request), sitters(roster))
    with transaction.atomic():
        tournament = _take_rounds_away(tournament, shown)
        check_roster(tournament, roster)
        lay(tournament, rounds)
        note_drawing(tournament, request)
        move(tournament, TournamentState.PLAYING)


def roster_of(tournament: Tournament) -> list[Entrant]:
    """Everyone to seat, with as many house players as the tables need."""
    entered = list(tournament.entrants.entered())
    if len(entered) < 4 or (len(entered) % 4 and tournament.odd_number == OddNumber.WAIT):
        raise refuse(
            "not_fours",
            f"{len(entered)} have entered. Tables seat four, so you need 4, 8, 12, 16 and so on, "
            "unless you use house players or let players sit out in turn.",
        )
    if tournament.odd_number == OddNumber.HOUSE:
        return [*entered, *call_house_players(tournament, -len(entered) % 4)]
    return entered


def check_roster(tournament: Tournament, roster: Sequence[Entrant]) -> None:
    """Refuses if entrants have joined or left since the roster was read."""
    entered = set(tournament.entrants.entered().values_list("pk", flat=True))
    if entered != {entrant.pk for entrant in roster if not entrant.is_house}:
        raise refuse("list_changed", "The entry list has changed. Draw the seating again.")


def request_for(
    tournament: Tournament,
    roster: Sequence[Entrant],
    *,
    rounds: int,
    begun: Sequence[LaidRound] = (),
) -> Request:
    """The seating's request for so many more rounds; players are named by entrant key.

    Former players of rounds that have begun are absent; team mates and house players are kept
    apart.
    """
    keys = [str(entrant.pk) for entrant in roster]
    played = tuple(as_planned(round_) for round_ in begun)
    gone = _seated(played) - set(keys)
    new = range(len(played) + 1, len(played) + rounds + 1)
    teams = {str(entrant.pk): HOUSE if entrant.is_house else entrant.team for entrant in roster}
    return Request(
        players=(*keys, *sorted(gone)),
        rounds=rounds,
        played=played,
        absent=dict.fromkeys(new, gone),
        teams={key: team for key, team in teams.items() if team},
        seed=tournament.pk,
        seconds=5,
    )


def plan_for(request: Request) -> Plan:
    """The plan. Raises ``Refused`` with every problem of the request."""
    try:
        return plan(request)
    except BadRequest as bad:
        raise Refused(
            [
                Refusal(seating_problem.code, seating_problem.sentence)
                for seating_problem in bad.problems
            ]
        ) from bad


def note_drawing(tournament: Tournament, request: Request) -> None:
    """Store the request with names, so that it can be repeated."""
    names = {str(pk): name for pk, name in tournament.entrants.values_list("pk", "name")}
    first = len(request.played) + 1
    Drawing.objects.create(
        tournament=tournament,
        first_round=first,
        last_round=first + request.rounds - 1,
        asked=request_to_json(request.renamed(names)),
    )


def as_planned(round_: LaidRound) -> seating.Round:
    """A planned round for writing; players are named by entrant key."""
    return seating.Round(
        tuple(
            seating.Table(
                table.number,
                {
                    wind: str(sitter.entrant)
                    for wind, sitter in zip(WINDS, table.seats, strict=True)
                },
            )
            for table in round_.tables
        ),
        tuple(map(str, round_.sitting_out)),
    )


def _seated(played: Sequence[seating.Round]) -> set[str]:
    return {
        name
        for round_ in played
        for name in (*round_.sitting_out, *(key for table in round_.tables for key in table.names))
    }


def sitters(roster: Sequence[Entrant]) -> dict[str, Sitter]:
    """Everyone to seat, by their key in the plan."""
    return {
        str(entrant.pk): Sitter(
            entrant.pk, Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT
        )
        for entrant in roster
    }


def laid_plan(plan: Plan, sitters: Mapping[str, Sitter]) -> list[LaidRound]:
    """The new rounds of a plan, for writing."""
    return [
        LaidRound(
            number,
            tuple(
                LaidTable(table.number, tuple(sitters[table.seats[wind]] for wind in WINDS))
                for table in round_.tables
            ),
            tuple(sitters[key].entrant for key in round_.sitting_out),
        )
        for number, round_ in enumerate(plan.new_rounds, start=plan.played + 1)
    ]


@transaction.atomic
def clear_rounds(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """Clear the seating; refused once a hand is recorded."""
    tournament = _take_rounds_away(tournament, shown)
    tournament.entrants.filter(is_house=True).delete()
    move(tournament, TournamentState.ENTERING)


def hold(tournament: Tournament, shown: Shown | None = None) -> Tournament:
    """Lock the tournament for writing rounds; refused once it is finished.

    Refused too if the seating is no longer as shown. Locks the club's row first, so that no game is
    added meanwhile.
    """
    lock_club(tournament.club_id)
    scorebook.lock_games(games_at(tournament))
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    return tournament


def _take_rounds_away(tournament: Tournament, shown: Shown | None) -> Tournament:
    tournament = hold(tournament, shown)
    if has_hands(games_at(tournament)):
        raise refuse(
            "hands_recorded", "Hands have been recorded, so the seating can no longer be changed."
        )
    remove_tables(Table.objects.filter(round__tournament=tournament))
    tournament.rounds.all().delete()
    tournament.changes.all().delete()
    tournament.drawings.all().delete()
    return tournament
