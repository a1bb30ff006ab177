"""What happens in a tournament, written down for the programs that a club tells."""

from clubs.core.events import tell
from clubs.models import News
from scoring.scorebook.models import Hand
from tournaments.models import Table, Tournament


def tell_of(kind: News, tournament: Tournament, **about: int) -> None:
    """News of the tournament itself; ``about`` names rows besides it."""
    at = ("api-tournament", tournament.pk)
    tell(kind, club=tournament.club_id, at=at, tournament=tournament.pk, **about)


def tell_of_hand(kind: News, table: Table, hand: Hand) -> None:
    """News of a hand of one of its tables."""
    round_ = table.round
    tournament = round_.tournament
    tell(
        kind,
        club=tournament.club_id,
        at=("api-tournament-table", tournament.pk, round_.number, table.number),
        tournament=tournament.pk,
        round=round_.number,
        table=table.number,
        hand=hand.pk,
        number=hand.number,
    )
