"""The tables of an evening: on the screen, on paper, in dispute, and as people come and go."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, TypeVar

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils.timezone import localtime

from clubs.core.people_names import names_of
from clubs.evenings.selectors.door import allowed_sizes, attendances_of
from clubs.evenings.selectors.evenings import (
    hands_at,
    result_of,
    state_from_places,
    tables_with_hands,
)
from clubs.language.words import count_words, whole_number
from clubs.models import (
    EARLIER_GAME_OFFSET,
    Player,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
)
from clubs.models.names import PUBLIC_READER, TABLE_READER, Reader, split_surname, surname_key
from clubs.seating.why import join_with_and
from clubs.table.rows import TableView, numbered_hands, points_text
from clubs.table.square import Chair, add_empty_chair, chairs_after, square_of
from scoring import Deal, Wind
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Hand, HandState
from scoring.scorebook.selectors import outcome_of, progress, progress_after

COLUMN_ROWS, MIN_COLUMN_ROWS = 14, 6
SECONDS_PER_NAME_PAGE = 12
WallRow = TypeVar("WallRow")
TABLES_PER_PAGE = 6
ORGANISER_PREFIX = "user "
"""``sent_by`` starts with this where a hand was entered at the desk."""


@dataclass(frozen=True, slots=True)
class PlayerSeat:
    """Where a player sits."""

    name: str
    table: Annotated[int | None, "null: they sit out"]
    wind: str = ""


@dataclass(frozen=True, slots=True)
class GuidedSeat:
    """Someone on the wall; ``guide``: the surname's initial, at the first of each in a column.

    ``forenames`` and ``surname`` are the two parts of the name.
    """

    guide: str
    seat: PlayerSeat
    forenames: str
    surname: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WallPage:
    """One page, shown for ``seconds``; ``kind`` selects the template part."""

    kind: str
    title: str
    note: str = ""
    seconds: int = 10
    tables: tuple[object, ...] = ()
    columns: tuple[tuple[object, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """All pages, and the number of the one to start with (from 1)."""

    pages: tuple[WallPage, ...]
    start_page: int

    @property
    def next(self) -> int:
        """The number of the next page; after the last comes the first."""
        return self.start_page % len(self.pages) + 1 if self.pages else 1


def requested_page(page_number: str, pages: Sequence[WallPage]) -> int:
    """The number of the wanted page (``?page=3``) if there is one, else 1."""
    return whole_number(page_number, most=len(pages)) or 1


def seat_pages(title: str, seats: Iterable[PlayerSeat]) -> Iterator[WallPage]:
    """Everyone in order of surname, with initials as guides."""
    in_order = sorted(seats, key=lambda seat: (surname_key(seat.name), seat.table or 0))
    for page in pages_of_columns(in_order):
        first, last = (initial_of(seat.name) for seat in (page[0][0], page[-1][-1]))
        yield WallPage(
            kind="seats",
            title=title,
            note=f"surnames {first}" if first == last else f"surnames {first} to {last}",
            seconds=SECONDS_PER_NAME_PAGE,
            columns=tuple(tuple(_with_guides(column)) for column in page),
        )


def _with_guides(column: Sequence[PlayerSeat]) -> Iterator[GuidedSeat]:
    previous_initial = ""
    for seat in column:
        initial = initial_of(seat.name)
        yield GuidedSeat(
            "" if initial == previous_initial else initial, seat, *split_surname(seat.name)
        )
        previous_initial = initial


def initial_of(name: str) -> str:
    """The initial of the surname, without accents: ``Ann Ł.`` and ``Ben lin`` are both under L."""
    return surname_key(name)[0][:1].upper()


def pages_of_columns(rows: Sequence[WallRow]) -> Iterator[tuple[tuple[WallRow, ...], ...]]:
    """Pages of two columns of fourteen large rows; if one page is not enough, of three columns.

    All pages are about equally full, and so are the columns of a page.
    """
    count = 2 if len(rows) <= 2 * COLUMN_ROWS else 3
    pages = max(1, -(-len(rows) // (count * COLUMN_ROWS)))
    for page in chunks(rows, max(1, -(-len(rows) // pages))):
        yield tuple(chunks(page, max(MIN_COLUMN_ROWS, -(-len(page) // count))))


def chunks(parts: Sequence[WallRow], size: int) -> Iterator[tuple[WallRow, ...]]:
    for start in range(0, len(parts), size):
        yield tuple(parts[start : start + size])


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that the table played before a player joined or left.

    ``title``: ``hands 1 to 6``.
    """

    number: Annotated[int, "the table’s number, as used in addresses"]
    game_id: int
    title: str
    hands: int


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table at a glance.

    Its seats have the winds of the next hand, East first. ``unagreed_count`` hands count as they
    were entered. ``ended_games``: the games it played before with other people; ``hands`` are those
    of the one now.
    """

    number: int
    game_id: int
    link_key: str
    seats: tuple[Chair, ...]
    prevailing: Wind | None
    hands: int
    disputed_hands: tuple[int, ...]
    is_over: bool
    unagreed_count: Annotated[int, "hands that not everyone has agreed yet"] = 0
    players: frozenset[int] = frozenset()
    ended_games: tuple[EndedGame, ...] = ()
    hands_before: Annotated[int, "hands before the players changed"] = 0

    @property
    def hands_played(self) -> int:
        return self.hands + sum(game.hands for game in self.ended_games)

    @property
    def state(self) -> str:
        """The CSS kind of the tag that shows the state."""
        if self.disputed_hands:
            return "trouble"
        if self.is_over:
            return "done"
        return "playing" if self.hands_played else "idle"

    @property
    def label(self) -> str:
        if self.disputed_hands:
            numbers = [str(self.hands_before + number) for number in self.disputed_hands]
            return f"hand{'s' if len(numbers) > 1 else ''} {', '.join(numbers)} disputed"
        hands_text = count_words(self.hands_played, "hand") if self.hands_played else "no hand"
        return (
            f"finished, {hands_text}"
            if self.is_over
            else f"{hands_text}{'' if self.hands_played else ' yet'}"
        )


def doubts_before_finish(tables: Sequence[FloorTable], *, warning: str = "") -> tuple[str, ...]:
    """What is unusual about an evening that is about to be finished, and what would count.

    ``warning`` says that it is for a later day. Empty if all is well, or if a disputed hand keeps
    the evening open anyway.
    """
    if any(table.disputed_hands for table in tables):
        return ()
    empty = [str(table.number) for table in tables if not table.hands_played]
    doubts = [warning] if warning else []
    if len(empty) == len(tables):
        doubts.append("No hand has been recorded, so this evening has no result.")
    elif empty:
        subject = (
            f"Tables {join_with_and(empty)} have" if len(empty) > 1 else f"Table {empty[0]} has"
        )
        doubts.append(f"{subject} no hands. The players there come last, without a place.")
    doubts += _unagreed_sentences(tables)
    if doubts:
        doubts.append("No one can add or change a hand until you reopen the evening.")
    return tuple(doubts)


def _unagreed_sentences(tables: Sequence[FloorTable]) -> Iterator[str]:
    """How many hands are not agreed, and at which tables someone can ask the players."""
    hands = sum(table.unagreed_count for table in tables)
    if not hands:
        return
    numbers = [str(table.number) for table in tables if table.unagreed_count]
    tables_phrase = f"table{'s' * (len(numbers) > 1)} {join_with_and(numbers)}"
    are, count_clause = ("are", "They count") if hands > 1 else ("is", "It counts")
    yield (
        f"{count_words(hands, 'hand')} at {tables_phrase} {are} not agreed yet. {count_clause} as "
        "entered."
    )


def floor_of(session: Session, *, reader: Reader = PUBLIC_READER) -> tuple[FloorTable, ...]:
    """Every table of the evening; three queries however many there are."""
    return floor_at(tables_with_hands(session), reader=reader)


def floor_at(tables: Sequence[SessionTable], *, reader: Reader) -> tuple[FloorTable, ...]:
    """The same of ``tables_with_hands``; no query."""
    games: dict[int, list[SessionTable]] = defaultdict(list)
    for table in tables:
        games[table.table_number].append(table)
    names = names_of((place.player for table in tables for place in table.places.all()), reader)
    return tuple(_floor_table(now, ended_games, names) for now, *ended_games in games.values())


def _floor_table(
    table: SessionTable, ended_games: Sequence[SessionTable], names: Mapping[int, str]
) -> FloorTable:
    hands = hands_at(table)
    state = progress_after(table.game, [outcome_of(hand) for hand in hands])
    by_seat = {place.seat.number: place for place in table.places.all()}
    rules = rule_set(table.game.rules)
    # Players keep their chairs while the winds move on; whoever sits out comes last.
    chairs = chairs_after([deal.winds for deal in state.deals], table.game.exchanges)
    sitting = {seat: names[place.player_id] for seat, place in by_seat.items()}
    won, hand_counts = Counter[int](), Counter[int]()
    for game in (table, *ended_games):
        for place in game.places.all():
            won[place.player_id] += place.seat.points
            hand_counts[place.player_id] += place.seat.hands
    notes = {
        seat: points_text(won[place.player_id], pays=rules.zero_sum)
        if hand_counts[place.player_id]
        else ""
        for seat, place in by_seat.items()
    }
    square = square_of(state.deals[-1], chairs, sitting, notes)
    return FloorTable(
        number=table.number,
        game_id=table.game_id,
        link_key=table.link_key,
        seats=add_empty_chair(square, rules.passing),
        prevailing=state.deals[-1].prevailing_wind,
        hands=len(hands),
        hands_before=table.game.hands_before,
        disputed_hands=tuple(hand.number for hand in hands if hand.state == HandState.DISPUTED),
        is_over=table.game.is_closed or state.is_finished,
        unagreed_count=sum(
            hand.state == HandState.REPORTED
            for game in (table, *ended_games)
            for hand in hands_at(game)
        ),
        players=frozenset(place.player_id for place in table.places.all()),
        ended_games=tuple(
            EndedGame(
                game.number,
                game.game_id,
                numbered_hands(game.game.hands_before, len(hands_at(game))),
                len(hands_at(game)),
            )
            for game in ended_games
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningWall(Wall):
    """The screens of an evening; how many are here, and who of them has no table."""

    present_count: int
    unseated_names: tuple[str, ...]


def evenings_on_walls() -> QuerySet[Session]:
    return Session.objects.select_related("club")


def wall_of(session: Session, *, page: str = "") -> EveningWall:
    """The wall of the evening, starting at ``page`` if there is such a page.

    Seats show at least first names; the result shows names as each player chose. A cancelled
    evening has no page.
    """
    if session.is_cancelled:
        return EveningWall(pages=(), start_page=1, present_count=0, unseated_names=())
    tables = floor_of(session, reader=TABLE_READER)
    has_begun = any(table.hands_played for table in tables)
    rows = result_of(session) if has_begun else ()
    is_closed = session.state == SessionState.CLOSED
    pages: list[WallPage] = []
    if len(tables) > TABLES_PER_PAGE and not has_begun:
        seats = (
            PlayerSeat(seat.name, table.number, str(seat.wind or ""))
            for table in tables
            for seat in table.seats
        )
        pages += seat_pages("Find your name", seats)
    if not (is_closed and rows):
        seating = chunks(tables, TABLES_PER_PAGE)
        pages += (
            WallPage(kind="tables", title="Seating", tables=page_tables) for page_tables in seating
        )
    title = "Result" if is_closed else "Result so far"
    results = pages_of_columns(rows)
    pages += (WallPage(kind="result", title=title, columns=columns) for columns in results)
    present_names = names_of(
        (attendance.player for attendance in attendances_of(session)), TABLE_READER
    )
    seated_players = {key for table in tables for key in table.players}
    return EveningWall(
        pages=tuple(pages),
        start_page=requested_page(page, pages),
        present_count=len(present_names),
        unseated_names=tuple(
            present_names[key] for key in present_names if key not in seated_players
        )
        if tables
        else (),
    )


class SheetState(StrEnum):
    """How much of a table's paper sheet is in the score book."""

    BEGUN = "begun"
    NONE = "none"
    HALF = "half"
    SOME = "some"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class StackedSheet:
    """One table’s paper score sheet."""

    number: int
    names: tuple[str, ...]
    typed: Annotated[int, "hands entered by an organiser"]
    by_phone: Annotated[int, "hands entered at the table"]
    hands_planned: int | None
    disputed_count: int
    is_begun: bool
    is_over: bool

    @property
    def hands(self) -> int:
        return self.typed + self.by_phone

    @property
    def state(self) -> Annotated[SheetState, "none, half, some or whole"]:
        """Without a planned number of hands a sheet is only ``WHOLE`` once the game is over."""
        if self.is_begun:
            return SheetState.BEGUN
        if not self.hands:
            return SheetState.NONE
        if self.is_over or (self.hands_planned is not None and self.hands >= self.hands_planned):
            return SheetState.WHOLE
        return SheetState.SOME if self.hands_planned is None else SheetState.HALF

    @property
    def text(self) -> str:
        """``16 hands: 10 by phone, 6 typed in``; of those planned as long as some are missing."""
        if not self.hands:
            return "No hands recorded"
        planned_hands = self.hands_planned or 0
        of_all = f" of {planned_hands}" if self.hands < planned_hands else ""
        count = f"{self.hands}{of_all} hand{'' if (planned_hands or self.hands) == 1 else 's'}"
        if not self.typed:
            return f"{count}, all by phone"
        if not self.by_phone:
            return f"{count}, all from paper"
        return f"{count}: {self.by_phone} by phone, {self.typed} from paper"


@dataclass(frozen=True, slots=True)
class SheetStack:
    sheets: tuple[StackedSheet, ...]

    @property
    def next(self) -> StackedSheet | None:
        """The first that was begun, else without hands, else incomplete."""
        order = (SheetState.BEGUN, SheetState.NONE, SheetState.HALF)
        waiting = [sheet for state in order for sheet in self.sheets if sheet.state == state]
        return next(iter(waiting), None)

    @property
    def waiting(self) -> int:
        return sum(sheet.state in {SheetState.NONE, SheetState.HALF} for sheet in self.sheets)


def stack_of(tables: Sequence[TableView], *, draft_games: Collection[int] = ()) -> SheetStack:
    """The sheets of these tables; ``draft_games``: games with a sheet typed in but not saved."""
    sheets = []
    for table in tables:
        game = table.game
        typed_count = sum(hand.sent_by.startswith(ORGANISER_PREFIX) for hand in game.hands)
        sheets.append(
            StackedSheet(
                number=table.number,
                names=tuple(name for _, name in sorted(table.names.items())),
                typed=typed_count,
                by_phone=len(game.hands) - typed_count,
                hands_planned=game.hands_planned,
                disputed_count=sum(hand.state == HandState.DISPUTED for hand in game.hands),
                is_begun=game.pk in draft_games,
                is_over=game.is_over,
            )
        )
    return SheetStack(tuple(sheets))


@dataclass(frozen=True, slots=True)
class Complaint:
    """Who reported a problem with a hand."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """One disputed hand.

    Or one that the scorer alone must agree to.
    """

    hand: Annotated[int, "its id"]
    number: int
    table: int
    round: Annotated[int | None, "null on an evening"]
    complaints: tuple[Complaint, ...]
    since: datetime
    number_at_table: Annotated[int, "as people count, hands before a change of players too"]

    @property
    def title(self) -> str:
        """``Round 2, table 3``; on a club evening ``Table 3``."""
        table_label = f"table {self.table % EARLIER_GAME_OFFSET}"
        return f"Round {self.round}, {table_label}" if self.round else table_label.capitalize()


def disputes_of(session: Session) -> tuple[Dispute, ...]:
    """The evening's disputes, the longest wait first; four queries, three if there are none."""
    return disputes_at(tables_with_hands(session))


def disputes_at(
    tables: Sequence[SessionTable], *, with_reported: bool = True
) -> tuple[Dispute, ...]:
    """The same of ``tables_with_hands``; one query where there are any.

    ``with_reported``: with the hands that only the scorer agrees.
    """
    hands_and_tables = [
        (hand, table)
        for table in tables
        for hand in hands_at(table)
        if hand.state == HandState.DISPUTED
        or (
            with_reported
            and hand.state == HandState.REPORTED
            and table.game.agreement == AgreementPolicy.SCORER
        )
    ]
    prefetch_related_objects([hand for hand, _ in hands_and_tables], "agreements")
    return _longest_first(
        _build_dispute(
            hand,
            [table.number],
            {place.seat.number: place.player.name for place in table.places.all()},
            hands_before=table.game.hands_before,
        )
        for hand, table in hands_and_tables
    )


def disputes_among(
    hands: QuerySet[Hand],
    *,
    table: str,
    names: Callable[[Sequence[Hand]], Mapping[int, Mapping[int, str]]],
    round_: str = "",
) -> tuple[Dispute, ...]:
    """The disputes among these hands of any event, the longest wait first.

    ``table`` and ``round_`` are where a hand's numbers of them stand, ``names`` reads who played
    some hands: by the hand's key, and then by seat.
    """
    is_to_agree = Q(state=HandState.REPORTED, game__agreement=AgreementPolicy.SCORER)
    columns = ["pk", table, *([round_] if round_ else [])]
    hands_in_dispute = hands.filter(Q(state=HandState.DISPUTED) | is_to_agree, is_current=True)
    places = {pk: numbers for pk, *numbers in hands_in_dispute.values_list(*columns)}
    rows = list(Hand.objects.filter(pk__in=places).prefetch_related("agreements")) if places else []
    sitting = names(rows) if rows else {}
    return _longest_first(_build_dispute(row, places[row.pk], sitting[row.pk]) for row in rows)


def _longest_first(disputes: Iterable[Dispute]) -> tuple[Dispute, ...]:
    return tuple(sorted(disputes, key=lambda dispute: (dispute.since, dispute.hand)))


def _build_dispute(
    hand: Hand, numbers: list[int], names: Mapping[int, str], *, hands_before: int = 0
) -> Dispute:
    last = {agreement.seat: agreement for agreement in hand.agreements.all()}
    objections = [agreement for agreement in last.values() if not agreement.agrees]
    table, *rounds = numbers
    return Dispute(
        hand=hand.pk,
        number=hand.number,
        number_at_table=hands_before + hand.number,
        table=table,
        round=rounds[0] if rounds else None,
        complaints=tuple(
            Complaint(names.get(agreement.seat, f"Seat {agreement.seat}"), agreement.note)
            for agreement in objections
        ),
        since=localtime(min((agreement.said_at for agreement in objections), default=hand.sent_at)),
    )


@dataclass(frozen=True, slots=True)
class ChangingTable:
    """A table that a player may join or leave.

    ``has_ended``: it plays no more, and nobody sits there.
    """

    number: int
    seats: Annotated[
        tuple[tuple[str, str], ...], "wind and name of each player at the next hand, East first"
    ]
    prevailing: Annotated[str, "the prevailing wind of the next hand; empty where none is"]
    goulash: bool
    takes: Annotated[bool, "whether the rules allow another player"]
    spares: Annotated[bool, "whether the rules allow one player fewer"]
    hands: int
    can_undo: Annotated[bool, "whether its last change can be undone"]
    has_ended: bool = False


@dataclass(frozen=True, slots=True)
class TableChanges:
    """The page of late arrivals and departures: the tables, who waits for a seat, who plays.

    ``state`` is what its forms carry to notice changes made meanwhile; ``disputes`` are decided
    before their tables change.
    """

    tables: tuple[ChangingTable, ...]
    waiters: tuple[Player, ...]
    players: tuple[Player, ...]
    leavers: tuple[str, ...]
    state: str
    disputes: tuple[Dispute, ...]

    @property
    def waiting(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.waiters)

    @property
    def undoable(self) -> tuple[int, ...]:
        """The tables whose last change can be taken back."""
        return tuple(table.number for table in self.tables if table.can_undo)


def table_changes(session: Session) -> TableChanges:
    """The evening's tables and who has none; four queries, and one where hands are disputed."""
    tables = tables_with_hands(session)
    came = sorted(
        session.attendances.select_related("player").order_by("pk"),
        key=lambda attendance: surname_key(attendance.player.name),
    )
    present_players = [attendance.player for attendance in came if attendance.left_at is None]
    now = [(table, place) for table in tables for place in table.places.all() if place.is_current]
    seated_players = {place.player_id for _, place in now}
    playing = {place.player for table, place in now if not table.game.is_closed}
    return TableChanges(
        tables=tables_playing(tables),
        waiters=tuple(player for player in present_players if player.pk not in seated_players),
        players=tuple(sorted(playing, key=lambda player: surname_key(player.name))),
        leavers=tuple(
            attendance.player.name for attendance in came if attendance.left_at is not None
        ),
        state=state_from_places(
            session, [place for table in tables for place in table.places.all()]
        ),
        disputes=disputes_at(tables, with_reported=False),
    )


def players_waiting(session: Session) -> QuerySet[Player]:
    """Who is here and has no seat now; one query."""
    seated_players = SessionSeat.objects.filter(session=session, is_current=True).values("player")
    present_players = Player.objects.filter(attendances__session=session, attendances__left_at=None)
    return present_players.exclude(pk__in=seated_players)


def without_table_sentence(session: Session) -> str:
    """``Ann Cox and Ben Brown have no table yet.`` Empty if everyone has; one query."""
    names = names_of(players_waiting(session), TABLE_READER).values()
    if not names:
        return ""
    verb = "have" if len(names) > 1 else "has"
    return f"{join_with_and(sorted(names, key=surname_key))} {verb} no table yet."


def players_seated(session: Session) -> QuerySet[Player]:
    """Who sits at a table that plays; one query."""
    return Player.objects.filter(
        places__session=session, places__is_current=True, places__table__game__closed_at=None
    )


def tables_playing(tables: Sequence[SessionTable]) -> tuple[ChangingTable, ...]:
    """Each of ``tables_with_hands`` with who sits there at the next hand; no query."""
    changed_tables = {table.table_number for table in tables if table.number > EARLIER_GAME_OFFSET}
    playing = []
    for table in tables:
        if table.number > EARLIER_GAME_OFFSET:
            continue
        hands = hands_at(table)
        deal = progress_after(table.game, [outcome_of(hand) for hand in hands]).deals[-1]
        winds = {seat: wind.label for seat, wind in deal.winds.items()}
        places = _in_wind_order(deal, list(table.places.all()))
        table_sizes = allowed_sizes(table.game.rules)
        has_ended = not any(place.is_current for place in places)
        playing.append(
            ChangingTable(
                number=table.number,
                seats=tuple((p.player.name, winds.get(p.seat.number, "")) for p in places),
                prevailing=deal.prevailing_wind.label if deal.prevailing_wind else "",
                goulash=deal.goulash,
                takes=not has_ended and len(places) + 1 in table_sizes,
                spares=not has_ended and len(places) - 1 in table_sizes,
                hands=len(hands),
                can_undo=has_ended or (table.number in changed_tables and not hands),
                has_ended=has_ended,
            )
        )
    return tuple(playing)


def places_at_next_hand(table: SessionTable) -> list[SessionSeat]:
    """The places of the table in the order of their winds at the next hand, its East first."""
    places = table.places.select_related("player", "seat").order_by("seat__number")
    return _in_wind_order(progress(table.game).deals[-1], list(places))


def _in_wind_order(deal: Deal, places: list[SessionSeat]) -> list[SessionSeat]:
    """These places from the dealer on, in the order of the winds; whoever sits out comes last."""
    winds = [*Wind]
    in_order = sorted(deal.winds, key=lambda seat: winds.index(deal.winds[seat]))
    first = in_order.index(deal.dealer)
    turn = [*in_order[first:], *in_order[:first]]
    return sorted(
        places,
        key=lambda place: turn.index(place.seat.number) if place.seat.number in turn else len(turn),
    )
