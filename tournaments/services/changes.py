"""Changes by hand: two players change places, a substitute sits in, the last change is undone."""

from dataclasses import replace

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.core.stale_forms import Shown
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import refuse
from tournaments.models import (
    Capacity,
    Entrant,
    EntrantState,
    RoundState,
    SeatingChange,
    Tournament,
    TournamentState,
)
from tournaments.services.laying import (
    LaidRound,
    LaidTable,
    Sitter,
    games_at,
    has_hands,
    laid,
    lay,
    round_from_json,
)
from tournaments.services.locks import move, touch
from tournaments.services.seating import hold


@transaction.atomic
def swap(
    *,
    tournament: Tournament,
    number: int,
    one: Entrant,
    other: Entrant,
    made_by: str,
    shown: Shown | None = None,
) -> SeatingChange:
    """Two players change places in a round; one of them may have no seat in it so far.

    Refused once a hand is recorded at a table that either of them leaves or joins.
    """
    tournament = hold(tournament, shown)
    whole = _open_round(tournament, number)
    _check_pair(one, other)
    before = _around(whole, {one.pk, other.pk})
    if not before.tables:
        raise refuse("no_seat", f"Neither player has a seat in round {number}.", "other")
    _check_unplayed(_games_of(tournament, before))
    after = _exchanged(before, one, other)
    lay(tournament, [after])
    touch(tournament)
    return SeatingChange.objects.create(
        tournament=tournament,
        what=f"{one.name} and {other.name} swapped places in round {number}",
        before=[before.as_json()],
        made_by=made_by,
    )


def _open_round(tournament: Tournament, number: int) -> LaidRound:
    rounds = tournament.rounds.filter(number=number)
    if not rounds.exclude(state=RoundState.CLOSED).exists():
        raise refuse("no_round", f"Round {number} is closed or does not exist.", "number")
    return laid(rounds)[0]


def _check_pair(one: Entrant, other: Entrant) -> None:
    if one == other:
        raise refuse("same_player", "Choose two different players.", "other")
    for entrant in (one, other):
        if entrant.state != EntrantState.ENTERED:
            sentence = f"{entrant.name} is {entrant.get_state_display()}."
            raise refuse("does_not_play", sentence, "other")


def _around(whole: LaidRound, who: set[int]) -> LaidRound:
    """The tables at which one of these sits."""
    tables = tuple(
        table for table in whole.tables if any(sitter.entrant in who for sitter in table.seats)
    )
    return replace(whole, tables=tables, is_whole=False)


def _exchanged(before: LaidRound, one: Entrant, other: Entrant) -> LaidRound:
    """The same places with the two exchanged; who loses a seat sits out, substitutes go along."""
    held = {sitter.entrant: sitter for table in before.tables for sitter in table.seats}
    comes = {
        leaving.pk: held.get(joining.pk, _as(joining))
        for leaving, joining in ((one, other), (other, one))
    }
    tables = tuple(
        LaidTable(
            table.number,
            tuple(comes.get(sitter.entrant, sitter) for sitter in table.seats),
            table.link_key,
        )
        for table in before.tables
    )
    seated = {sitter.entrant for table in tables for sitter in table.seats}
    outside = {one.pk, other.pk} - seated
    out = (*(pk for pk in before.sitting_out if pk not in comes), *outside)
    return replace(before, tables=tables, sitting_out=out)


def _as(entrant: Entrant) -> Sitter:
    return Sitter(entrant.pk, Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT)


def _games_of(tournament: Tournament, told: LaidRound) -> QuerySet[Game]:
    games = games_at(tournament, [told.number])
    if told.is_whole:
        return games
    return games.filter(tournament_table__number__in=[table.number for table in told.tables])


def _check_unplayed(games: QuerySet[Game]) -> None:
    if has_hands(games):
        raise refuse(
            "hands_recorded",
            "A hand has been recorded at that table, so its seats cannot change. You can still "
            "add a substitute.",
        )


@transaction.atomic
def undo_change(*, tournament: Tournament, shown: Shown | None = None) -> SeatingChange:
    """Put the last change by hand back as it was; refused where it has been played since."""
    tournament = hold(tournament, shown)
    change = tournament.changes.filter(undone_at=None).first()
    if change is None:
        raise refuse("nothing_to_undo", "There is no seating change to undo.")
    before = [round_from_json(one) for one in change.before]
    for one in before:
        _open_round(tournament, one.number)
        _check_unplayed(_games_of(tournament, one))
        if not one.tables:
            _check_not_started(tournament, one.number)
    lay(tournament, before)
    change.undone_at = timezone.now()
    change.save(update_fields=["undone_at"])
    if tournament.rounds.exists():
        touch(tournament)
    else:
        move(tournament, TournamentState.ENTERING)
    return change


def _check_not_started(tournament: Tournament, number: int) -> None:
    if tournament.rounds.filter(number=number, state=RoundState.PLAYING).exists():
        raise refuse("round_open", f"Round {number} has started, so its seating cannot change.")
