"""Hands agreed, disputed and decided, and the last hand taken back."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from scoring.scorebook import ledger
from scoring.scorebook.consent import Consent, Names, consent_of, shown_digest
from scoring.scorebook.models import (
    Agreement,
    AgreementPolicy,
    Decision,
    Game,
    Hand,
    HandState,
)
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services.games import MOST_LETTERS, lock_game, reason_of, tap_again
from scoring.scorebook.services.recording import count_judged, take_out


@transaction.atomic
def say(
    *,
    game_id: int,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    shown: str,
    names: Names,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) say that a hand is right, or not; its state follows.

    ``shown`` is the digest of what they saw: where something else stands by now the word is
    refused. Whoever said the same before is not written down twice. Raises ``Hand.DoesNotExist``
    for a hand of another game.
    """
    game = lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    seats = set(hand.gains if seats is None else seats)
    digest = shown_digest(hand_row(hand), names=names, rules=game.rules)
    _check(hand, seats, names)
    if shown != digest:
        raise refuse(
            "shown_has_changed",
            f"Hand {hand.number} has changed since you opened this page. "
            "Check it again, then agree it or report a problem.",
        )
    note = _note(note)
    said, consent = list(hand.agreements.all()), _consent(game, hand, digest)
    before = consent(said)
    words = Agreement.objects.bulk_create(
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
        if not _has_said(before, seat, agrees=agrees, note=note)
    )
    if words:
        _move(hand, consent([*said, *words]).state)
        ledger.said(hand, words)
    return hand


def agree_as_sent(hand: Hand, *, seat: int, names: Names) -> Hand:
    """The seat that has just sent the hand agrees to it, in the transaction that stores it.

    Whoever sends a hand in which they sit out has no say in it.
    """
    if seat not in hand.gains:
        return hand
    hand = Hand.objects.get(pk=hand.pk)
    return say(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats={seat},
        agrees=True,
        shown=shown_digest(hand_row(hand), names=names, rules=hand.game.rules),
        names=names,
        said_by=hand.sent_by,
    )


@transaction.atomic
def decide(*, game_id: int, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer lets a hand stand, for a reason that the table reads.

    Where the scorer alone looks at hands, one that nobody objected to is thereby agreed. The
    same decision again changes nothing.
    """
    game = lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    reason = reason_of(reason)
    if hand.decisions.filter(reason=reason, made_by=made_by).exists() and hand.is_current:
        return hand
    if not hand.is_current or hand.state in {HandState.AGREED, HandState.DECIDED}:
        raise moved_on(hand)
    decision = Decision.objects.create(
        hand=hand, reason=reason, made_by=made_by, made_at=timezone.now()
    )
    is_checked = game.agreement == AgreementPolicy.SCORER and hand.state == HandState.REPORTED
    _move(hand, HandState.AGREED if is_checked else HandState.DECIDED)
    ledger.decided(hand, decision)
    return hand


def moved_on(hand: Hand) -> Refused:
    """Why nothing more can be said of a hand that is decided, corrected or taken back."""
    if hand.is_current:
        return refuse(
            "hand_has_moved_on",
            f"Hand {hand.number} has been settled since you opened this page: "
            f"it is {HandState(hand.state).label}.",
        )
    if Hand.objects.filter(replaces=hand).exists():
        sentence = f"Hand {hand.number} has been corrected since you opened this page."
        return refuse("hand_corrected", sentence)
    sentence = f"Hand {hand.number} has been undone since you opened this page."
    return refuse("hand_taken_back", sentence)


def _check(hand: Hand, seats: Collection[int], names: Names) -> None:
    if not hand.is_current or hand.state == HandState.DECIDED:
        raise moved_on(hand)
    if away := sorted(set(seats) - set(hand.gains)):
        who = names.get(away[0], f"Seat {away[0]}")
        raise refuse(
            "bad_seat", f"{who} sat out hand {hand.number}, so the other players agree it.", "seat"
        )


def _note(typed: str) -> str:
    note = " ".join(typed.split())
    if len(note) > MOST_LETTERS:
        sentence = f"Use {MOST_LETTERS} characters or fewer. You entered {len(note)}."
        raise refuse("note_too_long", sentence, "note")
    return note


def _consent(game: Game, hand: Hand, digest: str) -> Callable[[Sequence[Agreement]], Consent]:
    """What follows from words said of the hand."""
    return partial(
        consent_of,
        hand_row(hand),
        digest=digest,
        policy=AgreementPolicy(game.agreement),
        is_checked=hand.decisions.exists(),
    )


def _has_said(before: Consent, seat: int, *, agrees: bool, note: str) -> bool:
    if agrees:
        return seat in before.agreed
    return any(objection.seat == seat and objection.note == note for objection in before.objections)


def _move(hand: Hand, state: HandState) -> None:
    if hand.state != state:
        hand.state = state
        hand.save(update_fields=["state"])
        count_judged(state.value)


TAKEN_BACK = "undone at the table"


@transaction.atomic
def take_back(*, game_id: int, hand_id: int, taken_by: str) -> Hand:
    """The hand stays in the book as taken back; its number is free again, its gains go back.

    Taking the same hand back again answers with it. Raises ``Hand.DoesNotExist`` for a hand of
    another game, ``Refused`` where another hand was recorded since, where the scorer has ruled
    on it, or where the game is closed.
    """
    game = lock_game(game_id)
    hand = game.hands.get(pk=hand_id)
    if is_taken_back(hand):
        return hand
    if not hand.is_current:
        raise moved_on(hand)
    if game.is_closed:
        raise refuse("game_closed", "This game is finished, so its hands cannot be undone.")
    if game.hands.filter(is_current=True, number__gt=hand.number).exists():
        raise refuse(
            "not_the_last",
            f"Hand {hand.number + 1} has been recorded since, so hand {hand.number} can no "
            "longer be undone. Report a problem instead, and the scorer will check it.",
        )
    if hand.state == HandState.DECIDED or hand.replaces_id is not None:
        raise refuse(
            "hand_decided",
            f"The scorer has decided hand {hand.number}, so the table cannot undo it.",
        )
    take_out(hand, written_by=taken_by, reason=TAKEN_BACK)
    count_judged("taken_back")
    if hand.report.get("tiles"):
        tap_again(game, Report.from_json(hand.report))
    return hand


def is_taken_back(hand: Hand) -> bool:
    """Whether the hand was taken out of the book and nothing was put in its place."""
    return not hand.is_current and not Hand.objects.filter(replaces=hand).exists()
