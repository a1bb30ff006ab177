"""Several hands put right, and restored."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.scorebook import ledger
from scoring.scorebook.models import Game, Hand, HandState, Repair, RepairedGame
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.repairs import UNDONE_WITHIN, Mistake, Sheet, put_right
from scoring.scorebook.reports import Report
from scoring.scorebook.services.games import MOST_LETTERS, lock_games, reason_of
from scoring.scorebook.services.rewriting import DoesNotFit, Rewriting, rewritten, sheet_of, write


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repair, or the taking back of one, and what it changed in each of its games.

    ``mark`` tells the games as they stood before: it changes with every hand.
    """

    repair: Repair
    rewritings: tuple[Rewriting, ...]
    mark: str


@transaction.atomic
def repair(
    *, mistake: Mistake, words: str, reason: str, made_by: str, mark: str | None = None
) -> Repaired:
    """Put a mistake right: its games are locked in their order and played again as they should be.

    ``words`` say what was done, ``mark`` is that of the games as they were looked at (None: they
    need not be). Raises ``Refused`` where nothing would change, where the games have changed since
    they were looked at, and for every hand that no longer fits (``games.12.hands.5``).
    """
    games = lock_together(mistake.game_ids)
    reason = reason_of(reason)
    rewritings = _rewritings(mistake, games)
    seen = mark_of_games(rewritings)
    if mark is not None and mark != seen:
        raise refuse(
            "changed_meanwhile",
            "A hand was entered or changed while you were working, so nothing has been saved. "
            "This is what would change now.",
        )
    if all(one.is_nothing for one in rewritings):
        raise refuse("nothing_changes", "This would not change anything. Check the hands again.")
    made = Repair.objects.create(
        kind=mistake.kind,
        words=words[:300],
        reason=reason,
        made_by=made_by,
        made_at=timezone.now(),
    )
    write_all(rewritings, written_by=made_by, reason=reason)
    RepairedGame.objects.bulk_create(_kept(made, one) for one in rewritings)
    ledger.repaired(made, games)
    return Repaired(made, rewritings, seen)


def lock_together(game_ids: Sequence[int]) -> list[Game]:
    """Games of one event, locked in their order and then its book; told as they were asked for."""
    rows = Game.objects.filter(pk__in=game_ids)
    lock_games(rows)
    found = rows.in_bulk()
    if not found or found.keys() != set(game_ids):
        raise refuse("no_game", "This table has been removed or reseated.")
    games = [found[key] for key in game_ids]
    ledger.lock_book(games[0])
    return games


def write_all(rewritings: Sequence[Rewriting], *, written_by: str, reason: str) -> None:
    """Write every game that changes; the games must be locked."""
    for rewriting in rewritings:
        if not rewriting.is_nothing:
            write(rewriting, written_by=written_by, reason=reason)


def mark_of_games(rewritings: Sequence[Rewriting]) -> str:
    """A short text that changes with every hand of the games and whoever sits where."""
    told = [
        (one.game.pk, one.before.exchanges, [hand.pk for hand in one.standing])
        for one in rewritings
    ]
    return sha256(repr(told).encode()).hexdigest()[:16]


def unfit(doubt: DoesNotFit) -> Refused:
    """Each hand that could not have been played so, named with its game."""
    return Refused(
        [
            Refusal(
                found.code,
                f"Hand {number} would not fit: {found.sentence}",
                f"games.{doubt.game.pk}.hands.{number}",
            )
            for number, found in doubt.found
        ]
    )


def _rewritings(mistake: Mistake, games: Sequence[Game]) -> tuple[Rewriting, ...]:
    if len({(game.rules, game.size) for game in games}) > 1:
        raise refuse("other_rules", "These tables play by other rules or are not as many.", "other")
    if mistake.report is not None and (faults := mistake.report.faults()):
        raise Refused(faults)
    if any(seat > games[0].size for seat in mistake.seats or ()):
        raise refuse("bad_seat", "Choose two players of this table.", "seat")
    sheets = put_right(mistake, [sheet_of(game) for game in games])
    try:
        return tuple(rewritten(game, sheet) for game, sheet in zip(games, sheets, strict=True))
    except DoesNotFit as doubt:
        raise unfit(doubt) from doubt


def _kept(made: Repair, rewriting: Rewriting) -> RepairedGame:
    """How the game stood: exchanges, length, and the reports of the hands that went."""
    old = [change.old for change in rewriting.changes if change.old is not None]
    new = [change.new for change in rewriting.changes if change.new is not None]
    return RepairedGame(
        repair=made,
        game=rewriting.game,
        before={
            "exchanges": [list(exchange) for exchange in rewriting.before.exchanges],
            "length": len(rewriting.standing),
            "reports": {str(hand.number): hand.report for hand in old},
            "disputed": [hand.number for hand in old if hand.state == HandState.DISPUTED],
        },
        after={
            "exchanges": [list(exchange) for exchange in rewriting.sheet.exchanges],
            "length": len(rewriting.sheet.reports),
            "hands": [hand.pk for hand in new],
        },
    )


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
    ledger.undone(repair, games)
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
