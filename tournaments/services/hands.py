"""A table's hands: recorded, agreed, disputed, corrected."""

from uuid import UUID

from django.db import transaction

from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import Report
from tournaments.models import Round, RoundState, Table, Tournament, TournamentState
from tournaments.selectors import desk
from tournaments.services.locks import lock, touch


@transaction.atomic
def post_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report, sent_by: str
) -> scorebook.Recorded:
    """One hand of one table, if its round is being played; the version goes up with it.

    The game's own lock decides between a hand and the closing of its round, so tables do not
    wait for one another.
    """
    round_ = _open_round(table, submission_id)
    recorded = scorebook.record_hand(
        game_id=table.game_id,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
    )
    if recorded.is_new:
        touch(round_.tournament)
    return recorded


def preview_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report
) -> scorebook.Recorded:
    """What ``post_hand`` would answer now; nothing is stored."""
    _open_round(table, submission_id)
    return scorebook.preview_hand(
        game_id=table.game_id, submission_id=submission_id, number=number, report=report
    )


def _open_round(table: Table, submission_id: UUID) -> Round:
    round_ = Round.objects.select_related("tournament").get(pk=table.round_id)
    if round_.state != RoundState.PLAYING and not _known(submission_id):
        raise refuse("round_not_open", desk.why_not_open(round_))
    return round_


def _known(submission_id: UUID) -> bool:
    return Hand.objects.filter(submission_id=submission_id).exists()


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
    return hand


@transaction.atomic
def judge_hand(*, table: Table, hand_id: int, verdict: HandState) -> Hand:
    """Agree, dispute or uphold a hand of this table, until the tournament is finished."""
    tournament = unfinished(table)
    hand = scorebook.judge_hand(game=table.game, hand_id=hand_id, verdict=verdict)
    touch(tournament)
    return hand


def unfinished(table: Table) -> Tournament:
    """The game is locked before the tournament, in the order that ``post_hand`` takes them."""
    scorebook.lock_game(table.game_id)
    tournament = lock(table.round.tournament_id)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished; its results stand.")
    return tournament
