"""Halls full of people with names as people have them, for what hangs on the wall."""

from datetime import date

from clubs.models import Club
from tests.people import make_club
from tournaments.models import Tournament
from tournaments.seating.services import seating
from tournaments.setup import services

FIRST = (
    "Ann", "Bronagh", "Callum", "Dilip", "Efua", "Frances", "Gwilym", "Harpreet", "Ingrid", "Joan",
    "Kenneth", "Llŷr", "Margaret", "Nuala", "Oluwaseun", "Patricia", "René", "Siân", "Tomasz",
    "Zoë",
)  # fmt: skip
LAST = (
    "Abbott", "Barraclough", "Chaudhuri", "Duquesne", "Fairweather", "Gill", "Hargreaves",
    "Łukasiewicz", "MacAskill", "Nakamura-Jones", "O’Rourke", "Pemberton-Hale", "Qureshi", "Rhys",
    "Sørensen", "Thackeray", "Whitcombe", "Wójcik", "Yeo", "Postlethwaite",
)  # fmt: skip


def names(count: int) -> list[str]:
    """So many different names, short ones and long ones, at most 400."""
    everybody = [f"{first} {last}" for last in LAST for first in FIRST]
    mixed = [everybody[171 * at % len(everybody)] for at in range(len(everybody))]
    return list(dict.fromkeys([*everybody[:5], *mixed]))[:count]


def full_hall(
    entrants: int, *, rounds: int = 3, club: Club | None = None, minutes: int | None = None
) -> Tournament:
    """A tournament of so many, seated and not started; with minutes it is against the clock."""
    cup = services.make_tournament(
        club=club or make_club(),
        name="The Four Winds Open",
        held_on=date(2026, 11, 21),
        rounds=rounds,
        hands_a_round=1,
        minutes_a_round=minutes,
    )
    services.enter_many(tournament=cup, names=names(entrants))
    seating.seat_rounds(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)
