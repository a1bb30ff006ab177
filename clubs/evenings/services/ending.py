"""How an evening ends: finished and reopened, cancelled and restored, or deleted."""

from django.db import transaction
from django.db.models import QuerySet

from clubs.core.audit_log import log_detail
from clubs.core.forms import ShownState
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services.evenings import (
    delete_tables,
    emit_evening_event,
    lock_with_games,
    refuse_cancelled,
    set_state,
    touch,
)
from clubs.language.moments import long_date
from clubs.messages.services import draft_results
from clubs.models import News, Session, SessionState, counting_evenings
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refusal, Refused, refuse


@transaction.atomic
def close_session(*, session: Session, page_state: ShownState | None = None) -> None:
    """Finish the evening and put its result in the outbox for those who asked for it."""
    session, games = lock_with_games(session, page_state)
    refuse_cancelled(session)
    if session.state == SessionState.CLOSED:
        return
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "No one has been seated yet, so there is nothing to finish.")
    if hand_labels := rows.disputed_hands(session):
        raise Refused(
            [Refusal("disputed", f"{hand_label} is not agreed yet.") for hand_label in hand_labels]
        )
    scorebook.close_games(games)
    session.times_closed += 1
    session.save(update_fields=["times_closed"])
    set_state(session, SessionState.CLOSED)
    draft_results(session=session)
    emit_evening_event(News.EVENING_CLOSED, session)


@transaction.atomic
def reopen_session(*, session: Session, page_state: ShownState | None = None) -> None:
    """Reopen a finished evening, so that hands can be added or corrected."""
    session, games = lock_with_games(session, page_state)
    refuse_cancelled(session)
    if session.state == SessionState.CLOSED:
        _reopen_games(session, games)
        set_state(session, SessionState.PLAYING)


@transaction.atomic
def cancel_session(*, session: Session, reason: str, page_state: ShownState | None = None) -> None:
    """Cancel an evening: it counts nowhere, its hands stay, and it can be restored.

    Idempotent. Refused without a hand, while table money is recorded, and for a practice evening.
    """
    session, games = lock_with_games(session, page_state)
    if session.is_cancelled:
        return
    _refuse_rehearsal(session)
    if not Hand.objects.filter(game__in=games, is_current=True).exists():
        message = "No hand has been recorded. Delete the evening instead."
        raise refuse("no_hands", message)
    if session.money.exists():
        message = "Table money has been recorded for this evening. Undo the payments first."
        raise refuse("money_recorded", message)
    scorebook.close_games(games)
    session.state_before, session.state = session.state, SessionState.CANCELLED
    session.cancel_reason = reason
    session.save(update_fields=["state", "state_before", "cancel_reason"])
    touch(session)
    emit_evening_event(News.EVENING_CANCELLED, session)


@transaction.atomic
def restore_session(*, session: Session, page_state: ShownState | None = None) -> None:
    """Restore a cancelled evening to its state before; idempotent.

    Refused if the club has opened another evening of that day since.
    """
    session, games = lock_with_games(session, page_state)
    if not session.is_cancelled:
        return
    if Session.objects.filter(
        counting_evenings(), club=session.club, held_on=session.held_on
    ).exists():
        day = long_date(session.held_on)
        message = f"There is another evening on {day}. Delete or cancel that evening first."
        raise refuse("day_taken", message)
    if session.state_before == SessionState.PLAYING:
        _reopen_games(session, games)
    session.state, session.state_before, session.cancel_reason = session.state_before, "", ""
    session.save(update_fields=["state", "state_before", "cancel_reason"])
    touch(session)
    emit_evening_event(News.EVENING_RESTORED, session)


@transaction.atomic
def delete_session(*, session: Session, page_state: ShownState | None = None) -> str:
    """Delete an evening that was opened by mistake, with its check-in list and its seating.

    Refused once a hand or a payment is recorded, for a finished evening and for a practice evening,
    which its club is for. Returns what was done, in a sentence.
    """
    _refuse_rehearsal(session)
    session = delete_tables(session, page_state, "the evening cannot be deleted")
    if session.money.exists():
        message = "Table money has been recorded for this evening. Undo the payments first."
        raise refuse("money_recorded", message)
    book = session.book_id
    session.delete()
    scorebook.remove_books([book] if book else [])
    log_detail("held_on", str(session.held_on))
    return f"The evening of {long_date(session.held_on)} has been deleted."


def _refuse_rehearsal(session: Session) -> None:
    if session.club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "Press “Delete or restart” to end a practice evening.")


def _reopen_games(session: Session, games: QuerySet[Game]) -> None:
    """Games that ended before the evening did, because someone came or left, stay ended."""
    seated_games = session.places.filter(is_current=True).values_list("table__game", flat=True)
    scorebook.reopen_games(games.filter(pk__in=seated_games))
