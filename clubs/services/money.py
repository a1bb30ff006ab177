"""Table money: who has paid at the door, and what it costs a head."""

from django.db import transaction

from clubs.core.locks import lock_club
from clubs.models import Club, Player, Session, TableMoney, User
from scoring.scorebook.refusals import refuse


@transaction.atomic
def take_money(*, session: Session, player: Player, taken_by: User) -> TableMoney:
    """Someone has paid what an evening costs now; paying twice is paying once."""
    club = lock_club(session.club_id)
    if not club.table_money:
        raise refuse("no_price", "Set the price per person first.", "price")
    if not session.attendances.filter(player=player).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.")
    paid, _ = TableMoney.objects.get_or_create(
        session=session,
        player=player,
        defaults={"pence": club.table_money, "taken_by": taken_by},
    )
    return paid


@transaction.atomic
def give_back(*, session: Session, player: Player) -> None:
    """Take the note back that someone has paid."""
    lock_club(session.club_id)
    TableMoney.objects.filter(session=session, player=player).delete()


@transaction.atomic
def set_price(*, club: Club, pence: int) -> None:
    """What an evening costs a head from now on, in pence; what was paid stays."""
    held = lock_club(club.pk)
    held.table_money = pence
    held.save(update_fields=["table_money"])
