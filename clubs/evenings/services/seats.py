"""Who sits where changes: late arrivals, departures, and moves by hand."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from clubs.core.forms import Shown
from clubs.core.locks import lock_club
from clubs.evenings.selectors.evenings import table_numbers
from clubs.evenings.selectors.floor import TableNow, sizes_under, table_after, tables_playing
from clubs.evenings.selectors.seating import EveningExplained, why_this_evening
from clubs.evenings.services.evenings import check_shown, lock_games_of, lock_session, touch
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
from clubs.models.names import ORGANISER
from clubs.seating import Said
from clubs.seating.history import in_short, turn_costs
from clubs.seating.why import listed
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
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


Lay = dict[int, list[int]]  # by table number: player ids, East first
Move = Callable[[Lay], Lay]
MOST_NAMED = 4
SIZES = {3: "three", 4: "four", 5: "five"}


@transaction.atomic
def change_places(
    *, session: Session, one: Player, other: Player, shown: Shown | None = None
) -> str:
    """Two players take each other's seats; one of them may be here without a table.

    Refused once a hand is recorded at a table that either leaves or joins. Returns what was done.
    """
    _move(session, partial(_exchanged, one, other), shown)
    return f"{one.name} and {other.name} have changed places."


@transaction.atomic
def move_to(*, session: Session, player: Player, number: int, shown: Shown | None = None) -> str:
    """Someone leaves their table, or has none, and takes the last seat of another.

    Refused as `change_places` is, and where a table would have more or fewer players than its
    rules allow. Returns what was done.
    """
    _move(session, partial(_moved, player, number), shown)
    return f"{player.name} now sits at table {number}."


def cost_of_move(*, session: Session, act: Callable[[], str]) -> tuple[Said, ...]:
    """What one of the two would cost; nothing is changed. Refused as they are."""
    with transaction.atomic():
        before = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        act()
        after = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        transaction.set_rollback(True)
    return tuple(_cost(before, after))


def _cost(before: EveningExplained, after: EveningExplained) -> list[Said]:
    """Wishes first, then turns, then company, then the tables' sizes."""
    said = [
        *_of_wishes(before.wishes, after.wishes),
        *turn_costs(before.turns, after.turns, after.names),
        *_of_company(_together(before), _together(after)),
    ]
    sizes = [
        f"table {number} of {SIZES[size]}"
        for number, size in _sizes(after).items()
        if size != _sizes(before).get(number)
    ]
    return [*said, *([Said(f"There would be {listed(sizes)}.")] if sizes else [])]


def _of_wishes(was: Sequence[Said], now: Sequence[Said]) -> Iterator[Said]:
    """The wishes that a move breaks, and those that it keeps at last."""
    before = {one.sentence for one in was}
    for one in now:
        if one.sentence not in before:
            said = (
                "A seating preference would be met"
                if one.is_kept
                else "A seating preference would not be met"
            )
            yield Said(f"{said}: {one.sentence}", one.is_kept)


def _of_company(was: Mapping[str, str], now: Mapping[str, str]) -> list[Said]:
    come = [pair for pair in now if pair not in was]
    part = [pair for pair in was if pair not in now]
    if not come and not part:
        same = "No one is seated with someone from a recent evening."
        return [Said(same, is_kept=True)]
    said = [
        Said(f"{pair} would sit together again; they did on {now[pair]}.", is_kept=False)
        for pair in come[:MOST_NAMED]
    ]
    if (more := len(come) - MOST_NAMED) > 0:
        said.append(Said(f"So would {counted(more, 'pair')} more.", is_kept=False))
    said += [
        Said(f"{pair}, who sat together on {was[pair]}, would no longer be together.", is_kept=True)
        for pair in part[:MOST_NAMED]
    ]
    if (more := len(part) - MOST_NAMED) > 0:
        said.append(Said(f"So would {counted(more, 'pair')} more.", is_kept=True))
    return said


def _together(found: EveningExplained) -> dict[str, str]:
    """`Ann and Ben` to the evenings before on which they sat together, for those who do now."""
    names = found.seating.names
    return {
        f"{names[pair.row]} and {names[pair.column]}": listed(in_short(pair.past))
        for pair in found.seating.pairs
        if pair.kind == "again"
    }


def _sizes(found: EveningExplained) -> dict[int, int]:
    return {t.number: len(t.seats) for one in found.seating.rounds for t in one.tables}


def _exchanged(one: Player, other: Player, lay: Lay) -> Lay:
    if one == other:
        raise refuse("same_player", "Choose two different players.", "other")
    if not any(one.pk in seats or other.pk in seats for seats in lay.values()):
        raise refuse("no_seat", "Neither of them sits at a table.", "other")
    comes = {one.pk: other.pk, other.pk: one.pk}
    return {number: [comes.get(pk, pk) for pk in seats] for number, seats in lay.items()}


def _moved(player: Player, number: int, lay: Lay) -> Lay:
    if number not in lay:
        raise refuse("no_table", f"There is no table {number}.", "number")
    if player.pk in lay[number]:
        raise refuse("same_table", f"{player.name} already sits there.", "number")
    left = {at: [pk for pk in seats if pk != player.pk] for at, seats in lay.items()}
    return left | {number: [*left[number], player.pk]}


def _move(session: Session, move: Move, shown: Shown | None) -> None:
    """Whoever moves waits at the club's row, so that no game appears behind the locks."""
    lock_club(session.club_id)
    lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "Seats can be changed while the evening is being played.")
    before: Lay = {number: [] for number in table_numbers(session.pk)}
    for number, player in (
        session.places.filter(is_current=True)
        .order_by("seat__number")
        .values_list("table__number", "player_id")
    ):
        before[number].append(player)
    after = move(before)
    _check_here(session, after)
    _moving_seat(session, {n: seats for n, seats in after.items() if seats != before[n]})
    touch(session)


def _check_here(session: Session, lay: Lay) -> None:
    here = set(session.attendances.filter(left_at=None).values_list("player_id", flat=True))
    if gone := {pk for seats in lay.values() for pk in seats} - here:
        names = Player.objects.filter(pk__in=gone).values_list("name", flat=True)
        raise refuse("not_here", f"{listed(list(names))} must be checked in first.", "player")


def _moving_seat(session: Session, changed: Mapping[int, list[int]]) -> None:
    """Put these players into the seats of their tables."""
    tables = list(session.tables.filter(number__in=changed).select_related("game"))
    games = [table.game_id for table in tables]
    if Hand.objects.filter(game__in=games).exists():
        raise refuse(
            "hands_recorded", "That table has already recorded a hand, so its seats cannot change."
        )
    for table in tables:
        size = len(changed[table.number])
        if size not in SIZES or size not in rule_set(table.game.rules).seats:
            said = f"Table {table.number} would have {size} players, which the rules do not allow."
            raise refuse("bad_size", said, "number")
    SessionSeat.objects.filter(table__in=tables).delete()
    for table in tables:
        scorebook.resize_game(table.game, len(changed[table.number]))
    SessionSeat.objects.bulk_create(
        SessionSeat(session=session, table=table, player_id=player, seat=seat)
        for table in tables
        for seat, player in zip(
            table.game.seats.order_by("number"), changed[table.number], strict=True
        )
    )
