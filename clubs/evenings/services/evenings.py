"""An evening from the door to the result."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from clubs.core.audit_log import last_deed
from clubs.core.forms import Event, Shown, overtaken
from clubs.core.locks import lock_club, lock_player
from clubs.core.queue import tell
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services.seating import planned
from clubs.language.moments import long_date, moment
from clubs.members.services.people import add_player
from clubs.messages.services import draft_results
from clubs.models import (
    EARLIER_GAME,
    Attendance,
    Club,
    News,
    Player,
    PlayerKind,
    Season,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
    TableMoney,
    User,
)
from clubs.seating import Table
from clubs.seating.wishes import Split
from scoring.scorebook import ledger
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.reports import Report

SEATED: Final = {
    "seat": "Everyone was already seated",
    "clear": "The tables were already cleared",
    "evening-move": "",
    "evening-change": "",
    "evening-change-undo": "",
}
WHOLE: Final = {
    "close": "The evening was already finished",
    "reopen": "The evening was already reopened",
}
SEAT_OF = {"E": 1, "S": 2, "W": 3, "N": 4, "fifth": 5}


@transaction.atomic
def open_session(*, club: Club, held_on: date) -> Session:
    """The evening of that day, in the season that the day falls in; there is one a day."""
    lock_club(club.pk)
    if Session.objects.filter(club=club, held_on=held_on).exists():
        last = last_deed(club, "club", club.pk, ["evenings"], held_on=str(held_on))
        who = f" {last.who} opened it at {moment(last.at)}." if last else ""
        sentence = f"There is already an evening on {long_date(held_on)}.{who}"
        raise refuse("day_taken", sentence, "held_on")
    season = Season.objects.filter(
        league__club=club, starts_on__lte=held_on, ends_on__gte=held_on
    ).first()
    book = scorebook.open_book()
    session = Session.objects.create(club=club, season=season, held_on=held_on, book=book)
    _tell(News.EVENING_OPENED, session)
    return session


def lock_session(session_id: int) -> Session:
    """The evening's row, locked until the transaction ends."""
    rows = Session.objects.select_for_update(of=("self",), no_key=True)
    rows = rows.select_related("club", "season")
    return rows.get(pk=session_id)


def check_shown(session: Session, shown: Shown | None) -> None:
    """Refuses (``Overtaken``) what was shown for an evening that has changed since.

    Asked with the evening locked.
    """
    if shown is None or not shown.state:
        return
    is_same = shown.state == rows.state_of(session)
    if shown.act in WHOLE:  # who has come or gone since does not matter to them
        is_same = shown.state.partition("-")[0] == rows.whole_state(session)
    if not is_same:
        raise overtaken(Event(session.club, "evening", session.pk, {**SEATED, **WHOLE}), shown)


@transaction.atomic
def tick(*, session: Session, player: Player, is_here: bool) -> None:
    """Note that someone came, or take the note back; ticking twice is ticking once.

    Whoever has played tonight and has no seat any more is unticked as someone who went home.
    Refuses to tick someone who was erased, or whose record was merged.
    """
    if player.club_id != session.club_id:
        raise refuse("other_club", f"{player.name} is not on this club's list.")
    if is_here:
        lock_player(player)
    _unfinished(session)
    places, ticks = session.places.filter(player=player), session.attendances.filter(player=player)
    if is_here:
        Attendance.objects.update_or_create(
            session=session, player=player, defaults={"left_at": None}
        )
    elif places.filter(is_current=True).exists():
        raise refuse(
            "is_seated",
            f"{player.name} is seated. Clear tables first, or record a departure below the tables.",
        )
    elif places.exists():
        ticks.update(left_at=timezone.now())
    else:
        ticks.delete()
    touch(session)


@transaction.atomic
def add_guest(*, session: Session, name: str) -> Player:
    """A new person for tonight, ticked at once."""
    guest = add_player(club=session.club, name=name, kind=PlayerKind.GUEST)
    tick(session=session, player=guest, is_here=True)
    return guest


def seat_session(*, session: Session, split: Split = (), shown: Shown | None = None) -> None:
    """Tables, seats and winds for everyone who is ticked; the season and the wishes are heeded.

    ``split``: the sizes of the tables, one of those that the advice offers; empty: the usual ones.
    Seats anew as long as no hand is recorded; raises ``Refused`` after that. The search takes
    its seconds before the transaction begins, so that no table waits for it.
    """
    here = {str(row.player_id): row.player for row in rows.attendances(session)}
    seating = planned(session, tuple(here), split)
    with transaction.atomic():
        session = _take_tables_away(session, shown)
        if here.keys() != {str(row.player_id) for row in rows.attendances(session)}:
            raise refuse(
                "list_changed",
                "Check-in changed while you were working. Seat everyone again.",
            )
        _lay_tables(session, seating.rounds[0].tables, here)
        _move(session, SessionState.PLAYING)
        _tell(News.EVENING_SEATED, session)


def _lay_tables(session: Session, planned: Sequence[Table], players: dict[str, Player]) -> None:
    sizes = [len(table.seats) for table in planned]
    seats = scorebook.open_games(
        rules=session.plays, sizes=sizes, agreement=session.club.agreement, book=session.book
    )
    tables = SessionTable.objects.bulk_create(
        SessionTable(session=session, number=table.number, game=places[0].game)
        for table, places in zip(planned, seats, strict=True)
    )
    SessionSeat.objects.bulk_create(
        SessionSeat(
            session=session, table=laid, player=players[key], seat=places[SEAT_OF[place] - 1]
        )
        for laid, table, places in zip(tables, planned, seats, strict=True)
        for place, key in table.seats.items()
    )


@transaction.atomic
def clear_tables(*, session: Session, shown: Shown | None = None) -> None:
    """Take the tables away again; refused once a hand is recorded at any of them."""
    _move(_take_tables_away(session, shown), SessionState.ARRIVING)


def _take_tables_away(session: Session, shown: Shown | None) -> Session:
    """Whoever lays tables waits at the club's row, so that no game appears behind the locks."""
    lock_club(session.club_id)
    games = lock_games_of(session)
    check_shown(lock_session(session.pk), shown)
    session = _unfinished(session)
    if Hand.objects.filter(game__in=games).exists():
        raise refuse(
            "hands_recorded",
            "Hands have been recorded tonight, so the tables can no longer be cleared.",
        )
    game_ids = list(games.values_list("pk", flat=True))
    session.tables.all().delete()
    scorebook.remove_games(game_ids)
    return session


def lock_games_of(session: Session) -> QuerySet[Game]:
    """All games of the evening, locked before the evening is: in the order of ``post_hand``."""
    games = Game.objects.filter(session_table__session=session)
    scorebook.lock_games(games)
    return games


@scorebook.counted
@transaction.atomic
def post_hand(
    *,
    table: SessionTable,
    submission_id: UUID,
    number: int,
    report: Report,
    sent_by: str,
    seat: int | None = None,
    entered_at: datetime | None = None,
) -> scorebook.Recorded:
    """One hand of one table, in one transaction with the evening's version.

    The seat that sends it, if it is one, has thereby agreed. ``entered_at``: where a phone kept it.
    """
    if entered_at is not None and _was_before(table, entered_at):
        return _from_before(table, submission_id, report)
    recorded = scorebook.record_hand(
        game=scorebook.lock_game(table.game_id),
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
        entered_at=entered_at,
    )
    if recorded.is_new:
        if seat is not None:
            scorebook.agree_as_sent(recorded.hand, seat=seat, names=rows.names_at(table))
        touch(table.session)
        tell_of_hand(News.HAND_RECORDED, table, recorded.hand)
    return recorded


def _was_before(table: SessionTable, entered_at: datetime) -> bool:
    """Whether someone came or left at the table after that moment."""
    first_game = SessionTable.objects.filter(
        session=table.session_id, number=table.number + EARLIER_GAME
    )
    return entered_at < table.game.made_at and first_game.exists()


def _from_before(table: SessionTable, submission_id: UUID, report: Report) -> scorebook.Recorded:
    """A hand that a phone kept from the game before: it is there already, or it comes too late."""
    sent = Hand.objects.filter(
        submission_id=submission_id, game__session_table__session=table.session_id
    ).first()
    if sent is None:
        raise refuse(
            "table_changed",
            "Someone joined or left this table after this hand was played, so it cannot be "
            "entered here. Show it to the secretary.",
        )
    return scorebook.Recorded(scorebook.sent_again(sent, report), is_new=False)


@transaction.atomic
def correct_hand(
    *, table: SessionTable, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table; later hands are replayed."""
    refuse_if_closed(table)
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    touch(table.session)
    tell_of_hand(News.HAND_CORRECTED, table, hand)
    return hand


@transaction.atomic
def name_first_dealer(*, table: SessionTable, seat: int) -> None:
    """The table says who deals first, until its first hand is in or the evening is finished."""
    refuse_if_closed(table)
    scorebook.name_first_dealer(game_id=table.game_id, seat=seat)
    touch(table.session)


def refuse_if_closed(table: SessionTable) -> None:
    """Game, book, evening are locked in the order that ``post_hand`` takes them."""
    ledger.lock_book(scorebook.lock_game(table.game_id))
    _unfinished(table.session)


def _unfinished(session: Session) -> Session:
    """The evening, locked; raises when it is finished."""
    session = lock_session(session.pk)
    if session.state == SessionState.CLOSED:
        raise refuse(
            "session_closed",
            "This evening is finished, so its result cannot change. Reopen the evening first.",
        )
    return session


@transaction.atomic
def close_session(*, session: Session, shown: Shown | None = None) -> None:
    """End the evening: no more hands; its result waits in the outbox for those who asked."""
    lock_club(session.club_id)
    games = lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state == SessionState.CLOSED:
        return
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "No one has been seated yet, so there is nothing to finish.")
    if disputed := rows.disputed_hands(session):
        raise Refused([Refusal("disputed", f"{where} is not agreed yet.") for where in disputed])
    scorebook.close_games(games)
    session.times_closed += 1
    session.save(update_fields=["times_closed"])
    _move(session, SessionState.CLOSED)
    draft_results(session=session)
    _tell(News.EVENING_CLOSED, session)


@transaction.atomic
def reopen_session(*, session: Session, shown: Shown | None = None) -> None:
    """Take the end of the evening back, so that hands can be added or corrected."""
    games = lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state == SessionState.CLOSED:
        scorebook.reopen_games(games.filter(pk__in=_seated_now(session)))
        _move(session, SessionState.PLAYING)


def _seated_now(session: Session) -> QuerySet[SessionSeat, int]:
    """The games at which someone sits; those that ended before the evening did stay ended."""
    return session.places.filter(is_current=True).values_list("table__game", flat=True)


def _move(session: Session, state: SessionState) -> None:
    session.state = state
    session.save(update_fields=["state"])
    touch(session)


def touch(session: Session) -> None:
    """Something that pages show has changed: the version goes up by one."""
    Session.objects.filter(pk=session.pk).update(version=F("version") + 1)


def tell_of_hand(kind: News, table: SessionTable, hand: Hand) -> None:
    """Write down for the programs that listen what happened to a hand of this table."""
    session = table.session
    at = ("api-evening-table", session.pk, table.number)
    about = {"evening": session.pk, "table": table.number, "hand": hand.pk, "number": hand.number}
    tell(kind, club=session.club_id, at=at, **about)


def _tell(kind: News, session: Session) -> None:
    tell(kind, club=session.club_id, at=("api-evening", session.pk), evening=session.pk)


@transaction.atomic
def take_money(*, session: Session, player: Player, taken_by: User) -> TableMoney:
    """Someone has paid what an evening costs now; paying twice is paying once."""
    club = lock_club(session.club_id)
    if not club.table_money:
        raise refuse("no_price", "Set the price per person first.", "price")
    if not session.attendances.filter(player=player).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.")
    paid, _ = TableMoney.objects.get_or_create(
        session=session,
        player=player,
        defaults={"pence": club.table_money, "taken_by": taken_by},
    )
    return paid


@transaction.atomic
def give_back(*, session: Session, player: Player) -> None:
    """Take the note back that someone has paid."""
    lock_club(session.club_id)
    TableMoney.objects.filter(session=session, player=player).delete()


@transaction.atomic
def set_price(*, club: Club, pence: int) -> None:
    """What an evening costs a head from now on, in pence; what was paid stays."""
    held = lock_club(club.pk)
    held.table_money = pence
    held.save(update_fields=["table_money"])
