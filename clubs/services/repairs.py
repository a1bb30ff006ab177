"""Several hands of an evening put right: tried out first, done, taken back for a day."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.core.events import tell
from clubs.models import News, Session, SessionState
from clubs.movement import Moved, Ranking, moved
from clubs.services.evenings import lock_session, touch
from scoring.scorebook import services as scorebook
from scoring.scorebook.mistakes import Mistake
from scoring.scorebook.models import Repair
from scoring.scorebook.refusals import refuse


@dataclass(frozen=True, slots=True)
class Trial:
    """What a repair, or the taking back of one, would do, and who would move by it."""

    done: scorebook.Repaired
    moved: tuple[Moved, ...]


def tried_out(
    act: Callable[[], scorebook.Repaired], rankings: Callable[[], Sequence[Ranking]]
) -> Trial:
    """Do it, look who moves in the rankings, and leave everything as it was.

    Raises ``Refused`` as the act does.
    """
    with transaction.atomic():
        before = rankings()
        done = act()
        after = rankings()
        transaction.set_rollback(True)
    return Trial(done, moved(before, after))


@transaction.atomic
def repair_hands(
    *,
    session: Session,
    mistake: Mistake,
    words: str,
    reason: str,
    made_by: str,
    mark: str | None = None,
) -> scorebook.Repaired:
    """Put a mistake at one or two of the evening's tables right, until the evening is finished.

    Raises ``Refused`` as ``scorebook.repair`` does; the evening's version goes up.
    """
    _lock(session, mistake.game_ids)
    done = scorebook.repair(mistake=mistake, words=words, reason=reason, made_by=made_by, mark=mark)
    touch(session)
    tell(
        News.HANDS_REPAIRED,
        club=session.club_id,
        at=("api-evening", session.pk),
        evening=session.pk,
    )
    return done


@transaction.atomic
def undo_repair(*, session: Session, repair: Repair, undone_by: str) -> scorebook.Repaired:
    """Take a repair of the evening back, within a day and until the evening is finished."""
    _lock(session, [piece.game_id for piece in repair.games.all()])
    done = scorebook.undo_repair(repair_id=repair.pk, undone_by=undone_by)
    touch(session)
    tell(
        News.HANDS_REPAIRED,
        club=session.club_id,
        at=("api-evening", session.pk),
        evening=session.pk,
    )
    return done


def _lock(session: Session, game_ids: Sequence[int]) -> None:
    """Games, their book, the evening: in the order in which every hand takes them."""
    if session.tables.filter(game__in=game_ids).count() != len(game_ids):
        raise refuse("no_table", "Choose a table of this evening.", "other")
    scorebook.lock_together(game_ids)
    if lock_session(session.pk).state == SessionState.CLOSED:
        raise refuse("session_closed", "This evening is finished, so its result cannot change.")
