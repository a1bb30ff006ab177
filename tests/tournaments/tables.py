"""Tournaments with people at their tables, for the tests of pages."""

from datetime import date

from clubs.models import Club
from tournaments.models import Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

NAMES = ("Ann Abbott", "Ben Brown", "Cy Clark", "Di Dyer")


def seated_tournament(club: Club, *, rounds: int = 2, hands: int = 1) -> Tournament:
    """A tournament of one table, seated, its first round being played."""
    tournament = setup_services.make_tournament(
        club=club, name="Autumn Cup", held_on=date(2026, 11, 21), rounds=rounds, hands_a_round=hands
    )
    setup_services.enter_many(tournament=tournament, names=NAMES)
    seating.seat_rounds(tournament=tournament)
    services.start_round(tournament=tournament)
    return tournament
