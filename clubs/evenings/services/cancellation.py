"""An evening with hands that was opened by mistake: cancelled, and restored as it was."""

from django.db import transaction
from django.db.models import QuerySet

from clubs.core.forms import Shown
from clubs.core.locks import lock_club
from clubs.evenings.services.evenings import (
    check_shown,
    lock_games_of,
    lock_session,
    reopen_games_of,
    tell_of_evening,
    touch,
)
from clubs.language.moments import long_date
from clubs.models import News, Session, SessionState, counts
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import refuse


def _locked(session: Session, shown: Shown | None) -> tuple[Session, QuerySet[Game]]:
    """The evening and its games, locked as when it is finished."""
    lock_club(session.club_id)
    games = lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    return session, games


@transaction.atomic
def cancel_session(*, session: Session, reason: str, shown: Shown | None = None) -> None:
    """Cancel an evening: it counts nowhere, its hands stay, and it can be restored.

    Idempotent. Refused without a hand, while table money is recorded, and for a practice evening.
    """
    session, games = _locked(session, shown)
    if session.is_cancelled:
        return
    if session.club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "Press “Delete or restart” to end a practice evening.")
    if not Hand.objects.filter(game__in=games).exists():
        sentence = "No hand has been recorded. Delete the evening instead."
        raise refuse("no_hands", sentence)
    if session.money.exists():
        sentence = "Table money has been taken for this evening. Give it back first."
        raise refuse("money_recorded", sentence)
    scorebook.close_games(games)
    session.state_before, session.state = session.state, SessionState.CANCELLED
    session.cancel_reason = reason
    session.save(update_fields=["state", "state_before", "cancel_reason"])
    touch(session)
    tell_of_evening(News.EVENING_CANCELLED, session)


@transaction.atomic
def restore_session(*, session: Session, shown: Shown | None = None) -> None:
    """Restore a cancelled evening to its state before; idempotent.

    Refused if the club has opened another evening of that day since.
    """
    session, games = _locked(session, shown)
    if not session.is_cancelled:
        return
    if Session.objects.filter(counts(), club=session.club, held_on=session.held_on).exists():
        day = long_date(session.held_on)
        sentence = f"There is another evening on {day}. Delete or cancel that evening first."
        raise refuse("day_taken", sentence)
    if session.state_before == SessionState.PLAYING:
        reopen_games_of(session, games)
    session.state, session.state_before, session.cancel_reason = session.state_before, "", ""
    session.save(update_fields=["state", "state_before", "cancel_reason"])
    touch(session)
    tell_of_evening(News.EVENING_RESTORED, session)
