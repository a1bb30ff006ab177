"""A repair is taken back: its hands are again as they were, later ones are played again."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.scorebook import chain
from scoring.scorebook.mistakes import Sheet
from scoring.scorebook.models import Hand, HandState, Repair, RepairedGame
from scoring.scorebook.refusals import refuse
from scoring.scorebook.repairs import UNDONE_WITHIN
from scoring.scorebook.reports import Report
from scoring.scorebook.services.reasons import MOST_LETTERS
from scoring.scorebook.services.repairing import (
    Repaired,
    lock_together,
    mark_of_games,
    unfit,
    write_all,
)
from scoring.scorebook.services.rewriting import DoesNotFit, Rewriting, rewritten, sheet_of


@transaction.atomic
def undo_repair(*, repair_id: int, undone_by: str) -> Repaired:
    """The repair's hands stand again as they did before it; later hands keep what was told.

    Raises ``Refused`` a day after the repair, where a hand of it was changed since, and for every
    hand that no longer fits; ``Repair.DoesNotExist`` where there is no such repair.
    """
    pieces = list(RepairedGame.objects.filter(repair=repair_id).order_by("pk"))
    games = lock_together([piece.game_id for piece in pieces])
    repair = Repair.objects.get(pk=repair_id)
    _check(repair)
    for piece, game in zip(pieces, games, strict=True):
        piece.game = game
    rewritings = tuple(_restored(piece) for piece in pieces)
    reason = f"Undone: {repair.reason}"[:MOST_LETTERS]
    write_all(rewritings, written_by=undone_by, reason=reason)
    repair.undone_at = timezone.now()
    repair.undone_by = undone_by
    repair.save(update_fields=["undone_at", "undone_by"])
    chain.undone(repair, games)
    return Repaired(repair, rewritings, mark_of_games(rewritings))


def _check(repair: Repair) -> None:
    if repair.undone_at is not None:
        raise refuse("undone_already", "This correction has already been undone.")
    if timezone.now() > repair.made_at + UNDONE_WITHIN:
        raise refuse(
            "too_late",
            "This correction is more than a day old, so it cannot be undone in one go. Correct "
            "the hands one by one.",
        )


def _restored(piece: RepairedGame) -> Rewriting:
    game, before, after = piece.game, piece.before, piece.after
    changed = Hand.objects.filter(pk__in=after["hands"], is_current=False).order_by("number")
    if gone := changed.first():
        raise _changed_since(f"Hand {gone.number} has been changed since")
    if game.exchanges != after["exchanges"]:
        raise _changed_since("The seats have been corrected again since")
    sheet = Sheet(_reports(sheet_of(game).reports, before, after), _exchanges(before))
    try:
        rewriting = rewritten(game, sheet)
    except DoesNotFit as doubt:
        raise unfit(doubt) from doubt
    for change in rewriting.changes:
        if change.new is not None and change.number in before["disputed"]:
            change.new.state = HandState.DISPUTED
    return rewriting


def _changed_since(what: str) -> Exception:
    return refuse(
        "changed_since",
        f"{what}, so this can no longer be undone in one go. Undo later changes first, or "
        "correct the hands one by one.",
    )


def _reports(
    now: Sequence[Report], before: dict[str, Any], after: dict[str, Any]
) -> tuple[Report, ...]:
    """What was told before the repair, then the hands that were played after it."""
    told = {int(number): Report.from_json(report) for number, report in before["reports"].items()}
    restored = [told.get(n) or now[n - 1] for n in range(1, before["length"] + 1)]
    return (*restored, *now[after["length"] :])


def _exchanges(before: dict[str, Any]) -> tuple[tuple[int, int, int], ...]:
    return tuple((hand, one, other) for hand, one, other in before["exchanges"])
