"""Tables that are finished before their last hand, where the rules play to so many points."""

from django.db.models import Sum

from scoring import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import Tournament


def races_won(tournament: Tournament) -> frozenset[int]:
    """The tables, by key, at which somebody has the points that end a game.

    One query; none under rules without such a race.
    """
    first_to = rule_set(tournament.rules).passing.first_to
    if first_to is None:
        return frozenset()
    gained = (
        Hand.objects.filter(game__tournament_table__round__tournament=tournament, is_current=True)
        .values("game__tournament_table")
        .annotate(**{f"total_{seat}": Sum(f"gain_{seat}") for seat in SEAT_NUMBERS})
        .values_list("game__tournament_table", *(f"total_{seat}" for seat in SEAT_NUMBERS))
        .order_by()
    )
    return frozenset(table for table, *totals in gained if max(totals) >= first_to)
