"""Why an evening sits as it sits: its tables, and who sat together on the evenings before."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from clubs.explained import Explained, Personal, explain, personal
from clubs.models import Session
from clubs.names import EVERYBODY, Reader
from clubs.seating import Round, Said, Table
from clubs.seating.answer import SEATS
from clubs.seating.company import Past
from clubs.seating.words import counted, listed
from clubs.selectors.evenings import recent_companions
from clubs.selectors.naming import names_of

SIZES = {2: "two", 3: "three", 5: "five"}


@dataclass(frozen=True, slots=True)
class EveningExplained:
    """An evening's tables explained; evenings: those before that were weighed, the first first."""

    seating: Explained
    evenings: tuple[str, ...]

    @property
    def counts(self) -> str:
        """`16 players at 4 tables`."""
        players = counted(len(self.seating.players), "player")
        return f"{players} at {counted(self.seating.tables, 'table')}"

    def person(self, name: str) -> Personal | None:
        """One player's table, and with whom of it they sat on the evenings before."""
        found = personal(self.seating, name)
        if found is None or not self.seating.rounds:
            return found
        return replace(found, sentences=tuple(self._of(found)))

    def _of(self, found: Personal) -> list[str]:
        names, me = self.seating.names, found.player.number - 1
        mine = [pair for pair in self.seating.pairs if pair.past and me in (pair.row, pair.column)]
        said = [
            f"{names[pair.row + pair.column - me]} was at the same table on {listed(pair.past)}."
            for pair in mine
            if pair.rounds
        ]
        fresh = "Nobody at this table was with them on the evenings before."
        before = f"Of the {len(names) - 1} others, {len(mine)} sat with them on those evenings."
        return [*(said or [fresh]), *([before] if self.evenings else [])]


def why_this_evening(session: Session, *, reader: Reader = EVERYBODY) -> EveningExplained:
    """The evening's tables with the company that was weighed; four queries however many."""
    places = list(session.places.select_related("player", "table", "seat").order_by("seat__number"))
    names = names_of((place.player for place in places), reader)
    tables: dict[int, dict[str, str]] = defaultdict(dict)
    for place in places:
        tables[place.table.number][SEATS[place.seat.number - 1]] = names[place.player_id]
    laid = tuple(Table(number, seats) for number, seats in sorted(tables.items()))
    met = recent_companions(session)
    rounds = (Round(laid),) if laid else ()
    past: Past = {
        frozenset(names[player] for player in pair): tuple(day_words(day) for day in days)
        for pair, days in met.items()
        if pair <= names.keys()
    }
    found = explain(rounds, sorted(names.values()), past=past, words=lambda _: "this evening")
    days = sorted({day for days in met.values() for day in days})
    evenings = tuple(day_words(day) for day in days)
    return EveningExplained(replace(found, said=_said(found, laid)), evenings)


def day_words(day: date) -> str:
    """`7 November`."""
    return f"{day.day} {day:%B}"


def _said(found: Explained, tables: Sequence[Table]) -> tuple[Said, ...]:
    now = [pair for pair in found.pairs if pair.rounds]
    again = [pair for pair in now if pair.past]
    if not now:
        return ()
    fresh = "Nobody sits with anybody from the evenings before."
    some = (
        f"Of the {counted(len(now), 'pair')} who share a table, {len(again)} did so on one of the "
        f"evenings before; {len(now) - len(again)} did not."
    )
    company = Said(some if again else fresh, is_kept=True if not again else None)
    sizes_of = {table.number: len(table.seats) for table in tables}
    odd = [f"table {n} is of {SIZES[size]}" for n, size in sizes_of.items() if size != 4]
    sizes = f"Four does not divide {len(found.players)}: {listed(odd)}." if odd else ""
    return (company, *([Said(sizes)] if sizes else []))
