"""House players, who fill the last table and are not ranked."""

from django.db import transaction

from clubs.models.names import name_key
from tournaments.models import Entrant, Tournament
from tournaments.services.locks import lock


@transaction.atomic
def call_house_players(tournament: Tournament, count: int) -> list[Entrant]:
    """So many house players, those of earlier rounds first."""
    tournament = lock(tournament.pk)
    there = list(tournament.entrants.filter(is_house=True))
    return (there + [_called(tournament) for _ in range(count - len(there))])[:count]


def _called(tournament: Tournament) -> Entrant:
    number = next_number(tournament)
    taken = set(tournament.entrants.values_list("name_key", flat=True))
    names = ("House player", *(f"House player {more}" for more in range(2, len(taken) + 3)))
    name = next(name for name in names if name_key(name) not in taken)
    return Entrant.objects.create(
        tournament=tournament, number=number, name=name, name_key=name_key(name), is_house=True
    )


def next_number(tournament: Tournament) -> int:
    """The number of the next entrant, after everyone's so far."""
    last = tournament.entrants.order_by("number").last()
    return last.number + 1 if last else 1
