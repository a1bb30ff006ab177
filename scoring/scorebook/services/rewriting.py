"""Hands corrected, and a game written again."""

from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import zip_longest
from uuid import uuid4

from django.db import transaction

from scoring import BadOutcome, Deal
from scoring.scorebook import metrics, selectors
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse
from scoring.scorebook.repairs import Sheet
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import Outcome, outcome_of
from scoring.scorebook.services.games import lock_game, reason_of
from scoring.scorebook.services.recording import new_hand, put_in, take_out


@dataclass(frozen=True, slots=True)
class Change:
    """One hand before and after: ``old`` None where it is added, ``new`` None where it goes."""

    old: Hand | None
    new: Hand | None

    @property
    def number(self) -> int:
        """The number of the hand."""
        return next(hand.number for hand in (self.old, self.new) if hand is not None)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A game as it stood and the sheet it is to have, and the hands that change by it."""

    game: Game
    standing: tuple[Hand, ...]
    before: Sheet
    sheet: Sheet
    changes: tuple[Change, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether the game is as it should be already."""
        return not self.changes and self.sheet.exchanges == self.before.exchanges


class DoesNotFit(Exception):
    """Hands that could not have been played so: the number of each and what is wrong with it."""

    def __init__(self, game: Game, found: Sequence[tuple[int, Finding]]) -> None:
        super().__init__("; ".join(f"hand {number}: {one.sentence}" for number, one in found))
        self.game = game
        self.found = tuple(found)


def sheet_of(game: Game) -> Sheet:
    """What the book has of a game; one query."""
    return _sheet(game, _standing(game))


def rewritten(game: Game, sheet: Sheet, *, ruled: Collection[int] = ()) -> Rewriting:
    """The game played again by the sheet; nothing is stored. Raises ``DoesNotFit``.

    Only hands whose report or deal changes are replaced, and those of the numbers that were
    ``ruled`` on. Nobody has ruled on one that is only played again: what was disputed still is.
    """
    as_wanted = copy(game)
    as_wanted.exchanges = [list(exchange) for exchange in sheet.exchanges]
    standing = _standing(game)
    deals = _deals(as_wanted, [Outcome(report.winner, {}) for report in sheet.reports])
    played: list[Hand] = []
    found: list[tuple[int, Finding]] = []
    for number, report in enumerate(sheet.reports, start=1):
        old = standing[number - 1] if number <= len(standing) else None
        is_ruled = number in ruled
        if old is not None and not is_ruled and _stands(old, deals[number], report):
            played.append(old)
            continue
        try:
            played.append(_anew(as_wanted, deals[number], report, old, is_ruled=is_ruled))
        except Refused as refused:
            found += [(number, problem) for problem in refused.problems]
    if found:
        raise DoesNotFit(game, found)
    _deals(as_wanted, [outcome_of(hand) for hand in played])
    changes = tuple(
        Change(old, new) for old, new in zip_longest(standing, played) if old is not new
    )
    return Rewriting(game, standing, _sheet(game, standing), sheet, changes)


def write(rewriting: Rewriting, *, written_by: str, reason: str) -> None:
    """Do it: old hands stay as replaced or taken back, new ones say who and why.

    The game must be locked.
    """
    game = rewriting.game
    game.exchanges = [list(exchange) for exchange in rewriting.sheet.exchanges]
    game.save(update_fields=["exchanges"])
    for change in rewriting.changes:
        if change.old is not None:
            take_out(change.old, written_by=written_by, reason=reason)
        if change.new is not None:
            change.new.sent_by = written_by
            change.new.reason = reason
            put_in(change.new)


def _standing(game: Game) -> tuple[Hand, ...]:
    return tuple(game.hands.filter(is_current=True).order_by("number"))


def _sheet(game: Game, standing: Sequence[Hand]) -> Sheet:
    return Sheet(
        tuple(Report.from_json(hand.report) for hand in standing),
        tuple((hand, one, other) for hand, one, other in game.exchanges),
    )


def _deals(game: Game, played: Sequence[Outcome]) -> dict[int, Deal]:
    """The deals of the game by number.

    Without gains a race has no end yet: who wins it is known once every hand is scored again.
    """
    try:
        progress = selectors.progress_after(game, played)
    except BadOutcome as bad:
        found = [(int(one.where.removeprefix("outcomes.")) + 1, one) for one in bad.problems]
        raise DoesNotFit(game, found) from bad
    return {deal.number: deal for deal in progress.deals}


def _stands(old: Hand, deal: Deal, report: Report) -> bool:
    return bool(old.report == report.as_json() and old.deal == selectors.deal_as_json(deal))


def _anew(game: Game, deal: Deal, report: Report, old: Hand | None, *, is_ruled: bool) -> Hand:
    new = new_hand(game, deal, report, sent_by="")
    new.submission_id = uuid4()
    new.state = HandState.DECIDED
    if old is None:
        return new
    new.replaces = old
    is_ruled = is_ruled or old.report != report.as_json()
    if old.state == HandState.DISPUTED and not is_ruled:
        new.state = HandState.DISPUTED
    return new


@dataclass(frozen=True, slots=True)
class Replacement:
    """A hand as it stands, and the row that is to stand for it (unsaved until it is done)."""

    old: Hand
    new: Hand


@transaction.atomic
def correct_hand(*, hand_id: int, report: Report, corrected_by: str, reason: str) -> Hand:
    """Replace a hand by what the scorer decided, and replay every later one under its new winds.

    Old rows stay, marked as replaced; the ledger gains reversals and new entries. Raises
    ``Refused`` when the hand is no longer the current one or when any hand no longer fits.
    """
    lock_game(Hand.objects.get(pk=hand_id).game_id)
    reason = reason_of(reason)
    rewriting = _corrected(hand_id, report)
    write(rewriting, written_by=corrected_by, reason=reason)
    metrics.judged("corrected")
    return _replacements(rewriting)[0].new


def preview_correction(*, hand_id: int, report: Report) -> list[Replacement]:
    """What ``correct_hand`` would do now: the hand itself, then each later one that it moves."""
    return _replacements(_corrected(hand_id, report))


def _corrected(hand_id: int, report: Report) -> Rewriting:
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    if not hand.is_current:
        raise refuse(
            "already_corrected", f"Hand {hand.number} has just been corrected by someone else."
        )
    if faults := report.faults():
        raise Refused(faults)
    sheet = sheet_of(hand.game)
    reports = [*sheet.reports]
    reports[hand.number - 1] = report
    try:
        return rewritten(hand.game, replace(sheet, reports=tuple(reports)), ruled={hand.number})
    except DoesNotFit as unfit:
        raise Refused([_told(hand, number, found) for number, found in unfit.found]) from unfit


def _replacements(rewriting: Rewriting) -> list[Replacement]:
    pairs = [(change.old, change.new) for change in rewriting.changes]
    return [Replacement(old, new) for old, new in pairs if old is not None and new is not None]


def _told(hand: Hand, number: int, found: Finding) -> Finding:
    """What is wrong at the hand itself keeps its field; a later one is named."""
    if number == hand.number:
        has_no_field = found.where.startswith("outcomes.")
        return Refusal(found.code, found.sentence, "winner") if has_no_field else found
    sentence = f"Hand {number}, played later, would no longer fit: {found.sentence}"
    return Refusal(found.code, sentence, f"hands.{number}")


@transaction.atomic
def tell_anew(
    *,
    game_id: int,
    reports: Sequence[Report],
    seen: Sequence[int],
    written_by: str,
    reason: str,
) -> Rewriting:
    """The game gets just these hands: one that was forgotten in the middle comes in, others go.

    Hands that are told as before and keep their winds stay as they are; old rows of the others
    stay in the book. ``seen`` are the keys of the hands that were looked at: where others stand
    by now nothing is done. Raises ``Refused`` for every hand that no longer fits.
    """
    game = lock_game(game_id)
    reason = reason_of(reason)
    rewriting = preview_telling(game=game, reports=reports)
    if [hand.pk for hand in rewriting.standing] != list(seen):
        raise refuse(
            "changed_meanwhile",
            "A hand was entered or changed while you were working, so nothing has been saved. "
            "Compare the sheet with the current score book.",
        )
    if not rewriting.is_nothing:
        write(rewriting, written_by=written_by, reason=reason)
    return rewriting


def preview_telling(*, game: Game, reports: Sequence[Report]) -> Rewriting:
    """What ``tell_anew`` would do now."""
    if faults := [found for report in reports for found in report.faults()]:
        raise Refused(faults)
    try:
        return rewritten(game, replace(sheet_of(game), reports=tuple(reports)))
    except DoesNotFit as unfit:
        raise Refused(
            [_retelling_told(number, found.code, found.sentence) for number, found in unfit.found]
        ) from unfit


def _retelling_told(number: int, code: str, sentence: str) -> Refusal:
    return Refusal(code, f"Hand {number} would not fit: {sentence}", f"hands.{number}")
