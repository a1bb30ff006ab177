"""The tournament's own row is its lock; its version goes up with every change that pages show."""

from django.db.models import F

from tournaments.models import Tournament, TournamentState


def lock(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the transaction ends."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return rows.get(pk=tournament_id)


def move(tournament: Tournament, state: TournamentState) -> None:
    """The tournament goes on to this state."""
    tournament.state = state
    tournament.save(update_fields=["state"])
    touch(tournament)


def touch(tournament: Tournament) -> None:
    """Something that pages show has changed: the version goes up by one."""
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
