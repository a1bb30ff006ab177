"""One player's tournament: where I sit now and next, with whom, and how I stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from clubs.names import name_key
from clubs.rows import tallied
from clubs.selectors.floor import Chair
from scoring import Wind
from tournaments.models import Entrant, EntrantState, RoundState, Tournament, TournamentState
from tournaments.selectors.board import Board, Line, board
from tournaments.selectors.clock import Clock
from tournaments.selectors.desk import PlaceRow, RoundView, TableRow, round_view, rounds_of
from tournaments.selectors.floor import current_of
from tournaments.selectors.showing import shown_through
from tournaments.selectors.walls import clock_on_the_wall


@dataclass(frozen=True, slots=True)
class Name:
    """Somebody to choose; ``about`` says where they come from or for whom they sit in."""

    entrant_id: int
    name: str
    about: str


@dataclass(frozen=True, slots=True)
class MyRound:
    """My seat in one round; no table: I sit out, or am not seated.

    ``square`` are all four from my chair; ``points`` as people write them, empty where there are
    none or they are kept back.
    """

    number: int
    state: RoundState
    table: int | None = None
    wind: str = ""
    substitute: str = ""
    points: str = ""
    square: tuple[Chair, ...] = ()
    sits_out: bool = False


@dataclass(frozen=True, slots=True)
class Me:
    """One entrant: the rounds so far and to come, the standing as far as it is shown."""

    entrant: Entrant
    rounds: tuple[MyRound, ...]
    now: MyRound | None
    line: Line | None
    board: Board
    clock: Clock | None
    is_over: bool

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """What ranks first and second, with its name."""
        told = zip(self.board.columns, self.line.figures, strict=True) if self.line else ()
        return tuple(told)[:2]

    @property
    def others(self) -> tuple[MyRound, ...]:
        """The rounds with something to say but the one that counts now."""
        return tuple(one for one in self.rounds if one != self.now and (one.table or one.sits_out))


def names_in(tournament: Tournament, *, typed: str = "") -> tuple[Name, ...]:
    """Who can be chosen, by name, and whoever sits in for somebody; seven queries.

    With ``typed`` those whose name holds it, accents and capitals aside.
    """
    people = tournament.entrants.people().exclude(state=EntrantState.WITHDRAWN)
    entered = [Name(entrant.pk, entrant.name, entrant.from_club) for entrant in people]
    current = current_of(tuple(tournament.rounds.all()))
    now = None if current is None else round_view(current, tournament, to_officials=False)
    key = name_key(typed)
    found = [one for one in (*entered, *_substitutes(now)) if key in name_key(one.name)]
    return tuple(sorted(found, key=lambda one: name_key(one.name)))


def _substitutes(now: RoundView | None) -> Iterator[Name]:
    for table in now.tables if now else ():
        for place in table.places:
            if place.substitute:
                yield Name(place.entrant_id, place.substitute, f"sits in for {place.name}")


def me_in(tournament: Tournament, *, entrant_id: int, now: datetime) -> Me | None:
    """One entrant's tournament, None for nobody in it; thirteen queries at most."""
    entrant = tournament.entrants.people().filter(pk=entrant_id).first()
    if entrant is None:
        return None
    views = rounds_of(tournament, to_officials=False)
    shown = board(tournament, through=shown_through(tournament))
    rounds = tuple(_round(one, entrant, pays=tournament.pays) for one in views)
    return Me(
        entrant=entrant,
        rounds=rounds,
        now=current_of(rounds),
        line=next((one for one in shown.lines if one.row.entrant_id == entrant.pk), None),
        board=shown,
        clock=clock_on_the_wall(tournament, now=now),
        is_over=tournament.state == TournamentState.FINISHED,
    )


def _round(view: RoundView, me: Entrant, *, pays: bool) -> MyRound:
    for table in view.tables:
        for place in table.places:
            if place.entrant_id == me.pk:
                return _seated(view, table, place, pays=pays)
    return MyRound(view.number, view.state, sits_out=me.name in view.sitting_out)


def _seated(view: RoundView, table: TableRow, mine: PlaceRow, *, pays: bool) -> MyRound:
    told = table.hands and mine.points is not None
    return MyRound(
        number=view.number,
        state=view.state,
        table=table.number,
        wind=mine.wind,
        substitute=mine.substitute,
        points=tallied(mine.points or 0, pays=pays) if told else "",
        square=tuple(
            _chair(place, mine)
            for place in sorted(table.places, key=lambda place: (place.seat - mine.seat) % 4)
        ),
    )


def _chair(place: PlaceRow, mine: PlaceRow) -> Chair:
    """Where somebody sits as I see it: I am nearest, whoever plays after me on my right."""
    return Chair(
        position=(place.seat - mine.seat) % 4 + 1,
        wind=Wind(place.wind),
        name=place.sitter,
        note="",
        dealer=False,
    )
