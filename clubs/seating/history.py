"""Earlier evenings: who met whom, whose turn it is, and what a change costs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from clubs.language.words import count_words, ordinal
from clubs.seating.request import Round
from clubs.seating.why import (
    SeatingRemark,
    join_with_and,
    review_rounds,
    rounds_in_words,
    rounds_met,
    times_in_words,
    wind_imbalance,
    winds_of,
)

MeetingWeights = dict[frozenset[str], int]
TurnsAhead = dict[int, dict[str, int]]

SITTING_OUT = 0  # the size that represents sitting out
TURN_SIZES = (3, 5, SITTING_OUT)
MEETING_WEIGHT = 6
RECENT_WEIGHTS = (12, 6, 3, 1)  # extra weights of meetings on the last evening, the one before …
MAX_MEETING_WEIGHT = 150  # six such meetings weigh less than one turn (`search.TURN_PRICE`)
MAX_TURNS_AHEAD = 8  # eight turns weigh less than a wish (`search.FORBIDDEN_PRICE`)
SIZE_PHRASES = {3: "at a table of three", 5: "at a table of five", SITTING_OUT: "without a table"}
PastMeetings = Mapping[frozenset[str], tuple[str, ...]]
MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class PastEvening:
    """A past evening: who shared a table, and those without a seat.

    tables: each table, and each again as it was after someone had joined or left it.
    sizes: of the table where a player sat longest, for those who sat at tables of several sizes.
    """

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def present_players(self) -> set[str]:
        return {name for table in self.tables for name in table} | set(self.sitting_out)

    @property
    def pairs(self) -> set[frozenset[str]]:
        """Everyone who shared a table with someone, each two once."""
        return {frozenset(pair) for table in self.tables for pair in combinations(table, 2)}

    def in_turn(self) -> Iterator[tuple[int, str]]:
        """Who sat at a table of three or five, or sat out: the size and the player, each once."""
        sizes = {name: len(table) for table in self.tables for name in table} | {**self.sizes}
        yield from ((size, name) for name, size in sizes.items() if size in TURN_SIZES)
        yield from ((SITTING_OUT, name) for name in self.sitting_out)


def meeting_weights(
    evenings: Sequence[PastEvening], present_players: Collection[str]
) -> MeetingWeights:
    """The weight of another meeting of each pair present, for `Request.met`.

    evenings: earliest first. Every meeting counts, those of the last four evenings more. The amount
    common to all pairs is subtracted.
    """
    weights: Counter[frozenset[str]] = Counter()
    present = set(present_players)
    for age, evening in enumerate(reversed(evenings)):
        weight = MEETING_WEIGHT + (RECENT_WEIGHTS[age] if age < len(RECENT_WEIGHTS) else 0)
        for pair in evening.pairs:
            if pair <= present:
                weights[pair] += weight
    pairs = len(present_players) * (len(present_players) - 1) // 2
    least = min(weights.values(), default=0) if len(weights) == pairs else 0
    surplus_weights = {
        pair: min(MAX_MEETING_WEIGHT, weight - least) for pair, weight in weights.items()
    }
    return {pair: weight for pair, weight in surplus_weights.items() if weight}


def turns_taken(evenings: Sequence[PastEvening]) -> Mapping[int, Counter[str]]:
    """How often each player sat at a table of three or five, or sat out, by size."""
    turn_counts: dict[int, Counter[str]] = {size: Counter() for size in TURN_SIZES}
    for evening in evenings:
        for size, name in evening.in_turn():
            turn_counts[size][name] += 1
    return turn_counts


def turns_due(evenings: Sequence[PastEvening], present_players: Collection[str]) -> TurnsAhead:
    """How many turns each player present is ahead, for `Request.turns`.

    A newcomer starts level with the player who had the fewest turns then, so they are not sent to
    the table of three until they have caught up with everyone.
    """
    levels: dict[int, Counter[str]] = {size: Counter() for size in TURN_SIZES}
    known_players: set[str] = set()
    for evening in evenings:
        _level_newcomers(levels, known_players, evening.present_players)
        for size, name in evening.in_turn():
            levels[size][name] += 1
    _level_newcomers(levels, known_players, set(present_players))
    least = {
        size: min((level[name] for name in present_players), default=0)
        for size, level in levels.items()
    }
    return {
        size: {name: min(MAX_TURNS_AHEAD, level[name] - least[size]) for name in present_players}
        for size, level in levels.items()
    }


def _level_newcomers(
    levels: Mapping[int, Counter[str]], known_players: set[str], present_players: set[str]
) -> None:
    """Give newcomers the fewest turns of the others."""
    returning_players = present_players & known_players
    for level in levels.values():
        least = min((level[name] for name in returning_players), default=0)
        for name in present_players - known_players:
            level[name] = least
    known_players |= present_players


@dataclass(frozen=True, slots=True)
class EveningTurns:
    """An evening's seats and the turns before it; players by the evenings' ids.

    tables: who sits at each table, by its number. words: the period over which turns are counted.
    """

    tables: Mapping[int, Sequence[str]]
    sitting_out: Sequence[str]
    turns_taken: Mapping[int, Counter[str]]
    due: TurnsAhead
    period: str

    def group(self, size: int) -> list[str]:
        """Everyone at a table of that size, or sitting out."""
        if size == SITTING_OUT:
            return list(self.sitting_out)
        return [name for names in self.tables.values() if len(names) == size for name in names]

    @property
    def present_players(self) -> list[str]:
        """Everyone present, seated or not."""
        return [*(name for names in self.tables.values() for name in names), *self.sitting_out]

    def players_ahead(self, size: int, group: Sequence[str]) -> list[str]:
        """Who is not in the group, though they have had fewer turns than someone in it."""
        due = self.due[size]
        most = max((due[name] for name in group), default=0)
        return [name for name in self.present_players if name not in group and due[name] < most]

    def counts(self, size: int, group: Sequence[str], names: Mapping[str, str]) -> str:
        """`Cy has never sat at a table of three this season, Ann and Ben have once`."""
        by_times: dict[int, list[str]] = defaultdict(list)
        for name in group:
            by_times[self.turns_taken[size][name]].append(names[name])
        if set(by_times) == {0}:
            return f"none of them has sat {SIZE_PHRASES[size]} {self.period} yet"
        parts: list[str] = []
        for times, player_names in sorted(by_times.items()):
            verb = "has" if len(player_names) == 1 else "have"
            times_text = "never" if times == 0 else times_in_words(times)
            seat_text = f" sat {SIZE_PHRASES[size]} {self.period}" if not parts else ""
            parts.append(f"{join_with_and(sorted(player_names))} {verb} {times_text}{seat_text}")
        return ", ".join(parts)


def turns_of_evening(
    tables: Mapping[int, Sequence[str]],
    sitting_out: Sequence[str],
    season: Sequence[PastEvening],
    period: str,
) -> EveningTurns:
    """The turns of an evening with these tables, given the season's earlier evenings."""
    present_players = {name for names in tables.values() for name in names} | set(sitting_out)
    return EveningTurns(
        tables, sitting_out, turns_taken(season), turns_due(season, present_players), period
    )


def turn_sentences(in_turn: EveningTurns, names: Mapping[str, str]) -> Iterator[SeatingRemark]:
    """For every table that is not of four, and for sitting out: whose turn it was, with counts."""
    for number, players in in_turn.tables.items():
        if len(players) in TURN_SIZES:
            yield _turn_sentence(in_turn, len(players), players, names, f"At table {number}")
    if in_turn.sitting_out:
        yield _turn_sentence(
            in_turn, SITTING_OUT, in_turn.sitting_out, names, "For those who sit out"
        )


def _turn_sentence(
    in_turn: EveningTurns,
    size: int,
    group: Sequence[str],
    names: Mapping[str, str],
    place_text: str,
) -> SeatingRemark:
    counts = in_turn.counts(size, group, names)
    whole_group = in_turn.group(size)
    if len(whole_group) == len(in_turn.present_players):
        return SeatingRemark(f"{place_text}: {counts}.")
    if players_ahead := in_turn.players_ahead(size, whole_group):
        fewer = join_with_and(sorted(names[name] for name in players_ahead))
        verb = "has" if len(players_ahead) == 1 else "have"
        reason = "Seating preferences, late arrivals or manual moves came first"
        return SeatingRemark(
            f"{place_text}: {counts}. {fewer} {verb} had fewer turns. {reason}.", is_kept=False
        )
    return SeatingRemark(f"{place_text} it was their turn: {counts}.", is_kept=True)


def turn_costs(
    old_turns: EveningTurns, new_turns: EveningTurns, names: Mapping[str, str]
) -> Iterator[SeatingRemark]:
    """The effect of a move on turns: who joins or leaves a three or five or sitting out."""
    for size in TURN_SIZES:
        old_group, now = old_turns.group(size), new_turns.group(size)
        players_ahead = new_turns.players_ahead(size, now)
        for name in now:
            if name not in old_group:
                nth = ordinal(new_turns.turns_taken[size][name] + 1)
                seat = f"{names[name]} would sit {SIZE_PHRASES[size]}"
                text = f"{seat}, for the {nth} time {new_turns.period}."
                due = new_turns.due[size]
                yield SeatingRemark(
                    text,
                    is_kept=not any(
                        due[player_ahead] < due[name] for player_ahead in players_ahead
                    ),
                )
        for name in old_group:
            if name not in now and name in players_ahead:
                times = new_turns.turns_taken[size][name]
                so_far = times_in_words(times) if times else "never"
                seat = f"{names[name]} would no longer sit {SIZE_PHRASES[size]}"
                text = f"{seat}, where it is their turn"
                yield SeatingRemark(f"{text}: so far {so_far} {new_turns.period}.", is_kept=False)


@dataclass(frozen=True, slots=True)
class PairMeetings:
    """Two players by their places in the list of names, `row` before `column`.

    rounds: in which rounds they share a table.
    past: when they did so before, in words (`7 November`).
    when: all of that in words: `rounds 2 and 5`, `this evening and 7 November`.
    """

    row: int
    column: int
    rounds: tuple[int, ...]
    past_dates: tuple[str, ...]
    occasions: str

    @property
    def kind(self) -> str:
        """`once`, `again` (more than once, or once and in the past), or `past` alone."""
        if not self.rounds:
            return "past"
        return "again" if self.times > 1 else "once"

    @property
    def times(self) -> int:
        """How often they share a table, the past included."""
        return len(self.rounds) + len(self.past_dates)


@dataclass(frozen=True, slots=True)
class TableMate:
    """A tablemate, and the other rounds in which you meet (empty: none)."""

    name: str
    also: str


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """One player's round with their tablemates.

    No table if they sit out or are away.
    """

    round: int
    table: int | None
    seat: str
    company: tuple[TableMate, ...]
    sits_out: bool


def pair_meetings(
    rounds: Sequence[Round],
    names: Sequence[str],
    earlier_meetings: PastMeetings | None = None,
    describe_rounds: Callable[[Sequence[int]], str] = rounds_in_words,
) -> tuple[PairMeetings, ...]:
    """Every pair that shares a table, or did so in the past, in the order of the names.

    words: puts round numbers into words.
    """
    rounds_together = rounds_met(rounds)
    index_of = {name: index for index, name in enumerate(names)}
    past_meetings = {
        pair: occasions
        for pair, occasions in (earlier_meetings or {}).items()
        if pair <= index_of.keys()
    }
    result = []
    for pair in rounds_together.keys() | past_meetings.keys():
        row, column = sorted(index_of[name] for name in pair)
        round_numbers = tuple(rounds_together.get(pair, ()))
        past_dates = past_meetings.get(pair, ())
        occasions = join_with_and(
            [
                *([describe_rounds(round_numbers)] if round_numbers else []),
                *shorten_dates(past_dates),
            ]
        )
        result.append(PairMeetings(row, column, round_numbers, past_dates, occasions))
    return tuple(sorted(result, key=lambda pair: (pair.row, pair.column)))


def rounds_of_player(
    name: str, rounds: Sequence[Round], names: Sequence[str], pairs: Sequence[PairMeetings]
) -> tuple[PlayerRound, ...]:
    """The player's rounds in order; `pairs` are those of `pair_meetings` for the same names."""
    place = names.index(name)
    pairs_by_mate = {
        names[pair.row + pair.column - place]: pair
        for pair in pairs
        if place in (pair.row, pair.column)
    }
    turns = []
    for number, round_ in enumerate(rounds, start=1):
        table = next((table for table in round_.tables if name in table.names), None)
        if table is None:
            turns.append(PlayerRound(number, None, "", (), sits_out=name in round_.sitting_out))
            continue
        seat = next(seat for seat, current in table.seats.items() if current == name)
        company = []
        for mate in table.names:
            if mate != name:
                other_rounds = [
                    other_number
                    for other_number in pairs_by_mate[mate].rounds
                    if other_number != number
                ]
                also = [rounds_in_words(other_rounds)] if other_rounds else []
                company.append(
                    TableMate(
                        mate, join_with_and([*also, *shorten_dates(pairs_by_mate[mate].past_dates)])
                    )
                )
        turns.append(PlayerRound(number, table.number, seat, tuple(company), sits_out=False))
    return tuple(turns)


def shorten_dates(dates: Sequence[str]) -> list[str]:
    """Two evenings by date; more by the last date and their number."""
    return list(dates) if len(dates) < 3 else [f"{dates[-1]}, the last of {len(dates)} times"]


def costs_of_change(
    old_rounds: Sequence[Round],
    new_rounds: Sequence[Round],
    *,
    changed_rounds: Collection[int],
    players: Sequence[str],
    teams: Mapping[str, str],
    couples: Collection[tuple[str, str]],
) -> tuple[SeatingRemark, ...]:
    """What the seating `new_rounds` keeps and gives up, against `old_rounds`.

    changed: the rounds (from 1, as in `new_rounds`) seated by hand. players: everyone who has a
    place in one of the two. Nobody may have two places in a round.
    """
    repeated_pairs = [
        f"{players[pair.row]} and {players[pair.column]} ({pair.occasions})"
        for pair in pair_meetings(new_rounds, players)
        if len(pair.rounds) > 1 and set(pair.rounds) & set(changed_rounds)
    ]
    company = SeatingRemark("No one in this manual seating meets anyone twice.", is_kept=True)
    if repeated_pairs:
        meet = "pair meets" if len(repeated_pairs) == 1 else "pairs meet"
        company = SeatingRemark(
            f"{len(repeated_pairs)} {meet} more than once: {first_few(repeated_pairs)}.",
            is_kept=False,
        )
    return (
        company,
        *_whole_plan_costs(old_rounds, new_rounds, players),
        *_changed_round_costs(
            new_rounds, changed_rounds, teams, {frozenset(pair) for pair in couples}
        ),
    )


def first_few(names: Sequence[str], most: int = MAX_NAMES) -> str:
    """The first of the names as a list in words, and how many more there are."""
    remainder = [f"{len(names) - most} more"] if len(names) > most else []
    return join_with_and([*names[:most], *remainder])


def _whole_plan_costs(
    old_rounds: Sequence[Round], new_rounds: Sequence[Round], players: Sequence[str]
) -> Iterator[SeatingRemark]:
    old_repeats, now = (
        review_rounds(rounds, players).report.repeated_meetings
        for rounds in (old_rounds, new_rounds)
    )
    repeats_text = f"Over all rounds {count_words(now, 'meeting')} with someone met before"
    if old_repeats == now:
        yield SeatingRemark(f"{repeats_text}, the same as without this change.", is_kept=True)
    else:
        yield SeatingRemark(f"{repeats_text}; without it {old_repeats}.", is_kept=now < old_repeats)
    if new := sorted(
        _players_with_uneven_winds(new_rounds) - _players_with_uneven_winds(old_rounds)
    ):
        start = "starts" if len(new) == 1 else "start"
        text = f"{first_few(new)} {start} in one wind more often than necessary."
        yield SeatingRemark(text, is_kept=False)
    else:
        yield SeatingRemark("No one’s winds become less even.", is_kept=True)


def _players_with_uneven_winds(rounds: Sequence[Round]) -> set[str]:
    return {name for name, counts in winds_of(rounds).items() if wind_imbalance(counts) > 0}


def _changed_round_costs(
    new_rounds: Sequence[Round],
    changed_rounds: Collection[int],
    teams: Mapping[str, str],
    couples: Collection[frozenset[str]],
) -> Iterator[SeatingRemark]:
    for number in sorted(changed_rounds):
        for table in new_rounds[number - 1].tables:
            for first, second in combinations(table.names, 2):
                if first in teams and teams[first] == teams.get(second):
                    text = f"{first} and {second} of {teams[first]} sit together in round {number}."
                    yield SeatingRemark(text, is_kept=False)
                if frozenset((first, second)) in couples:
                    text = f"{first} and {second} are a couple and sit together in round {number}."
                    yield SeatingRemark(text, is_kept=False)
    for number in sorted(changed_rounds):
        if sitting_out := new_rounds[number - 1].sitting_out:
            verb = "sits" if len(sitting_out) == 1 else "sit"
            yield SeatingRemark(f"In round {number} {join_with_and(list(sitting_out))} {verb} out.")
