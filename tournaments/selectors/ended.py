"""Tables that play no further hand: their round is closed, they stopped, or the time is up."""

from datetime import datetime

from django.db.models import Sum
from django.utils import timezone

from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import RoundState, Tournament
from tournaments.selectors.bell import out_of_time


def is_said_to_end(*, round_state: str, stopped_at: datetime | None) -> bool:
    """Whether it was said that a table plays no further hand: it stopped, or all of them did."""
    return stopped_at is not None or round_state == RoundState.CLOSED


def ended_early(tournament: Tournament) -> frozenset[int]:
    """The tables, by key, that play no further hand though nobody said so.

    The time of the round being played is up for them, or someone won the race. At most two
    queries where rounds have a clock, one where the rules are a race to so many points.
    """
    return out_of_time(tournament, now=timezone.now()) | _races_won(tournament)


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
