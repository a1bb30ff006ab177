"""The projector screen, and everyone's own table and place."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from clubs.evenings.selectors.floor import (
    PlayerSeat,
    Wall,
    WallPage,
    chunks,
    pages_of_columns,
    requested_page,
    seat_pages,
)
from clubs.models.names import TABLE_READER, marked_as_withdrawn, name_key, surname_key
from clubs.table.rows import points_text
from clubs.table.square import Chair
from scoring.scorebook.selectors import starting_winds
from tournaments.core import WITH_PLAYER, first_few, names_of, sitters_of
from tournaments.desk.selectors import current_round_of
from tournaments.models import (
    Entrant,
    EntrantState,
    Placement,
    Round,
    RoundState,
    Tournament,
    TournamentState,
)
from tournaments.results.selectors.results import cached_board, results_of
from tournaments.results.selectors.standings import Board, StandingLine
from tournaments.rounds.clock import Clock, clock_of
from tournaments.rounds.selectors import RoundView, is_hidden, last_shown_round, round_view

LARGE_TABLES_A_PAGE = 6
SMALL_TABLES_A_PAGE = 9
PRIZES_A_PAGE = 4
NAMES_A_PRIZE = 3
SECONDS_TO_CHEER = 20
SITTING_DOWN = "sitting down"


@dataclass(frozen=True, slots=True, kw_only=True)
class NowPage(WallPage):
    """The current event in large type: a few letters, or the clock if any; then sentences."""

    big: str
    lines: tuple[str, ...] = ()
    clock: Clock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentWall(Wall):
    """The screens of a tournament; the clock appears in the corner of the other screens."""

    show: str
    now: RoundView | None
    board: Board
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class WonPrize:
    """A prize on the wall; if many share it, the first few by name."""

    title: str
    winner_names: str
    figure: str
    gift: str


@dataclass(frozen=True, slots=True)
class _Hall:
    tournament: Tournament
    now: RoundView | None
    entrant_count: int
    board: Board
    clock: Clock | None

    @property
    def phase(self) -> str:
        """A key of SCREENS_IN_TURN: the phase of the tournament, or of the current round."""
        if self.tournament.state == TournamentState.FINISHED:
            return TournamentState.FINISHED
        if self.now is None:
            return TournamentState.ENTERING
        is_open = self.now.state == RoundState.PLAYING
        if is_open and self.clock is not None and not self.clock.has_begun:
            return SITTING_DOWN
        return self.now.state

    @property
    def running_clock(self) -> Clock | None:
        """The clock once the round is started, running or stopped."""
        return self.clock if self.phase in {RoundState.PLAYING, SITTING_DOWN} else None

    @property
    def of_rounds(self) -> str:
        """``Round 2 of 5``; the tournament's name before the seating."""
        if self.now is None:
            return self.tournament.name
        return f"Round {self.now.number} of {self.tournament.rounds_planned}"


def wall_of(
    tournament: Tournament, *, now: datetime, show: str = "", page: str = ""
) -> TournamentWall:
    """The wall of a tournament; ``show`` (a key of SINGLE_SCREENS) limits the screens.

    At most eleven queries, however many play; the prizes of a finished tournament need more.
    """
    current = current_round_of(tuple(tournament.rounds.all()))
    current_view = None
    if current is not None:
        current_view = round_view(current, tournament, to_officials=False, reader=TABLE_READER)
    hall = _Hall(
        tournament=tournament,
        now=current_view,
        entrant_count=0 if current else tournament.entrants.entered().count(),
        board=cached_board(tournament, last_round=last_shown_round(tournament)),
        clock=None if current is None else clock_of(current, now=now),
    )
    parts = SINGLE_SCREENS.get(show, SCREENS_IN_TURN[hall.phase])
    pages = tuple(wall_page for part in parts for wall_page in part(hall)) or tuple(_now_page(hall))
    return TournamentWall(
        pages=pages,
        start_page=requested_page(page, pages),
        show=show if show in SINGLE_SCREENS else "",
        now=hall.now,
        board=hall.board,
        clock=hall.running_clock,
    )


def _seat_pages(hall: _Hall) -> Iterator[WallPage]:
    """Everyone by name, including those who sit out."""
    now = hall.now
    if now is None:
        return
    player_seats = [
        PlayerSeat(place.marked_sitter, table.number, place.wind)
        for table in now.tables
        for place in table.places
    ]
    resting = [PlayerSeat(name, None) for name in now.sitting_out]
    yield from seat_pages(f"Round {now.number}: find your name", [*player_seats, *resting])


def _table_pages(hall: _Hall) -> Iterator[WallPage]:
    now = hall.now
    if now is None:
        return
    size = SMALL_TABLES_A_PAGE if len(now.tables) > LARGE_TABLES_A_PAGE else LARGE_TABLES_A_PAGE
    for tables in chunks(now.tables, size):
        yield WallPage(kind="tables", title=hall.of_rounds, note=now.state.label, tables=tables)


def _few_table_pages(hall: _Hall) -> Iterator[WallPage]:
    """The tables, if they fit on one screen."""
    if hall.now is not None and len(hall.now.tables) <= SMALL_TABLES_A_PAGE:
        yield from _table_pages(hall)


def _standing_pages(hall: _Hall) -> Iterator[WallPage]:
    if hall.board.is_begun:
        for columns in pages_of_columns(hall.board.lines):
            counts = " ".join(filter(None, (hall.board.sitting_out, hall.board.without_hand)))
            note = ". ".join(filter(None, (hall.board.standing, counts)))
            yield WallPage(kind="standings", title="Standings", note=note, columns=columns)


def _leader_pages(hall: _Hall) -> Iterator[WallPage]:
    """The first page of the standings, while everyone looks for a seat."""
    yield from list(_standing_pages(hall))[:1]


def _team_pages(hall: _Hall) -> Iterator[WallPage]:
    if hall.board.is_begun:
        for columns in pages_of_columns(hall.board.teams):
            yield WallPage(kind="teams", title="Teams", note=hall.board.standing, columns=columns)


def _prize_pages(hall: _Hall) -> Iterator[WallPage]:
    if not hall.board.is_final:
        return
    won = [
        WonPrize(prize.title, first_few(prize.names, NAMES_A_PRIZE), prize.figure, prize.gift)
        for prize in results_of(hall.tournament).prizes
    ]
    for prizes in chunks(won, PRIZES_A_PAGE):
        yield WallPage(kind="prizes", title="Prizes", seconds=SECONDS_TO_CHEER, columns=(prizes,))


def _now_page(hall: _Hall) -> Iterator[WallPage]:
    """One page: what is happening, or what comes next."""
    big, *lines = _announcements(hall)
    if hall.now and hall.now.sitting_out and hall.now.state != RoundState.CLOSED:
        lines.append(f"Sitting out: {', '.join(hall.now.sitting_out)}")
    yield NowPage(
        kind="now",
        title=hall.of_rounds,
        seconds=15,
        big=big,
        lines=tuple(filter(None, lines)),
        clock=hall.running_clock,
    )


def _announcements(hall: _Hall) -> tuple[str, ...]:
    now = hall.now
    if now is None:
        verb = "has" if hall.entrant_count == 1 else "have"
        return (str(hall.entrant_count), f"{verb} entered. Tables will be announced soon.")
    if hall.phase == RoundState.SEATED:
        time = f"{hall.clock.minutes} minutes to play" if hall.clock else ""
        return (f"Round {now.number}", "starts soon. Find your name and take your seat.", time)
    if now.state == RoundState.PLAYING:
        done_count = sum(table.is_done for table in now.tables)
        return (f"{done_count} of {len(now.tables)}", f"tables have finished round {now.number}.")
    return _between_rounds(hall, now)


def _between_rounds(hall: _Hall, now: RoundView) -> tuple[str, ...]:
    """The text after a round: the next is not drawn yet, or there is none."""
    if hall.tournament.hides_last_round and now.number >= hall.tournament.rounds_planned:
        return ("All rounds finished", "The last round is hidden until the prize-giving.")
    if hall.phase == TournamentState.FINISHED:
        return ("The end", "Thank you for playing.")
    if now.number < hall.tournament.rounds_planned:
        return (f"Round {now.number}", f"is over. Seating for round {now.number + 1} soon.")
    return ("All rounds finished", "Prize-giving soon.")


PageMaker = Callable[[_Hall], Iterator[WallPage]]
SCREENS_IN_TURN: dict[str, tuple[PageMaker, ...]] = {
    TournamentState.ENTERING: (_now_page,),
    RoundState.SEATED: (_seat_pages, _now_page, _leader_pages),
    SITTING_DOWN: (_now_page, _seat_pages),
    RoundState.PLAYING: (_now_page, _few_table_pages, _standing_pages, _team_pages),
    RoundState.CLOSED: (_now_page, _standing_pages, _team_pages),
    TournamentState.FINISHED: (_prize_pages, _standing_pages, _team_pages),
}
SINGLE_SCREENS: dict[str, tuple[PageMaker, ...]] = {
    "seats": (_seat_pages,),
    "tables": (_table_pages,),
    "clock": (_now_page,),
    "standings": (_standing_pages, _team_pages),
}


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name to choose."""

    entrant_id: int
    name: str
    about: Annotated[str, "their club, or the player they substitute for"]


@dataclass(frozen=True, slots=True)
class MyRound:
    """My seat in a round. Without a table, I sit out or am not seated."""

    number: int
    state: RoundState
    table: int | None = None
    wind: str = ""
    substitute: str = ""
    points: Annotated[str, "empty if there are none, or if they are hidden"] = ""
    square: Annotated[tuple[Chair, ...], "all four players from my seat, myself first"] = ()
    sits_out: bool = False


@dataclass(frozen=True, slots=True)
class MyTournament:
    """One entrant: all rounds, and the standing as far as it is shown."""

    entrant: Entrant
    name: str
    rounds: tuple[MyRound, ...]
    now: MyRound | None
    line: StandingLine | None
    board: Board
    clock: Clock | None
    is_over: bool

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """The first and second ranking figures, with their names."""
        value = zip(self.board.columns, self.line.figures, strict=True) if self.line else ()
        return tuple(value)[:2]

    @property
    def other_rounds(self) -> tuple[MyRound, ...]:
        """The rounds with something to show, except the current or next one."""
        my_rounds = (my_round for my_round in self.rounds if my_round.table or my_round.sits_out)
        return tuple(
            my_round
            for my_round in my_rounds
            if my_round != self.now or my_round.state == RoundState.CLOSED
        )


def find_names(tournament: Tournament, *, search_text: str = "") -> tuple[NameMatch, ...]:
    """The names to choose from, by surname, with substitutes; three queries.

    Someone whose name is hidden is listed by first name. With ``search_text``, those whose name
    contains it, ignoring accents and case.
    """
    entrants = tournament.entrants.people().exclude(state=EntrantState.WITHDRAWN)
    people = list(entrants.select_related("player"))
    names = names_of(people, TABLE_READER)
    listed_names = [
        NameMatch(entrant.pk, names[entrant.pk], entrant.from_club) for entrant in people
    ]
    if current := current_round_of(tuple(tournament.rounds.all())):
        sitting_in = Placement.objects.filter(round=current).exclude(substitute="")
        listed_names += [
            NameMatch(
                place.entrant_id, place.substitute, f"substitute for {names[place.entrant_id]}"
            )
            for place in sitting_in.filter(entrant__in=names)
        ]
    key = name_key(search_text)
    result = [name for name in listed_names if key in name_key(name.name)]
    return tuple(sorted(result, key=lambda name: surname_key(name.name)))


def my_tournament(tournament: Tournament, *, entrant_id: int, now: datetime) -> MyTournament | None:
    """One entrant's tournament, None for an unknown one; five queries.

    At most five more for the standings, which are cached until something changes.
    """
    people = tournament.entrants.people().select_related("player")
    entrant = people.filter(pk=entrant_id).first()
    if entrant is None:
        return None
    round_rows = tuple(tournament.rounds.all())
    rounds = _my_rounds(tournament, round_rows, entrant)
    current = current_round_of(round_rows)
    board = cached_board(tournament, last_round=last_shown_round(tournament))
    return MyTournament(
        entrant=entrant,
        name=names_of([entrant], TABLE_READER)[entrant.pk],
        rounds=rounds,
        now=next(
            (my_round for my_round in rounds if current and my_round.number == current.number), None
        ),
        line=next((line for line in board.lines if line.row.entrant_id == entrant.pk), None),
        board=board,
        clock=clock_of(current, now=now) if current and current.started_at else None,
        is_over=tournament.state == TournamentState.FINISHED,
    )


def _my_rounds(
    tournament: Tournament, round_rows: Sequence[Round], me: Entrant
) -> tuple[MyRound, ...]:
    """My seat in every round, with the others at the table."""
    own_places = Placement.objects.filter(entrant=me, round__in=round_rows)
    places_by_round: dict[int, list[Placement]] = defaultdict(list)
    together = Placement.objects.filter(table__in=own_places.values("table"))
    for place in together.select_related(WITH_PLAYER, "seat", "table__game"):
        places_by_round[place.round_id].append(place)
    rounds_sat_out = set(tournament.rounds.filter(sitting_out=me).values_list("pk", flat=True))
    return tuple(
        _my_round(tournament, round_, me, places_by_round[round_.pk])
        if round_.pk in places_by_round
        else MyRound(round_.number, RoundState(round_.state), sits_out=round_.pk in rounds_sat_out)
        for round_ in round_rows
    )


def _my_round(
    tournament: Tournament, round_: Round, me: Entrant, places: Sequence[Placement]
) -> MyRound:
    own_place = next(place for place in places if place.entrant_id == me.pk)
    hands = own_place.seat.hands and not is_hidden(tournament, number=round_.number)
    winds = starting_winds(own_place.table.game)
    sitters = sitters_of(places, TABLE_READER)

    def seat_offset(place: Placement) -> int:
        return (place.seat.number - own_place.seat.number) % len(places)

    return MyRound(
        number=round_.number,
        state=RoundState(round_.state),
        table=own_place.table.number,
        wind=str(winds[own_place.seat.number]),
        substitute=own_place.substitute,
        points=points_text(own_place.seat.points, pays=tournament.pays) if hands else "",
        square=tuple(
            Chair(
                position=seat_offset(place) + 1,
                wind=winds[place.seat.number],
                name=marked_as_withdrawn(sitters[place.pk])
                if place.has_withdrawn
                else sitters[place.pk],
                note="",
                dealer=False,
            )
            for place in sorted(places, key=seat_offset)
        ),
    )
