"""What a club's table and its scorer say of a hand, and the last hand taken back."""

from collections.abc import Collection

from django.db import transaction

from clubs.models import News, SessionTable
from clubs.selectors.evenings import names_at
from clubs.services.evenings import refuse_if_closed, tell_of_hand, touch
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand


@transaction.atomic
def say(
    *,
    table: SessionTable,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    shown: str,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) agree or not, until the evening is finished."""
    refuse_if_closed(table)
    hand = scorebook.say(
        game_id=table.game_id,
        hand_id=hand_id,
        seats=seats,
        agrees=agrees,
        shown=shown,
        names=names_at(table),
        said_by=said_by,
        note=note,
    )
    touch(table.session)
    if not agrees:
        tell_of_hand(News.HAND_DISPUTED, table, hand)
    return hand


@transaction.atomic
def decide(*, table: SessionTable, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer lets a hand stand, until the evening is finished."""
    refuse_if_closed(table)
    hand = scorebook.decide(game_id=table.game_id, hand_id=hand_id, reason=reason, made_by=made_by)
    touch(table.session)
    tell_of_hand(News.HAND_DECIDED, table, hand)
    return hand


@transaction.atomic
def take_back(*, table: SessionTable, hand_id: int, taken_by: str) -> Hand:
    """The table takes its last hand back, until the next one is in or the evening is finished."""
    refuse_if_closed(table)
    hand = scorebook.take_back(game_id=table.game_id, hand_id=hand_id, taken_by=taken_by)
    touch(table.session)
    tell_of_hand(News.HAND_TAKEN_BACK, table, hand)
    return hand
