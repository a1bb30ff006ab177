"""From results to a league table."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from fractions import Fraction

from clubs.league_rules.rules import AddsUp, Brings, LeagueRules, Tie
from scoring.table.ranking import Number, Ranked, Row, rank, table_points


@dataclass(frozen=True, slots=True)
class Sat:
    """Someone's evening at a table; guests take places there, but have none in the league."""

    player: int
    name: str
    points: int
    hands: int
    mahjongs: int = 0
    best_hand: int = 0
    is_member: bool = True


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening: who sat together. Only those who played a hand."""

    key: int
    day: date
    tables: tuple[tuple[Sat, ...], ...]

    @property
    def members(self) -> int:
        """How many members played."""
        return sum(sat.is_member for table in self.tables for sat in table)


@dataclass(frozen=True, slots=True)
class Record:
    """A season's evenings, its handicaps (points an evening by player), who missed which evening
    for the club (evenings by player).
    """

    evenings: tuple[Evening, ...]
    handicaps: Mapping[int, int] = field(default_factory=dict)
    credits: Mapping[int, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What an evening brings; ``sat`` is None for one that was missed for the club.

    ``given_away`` are the Mah-Jongs of the others at the table.
    """

    evening: int
    day: date
    brings: Fraction
    sat: Sat | None = None
    given_away: int = 0


def counting_evenings(rules: LeagueRules, record: Record) -> tuple[Evening, ...]:
    """The evenings with enough members, in the order of their days."""
    enough = [
        evening for evening in record.evenings if evening.members >= max(rules.least_members, 1)
    ]
    return tuple(sorted(enough, key=lambda evening: (evening.day, evening.key)))


def results(rules: LeagueRules, record: Record) -> dict[int, list[Result]]:
    """By member, the result of each evening that was played or, as ever allowed, credited."""
    evenings = counting_evenings(rules, record)
    played: dict[int, list[Result]] = defaultdict(list)
    for evening in evenings:
        for table in evening.tables:
            for result in _of_table(rules, record, evening, table):
                played[result[0]].append(result[1])
    return {
        player: own + list(_credited(rules, record, player, own, evenings))
        for player, own in played.items()
    }


def _of_table(
    rules: LeagueRules, record: Record, evening: Evening, table: Sequence[Sat]
) -> Iterator[tuple[int, Result]]:
    mahjongs = sum(sat.mahjongs for sat in table)
    for sat, brings in zip(table, _brought(rules, record, table), strict=True):
        if sat.is_member:
            total = brings + rules.attendance_points
            others = mahjongs - sat.mahjongs
            yield sat.player, Result(evening.key, evening.day, total, sat, others)


def _brought(rules: LeagueRules, record: Record, table: Sequence[Sat]) -> Sequence[Fraction]:
    points = [worth(rules, record, sat) for sat in table]
    if rules.brings is Brings.POINTS:
        return points
    return table_points(points, rules.scale_of(len(table)))


def worth(rules: LeagueRules, record: Record, sat: Sat) -> Fraction:
    """The points of an evening as the league takes them: comparable, with the handicap."""
    points = Fraction(sat.points)
    if rules.hands and sat.hands:
        points = points * rules.hands / sat.hands
    return points + (record.handicaps.get(sat.player, 0) if rules.handicaps else 0)


def _credited(
    rules: LeagueRules,
    record: Record,
    player: int,
    played: Sequence[Result],
    evenings: Sequence[Evening],
) -> Iterator[Result]:
    """The first evenings missed for the club, as many as the rules allow."""
    if rules.credit is None:
        return
    own = sum((result.brings for result in played), Fraction(0)) / len(played)
    brings = own if rules.credit.points is None else rules.credit.points
    there = {result.evening for result in played}
    missed = [
        evening
        for evening in evenings
        if evening.key in record.credits.get(player, frozenset()) and evening.key not in there
    ]
    for evening in missed[: rules.credit.most]:
        yield Result(evening.key, evening.day, brings)


SCORE = "score"


class Fate(Enum):
    """What became of an evening for a player."""

    COUNTS = "counts"
    NOT_BEST = "not among the best"
    CREDITED = "club-duty credit"
    CREDIT_NOT_BEST = "club-duty credit, not among the best"
    MISSED = "absent"
    TOO_FEW = "too few members played"

    @property
    def counts(self) -> bool:
        """Whether the evening is part of what ranks."""
        return self in (Fate.COUNTS, Fate.CREDITED)


@dataclass(frozen=True, slots=True)
class Line:
    """One evening of one player; no points where the player did not play, nothing brought where
    it is not a result.
    """

    evening: int
    day: date
    fate: Fate
    points: int | None = None
    hands: int = 0
    brings: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's row. ``place`` is None where evenings are missing, ``missing`` how many.

    ``values`` has the score and each tie's number, more being better in all of them;
    ``decided_by`` is what parts the row from the one above it.
    """

    place: int | None
    is_tied: bool
    player: int
    name: str
    score: Fraction
    counted: int
    missing: int
    values: Mapping[str, Number]
    lines: tuple[Line, ...]
    decided_by: str | None

    @property
    def played(self) -> tuple[Line, ...]:
        """The evenings that the player was there for and that count for the league."""
        return tuple(
            line for line in self.lines if line.points is not None and line.brings is not None
        )


def reckon(rules: LeagueRules, record: Record) -> tuple[Standing, ...]:
    """Every member who played: those with a place best first, then the others by name."""
    held = len(counting_evenings(rules, record))
    weighed = {
        player: weigh(rules, own, held=held) for player, own in results(rules, record).items()
    }
    rows = [Row(str(player), one.name, one.values) for player, one in weighed.items()]
    placed = rank([row for row in rows if not weighed[int(row.key)].missing], by=metrics(rules))
    short = sorted(
        (row for row in rows if weighed[int(row.key)].missing), key=lambda row: (row.name, row.key)
    )
    days = sorted(record.evenings, key=lambda evening: (evening.day, evening.key))
    found = [_standing(ranked.row, ranked, weighed, rules, days) for ranked in placed]
    return (*found, *(_standing(row, None, weighed, rules, days) for row in short))


def metrics(rules: LeagueRules) -> tuple[str, ...]:
    """What ranks, in order."""
    return (SCORE, *(tie.value for tie in rules.ties))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A player's results with those that count, and how many evenings are missing for a place."""

    name: str
    results: tuple[Result, ...]
    counting: frozenset[int]
    missing: int
    values: Mapping[str, Number]


def weigh(rules: LeagueRules, own: Sequence[Result], *, held: int) -> Weighed:
    """A player's results, at least one of them played, among so many evenings that were held."""
    most = len(own) if rules.best is None else max(rules.best.of(held), 1)
    best = sorted(own, key=lambda result: (-result.brings, result.day, result.evening))[:most]
    least = rules.least.of(held) if rules.least else 0
    played = [result.sat for result in own if result.sat is not None]
    return Weighed(
        name=played[-1].name,
        results=tuple(own),
        counting=frozenset(result.evening for result in best),
        missing=max(least - len(own), 0),
        values={SCORE: _score(rules, best), **_ties(own, played)},
    )


def _score(rules: LeagueRules, best: Sequence[Result]) -> Fraction:
    if rules.adds_up is AddsUp.HAND:
        played = [result for result in best if result.sat is not None]
        hands = sum(result.sat.hands for result in played if result.sat is not None)
        return sum((result.brings for result in played), Fraction(0)) / max(hands, 1)
    total = sum((result.brings for result in best), Fraction(0))
    return total / len(best) if rules.adds_up is AddsUp.AVERAGE else total


def _ties(own: Sequence[Result], played: Sequence[Sat]) -> dict[str, Number]:
    return {
        Tie.MAHJONGS.value: sum(sat.mahjongs for sat in played),
        Tie.BEST_HAND.value: max(sat.best_hand for sat in played),
        Tie.GIVEN_AWAY.value: -sum(result.given_away for result in own),
        Tie.BEST_EVENING.value: max(result.brings for result in own),
        Tie.ATTENDED.value: len(played),
        Tie.POINTS.value: sum(sat.points for sat in played),
    }


def _standing(
    row: Row,
    ranked: Ranked | None,
    weighed: Mapping[int, Weighed],
    rules: LeagueRules,
    days: Sequence[Evening],
) -> Standing:
    one = weighed[int(row.key)]
    own = {result.evening: result for result in one.results}
    return Standing(
        place=ranked.place if ranked else None,
        is_tied=bool(ranked and ranked.is_tied),
        player=int(row.key),
        name=row.name,
        score=Fraction(row.values[SCORE]),
        counted=len(one.counting),
        missing=one.missing,
        values=row.values,
        lines=tuple(
            _line(evening, own[evening.key], one)
            if evening.key in own
            else _without_result(evening, int(row.key), rules)
            for evening in days
        ),
        decided_by=ranked.decided_by if ranked else None,
    )


def _line(evening: Evening, result: Result, one: Weighed) -> Line:
    counts = evening.key in one.counting
    if result.sat is None:
        fate = Fate.CREDITED if counts else Fate.CREDIT_NOT_BEST
        return Line(evening.key, evening.day, fate, brings=result.brings)
    fate = Fate.COUNTS if counts else Fate.NOT_BEST
    return Line(evening.key, evening.day, fate, result.sat.points, result.sat.hands, result.brings)


def _without_result(evening: Evening, player: int, rules: LeagueRules) -> Line:
    too_few = evening.members < max(rules.least_members, 1)
    sat = next((sat for table in evening.tables for sat in table if sat.player == player), None)
    fate = Fate.TOO_FEW if too_few else Fate.MISSED
    if sat is None:
        return Line(evening.key, evening.day, fate)
    return Line(evening.key, evening.day, fate, sat.points, sat.hands)
