"""What sentences of the activity log name of a tournament."""

from typing import Final

from clubs.core.audit_log import Kind
from tournaments.models import Entrant, Tournament

KINDS: Final = {
    "tournament": Kind(
        lambda club: Tournament.objects.filter(club=club),
        lambda one: one.name,
        "a tournament",
        "tournament",
    ),
    "entrant": Kind(
        lambda club: Entrant.objects.filter(tournament__club=club),
        lambda one: one.name,
        "someone",
    ),
}
