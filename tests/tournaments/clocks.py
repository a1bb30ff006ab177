"""Tournaments against the clock, and the time of day at which something happens in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import time_machine

from clubs.models import Club
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.tournaments.cups import DRAWN, make_cup
from tournaments.models import AtTheBell, Table, Tournament
from tournaments.seating.services import seating
from tournaments.steps import services
from tournaments.table.event import RoundTable

STARTED = datetime(2026, 11, 21, 14, 10, tzinfo=UTC)
MINUTES = 75


@contextmanager
def at_minute(minute: float) -> Iterator[None]:
    """So long after the round was started."""
    with time_machine.travel(STARTED + timedelta(minutes=minute), tick=False):
        yield


def timed_cup(
    *,
    entrants: int = 4,
    rounds: int = 2,
    hands: int | None = None,
    at_the_bell: str = AtTheBell.FINISH,
    club: Club | None = None,
) -> Tournament:
    """A tournament of rounds of 75 minutes, seated, its first round begun at STARTED."""
    cup = make_cup(entrants=entrants, rounds=rounds, club=club)
    told = {"hands_a_round": hands, "minutes_a_round": MINUTES, "at_the_bell": at_the_bell}
    Tournament.objects.filter(pk=cup.pk).update(**told)
    seating.seat_rounds(tournament=cup)
    with at_minute(0):
        services.start_round(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def enter(table: Table, number: int, *, minute: float, report: Report = DRAWN) -> Hand:
    """A hand that the players send at that minute."""
    with at_minute(minute):
        return at_table.post_hand(
            table=RoundTable(table, by_players=True),
            submission_id=uuid4(),
            number=number,
            report=report,
            sent_by=f"round table {table.pk}",
        ).hand
