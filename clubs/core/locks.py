"""Locks on rows, and answers kept for requests that are sent again."""

from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.db.models import Model

from clubs.models import Club, KeptAnswer, Player, PlayerMerge
from scoring.scorebook.refusals import refuse

CHANGED_SINCE: Final = "changed_since"  # the code of a refusal: no longer as the page showed it


def lock_club(club_id: int) -> Club:
    """The club's row, locked until the transaction ends; rows that refer to it can be added."""
    return Club.objects.select_for_update(no_key=True).get(pk=club_id)


def read_again(row: Model, if_gone: str) -> None:
    """Read a row again once its lock is held; raises ``Refused`` where it is gone."""
    try:
        row.refresh_from_db()
    except ObjectDoesNotExist as gone:
        raise refuse("gone", if_gone) from gone


def lock_player(player: Player) -> Player:
    """The person as the list has them now: the club is locked, then ``player`` is read again.

    Raises ``Refused`` for a person who was erased or deleted, or whose record was merged.
    """
    lock_club(player.club_id)
    read_again(player, f"{player.name} is no longer on the club’s list.")
    if player.erased_on:
        raise refuse(
            "erased", "This person’s data was deleted, so nothing can be added or changed."
        )
    merge = PlayerMerge.objects.filter(gone=player, undone_at=None).select_related("kept").first()
    if merge is not None:
        kept = merge.kept.name
        raise refuse("merged", f"{player.name} and {kept} are now one record. Use {kept}’s record.")
    return player


KEPT_FOR: Final = timedelta(hours=24)


def claim(*, owner: str, key: str, wanted: str) -> KeptAnswer | None:
    """The row of a request that begins now; None where one with this key began before."""
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(owner=owner, key=key, asked=wanted)
    except IntegrityError:
        return None


def keep(*, answer: KeptAnswer, status: int, body: str) -> None:
    """Keep the answer of a request: the same key gets it again."""
    KeptAnswer.objects.filter(pk=answer.pk).update(status=status, body=body)


def release(*, answer: KeptAnswer) -> None:
    """Free the key of a request that did nothing."""
    KeptAnswer.objects.filter(pk=answer.pk).delete()


def let_go_of_answers(*, now: datetime) -> int:
    """Delete answers older than a day; returns how many."""
    gone, _ = KeptAnswer.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    return gone
