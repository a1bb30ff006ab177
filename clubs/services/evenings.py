"""A club night from the door to the result: open, tick, seat, play, close."""

from datetime import date
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import F

from clubs import tasks
from clubs.models import (
    Attendance,
    Club,
    Player,
    PlayerKind,
    Season,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
)
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.selectors import evenings as rows
from clubs.services.people import add_player
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.reports import Report

SEAT_OF = {"E": 1, "S": 2, "W": 3, "N": 4, "fifth": 5}


@transaction.atomic
def open_session(*, club: Club, held_on: date) -> Session:
    """The evening of that day, in the season that the day falls in; there is one a day."""
    if Session.objects.filter(club=club, held_on=held_on).exists():
        raise refuse("day_taken", f"There is an evening on {held_on:%d %B %Y} already.", "held_on")
    season = Season.objects.filter(
        league__club=club, starts_on__lte=held_on, ends_on__gte=held_on
    ).first()
    return Session.objects.create(club=club, season=season, held_on=held_on)


def lock_session(session_id: int) -> Session:
    """The evening's row, locked until the transaction ends."""
    return Session.objects.select_for_update().select_related("club").get(pk=session_id)


@transaction.atomic
def tick(*, session: Session, player: Player, is_here: bool) -> None:
    """Note that somebody came, or take the note back; ticking twice is ticking once."""
    _refuse_if_finished(session)
    if player.club_id != session.club_id:
        raise refuse("other_club", f"{player.name} is not on this club's list.")
    if not is_here and session.places.filter(player=player).exists():
        raise refuse(
            "is_seated", f"{player.name} sits at a table. Clear the tables first, then untick."
        )
    if is_here:
        Attendance.objects.get_or_create(session=session, player=player)
    else:
        Attendance.objects.filter(session=session, player=player).delete()
    touch(session)


@transaction.atomic
def add_guest(*, session: Session, name: str) -> Player:
    """A new person for tonight, ticked at once."""
    guest = add_player(club=session.club, name=name, kind=PlayerKind.GUEST)
    tick(session=session, player=guest, is_here=True)
    return guest


@transaction.atomic
def seat_session(*, session: Session) -> None:
    """Tables, seats and winds for everybody who is ticked, away from recent companions.

    Seats anew as long as no hand is recorded; raises ``Refused`` after that.
    """
    session = lock_session(session.pk)
    clear_tables(session=session)
    here = {str(row.player_id): row.player for row in rows.attendances(session)}
    try:
        seating = plan(
            Request(
                players=tuple(here),
                rounds=1,
                seed=session.pk,
                seconds=2,
                table_sizes=(4, 5, 3),
                met=rows.recent_meetings(session),
            )
        )
    except BadRequest as bad:
        raise Refused([Refusal(found.code, found.sentence) for found in bad.problems]) from bad
    _lay_tables(session, seating, here)
    session.state = SessionState.PLAYING
    session.save(update_fields=["state"])
    touch(session)


def _lay_tables(session: Session, seating: Plan, players: dict[str, Player]) -> None:
    for planned in seating.rounds[0].tables:
        game = scorebook.open_game(rules=session.club.rules, size=len(planned.seats))
        table = SessionTable.objects.create(session=session, number=planned.number, game=game)
        seats = {seat.number: seat for seat in game.seats.all()}
        SessionSeat.objects.bulk_create(
            SessionSeat(
                session=session, table=table, player=players[key], seat=seats[SEAT_OF[place]]
            )
            for place, key in planned.seats.items()
        )


@transaction.atomic
def clear_tables(*, session: Session) -> None:
    """Take the tables away again; refused once a hand is recorded at any of them."""
    _refuse_if_finished(session)
    tables = list(session.tables.select_related("game"))
    if Hand.objects.filter(game__session_table__session=session).exists():
        raise refuse(
            "hands_recorded",
            "Hands have been recorded tonight, so the tables can no longer be cleared.",
        )
    for table in tables:
        table.delete()
        table.game.seats.all().delete()
        table.game.delete()
    Session.objects.filter(pk=session.pk).update(state=SessionState.ARRIVING)
    touch(session)


@transaction.atomic
def post_hand(
    *, table: SessionTable, submission_id: UUID, number: int, report: Report, sent_by: str
) -> scorebook.Recorded:
    """One hand of one table, in one transaction with the evening's version."""
    recorded = scorebook.record_hand(
        game_id=table.game_id,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
    )
    if recorded.is_new:
        touch(table.session)
    return recorded


@transaction.atomic
def correct_hand(
    *, table: SessionTable, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table; later hands are replayed."""
    _refuse_if_closed(table)
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    touch(table.session)
    return hand


@transaction.atomic
def judge_hand(*, table: SessionTable, hand_id: int, verdict: HandState) -> Hand:
    """Agree, dispute or uphold a hand of this table, until the evening is finished."""
    _refuse_if_closed(table)
    hand = scorebook.judge_hand(game=table.game, hand_id=hand_id, verdict=verdict)
    touch(table.session)
    return hand


def _refuse_if_closed(table: SessionTable) -> None:
    """The game is locked before the evening, in the order that ``post_hand`` takes them."""
    scorebook.lock_game(table.game_id)
    _refuse_if_finished(table.session)


def _refuse_if_finished(session: Session) -> None:
    if lock_session(session.pk).state == SessionState.CLOSED:
        raise refuse("session_closed", "This evening is finished; its result stands.")


@transaction.atomic
def close_session(*, session: Session) -> None:
    """End the evening: no more hands, and the result goes to the members who asked for it."""
    session = lock_session(session.pk)
    if session.state == SessionState.CLOSED:
        return
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "Nobody has been seated yet, so there is nothing to finish.")
    if disputed := rows.disputed_hands(session):
        raise Refused([Refusal("disputed", f"{where} is not agreed yet.") for where in disputed])
    for table in session.tables.select_related("game"):
        scorebook.close_game(game=table.game)
    session.state = SessionState.CLOSED
    session.save(update_fields=["state"])
    touch(session)
    job = tasks.make_job(club=session.club, kind="session result by e-mail", about=session.pk)
    transaction.on_commit(partial(tasks.wake, job))


@transaction.atomic
def reopen_session(*, session: Session) -> None:
    """Take the end of the evening back, so that hands can be added or corrected."""
    session = lock_session(session.pk)
    if session.state != SessionState.CLOSED:
        return
    for table in session.tables.select_related("game"):
        scorebook.reopen_game(game=table.game)
    session.state = SessionState.PLAYING
    session.save(update_fields=["state"])
    touch(session)


def touch(session: Session) -> None:
    """Something that pages show has changed: the version goes up by one."""
    Session.objects.filter(pk=session.pk).update(version=F("version") + 1)
