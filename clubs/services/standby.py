"""Filling a table at short notice: who is glad to, who is asked, what they answer."""

from datetime import date

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player
from clubs.models import Answer, Club, Invitation, Player, StandBy, User
from scoring.scorebook.refusals import refuse


@transaction.atomic
def set_stand_by(*, player: Player, is_glad: bool) -> None:
    """Note that someone is glad to fill in, or take the note back."""
    lock_club(player.club_id)
    if is_glad:
        lock_player(player)
        StandBy.objects.get_or_create(player=player, defaults={"club_id": player.club_id})
    else:
        StandBy.objects.filter(player=player).delete()


@transaction.atomic
def ask_to_come(*, club: Club, held_on: date, player: Player, asked_by: User) -> Invitation:
    """The link on which someone says whether they come; asked again it is the same link."""
    if player.club_id != club.pk:
        raise refuse("other_club", f"{player.name} is not on this club’s list.")
    lock_player(player)
    _still_to_come(held_on)
    asked, _ = Invitation.objects.get_or_create(
        club=club, held_on=held_on, player=player, defaults={"asked_by": asked_by}
    )
    return asked


@transaction.atomic
def answer(*, invitation: Invitation, said: Answer) -> None:
    """What they answered; it may be changed until the day is over."""
    lock_club(invitation.club_id)
    _still_to_come(invitation.held_on)
    invitation.answer, invitation.answered_at = said, timezone.now()
    asked = Invitation.objects.filter(pk=invitation.pk)
    if not asked.update(answer=said, answered_at=invitation.answered_at):
        raise refuse("gone", "This invitation was withdrawn. Ask the club’s secretary.")


def _still_to_come(held_on: date) -> None:
    if held_on < timezone.localdate():
        raise refuse("day_over", "That date has passed, so you cannot change anything.")
