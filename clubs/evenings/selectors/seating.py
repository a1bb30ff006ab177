"""Why an evening sits as it does: its seating preferences and the evenings before it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations

from django.db.models import Q, QuerySet

from clubs.core.people_names import names_of
from clubs.language.moments import day_and_month
from clubs.language.words import counted
from clubs.models import Attendance, Club, Session, SessionSeat, Wish
from clubs.models.names import EVERYBODY, Reader
from clubs.seating import Round, Said, Table
from clubs.seating.history import (
    AT,
    IN_TURN,
    Evening,
    InTurn,
    Past,
    Together,
    in_short,
    in_turn,
    turns_told,
)
from clubs.seating.request import SEATS
from clubs.seating.why import listed, times_in_words
from clubs.seating.wishes import Wanted, asked, splits_of, told
from clubs.seats.explained import Explained, Personal, explain, personal
from scoring.scorebook.editions import rule_set

ALWAYS = 4  # the last evenings are remembered whatever their season
LOOKED_AT = 100
WHERE = ("session_id", "table_id", "player_id")
WITHOUT_SEASON = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Night:
    """An evening that was seated; players by their keys, as text."""

    held_on: date
    evening: Evening
    is_of_season: bool


@dataclass(frozen=True, slots=True)
class Remembered:
    """The evenings before this one, the first first.

    words: how the time is called for which turns are counted.
    """

    nights: tuple[Night, ...]
    words: str = "this season"

    @property
    def season(self) -> list[Evening]:
        """The evenings whose turns count."""
        return [night.evening for night in self.nights if night.is_of_season]

    @property
    def weighed(self) -> list[Evening]:
        """The evenings whose company counts."""
        return [night.evening for night in self.nights]

    @property
    def met(self) -> dict[frozenset[str], tuple[date, ...]]:
        """On which evenings each pair shared a table."""
        found: dict[frozenset[str], list[date]] = defaultdict(list)
        for night in self.nights:
            for table in night.evening.tables:
                for pair in combinations(table, 2):
                    found[frozenset(pair)].append(night.held_on)
        return {pair: tuple(days) for pair, days in found.items()}


def remembered(session: Session) -> Remembered:
    """The evenings before this one that its seating weighs; three queries however many."""
    before = Session.objects.filter(club_id=session.club_id, held_on__lt=session.held_on)
    found = before.order_by("-held_on").values_list("pk", "held_on", "season_id")[:LOOKED_AT]
    days = {pk: (held_on, _counts(session, held_on, season)) for pk, held_on, season in found}
    seats = SessionSeat.objects.filter(session__in=days).order_by("pk")
    tables: dict[int, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    last = {(pk, player): table for pk, table, player in seats.values_list(*WHERE)}
    for (pk, player), table in last.items():
        tables[pk][table].append(str(player))
    here = Attendance.objects.filter(session__in=tables).values_list("session_id", "player_id")
    evenings = _evenings(tables, here)
    seated = [pk for pk in days if pk in evenings]  # the last first
    kept = [pk for at, pk in enumerate(seated) if at < ALWAYS or days[pk][1]]
    nights = (Night(days[pk][0], evenings[pk], is_of_season=days[pk][1]) for pk in reversed(kept))
    words = "this season" if session.season_id else "in the last year"
    return Remembered(tuple(nights), words)


def _counts(session: Session, held_on: date, season: int | None) -> bool:
    """Whether an evening is of the session's season, or of the year before where it has none."""
    if session.season_id:
        return season == session.season_id
    return held_on > session.held_on - WITHOUT_SEASON


def _evenings(
    tables: Mapping[int, Mapping[int, list[str]]], here: Iterable[tuple[int, int]]
) -> dict[int, Evening]:
    """By the session's key the tables, and who was ticked but had no seat."""
    came: dict[int, list[str]] = defaultdict(list)
    for pk, player in here:
        came[pk].append(str(player))
    found = {}
    for pk, laid in tables.items():
        seated = {player for players in laid.values() for player in players}
        out = tuple(player for player in came[pk] if player not in seated)
        found[pk] = Evening(tuple(map(tuple, laid.values())), out)
    return found


@dataclass(frozen=True, slots=True)
class WishRow:
    """A wish as the secretary's list has it."""

    pk: int
    kind: str
    sentence: str
    until: date | None
    reason: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Noted:
    """The wishes that hold on a day, and the names of whom they name, by their keys as text."""

    wishes: tuple[Wanted, ...]
    names: Mapping[str, str]


def wanted(wish: Wish) -> Wanted:
    """The wish as the seating knows it."""
    other = str(wish.other_id) if wish.other_id else ""
    return Wanted(wish.kind, str(wish.player_id), other, wish.table or 0)


def wishes_on(club_id: int, day: date) -> QuerySet[Wish]:
    """What holds on that day, with the people."""
    holds = Q(until=None) | Q(until__gte=day)
    return Wish.objects.filter(holds, club=club_id).select_related("player", "other")


def noted(session: Session) -> Noted:
    """The wishes that the evening's seating heeds; one query."""
    return _noted(list(wishes_on(session.club_id, session.held_on)))


def _noted(wishes: Sequence[Wish]) -> Noted:
    people = [wish.player for wish in wishes] + [wish.other for wish in wishes if wish.other]
    return Noted(tuple(map(wanted, wishes)), {str(one.pk): one.name for one in people})


def wish_list(club: Club, today: date) -> tuple[WishRow, ...]:
    """Every wish, those that are over last; one query."""
    wishes = list(club.wishes.select_related("player", "other"))
    names = _noted(wishes).names
    rows = [
        WishRow(
            wish.pk,
            wish.kind,
            asked(wanted(wish), names),
            wish.until,
            wish.reason,
            is_over=wish.until is not None and wish.until < today,
        )
        for wish in wishes
    ]
    return tuple(sorted(rows, key=lambda row: row.is_over))


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
