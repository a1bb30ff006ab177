"""Penalties and bonuses outside any hand."""

from django.db import transaction

from scoring.scorebook import ledger
from scoring.scorebook.models import Seat
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import MOST_POINTS
from scoring.scorebook.services.games import lock_game
from scoring.scorebook.services.reasons import reason_of


@transaction.atomic
def adjust(*, seat: Seat, points: int, written_by: str, reason: str) -> None:
    """A penalty or bonus outside any hand, as an entry of its own."""
    reason = reason_of(reason)
    if abs(points) > MOST_POINTS:
        sentence = f"An adjustment is at most {MOST_POINTS:,} points."
        raise refuse("bad_score", sentence, "points")
    lock_game(seat.game_id)
    ledger.adjust(seat, points=points, written_by=written_by, reason=reason)
