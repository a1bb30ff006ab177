"""Why an evening sits as it sits: its tables, who sat together before, and whose turn it was."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.core.people_names import names_of
from clubs.language.moments import day_and_month
from clubs.language.words import counted
from clubs.models import Session
from clubs.models.names import EVERYBODY, Reader
from clubs.seating import Round, Said, Table
from clubs.seating.advice import splits_of
from clubs.seating.answer import SEATS
from clubs.seating.company import Past, Together, in_short
from clubs.seating.season import IN_TURN
from clubs.seating.turns import AT, InTurn, in_turn, turns_told
from clubs.seating.wishwords import told
from clubs.seating.words import listed, times_in_words
from clubs.seats.explained import Explained, Personal, explain, personal
from clubs.selectors.remembered import Remembered, remembered
from clubs.selectors.wishes import noted
from scoring.scorebook.editions import rule_set

SIZES = {2: "two", 3: "three", 5: "five"}
MOST_NAMED = 4
MOST_DAYS = 6


@dataclass(frozen=True, slots=True)
class EveningExplained:
    """An evening's tables explained.

    evenings: those before that were weighed, the first first. names: everyone by their key, as
    text, as the reader may read them. wishes: only for whoever may know them.
    """

    seating: Explained
    evenings: tuple[str, ...]
    turns: InTurn
    names: Mapping[str, str]
    wishes: tuple[Said, ...] = ()

    @property
    def counts(self) -> str:
        """`16 players at 4 tables`."""
        players = counted(len(self.seating.players), "player")
        return f"{players} at {counted(self.seating.tables, 'table')}"

    @property
    def memory(self) -> str:
        """The evenings that are remembered: by their days, or their number and the first."""
        days = list(self.evenings)
        return listed(days) if len(days) <= MOST_DAYS else f"{len(days)}, from {days[0]} on"

    def person(self, name: str) -> Personal | None:
        """One player's table, with whom of it they sat on the evenings before, and their turns."""
        found = personal(self.seating, name)
        if found is None or not self.seating.rounds:
            return found
        return replace(found, sentences=(*self._company_of(found), *self._turns_of(name)))

    def _company_of(self, found: Personal) -> list[str]:
        names, me = self.seating.names, found.player.number - 1
        mine = [pair for pair in self.seating.pairs if pair.past and me in (pair.row, pair.column)]
        said = [
            f"{names[pair.row + pair.column - me]} was at the same table on "
            f"{listed(in_short(pair.past))}."
            for pair in mine
            if pair.rounds
        ]
        fresh = "They have not shared a table with anyone here on recent evenings."
        before = f"Of the {len(names) - 1} others, {len(mine)} sat with them on those evenings."
        return [*(said or [fresh]), *([before] if self.evenings else [])]

    def _turns_of(self, name: str) -> list[str]:
        me = next(key for key, shown in self.names.items() if shown == name)
        times = {size: self.turns.taken[size][me] for size in IN_TURN}
        return [
            f"Before this evening {times_in_words(count)} {AT[size]} {self.turns.words}."
            for size, count in times.items()
            if count
        ]


def why_this_evening(
    session: Session, *, reader: Reader = EVERYBODY, with_wishes: bool = False
) -> EveningExplained:
    """The evening's tables with the company and the turns that were weighed.

    Five queries however many; one more with the wishes, which only the secretary may know.
    """
    now = session.places.filter(is_current=True)
    places = list(now.select_related("player", "table", "seat").order_by("seat__number"))
    here = [tick.player for tick in session.attendances.select_related("player")]
    known = names_of({*here, *(place.player for place in places)}, reader)
    names = {str(key): name for key, name in known.items()}
    tables: dict[int, dict[str, str]] = defaultdict(dict)
    for place in places:
        tables[place.table.number][SEATS[place.seat.number - 1]] = str(place.player_id)
    seats = {number: tuple(tables[number].values()) for number in sorted(tables)}
    past = remembered(session)
    out = _sitting_out(session, seats, [str(player.pk) for player in here])
    turns = in_turn(seats, out, past.season, past.words)
    laid = tuple(
        Table(number, {seat: names[key] for seat, key in tables[number].items()})
        for number in sorted(tables)
    )
    seating = _explained(laid, past, names, [key for seated in seats.values() for key in seated])
    said = (*_said(seating, laid, past), *turns_told(turns, names))
    wishes = tuple(told(noted(session).wishes, seats, names)) if with_wishes else ()
    evenings = tuple(day_and_month(night.held_on) for night in past.nights)
    return EveningExplained(replace(seating, said=said), evenings, turns, names, wishes)


def _sitting_out(
    session: Session, seats: Mapping[int, Sequence[str]], here: Sequence[str]
) -> tuple[str, ...]:
    """Who had to go without a table; someone who came later did not have to."""
    seated = {key for names in seats.values() for key in names}
    out = tuple(key for key in here if key not in seated)
    if not seats or not out or splits_of(len(here), rule_set(session.plays).seats):
        return ()
    return out


def _explained(
    laid: Sequence[Table], past: Remembered, names: Mapping[str, str], seated: Sequence[str]
) -> Explained:
    before: Past = {
        frozenset(names[key] for key in pair): tuple(map(day_and_month, days))
        for pair, days in past.met.items()
        if pair <= set(seated)
    }
    rounds = (Round(tuple(laid)),) if laid else ()
    shown = sorted(names[key] for key in seated)
    return explain(rounds, shown, past=before, words=lambda _: "this evening")


def _said(found: Explained, tables: Sequence[Table], past: Remembered) -> tuple[Said, ...]:
    now = [pair for pair in found.pairs if pair.rounds]
    if not now:
        return ()
    company = [*_of_last_time(found, now, past), *_of_all_times(now)]
    sizes_of = {table.number: len(table.seats) for table in tables}
    odd = [f"table {n} is of {SIZES[size]}" for n, size in sizes_of.items() if size != 4]
    sizes = f"{len(found.players)} players do not divide by four: {listed(odd)}." if odd else ""
    return (*company, *([Said(sizes)] if sizes else []))


def _of_last_time(found: Explained, now: Sequence[Together], past: Remembered) -> list[Said]:
    """Who sat together on the very last evening too."""
    if not past.nights or not any(pair.past for pair in now):
        return []
    last = day_and_month(past.nights[-1].held_on)
    again = [
        f"{found.names[pair.row]} and {found.names[pair.column]}"
        for pair in now
        if last in pair.past
    ]
    if not again:
        return [Said(f"No one sits with anyone from {last}, the last evening.", is_kept=True)]
    more = len(again) - MOST_NAMED
    named = listed([*again[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
    pairs = f"{counted(len(again), 'pair')} {'is' if len(again) == 1 else 'are'} together"
    return [Said(f"{pairs} as on {last}, the last evening: {named}.")]


def _of_all_times(now: Sequence[Together]) -> list[Said]:
    """How often the pairs at the tables sat together before."""
    times = Counter(len(pair.past) for pair in now)
    if set(times) == {0}:
        return [Said("No one sits with anyone from earlier evenings.", is_kept=True)]
    parts: list[str] = []
    for often, count in sorted(times.items()):
        did = times_in_words(often)
        first = f"had sat together {did} before" if often else "had never sat together before"
        parts.append(f"{count} {did if parts else first}")
    return [Said(f"Of the {counted(len(now), 'pair')} who share a table, {listed(parts)}.")]
