"""Writing in the score book: open and close a game, record, correct, agree and dispute a hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring import BadOutcome, Deal
from scoring.problems import shown
from scoring.scorebook import ledger, selectors
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, HandState, Seat
from scoring.scorebook.refusals import AlreadyStands, Finding, Refusal, Refused, refuse
from scoring.scorebook.reports import MOST_POINTS, Reckoned, Report, reckon
from scoring.scorebook.selectors import Outcome, outcome_of

MOST_LETTERS = 200


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
    (seats,) = open_games(
        rules=rules, sizes=[size], wind_rounds=wind_rounds, hands_planned=hands_planned
    )
    return seats[0].game


@transaction.atomic
def open_games(
    *,
    rules: str,
    sizes: Sequence[int],
    wind_rounds: int | None = None,
    hands_planned: int | None = None,
) -> list[list[Seat]]:
    """A game of each size, all under one edition: the seats of each, first East first."""
    key = rule_set(rules).key
    games = Game.objects.bulk_create(
        Game(rules=key, size=size, wind_rounds=wind_rounds, hands_planned=hands_planned)
        for size in sizes
    )
    seats = [[Seat(game=game, number=n) for n in range(1, game.size + 1)] for game in games]
    Seat.objects.bulk_create(chain.from_iterable(seats))
    return seats


def replan_games(games: QuerySet[Game], *, rules: str, hands_planned: int | None) -> None:
    """Games that nobody has begun are to be played so; the caller has locked them."""
    games.update(rules=rule_set(rules).key, hands_planned=hands_planned)


def close_games(games: QuerySet[Game]) -> None:
    """No further hand is taken at any of them."""
    games.filter(closed_at=None).update(closed_at=timezone.now())


def reopen_games(games: QuerySet[Game]) -> None:
    """Hands are taken again at all of them."""
    games.update(closed_at=None)


def remove_games(game_ids: Sequence[int]) -> None:
    """Take away games that nobody has played; one with a hand is protected by the database."""
    Seat.objects.filter(game__in=game_ids).delete()
    Game.objects.filter(pk__in=game_ids).delete()


def resize_game(game: Game, size: int) -> None:
    """A game that nobody has played, which the caller has locked, gets more or fewer seats."""
    game.seats.filter(number__gt=size).delete()
    Seat.objects.bulk_create(
        Seat(game=game, number=number) for number in range(game.size + 1, size + 1)
    )
    game.size = size
    game.save(update_fields=["size"])


def lock_games(games: QuerySet[Game]) -> None:
    """Lock them in one order, before whatever event they belong to: so nobody waits in a ring."""
    list(games.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))


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


def hand_after(*, game: Game, played: Sequence[Outcome], report: Report) -> Hand:
    """The hand that a report makes after these outcomes, in the book or not; nothing is stored.

    So a whole sheet can be looked at row by row. Raises ``Refused`` with all problems.
    """
    if faults := report.faults():
        raise Refused(faults)
    deal = _next_deal(game, played, len(played) + 1)
    return _new_hand(game, deal, report, sent_by="")


def _told(game: Game, submission_id: UUID, number: int, report: Report, sent_by: str) -> Recorded:
    if faults := report.faults():
        raise Refused(faults)
    if sent := _sent_before(game, submission_id):
        return Recorded(sent, is_new=False)
    outcomes = selectors.outcomes(game)
    if 1 <= number <= len(outcomes):
        return Recorded(_equal_standing(game, number, report), is_new=False)
    hand = _new_hand(game, _next_deal(game, outcomes, number), report, sent_by)
    hand.submission_id = submission_id
    return Recorded(hand, is_new=True)


def lock_game(game_id: int) -> Game:
    """The game's row, locked until the transaction ends (SQLite locks the whole file).

    Refused where the seating was taken away in the meantime.
    """
    game = Game.objects.select_for_update(no_key=True).filter(pk=game_id).first()
    if game is None:
        raise refuse("no_game", "This table has been taken away or seated anew. Ask for its card.")
    return game


def _sent_before(game: Game, submission_id: UUID) -> Hand | None:
    """The hand that this very submission stored."""
    sent = Hand.objects.filter(submission_id=submission_id).first()
    if sent is not None and sent.game_id != game.pk:
        raise refuse("bad_submission", "This form belongs to another table.")
    return sent


def _equal_standing(game: Game, number: int, report: Report) -> Hand:
    """The hand of that number, if it was reported alike; raises with what stands if it was not."""
    standing = game.hands.get(number=number, is_current=True)
    if standing.report != report.as_json():
        raise AlreadyStands(standing)
    return standing


def _next_deal(game: Game, outcomes: Sequence[Outcome], number: int) -> Deal:
    """The deal of the next hand, if that is the one asked for."""
    if game.is_closed:
        raise refuse("game_closed", "This game is finished; no more hands can be added to it.")
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
    reason = reason_of(reason)
    replacements = preview_correction(hand_id=hand_id, report=report)
    for replacement in replacements:
        _replace(replacement, corrected_by=corrected_by, reason=reason)
    return replacements[0].new


def reason_of(typed: str) -> str:
    """The reason without stray spaces; it must be there and fit its column."""
    reason = " ".join(typed.split())
    if not reason:
        raise refuse("reason_missing", "Say in a few words why this is changed.", "reason")
    if len(reason) > MOST_LETTERS:
        sentence = f"That reason has {len(reason)} letters; at most {MOST_LETTERS} fit."
        raise refuse("reason_too_long", sentence, "reason")
    return reason


def preview_correction(*, hand_id: int, report: Report) -> list[Replacement]:
    """What ``correct_hand`` would do now: the hand itself, then each later one that it moves."""
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    if not hand.is_current:
        raise refuse("already_corrected", f"Hand {hand.number} was corrected by somebody else.")
    if faults := report.faults():
        raise Refused(faults)
    standing = list(hand.game.hands.filter(is_current=True).order_by("number"))
    told = {row.number: Report.from_json(row.report) for row in standing} | {hand.number: report}
    deals = _deals_of(hand, [Outcome(told[row.number].winner, {}) for row in standing])
    moved = [row for row in standing[hand.number :] if _needs_replay(row, deals[row.number])]
    replacements = [
        _replacement(row, deals[row.number], told[row.number], corrected=hand)
        for row in (hand, *moved)
    ]
    new = {one.old.pk: one.new for one in replacements}
    _deals_of(hand, [outcome_of(new.get(row.pk, row)) for row in standing])
    return replacements


def _deals_of(hand: Hand, played: Sequence[Outcome]) -> dict[int, Deal]:
    """The deals of the hand's game by number; raises if a hand could not have been played so.

    Without gains a race has no end yet: who wins it is known once every hand is scored again.
    """
    try:
        progress = selectors.progress_after(hand.game, played)
    except BadOutcome as bad:
        problems = [
            (int(problem.where.removeprefix("outcomes.")) + 1, problem) for problem in bad.problems
        ]
        raise Refused(
            [
                Refusal(problem.code, problem.sentence, "winner")
                if number == hand.number
                else _no_longer_fits(number, Refusal(problem.code, problem.sentence))
                for number, problem in problems
            ]
        ) from bad
    return {deal.number: deal for deal in progress.deals}


def _no_longer_fits(number: int, found: Finding) -> Refusal:
    sentence = f"Hand {number}, played later, would no longer fit: {found.sentence}"
    return Refusal(found.code, sentence, f"hands.{number}")


def _needs_replay(row: Hand, deal: Deal) -> bool:
    return bool(row.deal != selectors.deal_as_json(deal))


def _replacement(row: Hand, deal: Deal, report: Report, *, corrected: Hand) -> Replacement:
    try:
        new = _new_hand(corrected.game, deal, report, row.sent_by)
    except Refused as refused:
        if row == corrected:
            raise
        problems = [_no_longer_fits(row.number, found) for found in refused.problems]
        raise Refused(problems) from refused
    new.submission_id = uuid4()
    new.replaces = row
    # Nobody has ruled on a later hand that is only replayed: what was disputed there still is.
    is_disputed = row != corrected and row.state == HandState.DISPUTED
    new.state = HandState.DISPUTED if is_disputed else HandState.DECIDED
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
    reason = reason_of(reason)
    if abs(points) > MOST_POINTS:
        sentence = f"An adjustment is at most {MOST_POINTS:,} points."
        raise refuse("bad_score", sentence, "points")
    lock_game(seat.game_id)
    ledger.adjust(seat, points=points, written_by=written_by, reason=reason)
