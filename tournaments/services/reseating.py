"""Seating anew whatever has not been started: who came late gets seats, who left has none."""

from collections.abc import Iterator, Sequence

from django.db import transaction

from clubs.shown import Shown
from scoring.scorebook.refusals import refuse
from tournaments.models import Entrant, RoundState, SeatingChange, Tournament, TournamentState
from tournaments.services.laying import LaidRound, keeping_substitutes, laid, lay, unseated
from tournaments.services.locks import touch
from tournaments.services.seating import (
    check_roster,
    hold,
    note_drawing,
    plan_for,
    request_for,
    roster_of,
    sitters,
    told,
)
from tournaments.services.standing import seat_by_standing


def reseat_rounds(
    *, tournament: Tournament, made_by: str, shown: Shown | None = None
) -> SeatingChange:
    """Seat the rounds that are not started anew, for everybody who plays now.

    Rounds closed or being played stay as they are, and count in who has met whom; substitutes
    stay with those for whom they sit in. Where only a round by standing waits, it is seated by
    the standing as it is now.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    begun = laid(tournament.rounds.exclude(state=RoundState.SEATED))
    numbers = range(len(begun) + 1, tournament.drawn + 1)
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    if not numbers and waiting.exists():
        return seat_by_standing(tournament=tournament, made_by=made_by, shown=shown)
    if tournament.state == TournamentState.ENTERING or not numbers:
        raise refuse("no_round", "Every round has been started; there is none to seat anew.")
    roster = roster_of(tournament)
    asked = request_for(tournament, roster, rounds=len(numbers), begun=begun)
    found = told(plan_for(asked), sitters(roster))
    with transaction.atomic():
        tournament = hold(tournament, shown)
        if tournament.rounds.exclude(state=RoundState.SEATED).count() != len(begun):
            raise refuse("rounds_changed", "A round was started meanwhile. Seat once more.")
        check_roster(tournament, roster)
        before = laid(waiting)
        found = keeping_substitutes(tournament, found, before)
        lay(tournament, [*found, *_unseated(before, found)])
        note_drawing(tournament, asked)
        touch(tournament)
        return SeatingChange.objects.create(
            tournament=tournament,
            what=f"{_named(numbers)} seated anew for {_counted(roster)}",
            before=[one.as_json() for one in (*before, *_unseated(found, before))],
            made_by=made_by,
        )


def _unseated(rounds: Sequence[LaidRound], others: Sequence[LaidRound]) -> Iterator[LaidRound]:
    """Those of the rounds that are none of the others, before they are seated."""
    kept = {one.number for one in others}
    return (unseated(one.number) for one in rounds if one.number not in kept)


def _named(numbers: range) -> str:
    first, last = numbers[0], numbers[-1]
    return f"Round {first}" if first == last else f"Rounds {first} to {last}"


def _counted(roster: Sequence[Entrant]) -> str:
    return f"{sum(not entrant.is_house for entrant in roster)} players"
