"""Row locks."""

from typing import Final

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model

from clubs.models import Club, Player, PlayerMerge
from scoring.scorebook.refusals import refuse

CHANGED_SINCE: Final = "changed_since"  # the code of a refusal: changed since the page showed it


def lock_club(club_id: int) -> Club:
    """Lock the club's row until the transaction ends; rows that refer to it can still be added."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


def reload_or_refuse(row: Model, if_gone: str) -> None:
    """Reload a row once it is locked. Raises ``Refused`` if it was deleted."""
    try:
        row.refresh_from_db()
    except ObjectDoesNotExist as gone:
        raise refuse("gone", if_gone) from gone


def lock_player(player: Player) -> Player:
    """The person's current record: locks the club, then reloads ``player``.

    Raises ``Refused`` if the person was erased or deleted, or their record was merged.
    """
    lock_club(player.club_id)
    reload_or_refuse(player, f"{player.name} is no longer on the club’s list.")
    if player.erased_on:
        message = "This person’s data was deleted, so nothing can be added or changed."
        raise refuse("erased", message)
    merge = PlayerMerge.objects.filter(gone=player, undone_at=None).select_related("kept").first()
    if merge is not None:
        kept_name = merge.kept.name
        raise refuse(
            "merged", f"{player.name} and {kept_name} are now one record. Use {kept_name}’s record."
        )
    return player
