"""Seating anew whatever has not been started: who came late gets seats, who left has none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.core.stale_forms import Shown
from clubs.seating import Request
from clubs.seating.review import places, review
from scoring.scorebook.refusals import refuse
from tournaments.models import Entrant, RoundState, SeatingChange, Tournament, TournamentState
from tournaments.services.laying import LaidRound, keeping_substitutes, laid, lay, unseated
from tournaments.services.locks import touch
from tournaments.services.seating import (
    as_planned,
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
from tournaments.services.takingover import kept_for, places_of, replaced


@dataclass(frozen=True, slots=True)
class Cost:
    """What a seating comes to over all rounds, and how many seats of the waiting ones change.

    repeats: meetings beyond the first, over all pairs. returns: visits to a table beyond the
    first, over all players.
    """

    team_meetings: int
    repeats: int
    returns: int
    moved: int

    @property
    def weight(self) -> tuple[int, int, int, int]:
        """What weighs most comes first; the least is the best."""
        return (self.team_meetings, self.repeats, self.returns, self.moved)


@dataclass(frozen=True, slots=True)
class Choice:
    """A way to seat the rounds to come: someone takes over (`leaver` and `newcomer`), or all
    is seated anew (both None)."""

    cost: Cost
    leaver: Entrant | None = None
    newcomer: Entrant | None = None


@dataclass(frozen=True, slots=True)
class _Anew:
    """The rounds that are not started, seated anew; `asked` is None where the seats are kept."""

    begun: list[LaidRound]
    roster: list[Entrant]
    numbers: range
    rounds: list[LaidRound]
    asked: Request | None
    cost: Cost


def reseat_rounds(
    *, tournament: Tournament, made_by: str, shown: Shown | None = None
) -> SeatingChange:
    """Seat the rounds that are not started anew, for everyone who plays now.

    Everyone keeps their seat where that costs no more meetings or returns to a table than new
    seats would: then newcomers take over from those who have left. Rounds closed or being
    played stay as they are, and count in who has met whom; substitutes stay with those for whom
    they sit in. Where only a round by standing waits, it is seated by the standing as it is now.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    begun = laid(tournament.rounds.exclude(state=RoundState.SEATED))
    numbers = range(len(begun) + 1, tournament.drawn + 1)
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    if not numbers and waiting.exists():
        return seat_by_standing(tournament=tournament, made_by=made_by, shown=shown)
    anew = _anew(tournament)
    with transaction.atomic():
        tournament = hold(tournament, shown)
        if tournament.rounds.exclude(state=RoundState.SEATED).count() != len(anew.begun):
            raise refuse("rounds_changed", "A round has just started. Try again.")
        check_roster(tournament, anew.roster)
        before = laid(waiting)
        found = keeping_substitutes(tournament, anew.rounds, before)
        lay(tournament, [*found, *_unseated(before, found)])
        if anew.asked:
            note_drawing(tournament, anew.asked)
        touch(tournament)
        return SeatingChange.objects.create(
            tournament=tournament,
            what=f"{_named(anew.numbers)} reseated for {_counted(anew.roster)}",
            before=[one.as_json() for one in (*before, *_unseated(found, before))],
            made_by=made_by,
        )


def weigh_reseating(*, tournament: Tournament) -> tuple[Choice, ...]:
    """What the rounds to come can be made to fit who plays now, each way with its cost.

    Nothing is stored. First every newcomer in the place of every leaver, then all seated anew.
    Refused where there is nothing to seat.
    """
    with transaction.atomic():
        tournament = Tournament.objects.get(pk=tournament.pk)
        anew = _anew(tournament)
        choices = (*_takeovers(tournament, anew), Choice(anew.cost))
        transaction.set_rollback(True)
    return choices


def _anew(tournament: Tournament) -> _Anew:
    begun = laid(tournament.rounds.exclude(state=RoundState.SEATED))
    numbers = range(len(begun) + 1, tournament.drawn + 1)
    if tournament.state == TournamentState.ENTERING or not numbers:
        raise refuse("no_round", "Every round has started, so there is nothing left to reseat.")
    roster = roster_of(tournament)
    before = laid(tournament.rounds.filter(state=RoundState.SEATED, number__in=numbers))
    asked = request_for(tournament, roster, rounds=len(numbers), begun=begun)
    drawn = told(plan_for(asked), sitters(roster))
    fresh = _cost(tournament, begun, before, drawn)
    if [one.number for one in before] == [*numbers] and (kept := kept_for(before, roster)):
        cost = _cost(tournament, begun, before, kept)
        if cost.weight <= fresh.weight:
            return _Anew(begun, roster, numbers, kept, None, cost)
    return _Anew(begun, roster, numbers, drawn, asked, fresh)


def _takeovers(tournament: Tournament, anew: _Anew) -> Iterator[Choice]:
    """Every newcomer in the place of every leaver."""
    before = laid(tournament.rounds.filter(state=RoundState.SEATED))
    placed = {pk for one in before for pk in places_of(one)}
    there = {one.pk for one in anew.roster}
    entrants = {one.pk: one for one in tournament.entrants.all()}
    for newcomer in anew.roster:
        if newcomer.pk in placed:
            continue
        [sitter] = sitters([newcomer]).values()
        for leaver in sorted(placed - there):
            after = [replaced(one, {leaver: sitter}) for one in before]
            cost = _cost(tournament, anew.begun, before, after)
            yield Choice(cost, entrants[leaver], newcomer)


def _cost(
    tournament: Tournament,
    begun: Sequence[LaidRound],
    before: Sequence[LaidRound],
    after: Sequence[LaidRound],
) -> Cost:
    rounds = [as_planned(one) for one in (*begun, *after)]
    players = sorted({name for one in rounds for name in places(one)})
    teams = tournament.entrants.exclude(team="").values_list("pk", "team")
    report = review(
        rounds,
        players,
        teams={str(pk): team for pk, team in teams if str(pk) in players},
    ).report
    held = {seat for one in before for seat in _seats(one)}
    moved = sum(seat not in held for one in after for seat in _seats(one))
    return Cost(report.team_meetings, report.repeated_meetings, report.table_revisits, moved)


def _seats(one: LaidRound) -> Iterator[tuple[int, int, int, int]]:
    """Who sits where: round, table, seat, entrant."""
    for table in one.tables:
        for number, sitter in enumerate(table.seats):
            yield one.number, table.number, number, sitter.entrant


def _unseated(rounds: Sequence[LaidRound], others: Sequence[LaidRound]) -> Iterator[LaidRound]:
    """Those of the rounds that are none of the others, before they are seated."""
    kept = {one.number for one in others}
    return (unseated(one.number) for one in rounds if one.number not in kept)


def _named(numbers: range) -> str:
    first, last = numbers[0], numbers[-1]
    return f"Round {first}" if first == last else f"Rounds {first} to {last}"


def _counted(roster: Sequence[Entrant]) -> str:
    return f"{sum(not entrant.is_house for entrant in roster)} players"
