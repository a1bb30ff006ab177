"""A game told anew from its first hand to its last, as the players' own sheet has it."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.services.games import lock_game
from scoring.scorebook.services.reasons import reason_of
from scoring.scorebook.services.rewriting import DoesNotFit, Rewriting, rewritten, sheet_of, write


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
            [_told(number, found.code, found.sentence) for number, found in unfit.found]
        ) from unfit


def _told(number: int, code: str, sentence: str) -> Refusal:
    return Refusal(code, f"Hand {number} would not fit: {sentence}", f"hands.{number}")
