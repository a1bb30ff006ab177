"""Play at an evening's tables: agreement, corrections and repairs."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from django.db import transaction

from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services import evenings
from clubs.models import News, Session, SessionState, SessionTable
from clubs.models.names import Reader
from clubs.table.services import AS_ON_PAPER
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, Repair
from scoring.scorebook.refusals import refuse
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.reports import Report


@transaction.atomic
def say(
    *,
    table: SessionTable,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    shown: str,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) agree or not, until the evening is finished."""
    evenings.refuse_if_closed(table)
    hand = scorebook.say(
        game_id=table.game_id,
        hand_id=hand_id,
        seats=seats,
        agrees=agrees,
        shown=shown,
        names=rows.names_at(table),
        said_by=said_by,
        note=note,
    )
    evenings.touch(table.session)
    if not agrees:
        evenings.tell_of_hand(News.HAND_DISPUTED, table, hand)
    return hand


@transaction.atomic
def decide(*, table: SessionTable, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer decides that a hand stands, until the evening is finished."""
    evenings.refuse_if_closed(table)
    hand = scorebook.decide(game_id=table.game_id, hand_id=hand_id, reason=reason, made_by=made_by)
    evenings.touch(table.session)
    evenings.tell_of_hand(News.HAND_DECIDED, table, hand)
    return hand


@transaction.atomic
def take_back(*, table: SessionTable, hand_id: int, taken_by: str) -> Hand:
    """The table takes its last hand back, until the next one is in or the evening is finished."""
    evenings.refuse_if_closed(table)
    hand = scorebook.take_back(game_id=table.game_id, hand_id=hand_id, taken_by=taken_by)
    evenings.touch(table.session)
    evenings.tell_of_hand(News.HAND_TAKEN_BACK, table, hand)
    return hand


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
    """Repair a mistake at one or two of the evening's tables, until the evening is finished.

    Raises ``Refused`` as ``scorebook.repair`` does; the evening's version goes up.
    """
    _lock(session, mistake.game_ids)
    done = scorebook.repair(mistake=mistake, words=words, reason=reason, made_by=made_by, mark=mark)
    evenings.touch(session)
    evenings.tell_of_evening(News.HANDS_REPAIRED, session)
    return done


@transaction.atomic
def undo_repair(*, session: Session, repair: Repair, undone_by: str) -> scorebook.Repaired:
    """Undo a repair within a day, until the evening is finished."""
    _lock(session, [piece.game_id for piece in repair.games.all()])
    done = scorebook.undo_repair(repair_id=repair.pk, undone_by=undone_by)
    evenings.touch(session)
    evenings.tell_of_evening(News.HANDS_REPAIRED, session)
    return done


def _lock(session: Session, game_ids: Sequence[int]) -> None:
    """Locks games, book and evening, in the order of ``post_hand``."""
    if session.tables.filter(game__in=game_ids).count() != len(game_ids):
        raise refuse("no_table", "Choose a table of this evening.", "other")
    scorebook.lock_together(game_ids)
    if evenings.lock_session(session.pk).state == SessionState.CLOSED:
        raise refuse("session_closed", "This evening is finished, so its result cannot change.")


@transaction.atomic
def tell_hands(
    *, game_id: int, reports: Sequence[Report], seen: Sequence[int], written_by: str
) -> int:
    """Replace the hands of the table's game; returns how many change."""
    table = SessionTable.objects.select_related("session").get(game=game_id)
    evenings.refuse_if_closed(table)
    rewriting = scorebook.tell_anew(
        game_id=game_id,
        reports=reports,
        seen=seen,
        written_by=written_by,
        reason=AS_ON_PAPER,
    )
    evenings.touch(table.session)
    return len(rewriting.changes)


def calls_at(table: SessionTable, *, reader: Reader, seat: int | None) -> dict[str, Any]:
    """The fields of a ``PlayedTable`` for a table of an evening.

    ``reader``: as whom names are read; ``seat``: whose link it is, None for the table or a desk.
    """
    is_closed = table.session.state == SessionState.CLOSED
    return {
        "game": table.game,
        "read": partial(rows.view_of, table, reader=reader),
        "names": partial(rows.names_shown_at, table, reader=reader),
        "closed_because": "This evening is finished." if is_closed else "",
        "may_change": not is_closed,
        "record_by": table.session.club.record_by,
        "preview": partial(scorebook.preview_hand, game_id=table.game_id),
        "post": partial(evenings.post_hand, table=table, seat=seat),
        "say": partial(say, table=table),
        "decide": partial(decide, table=table),
        "take_back": partial(take_back, table=table),
        "name_first_dealer": partial(evenings.name_first_dealer, table=table),
        "correct": partial(evenings.correct_hand, table=table),
    }
