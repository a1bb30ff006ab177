"""What a round's table and the scorer say of a hand, and the last hand taken back."""

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone

from clubs.models import News
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import refuse
from tournaments.models import RoundState, Table
from tournaments.selectors import desk
from tournaments.selectors.bell import why_done
from tournaments.services.hands import unfinished
from tournaments.services.locks import touch
from tournaments.services.telling import tell_of_hand


@transaction.atomic
def say(
    *,
    table: Table,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    shown: str,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) agree or not, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.say(
        game_id=table.game_id,
        hand_id=hand_id,
        seats=seats,
        agrees=agrees,
        shown=shown,
        names=desk.names_at(table),
        said_by=said_by,
        note=note,
    )
    touch(tournament)
    if not agrees:
        tell_of_hand(News.HAND_DISPUTED, table, hand)
    return hand


@transaction.atomic
def decide(*, table: Table, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer lets a hand stand, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.decide(game_id=table.game_id, hand_id=hand_id, reason=reason, made_by=made_by)
    touch(tournament)
    tell_of_hand(News.HAND_DECIDED, table, hand)
    return hand


@transaction.atomic
def take_back(*, table: Table, hand_id: int, taken_by: str) -> Hand:
    """The table takes its last hand back, as long as it may then enter it again."""
    tournament = unfinished(table)
    table = desk.tables_with_games().get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", desk.why_not_open(table.round))
    hand = scorebook.take_back(game_id=table.game_id, hand_id=hand_id, taken_by=taken_by)
    if why := why_done(table, now=timezone.now()):
        sentence = f"{why} If you undid a hand now, you could not enter it again."
        raise refuse("after_the_bell", sentence)
    touch(tournament)
    tell_of_hand(News.HAND_TAKEN_BACK, table, hand)
    return hand
