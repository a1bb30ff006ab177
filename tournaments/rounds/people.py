"""The director's entry list: who plays, waits, has paid, is here, needs a seat."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from clubs.models.names import AT_THE_TABLE
from tournaments.core.names import names_of
from tournaments.models import (
    Entrant,
    EntrantState,
    Placement,
    Round,
    RoundState,
    SeatingChange,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entrant; ``trouble`` says what is wrong with their seats, or is empty."""

    entrant: Entrant
    trouble: str

    @property
    def state(self) -> str:
        """The state carried by the form that adds this entrant to the tournament."""
        return entrant_state(self.entrant, "entrant-readmit")

    @property
    def about(self) -> str:
        """``Hill Top Tiles, team Bamboo``: their club and team."""
        entrant = self.entrant
        visitor = "" if entrant.player_id or entrant.from_club else "visitor"
        team = f"team {entrant.team}" if entrant.team else ""
        return ", ".join(part for part in (entrant.from_club, visitor, team) if part)


def entrant_state(entrant: Entrant, act: str) -> str:
    """The state carried by a form about one entrant; the waiting list matters only to a place."""
    place = entrant.state if act == "entrant-readmit" else "listed"
    return f"{place}-{entrant.times_withdrawn}"


@dataclass(frozen=True, slots=True)
class EntryList:
    """Everyone by state, in order of entry."""

    entered: tuple[EntryRow, ...]
    waiting: tuple[EntryRow, ...]
    withdrawn: tuple[EntryRow, ...]
    house: tuple[Entrant, ...]
    can_reseat: bool

    @property
    def paid(self) -> int:
        """How many of the entered have paid."""
        return sum(row.entrant.has_paid for row in self.entered)

    @property
    def here(self) -> int:
        """How many of the entered are here."""
        return sum(row.entrant.is_here for row in self.entered)

    @property
    def troubles(self) -> tuple[EntryRow, ...]:
        """Those whose seats do not fit their state."""
        return tuple(row for row in (*self.entered, *self.withdrawn) if row.trouble)


def entry_list(tournament: Tournament) -> EntryList:
    """The entry list; four queries however many entered, three with the rounds loaded."""
    states = {round_.number: round_.state for round_ in tournament.rounds.all()}
    to_come = {number for number, state in states.items() if state == RoundState.SEATED}
    rounds = _rounds_by_entrant(tournament)
    rows: dict[str, list[EntryRow]] = defaultdict(list)
    house = []
    for entrant in tournament.entrants.all():
        if entrant.is_house:
            house.append(entrant)
            continue
        trouble = _trouble(entrant, rounds.get(entrant.pk, {}), to_come)
        rows[entrant.state].append(EntryRow(entrant, trouble))
    return EntryList(
        entered=tuple(rows[EntrantState.ENTERED]),
        waiting=tuple(rows[EntrantState.WAITING]),
        withdrawn=tuple(rows[EntrantState.WITHDRAWN]),
        house=tuple(house),
        can_reseat=bool(to_come) or 0 < len(states) < tournament.drawn,
    )


Seats = Mapping[int, bool]


def _rounds_by_entrant(tournament: Tournament) -> dict[int, dict[int, bool]]:
    """For every entrant the open rounds by number: True if they sit in person.

    False if they rest, or a substitute has their seat.
    """
    result: dict[int, dict[int, bool]] = defaultdict(dict)
    is_open = Q(round__tournament=tournament) & ~Q(round__state=RoundState.CLOSED)
    resting = Round.sitting_out.through._default_manager.filter(is_open)
    for entrant, number in resting.values_list("entrant", "round__number"):
        result[entrant][number] = False
    seats = Placement.objects.filter(is_open)
    for entrant, number, substitute in seats.values_list("entrant", "round__number", "substitute"):
        result[entrant][number] = not substitute
    return result


def _trouble(entrant: Entrant, seats: Seats, to_come: set[int]) -> str:
    if entrant.state == EntrantState.ENTERED and to_come - seats.keys():
        return "has no seat in the remaining rounds"
    counts = sorted(number for number, sits in seats.items() if sits)
    if entrant.state == EntrantState.WITHDRAWN and counts:
        rounds = "round" if len(counts) == 1 else "rounds"
        return f"still has a seat in {rounds} {', '.join(map(str, counts))}"
    return ""


def on_badges(tournament: Tournament) -> list[tuple[str, str]]:
    """Everyone entered, with at least first names, and their clubs; one query."""
    people = list(tournament.entrants.entered().select_related("player"))
    names = names_of(people, AT_THE_TABLE)
    return [(names[entrant.pk], entrant.from_club) for entrant in people]


def last_change(tournament: Tournament) -> SeatingChange | None:
    """The last manual change of the seating that has not been undone."""
    return tournament.changes.filter(undone_at=None).first()
