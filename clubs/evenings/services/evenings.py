"""An evening from check-in on: seated, and changed while it is played."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.sql import Query
from django.utils import timezone

from clubs.core.audit_log import last_entry
from clubs.core.forms import Event, ShownState, overtaken_refusal
from clubs.core.locks import lock_club, lock_player
from clubs.core.queue import emit_event
from clubs.evenings.selectors import door as door_rows, evenings as rows
from clubs.evenings.selectors.evenings import table_numbers
from clubs.evenings.selectors.floor import places_at_next_hand, tables_playing
from clubs.evenings.selectors.seating import SIZE_NAMES
from clubs.evenings.services.calendar import plan_evening
from clubs.language.moments import long_date, moment
from clubs.language.words import count_words
from clubs.members.services.people import add_player
from clubs.models import (
    EARLIER_GAME_OFFSET,
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
    counting_evenings,
    link_key,
)
from clubs.models.names import surname_key
from clubs.seating import PlannedTable
from clubs.seating.why import join_with_and
from clubs.seating.wishes import Split
from clubs.tenancy import club_scope, scoped_club_id
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.prepared import PreparedChange, update_query
from scoring.scorebook.refusals import refuse
from scoring.scorebook.selectors import progress
from scoring.table.sticks import START_POINTS

SEATING_ACTS: Final = {
    "seat": "Everyone was already seated",
    "clear": "The tables were already cleared",
    "evening-move": "",
    "evening-change": "",
    "evening-change-undo": "",
}
STATE_ACTS: Final = {
    "close": "The evening was already finished",
    "reopen": "The evening was already reopened",
    "evening-cancel": "The evening was already cancelled",
    "evening-restore": "The evening was already restored",
}
SEAT_NUMBER_OF_WIND = {"E": 1, "S": 2, "W": 3, "N": 4, "fifth": 5}
ChangeService = Callable[..., tuple[str, ...]]
SeatsByTable = dict[int, list[int]]  # by table number: player ids, East first
CARD_STAYS = "The table card stays the same."
CANNOT_MOVE = "Seats can be changed while the evening is being played."


@transaction.atomic
def open_session(*, club: Club, held_on: date) -> Session:
    """Open the evening of that day, in the season of that day. Refused if there is one already."""
    lock_club(club.pk)
    if Session.objects.filter(counting_evenings(), club=club, held_on=held_on).exists():
        last = last_entry(club, "club", club.pk, ["evenings"], held_on=str(held_on))
        opening_note = f" {last.actor} opened it at {moment(last.at)}." if last else ""
        message = f"There is already an evening on {long_date(held_on)}.{opening_note}"
        raise refuse("day_taken", message, "held_on")
    seasons = Season.objects.filter(league__club=club, starts_on__lte=held_on)
    season = seasons.filter(ends_on__gte=held_on).first()
    book = scorebook.open_book()
    session = Session.objects.create(club=club, season=season, held_on=held_on, book=book)
    emit_evening_event(News.EVENING_OPENED, session)
    return session


def lock_session(session_id: int) -> Session:
    """The evening, locked (``FOR UPDATE``) until the transaction ends."""
    locked_sessions = Session.objects.select_for_update(of=("self",), no_key=True)
    return locked_sessions.select_related("club", "season").get(pk=session_id)


def check_not_overtaken(session: Session, page_state: ShownState | None) -> None:
    """Raises ``Overtaken`` if the evening, locked, has changed since the form was shown."""
    if page_state is None or not page_state.state:
        return
    is_same = page_state.state == rows.state_of(session)
    if page_state.act in STATE_ACTS:  # check-ins since then do not matter to these
        is_same = page_state.state.partition("-")[0] == rows.evening_state(session)
    if not is_same:
        raise overtaken_refusal(
            Event(session.club, "evening", session.pk, {**SEATING_ACTS, **STATE_ACTS}), page_state
        )


@transaction.atomic
def tick(*, session: Session, player: Player, is_here: bool) -> None:
    """Check someone in or out; idempotent.

    Someone who has played tonight and gave up their seat is kept as gone home.
    Refused for someone who was erased or whose record was merged.
    """
    if player.club_id != session.club_id:
        raise refuse("other_club", f"{player.name} is not on this club’s list.")
    if is_here:
        lock_player(player)
    lock_unfinished(session)
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
def check_in_usual(*, session: Session) -> int:
    """Check in everyone who usually comes; how many that are. Idempotent.

    Whoever has gone home since stays at home.
    """
    lock_club(session.club_id)
    session = lock_unfinished(session)
    players = door_rows.usual_people(session).players
    attendances = (Attendance(session=session, player_id=player) for player in players)
    Attendance.objects.bulk_create(attendances, ignore_conflicts=True)
    touch(session)
    return len(players)


@transaction.atomic
def add_guest(*, session: Session, name: str) -> Player:
    today = timezone.localdate()
    guest = add_player(club=session.club, name=name, kind=PlayerKind.GUEST, joined_on=today)
    tick(session=session, player=guest, is_here=True)
    return guest


def seat_session(
    *, session: Session, split: Split = (), page_state: ShownState | None = None
) -> str:
    """Seat everyone who is checked in, by earlier evenings and seating preferences.

    ``split``: the sizes of the tables, one of those that the advice offers; empty: the usual ones.
    Can be repeated until a hand is recorded, and draws differently then; raises ``Refused`` after
    that. A table whose seats stay the same keeps its link. The search runs for seconds before the
    transaction begins, so that no table waits for it. Returns what was done, in a sentence.
    """
    present_players = {str(row.player_id): row.player for row in door_rows.attendances_of(session)}
    if not present_players:
        raise refuse("nobody_here", "Check in the players first.")
    # The rows of the tables are new each time, and so is the draw.
    last = session.tables.order_by("-pk").values_list("pk", flat=True).first()
    seating = plan_evening(session, tuple(present_players), split, draw=last or 0)
    with transaction.atomic():
        lock_club(session.club_id)
        links = _links_by_seats(session)
        session = delete_tables(session, page_state)
        if present_players.keys() != {
            str(row.player_id) for row in door_rows.attendances_of(session)
        }:
            message = "Check-in changed while you were working. Seat everyone again."
            raise refuse("list_changed", message)
        _store_tables(session, seating.rounds[0].tables, present_players, links)
        set_state(session, SessionState.PLAYING)
        emit_evening_event(News.EVENING_SEATED, session)
    if not links:
        return "Everyone is seated."
    cards = count_words(len(links), "earlier table card")
    work = "works" if len(links) == 1 else "work"
    return (
        f"Everyone is seated again. {cards} no longer {work}, so print the cards again if you use "
        "them."
    )


def _links_by_seats(session: Session) -> dict[tuple[int, tuple[str, ...]], str]:
    """The link of each table by its number and its players in the order of the seats."""
    places = session.places.order_by("seat__number").values_list("table__number", "player_id")
    players: dict[int, list[str]] = defaultdict(list)
    for number, player in places:
        players[number].append(str(player))
    links = session.tables.values_list("number", "link_key")
    return {(number, tuple(players[number])): link for number, link in links}


def _store_tables(
    session: Session,
    planned_tables: Sequence[PlannedTable],
    present_players: Mapping[str, Player],
    links: dict[tuple[int, tuple[str, ...]], str],
) -> None:
    """Store these tables with their seats; each link that fits is used again and leaves ``links``.

    The caller holds the lock and the transaction.
    """
    games = scorebook.open_games(
        rules=session.plays,
        sizes=[len(table.seats) for table in planned_tables],
        agreement=session.club.agreement,
        book=session.book,
    )
    tables = SessionTable.objects.bulk_create(
        SessionTable(
            session=session,
            number=table.number,
            game=seats[0].game,
            link_key=links.pop((table.number, table.names), None) or link_key(),
        )
        for table, seats in zip(planned_tables, games, strict=True)
    )
    SessionSeat.objects.bulk_create(
        SessionSeat(
            session=session,
            table=row,
            player=present_players[key],
            seat=seats[SEAT_NUMBER_OF_WIND[wind] - 1],
        )
        for row, table, seats in zip(tables, planned_tables, games, strict=True)
        for wind, key in table.seats.items()
    )


@transaction.atomic
def clear_tables(*, session: Session, page_state: ShownState | None = None) -> None:
    """Delete the tables; refused once a hand is recorded at any of them."""
    set_state(delete_tables(session, page_state), SessionState.ARRIVING)


def delete_tables(
    session: Session,
    page_state: ShownState | None,
    otherwise: str = "the tables can no longer be cleared",
) -> Session:
    session, games = lock_with_games(session, page_state)
    refuse_finished(session)
    if Hand.objects.filter(game__in=games, is_current=True).exists():
        raise refuse("hands_recorded", f"Hands have been recorded, so {otherwise}.")
    game_ids = list(games.values_list("pk", flat=True))
    session.tables.all().delete()
    scorebook.remove_games(game_ids)
    return session


def lock_with_games(
    session: Session, page_state: ShownState | None
) -> tuple[Session, QuerySet[Game]]:
    """The evening and its games, locked; raises ``Overtaken`` if it is not in ``page_state``.

    By way of the club's row, so that no game is added meanwhile; the games before the evening, as
    ``post_hand`` does.
    """
    lock_club(session.club_id)
    games = Game.objects.filter(session_table__session=session)
    scorebook.lock_games(games)
    session = lock_session(session.pk)
    check_not_overtaken(session, page_state)
    return session, games


def lock_unfinished(session: Session) -> Session:
    """The evening, locked; raises ``Refused`` if it is finished or cancelled."""
    session = lock_session(session.pk)
    refuse_finished(session)
    return session


def refuse_finished(session: Session) -> None:
    refuse_cancelled(session)
    if session.state == SessionState.CLOSED:
        raise refuse(
            "session_closed",
            "This evening is finished, so its result cannot change. Reopen the evening first.",
        )


def refuse_cancelled(session: Session) -> None:
    if session.is_cancelled:
        message = "This evening was cancelled, so nothing can change. Restore the evening first."
        raise refuse("session_cancelled", message)


def set_state(session: Session, state: SessionState) -> None:
    session.state = state
    session.save(update_fields=["state"])
    touch(session)


def touch(session: Session) -> None:
    """Raise the evening's version by one: something that pages show has changed."""
    _RAISE_VERSION(session.pk, scoped_club_id(session))


def _version_update(key: int, club: int) -> Query:
    with club_scope(club):
        return update_query(Session.objects.filter(pk=key), version=F("version") + 1)


_RAISE_VERSION: Final = PreparedChange(_version_update, int, int)


def emit_evening_event(kind: News, session: Session) -> None:
    emit_event(
        kind, club=session.club_id, route=("api-evening-detail", session.pk), evening=session.pk
    )


@transaction.atomic
def join_table(
    *, session: Session, player: Player, number: int, page_state: ShownState | None = None
) -> tuple[str, ...]:
    """A waiting player joins a table from the next hand on. Returns what was done, in sentences."""
    session = _lock_evening_in_play(session, page_state)
    _check_waiting(session, player)
    table = _table_in_play(session, number)
    effects = _begin_next_game(session, table, [*_sitters_in_turn(table), Sitter(player.pk, None)])
    return (*effects, CARD_STAYS)


@transaction.atomic
def take_over(
    *,
    session: Session,
    leaver: Player,
    player: Player,
    goes_home: bool,
    page_state: ShownState | None = None,
) -> tuple[str, ...]:
    """A waiting player takes the seat of one who leaves, from the next hand on."""
    session = _lock_evening_in_play(session, page_state)
    _check_waiting(session, player)
    table = _table_of(session, leaver)
    seats = [
        sitter._replace(player=player.pk) if sitter.player == leaver.pk else sitter
        for sitter in sorted(_sitters_in_turn(table), key=attrgetter("seat"))
    ]
    return (
        *_begin_next_game(session, table, seats),
        f"{player.name} takes over {leaver.name}’s wind and, if you use them, counting sticks.",
        CARD_STAYS,
        _release_player(session, leaver, goes_home=goes_home),
    )


@transaction.atomic
def leave_table(
    *, session: Session, leaver: Player, goes_home: bool, page_state: ShownState | None = None
) -> tuple[str, ...]:
    """A player leaves and the others carry on without, if the rules allow it."""
    session = _lock_evening_in_play(session, page_state)
    table = _table_of(session, leaver)
    seats = [sitter for sitter in _sitters_in_turn(table) if sitter.player != leaver.pk]
    return (
        *_begin_next_game(session, table, seats),
        CARD_STAYS,
        _release_player(session, leaver, goes_home=goes_home),
    )


@transaction.atomic
def end_table(
    *, session: Session, leaver: Player, goes_home: bool, page_state: ShownState | None = None
) -> tuple[str, ...]:
    """A player leaves and the table ends: its hands count, and the others wait."""
    session = _lock_evening_in_play(session, page_state)
    table = _table_of(session, leaver)
    _check_settled(table)
    other_names = table.places.exclude(player=leaver).values_list("player__name", flat=True)
    names = join_with_and(sorted(other_names, key=surname_key))
    hands = _hand_count(table)
    scorebook.close_games(Game.objects.filter(pk=table.game_id))
    table.places.update(is_current=False)
    touch(session)
    hands_text = f"after {count_words(hands, 'hand')}" if hands else "without a hand"
    ends = f"Table {table.number} ends {hands_text}. {names} can sit at another table or go home."
    return (ends, _release_player(session, leaver, goes_home=goes_home))


@transaction.atomic
def form_table(
    *, session: Session, players: Sequence[Player], page_state: ShownState | None = None
) -> tuple[str, ...]:
    """Waiting players form a new table, the first of them as East."""
    session = _lock_evening_in_play(session, page_state)
    for player in players:
        _check_waiting(session, player)
    _check_size(session.plays, len(players), "The new table")
    used = session.tables.filter(number__lt=EARLIER_GAME_OFFSET).order_by("-number")
    number = (used.values_list("number", flat=True).first() or 0) + 1
    (seats,) = scorebook.open_games(
        rules=session.plays,
        sizes=[len(players)],
        agreement=session.club.agreement,
        book=session.book,
    )
    table = SessionTable.objects.create(session=session, number=number, game=seats[0].game)
    _give_seats(session, table, [player.pk for player in players])
    touch(session)
    return (*_next_hand_sentences(session, number), CARD_STAYS)


@transaction.atomic
def undo_change(*, session: Session, number: int, page_state: ShownState | None = None) -> str:
    """Take the last change at a table back, as long as no hand was entered after it."""
    session = _lock_evening_in_play(session, page_state)
    table = session.tables.select_related("game").filter(number=number).first()
    if table is None or number >= EARLIER_GAME_OFFSET:
        raise refuse("no_table", "This evening has no table with that number.", "number")
    if table.places.filter(is_current=True).exists():
        earlier_table = _last_ended_game(session, number)
        if earlier_table is None:
            raise refuse("no_change", f"There is nothing to undo at table {number}.", "number")
        if _hand_count(table):
            message = f"Table {number} has entered another hand, so this can no longer be undone."
            raise refuse("hands_recorded", message)
        new_game_id, table.game = table.game_id, earlier_table.game
        table.places.all().delete()
        earlier_table.places.update(table=table)
        earlier_table.delete()
        table.save(update_fields=["game"])
        scorebook.remove_games([new_game_id])
    players = list(table.places.values_list("player_id", flat=True))
    elsewhere = session.places.filter(player__in=players, is_current=True).exclude(table=table)
    if place := elsewhere.select_related("player", "table").first():
        message = f"{place.player.name} now sits at table {place.table.number}."
        raise refuse("is_seated", f"{message} Undo that first.", "number")
    table.places.update(is_current=True)
    scorebook.reopen_games(Game.objects.filter(pk=table.game_id))
    Attendance.objects.filter(session=session, player__in=players).update(left_at=None)
    touch(session)
    return f"Change undone at table {number}."


def preview_change(act: ChangeService) -> tuple[str, ...]:
    """Preview of one of these, in sentences: done and rolled back. Refused as they are."""
    with transaction.atomic():
        sentences = act()
        transaction.set_rollback(True)
    return sentences


def _lock_evening_in_play(
    session: Session,
    page_state: ShownState | None,
    otherwise: str = "You can only change tables while the evening is in progress.",
) -> Session:
    """The evening, locked with its games."""
    session, _ = lock_with_games(session, page_state)
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", otherwise)
    return session


def _check_waiting(session: Session, player: Player) -> None:
    if not session.attendances.filter(player=player, left_at=None).exists():
        raise refuse("not_here", f"{player.name} must be checked in first.", "player")
    if session.places.filter(player=player, is_current=True).exists():
        raise refuse("is_seated", f"{player.name} is already at a table.", "player")


def _table_in_play(session: Session, number: int) -> SessionTable:
    tables = session.tables.select_related("game").filter(game__closed_at=None)
    table = tables.filter(number=number).first()
    if table is None:
        raise refuse("no_table", f"Table {number} has already finished.", "number")
    return table


def _table_of(session: Session, player: Player) -> SessionTable:
    place = session.places.filter(player=player, is_current=True).select_related("table").first()
    if place is None:
        raise refuse("no_seat", f"{player.name} is not at a table.", "leaver")
    return _table_in_play(session, place.table.number)


class Sitter(NamedTuple):
    """A player, and the seat of the table that they have; None if they are new to it."""

    player: int
    seat: int | None


def _sitters_in_turn(table: SessionTable) -> list[Sitter]:
    """Who sits there, next East first."""
    return [Sitter(place.player_id, place.seat.number) for place in places_at_next_hand(table)]


def _hand_count(table: SessionTable) -> int:
    return table.game.hands.filter(is_current=True).count()


def _check_settled(table: SessionTable) -> None:
    hands = Hand.objects.filter(game=table.game_id, is_current=True)
    if disputed_hand := hands.filter(state=HandState.DISPUTED).first():
        which = f"Hand {disputed_hand.number_at_table} of table {table.number}"
        message = f"{which} is disputed. Resolve it first."
        raise refuse("disputed", message)


def _check_size(rules: str, size: int, subject: str, field: str = "") -> None:
    if size not in door_rows.allowed_sizes(rules):
        message = f"{subject} would have {size} players, which the rules do not allow."
        raise refuse("bad_size", message, field)


def _begin_next_game(
    session: Session, table: SessionTable, sitters: Sequence[Sitter]
) -> tuple[str, ...]:
    """Seat these from the next hand, in the order of the seats; returns what was done, said."""
    _check_size(table.game.rules, len(sitters), f"Table {table.number}")
    _check_settled(table)
    hands, table_phrase, size = _hand_count(table), f"at table {table.number}", table.game.size
    carried_seats = [sitter.seat for sitter in sitters]
    if hands:
        # The game goes on in a row of its own; the one so far is kept as a table of its own.
        ended_game = table.game
        table.game = scorebook.carry_on(ended_game, carried_seats)[0].game
        table.save(update_fields=["game"])
        earlier_table = _last_ended_game(session, table.number)
        number = EARLIER_GAME_OFFSET + (earlier_table.number if earlier_table else table.number)
        ended_table = SessionTable.objects.create(session=session, number=number, game=ended_game)
        table.places.update(table=ended_table, is_current=False)
    else:
        table.places.all().delete()
        table.game = scorebook.resize_game(table.game, len(sitters), carried_seats)
        table.save(update_fields=["game"])
    _give_seats(session, table, [sitter.player for sitter in sitters])
    touch(session)
    effects = _next_hand_sentences(session, table.number)
    if table.game.continues_id is not None and len(sitters) != size:
        effects = (*effects, *_size_change_sentences(table, sitters))
    if not hands:
        return effects
    counts = (
        f"The {hands} hands already played {table_phrase} still count for the people who played "
        "them."
    )
    if hands == 1:
        counts = (
            f"The hand already played {table_phrase} still counts for the people who played it."
        )
    return (counts, *effects)


def _size_change_sentences(table: SessionTable, sitters: Sequence[Sitter]) -> Iterator[str]:
    """What becomes of the wind round and of the sticks where more or fewer play on."""
    rules = rule_set(table.game.rules)
    wind = progress(table.game).deals[-1].prevailing_wind
    if wind is not None and not rules.passing.hands_of_a_wind:
        count = SIZE_NAMES[len(sitters)]
        yield (
            f"With {count} players the {wind.label} round starts again: it ends when all {count} "
            "have been East."
        )
    if rules.zero_sum and any(sitter.seat is None for sitter in sitters):
        yield f"If you use counting sticks, the new player starts with {START_POINTS:,}."


def _last_ended_game(session: Session, number: int) -> SessionTable | None:
    """The game of this table that ended last."""
    ended_tables = session.tables.select_related("game").filter(number__gt=EARLIER_GAME_OFFSET)
    return next(
        (table for table in ended_tables.order_by("-number") if table.table_number == number), None
    )


def _give_seats(session: Session, table: SessionTable, players: Sequence[int]) -> None:
    """Give these players the seats of the table's game, East first."""
    SessionSeat.objects.bulk_create(
        SessionSeat(session=session, table=table, player_id=player, seat=seat)
        for seat, player in zip(table.game.seats.order_by("number"), players, strict=True)
    )


def _release_player(session: Session, player: Player, *, goes_home: bool) -> str:
    if not goes_home:
        return f"{player.name} is waiting for another seat."
    Attendance.objects.filter(session=session, player=player).update(left_at=timezone.now())
    return f"{player.name} leaves for the evening."


def _next_hand_sentences(session: Session, number: int) -> tuple[str, ...]:
    table = next(
        table for table in tables_playing(rows.tables_with_hands(session)) if table.number == number
    )
    seats_text = join_with_and([f"{name} ({wind or 'sits out'})" for name, wind in table.seats])
    wind = f", with {table.prevailing} as the prevailing wind" if table.prevailing else ""
    message = f"From the next hand, table {number} is {seats_text}{wind}."
    return (message, *(["The next hand is a goulash."] if table.goulash else []))


@transaction.atomic
def change_places(
    *, session: Session, one: Player, other: Player, page_state: ShownState | None = None
) -> str:
    """Two players take each other's seats; one of them may be here without a table.

    Refused once a hand is recorded at a table that either leaves or joins. Returns what was done.
    """
    session = _lock_evening_in_play(session, page_state, CANNOT_MOVE)
    old_seats = _seats_by_table(session)
    if one == other:
        raise refuse("same_player", "Choose two different players.", "other")
    if not any(one.pk in seats or other.pk in seats for seats in old_seats.values()):
        raise refuse("no_seat", "Neither of them is at a table.", "other")
    swaps = {one.pk: other.pk, other.pk: one.pk}
    new_seats = {number: [swaps.get(pk, pk) for pk in seats] for number, seats in old_seats.items()}
    _reseat(session, old_seats, new_seats)
    return f"{one.name} and {other.name} have changed places."


@transaction.atomic
def move_to_table(
    *, session: Session, player: Player, number: int, page_state: ShownState | None = None
) -> str:
    """Someone leaves their table, or has none, and takes the last seat of another.

    Refused as `change_places` is, and where a table would have more or fewer players than its
    rules allow. Returns what was done.
    """
    session = _lock_evening_in_play(session, page_state, CANNOT_MOVE)
    old_seats = _seats_by_table(session)
    if number not in old_seats:
        raise refuse("no_table", f"There is no table {number}.", "number")
    if player.pk in old_seats[number]:
        raise refuse("same_table", f"{player.name} already sits there.", "number")
    remaining_seats = {
        table_number: [pk for pk in seats if pk != player.pk]
        for table_number, seats in old_seats.items()
    }
    _reseat(session, old_seats, remaining_seats | {number: [*remaining_seats[number], player.pk]})
    return f"{player.name} now sits at table {number}."


def _seats_by_table(session: Session) -> SeatsByTable:
    seats_by_table: SeatsByTable = {number: [] for number in table_numbers(session.pk)}
    seats = session.places.filter(is_current=True).order_by("seat__number")
    for number, player in seats.values_list("table__number", "player_id"):
        seats_by_table[number].append(player)
    return seats_by_table


def _reseat(session: Session, old_seats: SeatsByTable, new_seats: SeatsByTable) -> None:
    present_players = set(
        session.attendances.filter(left_at=None).values_list("player_id", flat=True)
    )
    if absent_players := {pk for seats in new_seats.values() for pk in seats} - present_players:
        names = Player.objects.filter(pk__in=absent_players).values_list("name", flat=True)
        raise refuse(
            "not_here", f"{join_with_and(list(names))} must be checked in first.", "player"
        )
    changed_seats = {
        number: seats for number, seats in new_seats.items() if seats != old_seats[number]
    }
    tables = list(session.tables.filter(number__in=changed_seats).select_related("game"))
    has_begun = any(table.game.continues_id is not None for table in tables)
    games = [table.game_id for table in tables]
    if has_begun or Hand.objects.filter(game__in=games, is_current=True).exists():
        message = "That table has already recorded a hand, so its seats cannot change."
        raise refuse("hands_recorded", message)
    for table in tables:
        _check_size(
            table.game.rules, len(changed_seats[table.number]), f"Table {table.number}", "number"
        )
    SessionSeat.objects.filter(table__in=tables).delete()
    for table in tables:
        table.game = scorebook.resize_game(table.game, len(changed_seats[table.number]))
        table.save(update_fields=["game"])
        _give_seats(session, table, changed_seats[table.number])
    touch(session)
