"""What a club decides about itself as a whole."""

from django.db import transaction

from clubs.core.locks import lock_club
from clubs.models import Club


@transaction.atomic
def publish(
    *, club: Club, shows_results: bool, shows_league: bool, shows_calendar: bool
) -> list[str]:
    """Open or close parts of the club's pages to everyone; returns the switches that changed."""
    locked = lock_club(club.pk)
    wanted = {
        "shows_results": shows_results,
        "shows_league": shows_league,
        "shows_calendar": shows_calendar,
    }
    changed = [name for name, value in wanted.items() if getattr(locked, name) != value]
    for name in changed:
        setattr(locked, name, wanted[name])
        setattr(club, name, wanted[name])
    locked.save(update_fields=changed)
    return changed
