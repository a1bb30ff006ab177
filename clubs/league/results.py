"""What each evening brings to each player, before evenings are chosen and added."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from clubs.league.evenings import Evening, Record, Sat
from clubs.league.rules import Brings, LeagueRules
from scoring.ranking import table_points


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
