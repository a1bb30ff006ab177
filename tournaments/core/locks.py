"""The tournament's row is its lock; changes are announced to webhooks."""

from django.db.models import F

from clubs.core.queue import tell
from clubs.models import News
from scoring.scorebook.models import Hand
from tournaments.models import Table, Tournament, TournamentState


def lock(tournament_id: int) -> Tournament:
    """Lock the tournament's row until the transaction ends."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return rows.get(pk=tournament_id)


def move(tournament: Tournament, state: TournamentState) -> None:
    """Change the tournament's state."""
    tournament.state = state
    tournament.save(update_fields=["state"])
    touch(tournament)


def touch(tournament: Tournament) -> None:
    """Raise the version by one: something that pages show has changed."""
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)


def tell_of(kind: News, tournament: Tournament, **about: int) -> None:
    """Queue an event about the tournament; ``about`` names rows besides it."""
    at = ("api-tournament", tournament.pk)
    tell(kind, club=tournament.club_id, at=at, tournament=tournament.pk, **about)


def tell_of_hand(kind: News, table: Table, hand: Hand) -> None:
    """Queue an event about a hand of one of its tables."""
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
