"""Seating the rounds that are drawn, and taking the seating away."""

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
    """Seat every round that is drawn, at once; can be done anew until a hand is recorded.

    Rounds by standing are seated later, one by one. The search takes its seconds before the
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
    """Everyone who is to be seated, with as many house players as the tables need."""
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
    """Refused where others have entered, or someone has left, since the roster was read."""
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
    """What the seating is asked for so many more rounds; players go by their entrant's key.

    Whoever sat in a round that has begun and plays no longer is absent; team mates and house
    players are kept apart.
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
    """The plan, or a refusal that says everything that is wrong with what was asked."""
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
    """Remember what was asked of the seating, with names, so that it can be asked again."""
    names = {str(pk): name for pk, name in tournament.entrants.values_list("pk", "name")}
    first = len(request.played) + 1
    Drawing.objects.create(
        tournament=tournament,
        first_round=first,
        last_round=first + request.rounds - 1,
        asked=request_to_json(request.renamed(names)),
    )


def as_planned(round_: LaidRound) -> seating.Round:
    """The round as the seating plans it; players go by their entrant's key."""
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
    """Everyone who is to be seated, by their key in the plan."""
    return {
        str(entrant.pk): Sitter(
            entrant.pk, Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT
        )
        for entrant in roster
    }


def laid_plan(plan: Plan, sitters: Mapping[str, Sitter]) -> list[LaidRound]:
    """The new rounds of a plan, to be laid."""
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
    """Take the seating away; refused once a hand is recorded."""
    tournament = _take_rounds_away(tournament, shown)
    tournament.entrants.filter(is_house=True).delete()
    move(tournament, TournamentState.ENTERING)


def hold(tournament: Tournament, shown: Shown | None = None) -> Tournament:
    """The tournament, with the locks of whoever lays rounds; refused once it is finished.

    Refused too where the seating is no longer as it was shown.

    They wait at the club's row, so that no game appears behind the locks.
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
