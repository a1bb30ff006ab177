"""Hands recorded, submitted and replaced."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from time import perf_counter
from typing import Any, Final, ParamSpec
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from prometheus_client import Counter, Histogram

from scoring import Deal
from scoring.hands.problems import shown
from scoring.scorebook import ledger, selectors
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Game, Hand, HandState
from scoring.scorebook.prepared import Prepared
from scoring.scorebook.reckoning import Reckoned, reckon
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import OUTCOME_FIELDS, Outcome
from scoring.scorebook.services.games import forget_tiles


def _known(game: int, submission_id: UUID) -> QuerySet[Hand, Any]:
    """The game's hands that stand, and the one that this submission stored."""
    rows = Hand.objects.filter(Q(game=game, is_current=True) | Q(submission_id=submission_id))
    return rows.order_by("number").values_list("submission_id", *OUTCOME_FIELDS)


_KNOWN = Prepared(_known, int, UUID)
USED_SUBMISSION: Final = "used_submission"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A stored hand, and whether this very call stored it."""

    hand: Hand
    is_new: bool


def record_hand(
    *,
    game: Game,
    submission_id: UUID,
    number: int,
    report: Report,
    sent_by: str,
    entered_at: datetime | None = None,
) -> Recorded:
    """Check, score, settle and store one hand, in the caller's transaction.

    The caller has locked the game (``lock_game``). The same submission again answers with what
    it stored; a different report for a hand that stands, or under a submission that was used,
    raises ``AlreadyStands``; anything else wrong raises ``Refused`` with all problems.
    ``entered_at`` is when the table entered a hand that its phone kept until now.
    """
    recorded = _checked_hand(game, submission_id, number, report, sent_by)
    if recorded.is_new:
        recorded.hand.sent_at = entered_at or recorded.hand.sent_at
        recorded.hand.save()
        forget_tiles(game, number)
        ledger.post(recorded.hand)
    return recorded


def preview_hand(*, game_id: int, submission_id: UUID, number: int, report: Report) -> Recorded:
    """What ``record_hand`` would answer now; nothing is stored, a new hand has no key yet."""
    return _checked_hand(Game.objects.get(pk=game_id), submission_id, number, report, sent_by="")


def hand_after(*, game: Game, played: Sequence[Outcome], report: Report) -> Hand:
    """The hand that a report makes after these outcomes, in the book or not; nothing is stored.

    So a whole sheet can be looked at row by row. Raises ``Refused`` with all problems.
    """
    if faults := report.faults():
        raise Refused(faults)
    deal = _next_deal(game, played, len(played) + 1)
    return new_hand(game, deal, report, sent_by="")


def _checked_hand(
    game: Game, submission_id: UUID, number: int, report: Report, sent_by: str
) -> Recorded:
    if faults := report.faults():
        raise Refused(faults)
    hands = _KNOWN(game.pk, submission_id)
    if any(key == submission_id for key, *_ in hands):
        sent = Hand.objects.get(submission_id=submission_id)
        if sent.game_id != game.pk:
            raise refuse("bad_submission", "This form belongs to another table.")
        return Recorded(sent_again(sent, report), is_new=False)
    outcomes = [selectors.outcome(*columns) for _, *columns in hands]
    if 1 <= number <= len(outcomes):
        standing = game.hands.get(number=number, is_current=True)
        if not report.is_told_in(standing.report):
            raise AlreadyStands(standing)
        return Recorded(standing, is_new=False)
    hand = new_hand(game, _next_deal(game, outcomes, number), report, sent_by)
    hand.submission_id = submission_id
    return Recorded(hand, is_new=True)


def sent_again(sent: Hand, report: Report) -> Hand:
    """The hand that this submission stored, or what stands in its place, if it tells the same.

    Raises ``AlreadyStands`` with what stands for another report, ``Refused`` if nothing stands.
    """
    if report.is_told_in(sent.report):
        return sent
    standing = Hand.objects.filter(game=sent.game_id, number=sent.number, is_current=True).first()
    if standing is None:
        raise refuse(
            USED_SUBMISSION,
            f"This form was already sent with other scores as hand {sent.number}, which has since "
            "been undone. Nothing has been saved. Check what you entered, then send it again.",
        )
    if not report.is_told_in(standing.report):
        raise AlreadyStands(standing)
    return standing


def _next_deal(game: Game, outcomes: Sequence[Outcome], number: int) -> Deal:
    """The deal of the next hand, if that is the one asked for."""
    if game.is_closed:
        raise refuse("game_closed", "This game is finished, so you cannot add more hands.")
    progress = selectors.progress_after(game, outcomes)
    if progress.finished:
        raise refuse("after_the_end", "All the hands of this game have been played.")
    deal = progress.deals[-1]
    if number != deal.number:
        raise refuse(
            "wrong_number",
            f"Hand {shown(number)} cannot be entered now: "
            f"the next hand of this game is {deal.number}.",
            "number",
        )
    return deal


def new_hand(game: Game, deal: Deal, report: Report, sent_by: str) -> Hand:
    """The unsaved row of a report under its deal; raises ``Refused`` with all problems."""
    rules = rule_set(game.rules)
    # Where nobody is asked, what is entered is agreed.
    hand = Hand(
        game=game,
        number=deal.number,
        report=report.as_json(),
        winner=report.winner,
        limit=rules.limit,
        zero_sum=rules.zero_sum,
        state=HandState.AGREED if game.agreement == AgreementPolicy.NONE else HandState.REPORTED,
        sent_by=sent_by,
        sent_at=timezone.now(),
    )
    write_reckoning(hand, deal, reckon(report, deal, rules))
    return hand


def write_reckoning(hand: Hand, deal: Deal, reckoned: Reckoned) -> None:
    """Put the engine's answer on the row (unsaved)."""
    hand.deal = selectors.deal_as_json(deal)
    hand.lines = dict(reckoned.lines)
    hand.payments = [list(payment) for payment in reckoned.payments]
    for seat in deal.winds:
        setattr(hand, f"score_{seat}", reckoned.scores.get(seat))
        setattr(hand, f"gain_{seat}", reckoned.gains[seat])


STEPS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds

_seconds = Histogram("tongbox_submission_seconds", "Time to record a hand", buckets=STEPS)
_recorded = Counter("tongbox_hands_recorded", "Hands recorded")
_again = Counter("tongbox_hands_sent_again", "Hands sent again after they were recorded")
_conflicting = Counter(
    "tongbox_hands_conflicting", "Hands sent where a different hand was recorded"
)
_refused = Counter("tongbox_hands_refused", "Hands refused, by kind", ["kind"])
_judged = Counter("tongbox_hands_judged", "What was done with hands", ["what"])


def count_recorded(seconds: float) -> None:
    """Count a new hand and how long it took to record, when all is committed."""

    def count() -> None:
        _recorded.inc()
        _seconds.observe(seconds)

    transaction.on_commit(count, robust=True)


def count_judged(what: str) -> None:
    """Count a hand agreed, disputed, decided, corrected or taken back, when all is committed."""
    transaction.on_commit(partial(_judged.labels(what).inc), robust=True)


Sent = ParamSpec("Sent")


def counted(post: Callable[Sent, Recorded]) -> Callable[Sent, Recorded]:
    """The same service, its answers and refusals counted, with the time of each new hand."""

    @wraps(post)
    def timed(*args: Sent.args, **kwargs: Sent.kwargs) -> Recorded:
        begun = perf_counter()
        try:
            recorded = post(*args, **kwargs)
        except AlreadyStands:
            _conflicting.inc()
            raise
        except Refused as why:
            _refused.labels(str(why.problems[0].code)).inc()
            raise
        if recorded.is_new:
            count_recorded(perf_counter() - begun)
        else:
            _again.inc()
        return recorded

    return timed


def take_out(hand: Hand, *, written_by: str, reason: str) -> None:
    """The hand stands no longer and its gains are taken back. The game must be locked."""
    Hand.objects.filter(pk=hand.pk).update(is_current=False)
    hand.is_current = False
    ledger.reverse(hand, written_by=written_by, reason=reason)


def put_in(hand: Hand) -> None:
    """A hand that was made and checked is stored and posted. The game must be locked."""
    hand.save()
    ledger.post(hand)
