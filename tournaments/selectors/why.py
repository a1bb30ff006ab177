"""Why a tournament sits as it sits: its rounds as the seating reads them, explained."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from clubs.models.names import EVERYBODY, Reader, in_sentence
from clubs.seating import Round, Said, Table
from clubs.seats.explained import Explained, explain
from tournaments.models import Placement, Tournament
from tournaments.models import Round as RoundRow
from tournaments.selectors.naming import names_of

WINDS = ("E", "S", "W", "N")


@dataclass(frozen=True, slots=True)
class SeatedRounds:
    """The rounds that are seated, by names; teams of the people who are in one.

    entry_numbers: those of the entry list, in the order of the names, house players last.
    traded: what rounds seated by standing gave up for what, in sentences.
    shown: how each whole name is told to the reader.
    """

    numbers: tuple[int, ...]
    rounds: tuple[Round, ...]
    names: tuple[str, ...]
    teams: Mapping[str, str]
    traded: tuple[str, ...]
    shown: Mapping[str, str]
    entry_numbers: tuple[int, ...]
    house: int

    def told(self, sentence: str) -> str:
        """A sentence that was kept with whole names, as the reader is told it."""
        return in_sentence(sentence, self.shown)

    def explained(self) -> Explained:
        """The same with everything that is to be told of it."""
        numbers = self.entry_numbers
        found = explain(self.rounds, self.names, teams=self.teams, numbers=numbers)
        return replace(
            found,
            house=self.house,
            said=(*found.said, *(Said(self.told(one)) for one in self.traded)),
        )


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


def seated_rounds(tournament: Tournament, *, reader: Reader = EVERYBODY) -> SeatedRounds:
    """Everyone's seats in all rounds; four queries however many."""
    people = list(tournament.entrants.select_related("player"))
    shown = names_of(people, reader)
    tables: dict[int, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    places = Placement.objects.filter(round__tournament=tournament).order_by("seat__number")
    for number, table, seat, entrant in places.values_list(
        "round__number", "table__number", "seat__number", "entrant"
    ):
        tables[number][table][WINDS[seat - 1]] = shown[entrant]
    out: dict[int, list[str]] = defaultdict(list)
    resting = RoundRow.sitting_out.through.objects.filter(round__tournament=tournament)
    for number, entrant in resting.values_list("round__number", "entrant"):
        out[number].append(shown[entrant])
    told = tuple(tournament.rounds.values_list("number", "traded"))
    numbers = tuple(number for number, _ in told)
    traded = tuple(f"Round {number}: {said}" for number, lines in told for said in lines)
    rounds = tuple(_round(tables[number], out[number]) for number in numbers)
    placed = {name for one in rounds for table in one.tables for name in table.names}
    placed |= {name for names in out.values() for name in names}
    people.sort(key=lambda one: (one.is_house, one.number))
    there = {shown[one.pk]: one for one in people if shown[one.pk] in placed}
    return SeatedRounds(
        numbers=numbers,
        rounds=rounds,
        names=tuple(there),
        teams={name: one.team for name, one in there.items() if one.team},
        traded=traded,
        shown={one.name: shown[one.pk] for one in people},
        entry_numbers=tuple(one.number for one in there.values()),
        house=sum(one.is_house for one in there.values()),
    )


def drawings_of(tournament: Tournament) -> tuple[DrawingRow, ...]:
    """What was drawn, the first first; one query."""
    rows = tournament.drawings.values_list("pk", "first_round", "last_round", "made_at")
    return tuple(DrawingRow(*row) for row in rows)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What was changed by hand, and when."""

    what: str
    made_at: datetime


def changes_by_hand(tournament: Tournament, seated: SeatedRounds) -> tuple[ChangeRow, ...]:
    """What was changed since and not taken back, the first first; one query."""
    rows = tournament.changes.filter(undone_at=None).order_by("pk").values_list("what", "made_at")
    return tuple(ChangeRow(seated.told(what), made_at) for what, made_at in rows)


def _round(tables: Mapping[int, Mapping[str, str]], out: list[str]) -> Round:
    laid = tuple(Table(number, seats) for number, seats in sorted(tables.items()))
    return Round(laid, tuple(sorted(out)))
