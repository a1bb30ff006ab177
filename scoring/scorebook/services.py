"""Writing in the score book: open and close a game, record, correct, agree and dispute a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from scoring import Deal, rule_set
from scoring.scorebook import ledger, selectors
from scoring.scorebook.models import Game, Hand, HandState, Seat
from scoring.scorebook.refusals import AlreadyStands, refuse
from scoring.scorebook.reports import Reckoned, Report, reckon


@dataclass(frozen=True, slots=True)
class Recorded:
    """A stored hand, and whether this very call stored it."""

    hand: Hand
    is_new: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """A hand as it stands, and the row that is to stand for it (unsaved until it is done)."""

    old: Hand
    new: Hand


def open_game(
    *, rules: str, size: int, wind_rounds: int | None = None, hands_planned: int | None = None
) -> Game:
    """A game with its seats, under the newest edition that the key names."""
    game = Game.objects.create(
        rules=rule_set(rules).key, size=size, wind_rounds=wind_rounds, hands_planned=hands_planned
    )
    Seat.objects.bulk_create(Seat(game=game, number=number) for number in range(1, size + 1))
    return game


@transaction.atomic
def close_game(*, game: Game) -> None:
    """No further hand is taken; closing twice changes nothing."""
    Game.objects.filter(pk=game.pk, closed_at=None).update(closed_at=timezone.now())


@transaction.atomic
def reopen_game(*, game: Game) -> None:
    """Hands are taken again."""
    Game.objects.filter(pk=game.pk).update(closed_at=None)


@transaction.atomic
def record_hand(
    *, game_id: int, submission_id: UUID, number: int, report: Report, sent_by: str
) -> Recorded:
    """Check, score, settle and store one hand, under the game's lock.

    The same submission again answers with what it stored; a different report for a hand that
    stands raises ``AlreadyStands``; anything else wrong raises ``Refused`` with all problems.
    """
    told = _told(lock_game(game_id), submission_id, number, report, sent_by)
    if told.is_new:
        told.hand.save()
        ledger.post(told.hand)
    return told


def preview_hand(*, game_id: int, submission_id: UUID, number: int, report: Report) -> Recorded:
    """What ``record_hand`` would answer now; nothing is stored, a new hand has no key yet."""
    return _told(Game.objects.get(pk=game_id), submission_id, number, report, sent_by="")


def _told(game: Game, submission_id: UUID, number: int, report: Report, sent_by: str) -> Recorded:
    if seen := _seen_before(game, submission_id, number, report):
        return Recorded(seen, is_new=False)
    hand = _new_hand(game, _deal_for(game, number), report, sent_by)
    hand.submission_id = submission_id
    return Recorded(hand, is_new=True)


def lock_game(game_id: int) -> Game:
    """The game's row, locked until the transaction ends (SQLite locks the whole file)."""
    return Game.objects.select_for_update().get(pk=game_id)


def _seen_before(game: Game, submission_id: UUID, number: int, report: Report) -> Hand | None:
    """The hand this submission stored, or an equal report of it; raises if another one stands."""
    if sent := Hand.objects.filter(submission_id=submission_id).first():
        if sent.game_id != game.pk:
            raise refuse("bad_submission", "This form belongs to another table.")
        return sent
    standing = game.hands.filter(number=number, is_current=True).first()
    if standing is None:
        return None
    if standing.report == report.as_json():
        return standing
    raise AlreadyStands(standing)


def _deal_for(game: Game, number: int) -> Deal:
    """The deal of the next hand, if that is the one asked for."""
    if game.is_closed:
        raise refuse("game_closed", "This game is finished; no more hands can be added to it.")
    progress = selectors.progress(game)
    if progress.finished:
        raise refuse("after_the_end", "All the hands of this game have been played.")
    deal = progress.deals[-1]
    if number != deal.number:
        raise refuse(
            "wrong_number",
            f"Hand {number} cannot be entered now: the next hand of this game is {deal.number}.",
            "number",
        )
    return deal


def _new_hand(game: Game, deal: Deal, report: Report, sent_by: str) -> Hand:
    rules = rule_set(game.rules)
    hand = Hand(
        game=game,
        number=deal.number,
        report=report.as_json(),
        winner=report.winner,
        limit=rules.limit,
        zero_sum=rules.zero_sum,
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


@transaction.atomic
def correct_hand(*, hand_id: int, report: Report, corrected_by: str, reason: str) -> Hand:
    """Replace a hand by what the scorer decided, and replay every later one under its new winds.

    Old rows stay, marked as replaced; the ledger gains reversals and new entries. Raises
    ``Refused`` when the hand is no longer the current one or when any hand no longer fits.
    """
    lock_game(Hand.objects.get(pk=hand_id).game_id)
    if not reason.strip():
        raise refuse("reason_missing", "Say in a few words why the hand is changed.", "reason")
    replacements = preview_correction(hand_id=hand_id, report=report)
    for replacement in replacements:
        _replace(replacement, corrected_by=corrected_by, reason=reason.strip())
    return replacements[0].new


def preview_correction(*, hand_id: int, report: Report) -> list[Replacement]:
    """What ``correct_hand`` would do now: the hand itself, then each later one that it moves."""
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    if not hand.is_current:
        raise refuse("already_corrected", f"Hand {hand.number} was corrected by somebody else.")
    standing = list(hand.game.hands.filter(is_current=True).order_by("number"))
    reports = {row.number: Report.from_json(row.report) for row in standing}
    reports[hand.number] = report
    deals = _deals_of(hand.game, reports)
    return [
        _replacement(row, deals[row.number], reports[row.number])
        for row in standing[hand.number - 1 :]
        if row.pk == hand.pk or _needs_replay(row, deals[row.number])
    ]


def _deals_of(game: Game, reports: Mapping[int, Report]) -> dict[int, Deal]:
    outcomes = [reports[number].winner for number in sorted(reports)]
    progress = selectors.progress_after(game, outcomes)
    return {deal.number: deal for deal in progress.deals}


def _needs_replay(row: Hand, deal: Deal) -> bool:
    return bool(row.deal != selectors.deal_as_json(deal))


def _replacement(row: Hand, deal: Deal, report: Report) -> Replacement:
    new = _new_hand(row.game, deal, report, row.sent_by)
    new.submission_id = uuid4()
    new.replaces = row
    new.state = HandState.DECIDED
    return Replacement(row, new)


def _replace(replacement: Replacement, *, corrected_by: str, reason: str) -> None:
    old, new = replacement.old, replacement.new
    new.sent_by = corrected_by
    new.reason = reason
    Hand.objects.filter(pk=old.pk).update(is_current=False)
    ledger.reverse(old, written_by=corrected_by, reason=reason)
    new.save()
    ledger.post(new)


_MAY_FOLLOW = {
    HandState.AGREED: {HandState.REPORTED, HandState.DISPUTED},
    HandState.DISPUTED: {HandState.REPORTED, HandState.AGREED},
    HandState.DECIDED: {HandState.REPORTED, HandState.DISPUTED},
}


def agree_hand(*, hand_id: int) -> Hand:
    """The table says that the hand is right."""
    return _move(Hand.objects.all(), hand_id, HandState.AGREED)


def dispute_hand(*, hand_id: int) -> Hand:
    """Somebody at the table says that the hand is not right."""
    return _move(Hand.objects.all(), hand_id, HandState.DISPUTED)


def uphold_hand(*, hand_id: int) -> Hand:
    """The scorer has looked at a disputed hand and lets it stand."""
    return _move(Hand.objects.all(), hand_id, HandState.DECIDED)


def judge_hand(*, game: Game, hand_id: int, verdict: HandState) -> Hand:
    """Agree, dispute or uphold a hand of this game; raises ``Hand.DoesNotExist`` for another's."""
    return _move(game.hands.all(), hand_id, verdict)


@transaction.atomic
def _move(hands: QuerySet[Hand], hand_id: int, to: HandState) -> Hand:
    hand = hands.select_for_update().get(pk=hand_id)
    if hand.state == to:
        return hand
    if not hand.is_current or HandState(hand.state) not in _MAY_FOLLOW[to]:
        raise refuse(
            "hand_has_moved_on",
            f"Hand {hand.number} has been decided or corrected since this page was shown.",
        )
    hand.state = to
    hand.save(update_fields=["state"])
    return hand


@transaction.atomic
def adjust(*, seat: Seat, points: int, written_by: str, reason: str) -> None:
    """A penalty or bonus outside any hand, as an entry of its own."""
    if not reason.strip():
        raise refuse("reason_missing", "Say in a few words what the adjustment is for.", "reason")
    lock_game(seat.game_id)
    ledger.adjust(seat, points=points, written_by=written_by, reason=reason.strip())
    Seat.objects.filter(pk=seat.pk).update(points=F("points") + points)
