"""Hands recorded, agreed, disputed, decided and taken back."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from time import perf_counter
from typing import Any, Final, ParamSpec
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scoring import Deal
from scoring.hands.problems import shorten
from scoring.scorebook import ledger, selectors
from scoring.scorebook.consent import Consent, NamesBySeat, Sitters, consent_of, shown_digest
from scoring.scorebook.editions import rule_set
from scoring.scorebook.metrics import Counter, Histogram
from scoring.scorebook.models import (
    Agreement,
    AgreementPolicy,
    Decision,
    Game,
    Hand,
    HandState,
    TappedHand,
)
from scoring.scorebook.prepared import PreparedChange, PreparedInsert, PreparedQuery, delete_query
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.reports import Report, reckon
from scoring.scorebook.selectors import OUTCOME_FIELDS, Outcome, hand_row
from scoring.scorebook.services.games import clean_reason, clean_text, restore_tapped_tiles

_STORE_HANDS = PreparedInsert(Hand)
_FORGET_TILES = PreparedChange(
    lambda game, number: delete_query(TappedHand.objects.filter(game=game, number__lte=number)),
    int,
    int,
)
USED_SUBMISSION: Final = "used_submission"
SECONDS_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)  # seconds

_seconds_histogram = Histogram(
    "tongbox_submission_seconds", "Time to record a hand", buckets=SECONDS_BUCKETS
)
_recorded_counter = Counter("tongbox_hands_recorded", "Hands recorded")
_repeated_counter = Counter("tongbox_hands_sent_again", "Hands sent again after they were recorded")
_conflict_counter = Counter(
    "tongbox_hands_conflicting", "Hands sent where a different hand was recorded"
)
_refused_counter = Counter("tongbox_hands_refused", "Hands refused, by kind", ["kind"])
_outcome_counter = Counter("tongbox_hands_judged", "What was done with hands", ["what"])
CallParams = ParamSpec("CallParams")
UNDONE_REASON = "undone at the table"


def _known_hands(game: int, submission_id: UUID) -> QuerySet[Hand, Any]:
    """The game's hands that stand, and the one that this submission stored."""
    rows = Hand.objects.filter(Q(game=game, is_current=True) | Q(submission_id=submission_id))
    return rows.order_by("number").values_list("submission_id", *OUTCOME_FIELDS)


_KNOWN_HANDS_QUERY = PreparedQuery(_known_hands, int, UUID)


@dataclass(frozen=True, slots=True)
class RecordedHand:
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
) -> RecordedHand:
    """Check, score, settle and store one hand, in the caller's transaction.

    The caller has locked the game (``lock_game``). The same submission again answers with what
    it stored; a different report for a hand that stands, or under a submission that was used,
    raises ``AlreadyStands``; anything else wrong raises ``Refused`` with all problems.
    ``entered_at`` is when the table entered a hand that its phone kept until now.
    """
    recorded_hand = _checked_hand(game, submission_id, number, report, sent_by)
    if recorded_hand.is_new:
        recorded_hand.hand.sent_at = entered_at or recorded_hand.hand.sent_at
        _STORE_HANDS([recorded_hand.hand])
        _FORGET_TILES(game.pk, number)
        ledger.post_hand(recorded_hand.hand)
    return recorded_hand


def preview_hand(*, game_id: int, submission_id: UUID, number: int, report: Report) -> RecordedHand:
    """What ``record_hand`` would answer now; nothing is stored, a new hand has no key yet."""
    return _checked_hand(Game.objects.get(pk=game_id), submission_id, number, report, sent_by="")


def hand_after(*, game: Game, hand_outcomes: Sequence[Outcome], report: Report) -> Hand:
    """The hand that a report makes after these outcomes, unsaved; ``Refused`` with all problems."""
    if faults := report.faults():
        raise Refused(faults)
    return new_hand(
        game, _next_deal(game, hand_outcomes, len(hand_outcomes) + 1), report, sent_by=""
    )


def _checked_hand(
    game: Game, submission_id: UUID, number: int, report: Report, sent_by: str
) -> RecordedHand:
    if faults := report.faults():
        raise Refused(faults)
    hands = _KNOWN_HANDS_QUERY(game.pk, submission_id)
    if any(key == submission_id for key, *_ in hands):
        sent_hand = Hand.objects.get(submission_id=submission_id)
        if sent_hand.game_id != game.pk:
            raise refuse("bad_submission", "This form belongs to another table.")
        return RecordedHand(hand_of_submission(sent_hand, report), is_new=False)
    outcomes = [selectors.make_outcome(*columns) for _, *columns in hands]
    if 1 <= number <= len(outcomes):
        standing = game.hands.get(number=number, is_current=True)
        if not report.matches(standing.report):
            raise AlreadyStands(standing)
        return RecordedHand(standing, is_new=False)
    hand = new_hand(game, _next_deal(game, outcomes, number), report, sent_by)
    hand.submission_id = submission_id
    return RecordedHand(hand, is_new=True)


def hand_of_submission(sent_hand: Hand, report: Report) -> Hand:
    """The hand that this submission stored, or what stands in its place, if it tells the same.

    Raises ``AlreadyStands`` with what stands for another report, ``Refused`` if nothing stands.
    """
    if report.matches(sent_hand.report):
        return sent_hand
    standing = Hand.objects.filter(
        game=sent_hand.game_id, number=sent_hand.number, is_current=True
    ).first()
    if standing is None:
        message = (
            f"This form was already sent with other scores as hand {sent_hand.number_at_table}"
        )
        raise refuse(
            USED_SUBMISSION,
            f"{message}, which has since been undone. Nothing has been saved. Check what you "
            "entered, then send it again.",
        )
    if not report.matches(standing.report):
        raise AlreadyStands(standing)
    return standing


def _next_deal(game: Game, outcomes: Sequence[Outcome], number: int) -> Deal:
    """The deal of the next hand, if that is the one asked for."""
    if game.is_closed:
        raise refuse("game_closed", "This game is finished, so you cannot add more hands.")
    progress = selectors.progress_after(game, outcomes)
    if progress.is_finished:
        raise refuse("after_the_end", "All the hands of this game have been played.")
    deal = progress.deals[-1]
    if number != deal.number:
        hands_before = game.hands_before
        following = f"the next hand of this game is {hands_before + deal.number}"
        message = f"Hand {shorten(hands_before + number)} cannot be entered now: {following}."
        raise refuse("wrong_number", message, "number")
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
        limit=rules.highest,
        zero_sum=rules.zero_sum,
        state=HandState.AGREED if game.agreement == AgreementPolicy.NONE else HandState.REPORTED,
        sent_by=sent_by,
        sent_at=timezone.now(),
    )
    reckoned_hand = reckon(report, deal, rules)
    hand.deal = selectors.deal_as_json(deal)
    hand.lines = dict(reckoned_hand.lines)
    hand.payments = [list(payment) for payment in reckoned_hand.payments]
    for seat in deal.winds:
        setattr(hand, f"score_{seat}", reckoned_hand.scores.get(seat))
        setattr(hand, f"gain_{seat}", reckoned_hand.gains[seat])
    return hand


def count_outcome(outcome: str) -> None:
    """Count a hand agreed, disputed, decided, corrected or taken back, when all is committed."""
    transaction.on_commit(partial(_outcome_counter.labels(outcome).inc), robust=True)


def count_results(post: Callable[CallParams, RecordedHand]) -> Callable[CallParams, RecordedHand]:
    """The same service, its answers and refusals counted, with the time of each new hand."""

    @wraps(post)
    def post_and_count(*args: CallParams.args, **kwargs: CallParams.kwargs) -> RecordedHand:
        start = perf_counter()
        try:
            recorded_hand = post(*args, **kwargs)
        except AlreadyStands:
            _conflict_counter.inc()
            raise
        except Refused as why:
            _refused_counter.labels(str(why.problems[0].code)).inc()
            raise
        if recorded_hand.is_new:
            transaction.on_commit(_recorded_counter.inc, robust=True)
            transaction.on_commit(
                partial(_seconds_histogram.observe, perf_counter() - start), robust=True
            )
        else:
            _repeated_counter.inc()
        return recorded_hand

    return post_and_count


def remove_hand(hand: Hand, *, written_by: str, reason: str) -> None:
    """The hand stands no longer and its gains are taken back. The game must be locked."""
    Hand.objects.filter(pk=hand.pk).update(is_current=False)
    hand.is_current = False
    ledger.reverse_hand(hand, written_by=written_by, reason=reason)


@transaction.atomic
def record_agreement(
    *,
    game_id: int,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    seen_digest: str | None,
    sitters: Sitters,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) say that a hand is right, or not; its state follows.

    ``seen_digest`` is the digest of what they saw: where something else stands by now the word is
    refused. None: it is said of what stands now. Whoever said the same before is not written down
    twice. Raises ``Hand.DoesNotExist`` for a hand of another game.
    """
    game = ledger.lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    seats = set(hand.gains if seats is None else seats)
    digest = shown_digest(hand_row(hand), substitutes=sitters.substitutes, rules=game.rules)
    _check_seats(hand, seats, sitters.names)
    if seen_digest is not None and seen_digest != digest:
        raise refuse(
            "shown_has_changed",
            f"Hand {hand.number_at_table} has changed since you opened this page. "
            "Check it again, then agree it or report a problem.",
        )
    note = clean_text(note, "note")
    agreements, consent = list(hand.agreements.all()), _consent_function(game, hand, digest)
    earlier_consent = consent(agreements)
    new_agreements = Agreement.objects.bulk_create(
        Agreement(
            hand=hand,
            seat=seat,
            agrees=agrees,
            note=note,
            digest=digest,
            said_by=said_by,
            said_at=timezone.now(),
        )
        for seat in sorted(seats)
        if not _has_said(earlier_consent, seat, agrees=agrees, note=note)
    )
    if new_agreements:
        _set_state(hand, consent([*agreements, *new_agreements]).state)
        ledger.seal_agreements(hand, new_agreements)
    return hand


def agree_as_sender(hand: Hand, *, seat: int, sitters: Sitters) -> Hand:
    """The seat that has just sent the hand agrees to it, in the transaction that stores it.

    Whoever sends a hand in which they sit out has no say in it.
    """
    if seat not in hand.gains:
        return hand
    hand = Hand.objects.get(pk=hand.pk)
    return record_agreement(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats={seat},
        agrees=True,
        seen_digest=shown_digest(
            hand_row(hand), substitutes=sitters.substitutes, rules=hand.game.rules
        ),
        sitters=sitters,
        said_by=hand.sent_by,
    )


@transaction.atomic
def decide_hand(*, game_id: int, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer lets a hand stand, for a reason that the table reads.

    Where the scorer alone looks at hands, one that nobody objected to is thereby agreed. The
    same decision again changes nothing.
    """
    game = ledger.lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    reason = clean_reason(reason)
    if hand.decisions.filter(reason=reason, made_by=made_by).exists() and hand.is_current:
        return hand
    if not hand.is_current or hand.state in {HandState.AGREED, HandState.DECIDED}:
        raise moved_on_refusal(hand)
    decision = Decision.objects.create(
        hand=hand, reason=reason, made_by=made_by, made_at=timezone.now()
    )
    is_checked = game.agreement == AgreementPolicy.SCORER and hand.state == HandState.REPORTED
    _set_state(hand, HandState.AGREED if is_checked else HandState.DECIDED)
    ledger.seal_decision(hand, decision)
    return hand


def moved_on_refusal(hand: Hand) -> Refused:
    """Why nothing more can be said of a hand that is decided, corrected or taken back."""
    if hand.is_current:
        message = f"Hand {hand.number_at_table} has been settled since you opened this page"
        return refuse("hand_has_moved_on", f"{message}: it is {HandState(hand.state).label}.")
    is_replaced = Hand.objects.filter(replaces=hand).exists()
    code, outcome = ("hand_corrected", "corrected") if is_replaced else ("hand_undone", "undone")
    return refuse(
        code, f"Hand {hand.number_at_table} has been {outcome} since you opened this page."
    )


def _check_seats(hand: Hand, seats: Collection[int], names: NamesBySeat) -> None:
    if not hand.is_current or hand.state == HandState.DECIDED:
        raise moved_on_refusal(hand)
    if absent_seats := sorted(set(seats) - set(hand.gains)):
        player_name = names.get(absent_seats[0], f"Seat {absent_seats[0]}")
        message = (
            f"{player_name} sat out hand {hand.number_at_table}, so the other players agree it."
        )
        raise refuse("bad_seat", message, "seat")


def _consent_function(
    game: Game, hand: Hand, digest: str
) -> Callable[[Sequence[Agreement]], Consent]:
    """What follows from words said of the hand."""
    return partial(
        consent_of,
        hand_row(hand),
        digest=digest,
        policy=AgreementPolicy(game.agreement),
        is_checked=hand.decisions.exists(),
    )


def _has_said(earlier_consent: Consent, seat: int, *, agrees: bool, note: str) -> bool:
    if agrees:
        return seat in earlier_consent.agreed_seats
    return any(
        objection.seat == seat and objection.note == note
        for objection in earlier_consent.objections
    )


def _set_state(hand: Hand, state: HandState) -> None:
    if hand.state != state:
        hand.state = state
        hand.save(update_fields=["state"])
        count_outcome(state.value)


@transaction.atomic
def undo_hand(*, game_id: int, hand_id: int, taken_by: str) -> Hand:
    """The hand stays in the book as taken back; its number is free again, its gains go back.

    Taking the same hand back again answers with it. Raises ``Hand.DoesNotExist`` for a hand of
    another game, ``Refused`` where another hand was recorded since, where the scorer has ruled
    on it, or where the game is closed.
    """
    game = ledger.lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    if is_undone(hand):
        return hand
    if not hand.is_current:
        raise moved_on_refusal(hand)
    number = hand.number_at_table
    if game.is_closed:
        raise _undo_refusal(game, number)
    if game.hands.filter(is_current=True, number__gt=hand.number).exists():
        raise refuse(
            "not_the_last",
            f"Hand {number + 1} has been recorded since, so hand {number} can no "
            "longer be undone. Report a problem instead, and the scorer will check it.",
        )
    if hand.state == HandState.DECIDED or hand.replaces_id is not None:
        message = f"The scorer has decided hand {number}, so the table cannot undo it."
        raise refuse("hand_decided", message)
    remove_hand(hand, written_by=taken_by, reason=UNDONE_REASON)
    count_outcome("taken_back")
    if hand.report.get("tiles"):
        restore_tapped_tiles(game, Report.from_json(hand.report))
    return hand


def _undo_refusal(closed_game: Game, number: int) -> Refused:
    """Why a hand of a closed game is not undone, by its number at the table."""
    if not Game.objects.filter(continues=closed_game).exists():
        return refuse("game_closed", "This game is finished, so its hands cannot be undone.")
    return refuse(
        "game_closed",
        f"The players at this table have changed since, so hand {number} can no longer be undone. "
        "Report a problem instead, and the scorer will check it.",
    )


def is_undone(hand: Hand) -> bool:
    """Whether the hand was taken out of the book and nothing was put in its place."""
    return not hand.is_current and not Hand.objects.filter(replaces=hand).exists()
