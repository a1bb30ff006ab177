"""Tables that play no further hand: they stopped at the bell, or somebody won the race."""

from django.db.models import Sum

from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import Table, Tournament


def ended_early(tournament: Tournament) -> frozenset[int]:
    """The tables, by key, that play no further hand, however many were planned.

    One query where rounds have a clock, one where the rules are a race to so many points.
    """
    return _stopped(tournament) | _races_won(tournament)


def _stopped(tournament: Tournament) -> frozenset[int]:
    if tournament.minutes_a_round is None:
        return frozenset()
    stopped = Table.objects.filter(round__tournament=tournament, stopped_at__isnull=False)
    return frozenset(stopped.values_list("pk", flat=True).order_by())


def _races_won(tournament: Tournament) -> frozenset[int]:
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
