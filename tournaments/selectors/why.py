"""Why a tournament sits as it sits: its rounds as the seating reads them, explained."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from clubs.explained import Explained, explain
from clubs.seating import Round, Said, Table
from tournaments.models import Placement, SeatingChange, Tournament
from tournaments.models import Round as RoundRow

WINDS = ("E", "S", "W", "N")


@dataclass(frozen=True, slots=True)
class SeatedRounds:
    """The rounds that are seated, by names; teams of the people who are in one.

    traded: what rounds seated by standing gave up for what, in sentences.
    """

    numbers: tuple[int, ...]
    rounds: tuple[Round, ...]
    names: tuple[str, ...]
    teams: Mapping[str, str]
    traded: tuple[str, ...]

    def explained(self) -> Explained:
        """The same with everything that is to be told of it."""
        found = explain(self.rounds, self.names, teams=self.teams)
        return replace(found, said=(*found.said, *map(Said, self.traded)))


@dataclass(frozen=True, slots=True)
class DrawingRow:
    """Rounds drawn at once; the request itself is fetched by its key."""

    pk: int
    first: int
    last: int
    made_at: datetime

    @property
    def which(self) -> str:
        """`Round 3`, `Rounds 1 to 5`."""
        one = self.first == self.last
        return f"Round {self.first}" if one else f"Rounds {self.first} to {self.last}"


def seated_rounds(tournament: Tournament) -> SeatedRounds:
    """Everybody's seats in all rounds; four queries however many."""
    tables: dict[int, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    places = Placement.objects.filter(round__tournament=tournament).order_by("seat__number")
    for number, table, seat, name in places.values_list(
        "round__number", "table__number", "seat__number", "entrant__name"
    ):
        tables[number][table][WINDS[seat - 1]] = name
    out: dict[int, list[str]] = defaultdict(list)
    resting = RoundRow.sitting_out.through.objects.filter(round__tournament=tournament)
    for number, name in resting.values_list("round__number", "entrant__name"):
        out[number].append(name)
    told = tuple(tournament.rounds.values_list("number", "traded"))
    numbers = tuple(number for number, _ in told)
    traded = tuple(f"Round {number}: {said}" for number, lines in told for said in lines)
    rounds = tuple(_round(tables[number], out[number]) for number in numbers)
    placed = {name for one in rounds for table in one.tables for name in table.names}
    placed |= {name for names in out.values() for name in names}
    people = tournament.entrants.order_by("is_house", "name_key").values_list("name", "team")
    there = {name: team for name, team in people if name in placed}
    teams = {name: team for name, team in there.items() if team}
    return SeatedRounds(numbers, rounds, tuple(there), teams, traded)


def drawings_of(tournament: Tournament) -> tuple[DrawingRow, ...]:
    """What was drawn, the first first; one query."""
    rows = tournament.drawings.values_list("pk", "first_round", "last_round", "made_at")
    return tuple(DrawingRow(*row) for row in rows)


def changes_by_hand(tournament: Tournament) -> tuple[SeatingChange, ...]:
    """What was changed since and not taken back, the first first; one query."""
    return tuple(tournament.changes.filter(undone_at=None).defer("before").order_by("pk"))


def _round(tables: Mapping[int, Mapping[str, str]], out: list[str]) -> Round:
    laid = tuple(Table(number, seats) for number, seats in sorted(tables.items()))
    return Round(laid, tuple(sorted(out)))
