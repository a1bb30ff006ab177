"""Seating the rounds, seating anew what has not been played, and taking the seating away."""

from collections.abc import Sequence

from django.db import transaction

from clubs import seating
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.wire import request_to_json
from clubs.services.locks import lock_club
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.models import (
    Capacity,
    Drawing,
    Entrant,
    OddNumber,
    RoundState,
    SeatingChange,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.services.house import call_house_players
from tournaments.services.laying import (
    LaidRound,
    LaidTable,
    Sitter,
    games_at,
    has_hands,
    laid,
    lay,
    remove_tables,
)
from tournaments.services.locks import lock, move, touch

WINDS = ("E", "S", "W", "N")
HOUSE = "house players"


def seat_rounds(*, tournament: Tournament) -> None:
    """Seat every planned round at once; can be done anew until a hand is recorded.

    The search takes its seconds before the transaction begins, so that no table waits for it.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    roster = _roster(tournament)
    asked = _request(tournament, roster, rounds=tournament.rounds_planned)
    found = _plan(asked)
    with transaction.atomic():
        tournament = _take_rounds_away(tournament)
        _check_roster(tournament, roster)
        lay(tournament, _told(found, roster))
        note_drawing(tournament, asked)
        move(tournament, TournamentState.PLAYING)


def reseat_rounds(*, tournament: Tournament, made_by: str) -> SeatingChange:
    """Seat the rounds that are not started anew, for everybody who plays now.

    Rounds closed or being played stay as they are, and count in who has met whom.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    roster = _roster(tournament)
    begun = laid(tournament.rounds.exclude(state=RoundState.SEATED))
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    numbers = list(waiting.values_list("number", flat=True))
    if not numbers:
        raise refuse("no_round", "Every round has been started; there is none to seat anew.")
    asked = _request(tournament, roster, rounds=len(numbers), begun=begun)
    found = _plan(asked)
    with transaction.atomic():
        tournament = hold(tournament)
        if numbers != list(waiting.values_list("number", flat=True)):
            raise refuse("rounds_changed", "A round was started meanwhile. Seat once more.")
        _check_roster(tournament, roster)
        before = laid(waiting)
        lay(tournament, _told(found, roster))
        note_drawing(tournament, asked)
        touch(tournament)
        what = f"Round {numbers[0]}" if len(numbers) == 1 else f"Rounds {numbers[0]} to"
        ending = "" if len(numbers) == 1 else f" {numbers[-1]}"
        return SeatingChange.objects.create(
            tournament=tournament,
            what=f"{what}{ending} seated anew for {_counted(roster)}",
            before=[one.as_json() for one in before],
            made_by=made_by,
        )


def _counted(roster: Sequence[Entrant]) -> str:
    return f"{sum(not entrant.is_house for entrant in roster)} players"


def _roster(tournament: Tournament) -> list[Entrant]:
    """Everybody who is to be seated, with as many house players as the tables need."""
    entered = list(tournament.entrants.entered())
    if len(entered) < 4 or (len(entered) % 4 and tournament.odd_number == OddNumber.WAIT):
        raise refuse(
            "not_fours",
            f"{len(entered)} have entered. A tournament sits at tables of four, so the number "
            "of entrants must be 4, 8, 12, 16 and so on, unless house players fill the tables "
            "or players sit out in turn.",
        )
    if tournament.odd_number == OddNumber.HOUSE:
        return [*entered, *call_house_players(tournament, -len(entered) % 4)]
    return entered


def _check_roster(tournament: Tournament, roster: Sequence[Entrant]) -> None:
    entered = set(tournament.entrants.entered().values_list("pk", flat=True))
    if entered != {entrant.pk for entrant in roster if not entrant.is_house}:
        raise refuse("list_changed", "The entry list changed meanwhile. Seat it once more.")


def _request(
    tournament: Tournament,
    roster: Sequence[Entrant],
    *,
    rounds: int,
    begun: Sequence[LaidRound] = (),
) -> Request:
    keys = [str(entrant.pk) for entrant in roster]
    played = tuple(_as_planned(one) for one in begun)
    gone = _seated(played) - set(keys)
    new = range(len(played) + 1, len(played) + rounds + 1)
    teams = {str(one.pk): HOUSE if one.is_house else one.team for one in roster}
    return Request(
        players=(*keys, *sorted(gone)),
        rounds=rounds,
        played=played,
        absent=dict.fromkeys(new, gone),
        teams={key: team for key, team in teams.items() if team},
        seed=tournament.pk,
        seconds=5,
    )


def _plan(asked: Request) -> Plan:
    try:
        return plan(asked)
    except BadRequest as bad:
        raise Refused([Refusal(found.code, found.sentence) for found in bad.problems]) from bad


def note_drawing(tournament: Tournament, asked: Request) -> None:
    """Remember what was asked of the seating, with names, so that it can be asked again."""
    names = {str(pk): name for pk, name in tournament.entrants.values_list("pk", "name")}
    first = len(asked.played) + 1
    Drawing.objects.create(
        tournament=tournament,
        first_round=first,
        last_round=first + asked.rounds - 1,
        asked=request_to_json(asked.renamed(names)),
    )


def _as_planned(one: LaidRound) -> seating.Round:
    return seating.Round(
        tuple(
            seating.Table(
                table.number,
                {
                    wind: str(sitter.entrant)
                    for wind, sitter in zip(WINDS, table.seats, strict=True)
                },
            )
            for table in one.tables
        ),
        tuple(map(str, one.sitting_out)),
    )


def _seated(played: Sequence[seating.Round]) -> set[str]:
    return {
        name
        for one in played
        for name in (*one.sitting_out, *(key for table in one.tables for key in table.names))
    }


def _told(found: Plan, roster: Sequence[Entrant]) -> list[LaidRound]:
    house = {entrant.pk for entrant in roster if entrant.is_house}

    def sitter(key: str) -> Sitter:
        entrant = int(key)
        return Sitter(entrant, Capacity.HOUSE if entrant in house else Capacity.ENTRANT)

    return [
        LaidRound(
            number,
            tuple(
                LaidTable(table.number, tuple(sitter(table.seats[wind]) for wind in WINDS))
                for table in one.tables
            ),
            tuple(int(key) for key in one.sitting_out),
        )
        for number, one in enumerate(found.new_rounds, start=found.played + 1)
    ]


@transaction.atomic
def clear_rounds(*, tournament: Tournament) -> None:
    """Take the seating away; refused once a hand is recorded."""
    tournament = _take_rounds_away(tournament)
    tournament.entrants.filter(is_house=True).delete()
    move(tournament, TournamentState.ENTERING)


def hold(tournament: Tournament) -> Tournament:
    """The tournament, with the locks of whoever lays rounds; refused once it is finished.

    They wait at the club's row, so that no game appears behind the locks.
    """
    lock_club(tournament.club_id)
    scorebook.lock_games(games_at(tournament))
    tournament = lock(tournament.pk)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    return tournament


def _take_rounds_away(tournament: Tournament) -> Tournament:
    tournament = hold(tournament)
    if has_hands(games_at(tournament)):
        raise refuse(
            "hands_recorded", "Hands have been recorded, so the seating can no longer be changed."
        )
    remove_tables(Table.objects.filter(round__tournament=tournament))
    tournament.rounds.all().delete()
    tournament.changes.all().delete()
    tournament.drawings.all().delete()
    return tournament
