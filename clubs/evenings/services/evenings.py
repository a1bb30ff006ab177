"""An evening from check-in to result: seated, played hand by hand, corrected, finished."""

from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from clubs.core.audit_log import last_entry
from clubs.core.forms import Event, Shown, overtaken
from clubs.core.locks import lock_club, lock_player
from clubs.core.queue import tell
from clubs.evenings.selectors import evenings as rows
from clubs.evenings.services.calendar import planned
from clubs.language.moments import long_date, moment
from clubs.members.services import add_player
from clubs.messages.services import draft_results
from clubs.models import (
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
from clubs.seating.wishes import Split
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refusal, Refused, refuse

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
    """Open the evening of that day, in the season of that day. Refused if there is one already."""
    lock_club(club.pk)
    if Session.objects.filter(club=club, held_on=held_on).exists():
        last = last_entry(club, "club", club.pk, ["evenings"], held_on=str(held_on))
        who = f" {last.who} opened it at {moment(last.at)}." if last else ""
        sentence = f"There is already an evening on {long_date(held_on)}.{who}"
        raise refuse("day_taken", sentence, "held_on")
    seasons = Season.objects.filter(league__club=club, starts_on__lte=held_on)
    season = seasons.filter(ends_on__gte=held_on).first()
    book = scorebook.open_book()
    session = Session.objects.create(club=club, season=season, held_on=held_on, book=book)
    tell_of_evening(News.EVENING_OPENED, session)
    return session


def lock_session(session_id: int) -> Session:
    """The evening, locked (``FOR UPDATE``) until the transaction ends."""
    locked = Session.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("club", "season").get(pk=session_id)


def check_shown(session: Session, shown: Shown | None) -> None:
    """Raises ``Overtaken`` if the evening has changed since the form was shown.

    Call it with the evening locked.
    """
    if shown is None or not shown.state:
        return
    is_same = shown.state == rows.state_of(session)
    if shown.act in WHOLE:  # check-ins since then do not matter to these
        is_same = shown.state.partition("-")[0] == rows.whole_state(session)
    if not is_same:
        raise overtaken(Event(session.club, "evening", session.pk, {**SEATED, **WHOLE}), shown)


@transaction.atomic
def tick(*, session: Session, player: Player, is_here: bool) -> None:
    """Check someone in or out; idempotent.

    Someone who has played tonight and gave up their seat is kept as gone home.
    Refused for someone who was erased or whose record was merged.
    """
    if player.club_id != session.club_id:
        raise refuse("other_club", f"{player.name} is not on this club's list.")
    if is_here:
        lock_player(player)
    unfinished(session)
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
    guest = add_player(club=session.club, name=name, kind=PlayerKind.GUEST)
    tick(session=session, player=guest, is_here=True)
    return guest


def seat_session(*, session: Session, split: Split = (), shown: Shown | None = None) -> None:
    """Seat everyone who is checked in, by earlier evenings and seating preferences.

    ``split``: the sizes of the tables, one of those that the advice offers; empty: the usual ones.
    Can be repeated until a hand is recorded; raises ``Refused`` after that. The search runs for
    seconds before the transaction begins, so that no table waits for it.
    """
    here = {str(row.player_id): row.player for row in rows.attendances(session)}
    seating = planned(session, tuple(here), split)
    with transaction.atomic():
        session = _take_tables_away(session, shown)
        if here.keys() != {str(row.player_id) for row in rows.attendances(session)}:
            sentence = "Check-in changed while you were working. Seat everyone again."
            raise refuse("list_changed", sentence)
        laid = seating.rounds[0].tables
        games = scorebook.open_games(
            rules=session.plays,
            sizes=[len(table.seats) for table in laid],
            agreement=session.club.agreement,
            book=session.book,
        )
        tables = SessionTable.objects.bulk_create(
            SessionTable(session=session, number=table.number, game=seats[0].game)
            for table, seats in zip(laid, games, strict=True)
        )
        SessionSeat.objects.bulk_create(
            SessionSeat(session=session, table=row, player=here[key], seat=seats[SEAT_OF[at] - 1])
            for row, table, seats in zip(tables, laid, games, strict=True)
            for at, key in table.seats.items()
        )
        _move(session, SessionState.PLAYING)
        tell_of_evening(News.EVENING_SEATED, session)


@transaction.atomic
def clear_tables(*, session: Session, shown: Shown | None = None) -> None:
    """Delete the tables; refused once a hand is recorded at any of them."""
    _move(_take_tables_away(session, shown), SessionState.ARRIVING)


def _take_tables_away(session: Session, shown: Shown | None) -> Session:
    """Locks by way of the club's row, so that no game is added meanwhile."""
    lock_club(session.club_id)
    games = lock_games_of(session)
    check_shown(lock_session(session.pk), shown)
    session = unfinished(session)
    if Hand.objects.filter(game__in=games).exists():
        sentence = "Hands have been recorded tonight, so the tables can no longer be cleared."
        raise refuse("hands_recorded", sentence)
    game_ids = list(games.values_list("pk", flat=True))
    session.tables.all().delete()
    scorebook.remove_games(game_ids)
    return session


def lock_games_of(session: Session) -> QuerySet[Game]:
    """Lock all games of the evening; before the evening itself, as ``post_hand`` does."""
    games = Game.objects.filter(session_table__session=session)
    scorebook.lock_games(games)
    return games


def unfinished(session: Session) -> Session:
    """The evening, locked; raises ``Refused`` if it is finished."""
    session = lock_session(session.pk)
    if session.state == SessionState.CLOSED:
        raise refuse(
            "session_closed",
            "This evening is finished, so its result cannot change. Reopen the evening first.",
        )
    return session


@transaction.atomic
def close_session(*, session: Session, shown: Shown | None = None) -> None:
    """Finish the evening and put its result in the outbox for those who asked for it."""
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
    tell_of_evening(News.EVENING_CLOSED, session)


@transaction.atomic
def reopen_session(*, session: Session, shown: Shown | None = None) -> None:
    """Reopen a finished evening, so that hands can be added or corrected."""
    games = lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state == SessionState.CLOSED:
        # Games that ended before the evening did, because someone came or left, stay ended.
        seated = session.places.filter(is_current=True).values_list("table__game", flat=True)
        scorebook.reopen_games(games.filter(pk__in=seated))
        _move(session, SessionState.PLAYING)


def _move(session: Session, state: SessionState) -> None:
    session.state = state
    session.save(update_fields=["state"])
    touch(session)


def touch(session: Session) -> None:
    """Raise the evening's version by one: something that pages show has changed."""
    Session.objects.filter(pk=session.pk).update(version=F("version") + 1)


def tell_of_evening(kind: News, session: Session) -> None:
    tell(kind, club=session.club_id, at=("api-evening", session.pk), evening=session.pk)


@transaction.atomic
def take_money(*, session: Session, player: Player, taken_by: User) -> TableMoney:
    """Record that someone has paid tonight's price; idempotent."""
    club = lock_club(session.club_id)
    if not club.table_money:
        raise refuse("no_price", "Set the price per person first.", "price")
    if not session.attendances.filter(player=player).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.")
    paid, _ = TableMoney.objects.get_or_create(
        session=session, player=player, defaults={"pence": club.table_money, "taken_by": taken_by}
    )
    return paid


@transaction.atomic
def give_back(*, session: Session, player: Player) -> None:
    lock_club(session.club_id)
    TableMoney.objects.filter(session=session, player=player).delete()


@transaction.atomic
def set_price(*, club: Club, pence: int) -> None:
    """Set the price per person in pence; payments already recorded stay."""
    locked = lock_club(club.pk)
    locked.table_money = pence
    locked.save(update_fields=["table_money"])
