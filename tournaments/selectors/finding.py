"""One player's tournament: where I sit now and next, with whom, and how I stand."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from clubs.models.names import AT_THE_TABLE, name_key, surname_key
from clubs.table.rows import Chair, tallied
from scoring.scorebook.selectors import starting_winds
from tournaments.models import (
    Entrant,
    EntrantState,
    Placement,
    Round,
    RoundState,
    Tournament,
    TournamentState,
)
from tournaments.selectors.board import Board, Line
from tournaments.selectors.clock import Clock, clock_of
from tournaments.selectors.floor import current_of
from tournaments.selectors.naming import WITH_PLAYER, names_of, sitters_of
from tournaments.selectors.showing import is_hidden, shown_through
from tournaments.selectors.versions import kept_board


@dataclass(frozen=True, slots=True)
class Name:
    """Someone to choose; ``about`` says where they come from or for whom they sit in."""

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
    name: str
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
        """The rounds with something to say, but the one that is played or comes next."""
        told = (one for one in self.rounds if one.table or one.sits_out)
        return tuple(one for one in told if one != self.now or one.state == RoundState.CLOSED)


def names_in(tournament: Tournament, *, typed: str = "") -> tuple[Name, ...]:
    """Who can be chosen, by surname, and whoever sits in for someone; three queries.

    Someone who is hidden finds themselves by the first name.

    With ``typed`` those whose name holds it, accents and capitals aside.
    """
    entrants = tournament.entrants.people().exclude(state=EntrantState.WITHDRAWN)
    people = list(entrants.select_related("player"))
    names = names_of(people, AT_THE_TABLE)
    entered = [Name(one.pk, names[one.pk], one.from_club) for one in people]
    key, others = name_key(typed), _substitutes(tournament, names)
    found = [one for one in (*entered, *others) if key in name_key(one.name)]
    return tuple(sorted(found, key=lambda one: surname_key(one.name)))


def _substitutes(tournament: Tournament, names: Mapping[int, str]) -> Iterator[Name]:
    current = current_of(tuple(tournament.rounds.all()))
    sitting_in = Placement.objects.filter(round=current).exclude(substitute="")
    for place in sitting_in.filter(entrant__in=names) if current else ():
        absent = names[place.entrant_id]
        yield Name(place.entrant_id, place.substitute, f"substitute for {absent}")


def me_in(tournament: Tournament, *, entrant_id: int, now: datetime) -> Me | None:
    """One entrant's tournament, None for nobody in it; five queries.

    At most five more for the standings, which are kept for everyone until something changes.
    """
    people = tournament.entrants.people().select_related("player")
    entrant = people.filter(pk=entrant_id).first()
    if entrant is None:
        return None
    laid = tuple(tournament.rounds.all())
    rounds = _rounds(tournament, laid, entrant)
    current = current_of(laid)
    shown = kept_board(tournament, through=shown_through(tournament))
    return Me(
        entrant=entrant,
        name=names_of([entrant], AT_THE_TABLE)[entrant.pk],
        rounds=rounds,
        now=next((one for one in rounds if current and one.number == current.number), None),
        line=next((one for one in shown.lines if one.row.entrant_id == entrant.pk), None),
        board=shown,
        clock=clock_of(current, now=now) if current and current.started_at else None,
        is_over=tournament.state == TournamentState.FINISHED,
    )


def _rounds(tournament: Tournament, laid: Sequence[Round], me: Entrant) -> tuple[MyRound, ...]:
    """My seat in every round, with whoever sits at the same table."""
    mine = Placement.objects.filter(entrant=me, round__in=laid)
    around: dict[int, list[Placement]] = defaultdict(list)
    together = Placement.objects.filter(table__in=mine.values("table"))
    for place in together.select_related(WITH_PLAYER, "seat", "table__game"):
        around[place.round_id].append(place)
    out = set(tournament.rounds.filter(sitting_out=me).values_list("pk", flat=True))
    return tuple(
        _seated(tournament, one, me, around[one.pk])
        if one.pk in around
        else MyRound(one.number, RoundState(one.state), sits_out=one.pk in out)
        for one in laid
    )


def _seated(
    tournament: Tournament, round_: Round, me: Entrant, places: Sequence[Placement]
) -> MyRound:
    mine = next(place for place in places if place.entrant_id == me.pk)
    told = mine.seat.hands and not is_hidden(tournament, number=round_.number)
    winds = starting_winds(mine.table.game.rules, mine.table.game.size)
    sitters = sitters_of(places, AT_THE_TABLE)

    def away(place: Placement) -> int:
        return (place.seat.number - mine.seat.number) % len(places)

    return MyRound(
        number=round_.number,
        state=RoundState(round_.state),
        table=mine.table.number,
        wind=str(winds[mine.seat.number]),
        substitute=mine.substitute,
        points=tallied(mine.seat.points, pays=tournament.pays) if told else "",
        square=tuple(
            Chair(
                position=away(place) + 1,
                wind=winds[place.seat.number],
                name=sitters[place.pk],
                note="",
                dealer=False,
            )
            for place in sorted(places, key=away)
        ),
    )
