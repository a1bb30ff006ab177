"""The days of a club's tournaments, for its members' calendars."""

from clubs.evenings.selectors.calendar import Occasion
from clubs.models import Club
from tournaments.models import Tournament


def occasions(club: Club) -> list[Occasion]:
    """Every tournament of the club; one query."""
    found = Tournament.objects.filter(club=club).values_list("pk", "name", "held_on")
    return [Occasion(f"tournament-{pk}", name, held_on) for pk, name, held_on in found]
