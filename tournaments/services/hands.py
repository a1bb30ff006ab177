"""A table's hands: recorded, corrected."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import News
from scoring.scorebook import chain
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import Report
from tournaments.models import RoundState, Table, Tournament, TournamentState
from tournaments.selectors import desk
from tournaments.selectors.bell import why_done
from tournaments.services.locks import lock, touch
from tournaments.services.telling import tell_of_hand


@scorebook.counted
@transaction.atomic
def post_hand(
    *,
    table: Table,
    submission_id: UUID,
    number: int,
    report: Report,
    sent_by: str,
    by_players: bool = False,
    seat: int | None = None,
    entered_at: datetime | None = None,
) -> scorebook.Recorded:
    """One hand of one table, if its round is being played; the version goes up with it.

    The game's own lock decides between a hand and the closing of its round, so tables do not
    wait for one another. What the players send themselves is bound by the bell, at the time that
    it was entered: a phone may have kept it since. The seat that sends it has thereby agreed.
    """
    game = scorebook.lock_game(table.game_id)
    table = _open_table(table, submission_id)
    if by_players:
        _check_time(table, submission_id, number, now=entered_at)
    recorded = scorebook.record_hand(
        game=game,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
        entered_at=entered_at,
    )
    if recorded.is_new:
        if seat is not None:
            scorebook.agree_as_sent(recorded.hand, seat=seat, names=desk.names_at(table))
        touch(table.round.tournament)
        tell_of_hand(News.HAND_RECORDED, table, recorded.hand)
    return recorded


def preview_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report, by_players: bool = False
) -> scorebook.Recorded:
    """What ``post_hand`` would answer now; nothing is stored."""
    table = _open_table(table, submission_id)
    if by_players:
        _check_time(table, submission_id, number)
    return scorebook.preview_hand(
        game_id=table.game_id, submission_id=submission_id, number=number, report=report
    )


def _open_table(table: Table, submission_id: UUID) -> Table:
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    if table.round.state != RoundState.PLAYING and not _known(submission_id):
        raise refuse("round_not_open", desk.why_not_open(table.round))
    return table


def _check_time(
    table: Table, submission_id: UUID, number: int, *, now: datetime | None = None
) -> None:
    """No new hand of a table that has stopped or whose time is up; what is in the book stands."""
    why = why_done(table, now=now or timezone.now())
    if why and not _known(submission_id) and not _stands(table, number):
        raise refuse("after_the_bell", f"{why} What you typed is still here and is not saved.")


def _known(submission_id: UUID) -> bool:
    return Hand.objects.filter(submission_id=submission_id).exists()


def _stands(table: Table, number: int) -> bool:
    return Hand.objects.filter(game=table.game_id, number=number, is_current=True).exists()


@transaction.atomic
def correct_hand(
    *, table: Table, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    touch(tournament)
    tell_of_hand(News.HAND_CORRECTED, table, hand)
    return hand


@transaction.atomic
def name_first_dealer(*, table: Table, seat: int) -> None:
    """The table says who deals first, while its round is played and until its first hand is in."""
    tournament = unfinished(table)
    table = Table.objects.select_related("round__tournament").get(pk=table.pk)
    if table.round.state != RoundState.PLAYING:
        raise refuse("round_not_open", desk.why_not_open(table.round))
    scorebook.name_first_dealer(game_id=table.game_id, seat=seat)
    touch(tournament)


def unfinished(table: Table) -> Tournament:
    """Game, book, tournament are locked in the order that ``post_hand`` takes them."""
    chain.lock_book(scorebook.lock_game(table.game_id))
    tournament = lock(table.round.tournament_id)
    if tournament.state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "This tournament is finished, so its results cannot change."
        )
    return tournament
