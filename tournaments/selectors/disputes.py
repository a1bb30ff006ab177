"""The hands of a tournament that wait for the scorer, in whatever round."""

from collections.abc import Iterable

from clubs.evenings.selectors.floor import Dispute, waiting
from scoring.scorebook.models import Hand
from tournaments.models import Placement, Tournament


def disputes_of(tournament: Tournament) -> tuple[Dispute, ...]:
    """Those of all rounds, the longest wait first; four queries, one where there are none."""
    hands = Hand.objects.filter(game__tournament_table__round__tournament=tournament)

    def names(found: Iterable[int]) -> dict[tuple[int, int], str]:
        places = Placement.objects.filter(seat__game__in=found).select_related("entrant", "seat")
        return {(place.seat.game_id, place.seat.number): place.sitter for place in places}

    return waiting(
        hands,
        table="game__tournament_table__number",
        round_="game__tournament_table__round__number",
        names=names,
    )
