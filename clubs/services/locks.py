"""The club's own row is the lock for its lists: two who add the same name do not meet."""

from clubs.models import Club


def lock_club(club_id: int) -> Club:
    """The club's row, locked until the transaction ends; what points to it may still be added."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)
