"""A club's tournaments at a glance, for the list of them."""

from django.db.models import Count, Q, QuerySet

from clubs.models import Club
from tournaments.models import EntrantState, RoundState, Tournament

ENTERED = Q(entrants__state=EntrantState.ENTERED, entrants__is_house=False)


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """The newest first, each with ``entered`` and ``closed`` (rounds): one query."""
    return club.tournaments.annotate(
        entered=Count("entrants", filter=ENTERED, distinct=True),
        closed=Count("rounds", filter=Q(rounds__state=RoundState.CLOSED), distinct=True),
    ).order_by("-held_on", "-pk")
