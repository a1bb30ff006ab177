"""A tournament's hands as a flat list for programs, in the form of the club's own."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import F, QuerySet

from clubs.league.selectors.hands import FlatHand, Sitter, TablePlace, flat_hand
from clubs.models.names import Reader
from scoring.scorebook.models import Hand
from tournaments.core import WITH_PLAYER, names_of
from tournaments.models import Placement, Tournament

TABLE_LOOKUP = "game__tournament_table"


def tournament_hands(tournament: Tournament, *, last_round: int | None) -> QuerySet[Hand]:
    """The current hands by round, table and number, up to that round; None: of all rounds."""
    hands = Hand.objects.filter(
        is_current=True, **{f"{TABLE_LOOKUP}__round__tournament": tournament}
    )
    if last_round is not None:
        hands = hands.filter(**{f"{TABLE_LOOKUP}__round__number__lte": last_round})
    return (
        hands.select_related("game")
        .annotate(round=F(f"{TABLE_LOOKUP}__round__number"), table=F(f"{TABLE_LOOKUP}__number"))
        .order_by("round", "table", "number")
    )


def flat_tournament_hands(
    tournament: Tournament, hands: Sequence[Any], reader: Reader
) -> list[FlatHand]:
    """Some ``tournament_hands`` with those who played them; one query."""
    places = Placement.objects.filter(
        table__game__in={hand.game_id for hand in hands}
    ).select_related(WITH_PLAYER, "seat")
    places_by_game: dict[int, list[Placement]] = defaultdict(list)
    for place in places:
        places_by_game[place.seat.game_id].append(place)
    names = names_of((place.entrant for place in places), reader)
    result = []
    for hand in hands:
        sitters = {
            place.seat.number: Sitter(
                names[place.entrant_id],
                place.entrant.player_id,
                place.entrant_id,
                place.substitute_at(hand.number),
            )
            for place in places_by_game[hand.game_id]
        }
        table_place = TablePlace(
            tournament.held_on, hand.table, tournament_id=tournament.pk, round=hand.round
        )
        result.append(flat_hand(hand, table_place, sitters))
    return result
