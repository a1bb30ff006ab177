"""What standings and records are made of: who entered and what each seat came to, read once."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from clubs.models.names import FULL, Person, Reader, shown_names
from tournaments.models import EntrantState, Placement, Round, RoundState, Tournament

ENTERED = (
    "pk", "name", "player__shown_as", "player", "from_club", "team", "state", "is_house"
)  # fmt: skip
SAT = (
    "entrant",
    "table",
    "table__number",
    "table__stopped_at",
    "table__game__hands_planned",
    "round__number",
    "round__state",
    "seat__game",
    "seat__number",
    "seat__points",
    "seat__hands",
    "seat__mahjongs",
    "seat__best_hand",
    "substitute",
)


class Entered(NamedTuple):
    """Someone on the list of entrants, in the columns of ENTERED."""

    pk: int
    name: str
    shown_as: str | None
    player: int | None
    from_club: str
    team: str
    state: str
    is_house: bool

    @property
    def person(self) -> Person:
        """As lists name them."""
        return Person(self.pk, self.name, self.shown_as or FULL, self.player)


class SatOut(NamedTuple):
    """A round that is closed and that someone sat out."""

    entrant: int
    round: int


class Sat(NamedTuple):
    """A seat and what it came to, in the columns of SAT; a large tournament has thousands."""

    entrant: int
    table: int
    table_number: int
    stopped_at: datetime | None
    hands_planned: int | None
    round: int
    round_state: str
    game: int
    seat: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    substitute: str


@dataclass(frozen=True)
class Played:
    """A tournament's entrants by key, house players too, every seat of every round, and who sat
    out of those that are closed."""

    entrants: Mapping[int, Entered]
    seats: tuple[Sat, ...]
    sat_out: tuple[SatOut, ...] = ()

    @cached_property
    def seated(self) -> frozenset[int]:
        """Whoever has a seat in some round."""
        return frozenset(seat.entrant for seat in self.seats)

    @property
    def rounds(self) -> dict[int, str]:
        """The state of every round by its number, the first round first."""
        return dict(sorted({(seat.round, seat.round_state) for seat in self.seats}))

    def ranked(self) -> list[Entered]:
        """Who stands in the standings: the entered, and whoever withdrew after being seated."""
        people = (one for one in self.entrants.values() if not one.is_house)
        return [one for one in people if self._stays(one)]

    def through(self, number: int | None) -> tuple[Sat, ...]:
        """The seats of the rounds up to that one; None: of all."""
        if number is None:
            return self.seats
        return tuple(seat for seat in self.seats if seat.round <= number)

    def rounds_out(self, number: int | None) -> Counter[int]:
        """How many closed rounds each entrant sat out up to that one; None: of all."""
        return Counter(one.entrant for one in self.sat_out if number is None or one.round <= number)

    @property
    def someone_sat_out(self) -> bool:
        """Whether someone of the standings has no seat in a round that is closed."""
        closed = [number for number, state in self.rounds.items() if state == RoundState.CLOSED]
        done = (seat for seat in self.seats if seat.round_state == RoundState.CLOSED)
        seats = Counter(seat.entrant for seat in done)
        return any(seats[one.pk] < len(closed) for one in self.ranked())

    def _stays(self, one: Entered) -> bool:
        if one.state == EntrantState.WITHDRAWN:
            return one.pk in self.seated
        return one.state == EntrantState.ENTERED


def played_in(tournament: Tournament) -> Played:
    """Two queries, however many play; a third where someone was without a seat."""
    entered = tournament.entrants.values_list(*ENTERED)
    sat = Placement.objects.filter(round__tournament=tournament).order_by()
    played = Played(
        {one.pk: one for one in map(Entered._make, entered)},
        tuple(map(Sat._make, sat.values_list(*SAT))),
    )
    if not played.someone_sat_out:
        return played
    out = Round.sitting_out.through.objects.filter(
        round__tournament=tournament, round__state=RoundState.CLOSED
    )
    rows = out.order_by().values_list("entrant", "round__number")
    return replace(played, sat_out=tuple(map(SatOut._make, rows)))


def names_in_play(people: Iterable[Entered], reader: Reader) -> dict[int, str]:
    """The names of one list by their keys, as the reader may read them."""
    return shown_names((one.person for one in people), reader)
