"""What hangs on the wall of a tournament, cut into pages that can be read from ten metres."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from clubs.evenings.wall_pages import (
    Wall,
    WallPage,
    Where,
    asked_page,
    cut,
    pages_of_columns,
    seat_pages,
)
from clubs.models.names import AT_THE_TABLE
from clubs.seating.words import listed
from tournaments.models import Round, RoundState, Tournament, TournamentState
from tournaments.selectors.board import Board
from tournaments.selectors.clock import Clock, clock_of
from tournaments.selectors.desk import RoundView, round_view
from tournaments.selectors.floor import current_of
from tournaments.selectors.results import results_of
from tournaments.selectors.showing import shown_through
from tournaments.selectors.versions import kept_board

LARGE_TABLES = 6
SMALL_TABLES = 9
PRIZES_A_PAGE = 4
NAMES_A_PRIZE = 4
SECONDS_TO_CHEER = 20
SITTING_DOWN = "sitting down"


@dataclass(frozen=True, slots=True, kw_only=True)
class NowPage(WallPage):
    """What goes on now, huge: a few letters, or the clock where there is one; then sentences."""

    big: str
    words: tuple[str, ...] = ()
    clock: Clock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentWall(Wall):
    """The pictures of a tournament; the clock is for the corner of those that are not about it."""

    show: str
    now: RoundView | None
    board: Board
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class Won:
    """A prize as the wall tells it; of many who share it the first few by name."""

    title: str
    who: str
    figure: str
    gift: str


@dataclass(frozen=True, slots=True)
class _Hall:
    tournament: Tournament
    now: RoundView | None
    entered: int
    board: Board
    clock: Clock | None

    @property
    def phase(self) -> str:
        """A key of IN_TURN: how far the tournament is, or the round that counts now."""
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
        """The clock once the round is started, whether it runs or stands."""
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
    """The wall of a tournament; ``show`` (a key of ALONE) leaves out what is not asked for.

    Eleven queries at most, however many play; the prizes of a finished tournament ask more.
    """
    current = current_of(tuple(tournament.rounds.all()))
    hall = _Hall(
        tournament=tournament,
        now=None if current is None else _seated(current, tournament),
        entered=0 if current else tournament.entrants.entered().count(),
        board=kept_board(tournament, through=shown_through(tournament)),
        clock=None if current is None else clock_of(current, now=now),
    )
    parts = ALONE.get(show, IN_TURN[hall.phase])
    pages = tuple(one for part in parts for one in part(hall)) or tuple(_now(hall))
    return TournamentWall(
        pages=pages,
        shown=asked_page(page, pages),
        show=show if show in ALONE else "",
        now=hall.now,
        board=hall.board,
        clock=hall.running_clock,
    )


def _seated(current: Round, tournament: Tournament) -> RoundView:
    """The round as people look for their seats in it: by first names at least."""
    return round_view(current, tournament, to_officials=False, reader=AT_THE_TABLE)


def _seats(hall: _Hall) -> Iterator[WallPage]:
    """Everyone by name, and so whoever sits out."""
    now = hall.now
    if now is None:
        return
    seated = [
        Where(place.sitter, table.number, place.wind)
        for table in now.tables
        for place in table.places
    ]
    resting = [Where(name, None) for name in now.sitting_out]
    yield from seat_pages(f"Round {now.number}: find your name", [*seated, *resting])


def _tables(hall: _Hall) -> Iterator[WallPage]:
    now = hall.now
    if now is None:
        return
    size = SMALL_TABLES if len(now.tables) > LARGE_TABLES else LARGE_TABLES
    for tables in cut(now.tables, size):
        yield WallPage(kind="tables", title=hall.of_rounds, note=now.state.label, tables=tables)


def _few_tables(hall: _Hall) -> Iterator[WallPage]:
    """The tables, where one picture holds them all."""
    if hall.now is not None and len(hall.now.tables) <= SMALL_TABLES:
        yield from _tables(hall)


def _standings(hall: _Hall) -> Iterator[WallPage]:
    if hall.board.is_begun:
        for columns in pages_of_columns(hall.board.lines):
            note = ". ".join(filter(None, (hall.board.standing, hall.board.sitting_out)))
            yield WallPage(kind="standings", title="Standings", note=note, columns=columns)


def _leaders(hall: _Hall) -> Iterator[WallPage]:
    """The first page of the standings, while everyone looks for a seat."""
    yield from list(_standings(hall))[:1]


def _teams(hall: _Hall) -> Iterator[WallPage]:
    if hall.board.is_begun:
        for columns in pages_of_columns(hall.board.teams):
            yield WallPage(kind="teams", title="Teams", note=hall.board.standing, columns=columns)


def _prizes(hall: _Hall) -> Iterator[WallPage]:
    if not hall.board.is_final:
        return
    won = [
        Won(prize.title, _sharing(prize.names), prize.figure, prize.gift)
        for prize in results_of(hall.tournament).prizes
    ]
    for prizes in cut(won, PRIZES_A_PAGE):
        yield WallPage(kind="prizes", title="Prizes", seconds=SECONDS_TO_CHEER, columns=(prizes,))


def _sharing(names: Sequence[str]) -> str:
    """``Ann and Ben``; more than fit are counted: ``Ann, Ben, Cy and 9 more``."""
    over = len(names) - NAMES_A_PRIZE
    if over <= 0:
        return listed(names)
    return f"{', '.join(names[: NAMES_A_PRIZE - 1])} and {over + 1} more"


def _now(hall: _Hall) -> Iterator[WallPage]:
    """One page: what goes on, or what comes next."""
    big, *words = _said(hall)
    yield NowPage(
        kind="now",
        title=hall.of_rounds,
        seconds=15,
        big=big,
        words=tuple(word for word in (*words, _resting(hall)) if word),
        clock=hall.running_clock,
    )


def _resting(hall: _Hall) -> str:
    """Who sits out the round that counts now, unless it is over."""
    now = hall.now
    if now is None or not now.sitting_out or now.state == RoundState.CLOSED:
        return ""
    return f"Sitting out: {', '.join(now.sitting_out)}"


def _said(hall: _Hall) -> tuple[str, ...]:
    now = hall.now
    if now is None:
        count = hall.entered
        return (
            str(count),
            f"{'has' if count == 1 else 'have'} entered. Tables will be announced soon.",
        )
    if hall.phase == RoundState.SEATED:
        time = f"{hall.clock.minutes} minutes to play" if hall.clock else ""
        return (f"Round {now.number}", "starts soon. Find your name and take your seat.", time)
    if now.state == RoundState.PLAYING:
        done = sum(table.is_done for table in now.tables)
        return (f"{done} of {len(now.tables)}", f"tables have finished round {now.number}.")
    return _between(hall, now)


def _between(hall: _Hall, now: RoundView) -> tuple[str, ...]:
    """What is said after a round: the next is not drawn yet, or there is none."""
    if hall.tournament.hides_last_round and now.number >= hall.tournament.rounds_planned:
        return ("All rounds finished", "The last round is hidden until the prize-giving.")
    if hall.phase == TournamentState.FINISHED:
        return ("The end", "Thank you for playing.")
    if now.number < hall.tournament.rounds_planned:
        return (f"Round {now.number}", f"is over. Seating for round {now.number + 1} soon.")
    return ("All rounds finished", "Prize-giving soon.")


Part = Callable[[_Hall], Iterator[WallPage]]
IN_TURN: dict[str, tuple[Part, ...]] = {
    TournamentState.ENTERING: (_now,),
    RoundState.SEATED: (_seats, _now, _leaders),
    SITTING_DOWN: (_now, _seats),
    RoundState.PLAYING: (_now, _few_tables, _standings, _teams),
    RoundState.CLOSED: (_now, _standings, _teams),
    TournamentState.FINISHED: (_prizes, _standings, _teams),
}
ALONE: dict[str, tuple[Part, ...]] = {
    "seats": (_seats,),
    "tables": (_tables,),
    "clock": (_now,),
    "standings": (_standings, _teams),
}
