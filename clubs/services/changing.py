"""Someone comes late or leaves early: the table's game ends there, and another goes on.

The hands of the game that has ended stay with whoever played them. The table keeps its number and
its link; who is to be East next is East first in the new game, and East prevails again.
"""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.core.stale_forms import Shown
from clubs.language.words import counted
from clubs.models import (
    EARLIER_GAME,
    Attendance,
    Player,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
)
from clubs.seating.words import listed
from clubs.selectors.changing import TableNow, sizes_under, table_after, tables_playing
from clubs.services.evenings import check_shown, lock_games_of, lock_session, touch
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand, HandState, Seat
from scoring.scorebook.refusals import refuse

Act = Callable[..., tuple[str, ...]]


@transaction.atomic
def sit_in(
    *, session: Session, player: Player, number: int, shown: Shown | None = None
) -> tuple[str, ...]:
    """Someone who waits joins a table, which goes on with one more from the next hand on."""
    session = _locked(session, shown)
    _check_waits(session, player)
    table = _playing(session, number)
    seats = [*_in_turn(table), player.pk]
    return (*_go_on(session, table, seats), *_told_of(session, number))


@transaction.atomic
def take_over(
    *, session: Session, leaver: Player, player: Player, goes_home: bool, shown: Shown | None = None
) -> tuple[str, ...]:
    """Someone who waits takes the seat of someone who leaves, from the next hand on."""
    session = _locked(session, shown)
    _check_waits(session, player)
    table = _table_of(session, leaver)
    seats = [player.pk if pk == leaver.pk else pk for pk in _in_turn(table)]
    said = _go_on(session, table, seats)
    return (*said, *_told_of(session, table.number), *_let_go(session, leaver, goes_home=goes_home))


@transaction.atomic
def leave(
    *, session: Session, leaver: Player, goes_home: bool, shown: Shown | None = None
) -> tuple[str, ...]:
    """Someone leaves and the others of the table go on without, where the rules allow it."""
    session = _locked(session, shown)
    table = _table_of(session, leaver)
    seats = [pk for pk in _in_turn(table) if pk != leaver.pk]
    said = _go_on(session, table, seats)
    return (*said, *_told_of(session, table.number), *_let_go(session, leaver, goes_home=goes_home))


@transaction.atomic
def end_table(
    *, session: Session, leaver: Player, goes_home: bool, shown: Shown | None = None
) -> tuple[str, ...]:
    """Someone leaves and the table ends here: its hands count, and the others wait."""
    session = _locked(session, shown)
    table = _table_of(session, leaver)
    _check_settled(table)
    others = table.places.exclude(player=leaver).values_list("player__name", flat=True)
    names = listed(list(others.order_by("player__name_key")))
    hands = _hands(table)
    scorebook.close_games(Game.objects.filter(pk=table.game_id))
    table.places.update(is_current=False)
    touch(session)
    played = f"after {counted(hands, 'hand')}" if hands else "without a hand"
    said = f"Table {table.number} ends {played}. {names} can sit at another table or go home."
    return (said, *_let_go(session, leaver, goes_home=goes_home))


@transaction.atomic
def lay_another(
    *, session: Session, players: Sequence[Player], shown: Shown | None = None
) -> tuple[str, ...]:
    """Those who wait make a table of their own, the first of them as East."""
    session = _locked(session, shown)
    for player in players:
        _check_waits(session, player)
    _check_size(session.plays, len(players), "The new table")
    used = session.tables.filter(number__lt=EARLIER_GAME).order_by("-number")
    number = (used.values_list("number", flat=True).first() or 0) + 1
    (seats,) = scorebook.open_games(
        rules=session.plays,
        sizes=[len(players)],
        agreement=session.club.agreement,
        book=session.book,
    )
    table = SessionTable.objects.create(session=session, number=number, game=seats[0].game)
    _seat(session, table, seats, [player.pk for player in players])
    touch(session)
    return _told_of(session, number)


@transaction.atomic
def undo(*, session: Session, number: int, shown: Shown | None = None) -> str:
    """Take the last change at a table back, as long as no hand was entered after it."""
    session = _locked(session, shown)
    table = session.tables.select_related("game").filter(number=number).first()
    earlier = _last_of(session, number)
    if table is None or number >= EARLIER_GAME:
        raise refuse("no_table", "There is no table with that number tonight.", "number")
    if not table.places.filter(is_current=True).exists():
        back = table
    elif earlier is None:
        raise refuse("no_change", f"Nothing was changed at table {number}.", "number")
    elif _hands(table):
        raise refuse(
            "hands_recorded",
            f"Table {number} has entered another hand, so this can no longer be undone.",
        )
    else:
        back = _put_back(table, earlier)
    _sit_again(session, back)
    touch(session)
    return f"Table {number} is as it was before."


def what_would_happen(act: Act) -> tuple[str, ...]:
    """What one of these would do, in sentences; nothing is changed. Refused as they are."""
    with transaction.atomic():
        said = act()
        transaction.set_rollback(True)
    return said


def _locked(session: Session, shown: Shown | None) -> Session:
    """Whoever changes tables waits at the club's row, so that no game appears behind the locks."""
    lock_club(session.club_id)
    lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "You can only change tables while the evening is in progress.")
    return session


def _check_waits(session: Session, player: Player) -> None:
    if not session.attendances.filter(player=player, left_at=None).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.", "player")
    if session.places.filter(player=player, is_current=True).exists():
        raise refuse("is_seated", f"{player.name} already sits at a table.", "player")


def _playing(session: Session, number: int) -> SessionTable:
    tables = session.tables.select_related("game").filter(game__closed_at=None)
    table = tables.filter(number=number).first()
    if table is None:
        raise refuse("no_table", f"Table {number} has already finished.", "number")
    return table


def _table_of(session: Session, player: Player) -> SessionTable:
    place = session.places.filter(player=player, is_current=True).select_related("table").first()
    if place is None:
        raise refuse("no_seat", f"{player.name} does not sit at a table.", "leaver")
    return _playing(session, place.table.number)


def _in_turn(table: SessionTable) -> list[int]:
    """Who sits there, from whoever is to be East next."""
    return [place.player_id for place in table_after(table)]


def _hands(table: SessionTable) -> int:
    return table.game.hands.filter(is_current=True).count()


def _check_settled(table: SessionTable) -> None:
    disputed = Hand.objects.filter(
        game=table.game_id, is_current=True, state=HandState.DISPUTED
    ).first()
    if disputed is not None:
        said = f"Hand {disputed.number} of table {table.number} is disputed. Resolve it first."
        raise refuse("disputed", said)


def _check_size(rules: str, size: int, what: str) -> None:
    if size not in sizes_under(rules):
        raise refuse("bad_size", f"{what} would have {size} players, which the rules do not allow.")


def _go_on(session: Session, table: SessionTable, players: Sequence[int]) -> tuple[str, ...]:
    """From the next hand on these play at the table, in the order of their winds."""
    _check_size(table.game.rules, len(players), f"Table {table.number}")
    _check_settled(table)
    hands = _hands(table)
    if hands:
        _end_game(session, table, len(players))
    else:
        table.places.all().delete()
        scorebook.resize_game(table.game, len(players))
    _seat(session, table, list(table.game.seats.order_by("number")), players)
    touch(session)
    if not hands:
        return ()
    at = f"at table {table.number}"
    if hands == 1:
        return (f"The hand already played {at} still counts for the people who played it.",)
    return (f"The {hands} hands already played {at} still count for the people who played them.",)


def _end_game(session: Session, table: SessionTable, size: int) -> None:
    """The table has another game under the same rules; the one it had is kept beside it."""
    ended = table.game
    (seats,) = scorebook.open_games(
        rules=ended.rules, sizes=[size], agreement=ended.agreement, book=ended.book
    )
    scorebook.close_games(Game.objects.filter(pk=ended.pk))
    table.game = seats[0].game
    table.save(update_fields=["game"])
    before = _last_of(session, table.number)
    number = EARLIER_GAME + (before.number if before else table.number)
    kept = SessionTable.objects.create(session=session, number=number, game=ended)
    table.places.update(table=kept, is_current=False)


def _last_of(session: Session, number: int) -> SessionTable | None:
    """The game of this table that ended last."""
    ended = session.tables.select_related("game").filter(number__gt=EARLIER_GAME)
    return next((one for one in ended.order_by("-number") if one.at == number), None)


def _seat(
    session: Session, table: SessionTable, seats: Sequence[Seat], players: Sequence[int]
) -> None:
    SessionSeat.objects.bulk_create(
        SessionSeat(session=session, table=table, player_id=player, seat=seat)
        for seat, player in zip(seats, players, strict=True)
    )


def _let_go(session: Session, player: Player, *, goes_home: bool) -> tuple[str, ...]:
    if not goes_home:
        return (f"{player.name} is waiting for another seat.",)
    Attendance.objects.filter(session=session, player=player).update(left_at=timezone.now())
    return (f"{player.name} leaves for the evening.",)


def _told_of(session: Session, number: int) -> tuple[str, ...]:
    """How the table goes on, in sentences."""
    table = next(one for one in tables_playing(session) if one.number == number)
    return _winds(table)


def _winds(table: TableNow) -> tuple[str, ...]:
    seated = listed(
        [f"{name} ({wind})" if wind else f"{name} (sits out)" for name, wind in table.seats]
    )
    prevails = ", and East prevails" if table.prevails else ""
    return (
        f"From the next hand, table {table.number} is {seated}{prevails}.",
        "The table card stays the same.",
    )


def _put_back(table: SessionTable, earlier: SessionTable) -> SessionTable:
    """The table plays the game again that had ended; the one after it had no hand and goes."""
    begun, ended = table.game_id, earlier.game
    table.places.all().delete()
    earlier.places.update(table=table)
    earlier.delete()
    table.game = ended
    table.save(update_fields=["game"])
    scorebook.remove_games([begun])
    return table


def _sit_again(session: Session, table: SessionTable) -> None:
    players = list(table.places.values_list("player_id", flat=True))
    elsewhere = session.places.filter(player__in=players, is_current=True).exclude(table=table)
    if moved := elsewhere.select_related("player", "table").first():
        said = f"{moved.player.name} now sits at table {moved.table.number}."
        raise refuse("is_seated", f"{said} Undo that first.", "number")
    table.places.update(is_current=True)
    scorebook.reopen_games(Game.objects.filter(pk=table.game_id))
    Attendance.objects.filter(session=session, player__in=players).update(left_at=None)
