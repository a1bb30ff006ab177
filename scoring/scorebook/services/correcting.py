"""The scorer's ruling on a hand, and every later hand played again under its new winds."""

from dataclasses import dataclass, replace

from django.db import transaction

from scoring.scorebook import metrics
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.services.games import lock_game
from scoring.scorebook.services.reasons import reason_of
from scoring.scorebook.services.rewriting import DoesNotFit, Rewriting, rewritten, sheet_of, write


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
