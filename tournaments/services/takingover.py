"""Someone takes over the places of a player who has left, so that nobody else moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.db import transaction

from clubs.core.stale_forms import Shown
from scoring.scorebook.refusals import refuse
from tournaments.models import Entrant, EntrantState, RoundState, SeatingChange, Tournament
from tournaments.services.laying import LaidRound, Sitter, games_at, has_hands, laid, lay
from tournaments.services.locks import touch
from tournaments.services.seating import hold, sitters


@transaction.atomic
def take_over(
    *,
    tournament: Tournament,
    leaver: Entrant,
    newcomer: Entrant,
    made_by: str,
    shown: Shown | None = None,
) -> SeatingChange:
    """The newcomer has every seat that the leaver still has, and sits out in the leaver's turn.

    Closed rounds and tables with a hand stay as they are. Refused where the leaver still plays,
    or where the newcomer has a place in one of the rounds.
    """
    tournament = hold(tournament, shown)
    leaver, newcomer = (tournament.entrants.get(pk=entrant.pk) for entrant in (leaver, newcomer))
    if leaver.state == EntrantState.ENTERED and not leaver.is_house:
        sentence = f"{leaver.name} is still playing. Withdraw them on the entry list first."
        raise refuse("still_plays", sentence, "leaver")
    if newcomer.state != EntrantState.ENTERED:
        sentence = f"{newcomer.name} is {newcomer.get_state_display()}."
        raise refuse("does_not_play", sentence, "newcomer")
    before = [one for one in _open_rounds(tournament) if leaver.pk in places_of(one)]
    if not before:
        raise refuse("no_seat", f"{leaver.name} has no seat in the remaining rounds.", "leaver")
    if taken := [one.number for one in before if newcomer.pk in places_of(one)]:
        sentence = f"{newcomer.name} already has a place in round {taken[0]}."
        raise refuse("has_a_seat", sentence, "newcomer")
    [sitter] = sitters([newcomer]).values()
    lay(tournament, [replaced(one, {leaver.pk: sitter}) for one in before])
    touch(tournament)
    return SeatingChange.objects.create(
        tournament=tournament,
        what=f"{newcomer.name} takes over the places of {leaver.name}",
        before=[one.as_json() for one in before],
        made_by=made_by,
    )


def places_of(one: LaidRound) -> set[int]:
    """Everyone who has a place in a round, seated or sitting out, by key."""
    return {sitter.entrant for table in one.tables for sitter in table.seats} | {*one.sitting_out}


def replaced(one: LaidRound, comes: Mapping[int, Sitter]) -> LaidRound:
    """The round with others in the places of those who leave."""
    tables = tuple(
        replace(table, seats=tuple(comes.get(sitter.entrant, sitter) for sitter in table.seats))
        for table in one.tables
    )
    out = (comes[pk].entrant if pk in comes else pk for pk in one.sitting_out)
    return replace(one, tables=tables, sitting_out=tuple(out))


def _open_rounds(tournament: Tournament) -> Iterator[LaidRound]:
    """The rounds that have not begun, and of the one that is played the tables without a hand."""
    yield from laid(tournament.rounds.filter(state=RoundState.SEATED))
    for one in laid(tournament.rounds.filter(state=RoundState.PLAYING)):
        games = games_at(tournament, [one.number])
        tables = tuple(
            table
            for table in one.tables
            if not has_hands(games.filter(tournament_table__number=table.number))
        )
        if tables:
            yield replace(one, tables=tables, is_whole=False)


def kept_for(before: Sequence[LaidRound], roster: Sequence[Entrant]) -> list[LaidRound]:
    """The rounds as they lie, newcomers in the places of those who have left, in the order of
    their entry; empty where there are more of the one than of the other."""
    there = {one.pk: sitter for one, sitter in zip(roster, sitters(roster).values(), strict=True)}
    rounds: list[LaidRound] = []
    for one in before:
        placed = places_of(one)
        leavers, newcomers = sorted(placed - there.keys()), sorted(there.keys() - placed)
        if len(leavers) != len(newcomers):
            return []
        comes = {pk: there[new] for pk, new in zip(leavers, newcomers, strict=True)}
        rounds.append(replaced(one, comes))
    return rounds
