"""Earlier evenings: who met whom, whose turn it is, and what a change costs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from clubs.language.words import counted, ordinal
from clubs.seating.request import Round
from clubs.seating.why import (
    Said,
    in_rounds,
    listed,
    review,
    rounds_met,
    times_in_words,
    wind_imbalance,
    winds_of,
)

Met = dict[frozenset[str], int]
Turns = dict[int, dict[str, int]]

OUT = 0  # the size that represents sitting out
IN_TURN = (3, 5, OUT)
MEETING = 6
LATELY = (12, 6, 3, 1)  # extra weights of meetings on the last evening, the one before …
MOST_COMPANY = 150  # six such meetings weigh less than one turn (`search.TURN`)
MOST_TURNS = 8  # eight turns weigh less than a wish (`search.FORBIDDEN`)


@dataclass(frozen=True, slots=True)
class Evening:
    """A past evening: who shared a table, and those without a seat.

    tables: each table, and each again as it was after someone had joined or left it.
    sizes: of the table where a player sat longest, for those who sat at tables of several sizes.
    """

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def here(self) -> set[str]:
        return {name for table in self.tables for name in table} | set(self.sitting_out)

    @property
    def pairs(self) -> set[frozenset[str]]:
        """Everyone who shared a table with someone, each two once."""
        return {frozenset(pair) for table in self.tables for pair in combinations(table, 2)}

    def in_turn(self) -> Iterator[tuple[int, str]]:
        """Who sat at a table of three or five, or sat out: the size and the player, each once."""
        sizes = {name: len(table) for table in self.tables for name in table} | {**self.sizes}
        yield from ((size, name) for name, size in sizes.items() if size in IN_TURN)
        yield from ((OUT, name) for name in self.sitting_out)


def company(evenings: Sequence[Evening], here: Collection[str]) -> Met:
    """The weight of another meeting of each pair present, for `Request.met`.

    evenings: earliest first. Every meeting counts, those of the last four evenings more. The amount
    common to all pairs is subtracted.
    """
    weights: Counter[frozenset[str]] = Counter()
    present = set(here)
    for age, evening in enumerate(reversed(evenings)):
        weight = MEETING + (LATELY[age] if age < len(LATELY) else 0)
        for pair in evening.pairs:
            if pair <= present:
                weights[pair] += weight
    pairs = len(here) * (len(here) - 1) // 2
    least = min(weights.values(), default=0) if len(weights) == pairs else 0
    above = {pair: min(MOST_COMPANY, weight - least) for pair, weight in weights.items()}
    return {pair: weight for pair, weight in above.items() if weight}


def turns_taken(evenings: Sequence[Evening]) -> Mapping[int, Counter[str]]:
    """How often each player sat at a table of three or five, or sat out, by size."""
    taken: dict[int, Counter[str]] = {size: Counter() for size in IN_TURN}
    for evening in evenings:
        for size, name in evening.in_turn():
            taken[size][name] += 1
    return taken


def turns_due(evenings: Sequence[Evening], here: Collection[str]) -> Turns:
    """How many turns each player present is ahead, for `Request.turns`.

    A newcomer starts level with the player who had the fewest turns then, so they are not sent to
    the table of three until they have caught up with everyone.
    """
    levels: dict[int, Counter[str]] = {size: Counter() for size in IN_TURN}
    known: set[str] = set()
    for evening in evenings:
        _welcome(levels, known, evening.here)
        for size, name in evening.in_turn():
            levels[size][name] += 1
    _welcome(levels, known, set(here))
    least = {size: min((taken[name] for name in here), default=0) for size, taken in levels.items()}
    return {
        size: {name: min(MOST_TURNS, taken[name] - least[size]) for name in here}
        for size, taken in levels.items()
    }


def _welcome(levels: Mapping[int, Counter[str]], known: set[str], here: set[str]) -> None:
    """Give newcomers the fewest turns of the others."""
    others = here & known
    for taken in levels.values():
        least = min((taken[name] for name in others), default=0)
        for name in here - known:
            taken[name] = least
    known |= here


AT = {3: "at a table of three", 5: "at a table of five", OUT: "without a table"}


@dataclass(frozen=True, slots=True)
class InTurn:
    """An evening's seats and the turns before it; players by the evenings' ids.

    tables: who sits at each table, by its number. words: the period over which turns are counted.
    """

    tables: Mapping[int, Sequence[str]]
    sitting_out: Sequence[str]
    taken: Mapping[int, Counter[str]]
    due: Turns
    words: str

    def group(self, size: int) -> list[str]:
        """Everyone at a table of that size, or sitting out."""
        if size == OUT:
            return list(self.sitting_out)
        return [name for names in self.tables.values() if len(names) == size for name in names]

    @property
    def here(self) -> list[str]:
        """Everyone present, seated or not."""
        return [*(name for names in self.tables.values() for name in names), *self.sitting_out]

    def before(self, size: int, group: Sequence[str]) -> list[str]:
        """Who is not in the group, though they have had fewer turns than someone in it."""
        due = self.due[size]
        most = max((due[name] for name in group), default=0)
        return [name for name in self.here if name not in group and due[name] < most]

    def counts(self, size: int, group: Sequence[str], names: Mapping[str, str]) -> str:
        """`Cy has never sat at a table of three this season, Ann and Ben have once`."""
        by_times: dict[int, list[str]] = defaultdict(list)
        for name in group:
            by_times[self.taken[size][name]].append(names[name])
        if set(by_times) == {0}:
            return f"none of them has sat {AT[size]} {self.words} yet"
        parts: list[str] = []
        for times, who in sorted(by_times.items()):
            have = "has" if len(who) == 1 else "have"
            did = "never" if times == 0 else times_in_words(times)
            rest = f" sat {AT[size]} {self.words}" if not parts else ""
            parts.append(f"{listed(sorted(who))} {have} {did}{rest}")
        return ", ".join(parts)


def in_turn(
    tables: Mapping[int, Sequence[str]],
    sitting_out: Sequence[str],
    season: Sequence[Evening],
    words: str,
) -> InTurn:
    """The turns of an evening with these tables, given the season's earlier evenings."""
    here = {name for names in tables.values() for name in names} | set(sitting_out)
    return InTurn(tables, sitting_out, turns_taken(season), turns_due(season, here), words)


def turn_sentences(in_turn: InTurn, names: Mapping[str, str]) -> Iterator[Said]:
    """For every table that is not of four, and for sitting out: whose turn it was, with counts."""
    for number, seated in in_turn.tables.items():
        if len(seated) in IN_TURN:
            yield _turn_sentence(in_turn, len(seated), seated, names, f"At table {number}")
    if in_turn.sitting_out:
        yield _turn_sentence(in_turn, OUT, in_turn.sitting_out, names, "For those who sit out")


def _turn_sentence(
    in_turn: InTurn, size: int, group: Sequence[str], names: Mapping[str, str], where: str
) -> Said:
    counts = in_turn.counts(size, group, names)
    everybody = in_turn.group(size)
    if len(everybody) == len(in_turn.here):
        return Said(f"{where}: {counts}.")
    if late := in_turn.before(size, everybody):
        fewer = listed(sorted(names[name] for name in late))
        have = "has" if len(late) == 1 else "have"
        why = "Seating preferences, late arrivals or manual moves came first"
        return Said(f"{where}: {counts}. {fewer} {have} had fewer turns. {why}.", is_kept=False)
    return Said(f"{where} it was their turn: {counts}.", is_kept=True)


def turn_costs(before: InTurn, after: InTurn, names: Mapping[str, str]) -> Iterator[Said]:
    """The effect of a move on turns: who joins or leaves a three or five or sitting out."""
    for size in IN_TURN:
        was, now = before.group(size), after.group(size)
        late = after.before(size, now)
        for name in now:
            if name not in was:
                nth = ordinal(after.taken[size][name] + 1)
                said = f"{names[name]} would sit {AT[size]}, for the {nth} time {after.words}."
                due = after.due[size]
                yield Said(said, is_kept=not any(due[other] < due[name] for other in late))
        for name in was:
            if name not in now and name in late:
                times = after.taken[size][name]
                so_far = times_in_words(times) if times else "never"
                said = f"{names[name]} would no longer sit {AT[size]}, where it is their turn"
                yield Said(f"{said}: so far {so_far} {after.words}.", is_kept=False)


Past = Mapping[frozenset[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Together:
    """Two players by their places in the list of names, `row` before `column`.

    rounds: in which rounds they share a table.
    past: when they did so before, in words (`7 November`).
    when: all of that in words: `rounds 2 and 5`, `this evening and 7 November`.
    """

    row: int
    column: int
    rounds: tuple[int, ...]
    past: tuple[str, ...]
    when: str

    @property
    def kind(self) -> str:
        """`once`, `again` (more than once, or once and in the past), or `past` alone."""
        if not self.rounds:
            return "past"
        return "again" if self.times > 1 else "once"

    @property
    def times(self) -> int:
        """How often they share a table, the past included."""
        return len(self.rounds) + len(self.past)


@dataclass(frozen=True, slots=True)
class Companion:
    """A tablemate, and the other rounds in which you meet (empty: none)."""

    name: str
    also: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's round with their tablemates.

    No table if they sit out or are away.
    """

    round: int
    table: int | None
    seat: str
    company: tuple[Companion, ...]
    sits_out: bool


def together(
    rounds: Sequence[Round],
    names: Sequence[str],
    past: Past | None = None,
    words: Callable[[Sequence[int]], str] = in_rounds,
) -> tuple[Together, ...]:
    """Every pair that shares a table, or did so in the past, in the order of the names.

    words: puts round numbers into words.
    """
    shared = rounds_met(rounds)
    at = {name: index for index, name in enumerate(names)}
    before = {pair: when for pair, when in (past or {}).items() if pair <= at.keys()}
    result = []
    for pair in shared.keys() | before.keys():
        row, column = sorted(at[name] for name in pair)
        met, earlier = tuple(shared.get(pair, ())), before.get(pair, ())
        when = listed([*([words(met)] if met else []), *in_short(earlier)])
        result.append(Together(row, column, met, earlier, when))
    return tuple(sorted(result, key=lambda pair: (pair.row, pair.column)))


def turns_of(
    name: str, rounds: Sequence[Round], names: Sequence[str], pairs: Sequence[Together]
) -> tuple[Turn, ...]:
    """The player's rounds in order; `pairs` are those of `together` for the same names."""
    place = names.index(name)
    mine = {
        names[pair.row + pair.column - place]: pair
        for pair in pairs
        if place in (pair.row, pair.column)
    }
    turns = []
    for number, round_ in enumerate(rounds, start=1):
        table = next((table for table in round_.tables if name in table.names), None)
        if table is None:
            turns.append(Turn(number, None, "", (), sits_out=name in round_.sitting_out))
            continue
        seat = next(seat for seat, current in table.seats.items() if current == name)
        company = []
        for mate in table.names:
            if mate != name:
                others = [other for other in mine[mate].rounds if other != number]
                also = [in_rounds(others)] if others else []
                company.append(Companion(mate, listed([*also, *in_short(mine[mate].past)])))
        turns.append(Turn(number, table.number, seat, tuple(company), sits_out=False))
    return tuple(turns)


def in_short(past: Sequence[str]) -> list[str]:
    """Two evenings by date; more by the last date and their number."""
    return list(past) if len(past) < 3 else [f"{past[-1]}, the last of {len(past)} times"]


MOST_NAMED = 8


def cost_of(
    before: Sequence[Round],
    after: Sequence[Round],
    *,
    changed: Collection[int],
    players: Sequence[str],
    teams: Mapping[str, str],
    couples: Collection[tuple[str, str]],
) -> tuple[Said, ...]:
    """What the seating `after` keeps and gives up, against `before`.

    changed: the rounds (from 1, as in `after`) seated by hand. players: everyone who has a place in
    one of the two. Nobody may have two places in a round.
    """
    again = [
        f"{players[pair.row]} and {players[pair.column]} ({pair.when})"
        for pair in together(after, players)
        if len(pair.rounds) > 1 and set(pair.rounds) & set(changed)
    ]
    company = Said("No one in this manual seating meets anyone twice.", is_kept=True)
    if again:
        meet = "pair meets" if len(again) == 1 else "pairs meet"
        company = Said(f"{len(again)} {meet} more than once: {first_few(again)}.", is_kept=False)
    return (
        company,
        *_of_all_rounds(before, after, players),
        *_of_changed_rounds(after, changed, teams, {frozenset(pair) for pair in couples}),
    )


def first_few(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """The first of the names as a list in words, and how many more there are."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return listed([*names[:most], *more])


def _of_all_rounds(
    before: Sequence[Round], after: Sequence[Round], players: Sequence[str]
) -> Iterator[Said]:
    was, now = (review(rounds, players).report.repeated_meetings for rounds in (before, after))
    again = f"Over all rounds {counted(now, 'meeting')} with someone met before"
    if was == now:
        yield Said(f"{again}, the same as without this change.", is_kept=True)
    else:
        yield Said(f"{again}; without it {was}.", is_kept=now < was)
    if new := sorted(_uneven(after) - _uneven(before)):
        start = "starts" if len(new) == 1 else "start"
        sentence = f"{first_few(new)} {start} in one wind more often than necessary."
        yield Said(sentence, is_kept=False)
    else:
        yield Said("No one’s winds become less even.", is_kept=True)


def _uneven(rounds: Sequence[Round]) -> set[str]:
    return {name for name, counts in winds_of(rounds).items() if wind_imbalance(counts) > 0}


def _of_changed_rounds(
    after: Sequence[Round],
    changed: Collection[int],
    teams: Mapping[str, str],
    couples: Collection[frozenset[str]],
) -> Iterator[Said]:
    for number in sorted(changed):
        for table in after[number - 1].tables:
            for first, second in combinations(table.names, 2):
                if first in teams and teams[first] == teams.get(second):
                    said = f"{first} and {second} of {teams[first]} sit together in round {number}."
                    yield Said(said, is_kept=False)
                if frozenset((first, second)) in couples:
                    said = f"{first} and {second} are a couple and sit together in round {number}."
                    yield Said(said, is_kept=False)
    for number in sorted(changed):
        if out := after[number - 1].sitting_out:
            sit = "sits" if len(out) == 1 else "sit"
            yield Said(f"In round {number} {listed(list(out))} {sit} out.")
