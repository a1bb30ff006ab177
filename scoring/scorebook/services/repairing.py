"""Several hands put right in one go: done in one transaction, kept so that it can be undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from scoring.scorebook import chain
from scoring.scorebook.mistakes import Mistake, put_right
from scoring.scorebook.models import Game, HandState, Repair, RepairedGame
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.services.games import lock_games
from scoring.scorebook.services.reasons import reason_of
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
    chain.repaired(made, games)
    return Repaired(made, rewritings, seen)


def lock_together(game_ids: Sequence[int]) -> list[Game]:
    """Games of one event, locked in their order and then its book; told as they were asked for."""
    rows = Game.objects.filter(pk__in=game_ids)
    lock_games(rows)
    found = rows.in_bulk()
    if not found or found.keys() != set(game_ids):
        raise refuse("no_game", "This table has been removed or reseated.")
    games = [found[key] for key in game_ids]
    chain.lock_book(games[0])
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
