"""One player's season: why the place, which evenings count, what is needed next time."""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from clubs import league_rules
from clubs.language.numbers import ordinal, written
from clubs.language.words import counted
from clubs.league_rules import Fate, LeagueRules, Line, Need, Standing, WhatIf
from clubs.models import Season
from clubs.models.names import EVERYBODY, Reader
from clubs.selectors.leagues_record import record_of
from clubs.selectors.leagues_rules import rules_of
from clubs.table.rows import tallied

WORDS = {
    Fate.COUNTS: "Counts",
    Fate.NOT_BEST: "Not among the best",
    Fate.CREDITED: "Missed on club duty: counts",
    Fate.CREDIT_NOT_BEST: "Missed on club duty: not among the best",
    Fate.MISSED: "Absent",
    Fate.TOO_FEW: "Too few members played",
}
TABLE_PLACES = {-1: "Win a table of four", -2: "Be second at a table of four"}
THIRD = "Be third at a table of four"


@dataclass(frozen=True, slots=True)
class WhyLine:
    """One evening: what it brought, as it is written, and whether it counts."""

    session_id: int
    day: date
    points: str
    brings: str
    words: str
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonWhy:
    """A player's season, explained; ``standing`` is the place in words.

    ``next_on`` is the evening to come, where one is known.
    """

    name: str
    standing: str
    sentence: str
    rules: tuple[str, ...]
    lines: tuple[WhyLine, ...]
    next_on: date | None
    needs: tuple[str, ...]


def season_why(season: Season, player: int, *, reader: Reader = EVERYBODY) -> SeasonWhy | None:
    """Why the player stands where they stand; None for one who has not played for the season.

    Four queries, and one each where the rules know handicaps and credits.
    """
    rules = rules_of(season)
    told = record_of(season, rules, reader=reader)
    rows = league_rules.reckon(rules, told.record)
    row = next((one for one in rows if one.player == player), None)
    if row is None:
        return None
    signed = told.pays and rules.has_signs
    what_if = league_rules.what_if(rules, told.record, player, hands=row.played[-1].hands)
    return SeasonWhy(
        name=row.name,
        standing=ordinal(row.place) if row.place else "not ranked yet",
        sentence=league_rules.why(row, rows, rules),
        rules=league_rules.sentences(rules),
        lines=tuple(_line(line, pays=told.pays, signed=signed) for line in row.lines),
        next_on=_next_evening(season),
        needs=_needs(what_if, row, rules, pays=told.pays),
    )


def _next_evening(season: Season) -> date | None:
    to_come = season.sessions.filter(held_on__gt=timezone.localdate()).order_by("held_on")
    return to_come.values_list("held_on", flat=True).first()


def _line(line: Line, *, pays: bool, signed: bool) -> WhyLine:
    brings = line.brings
    sign = "+" if signed and brings is not None and brings > 0 else ""
    return WhyLine(
        session_id=line.evening,
        day=line.day,
        points="" if line.points is None else tallied(line.points, pays=pays),
        brings="" if brings is None else f"{sign}{league_rules.said(brings)}",
        words=WORDS[line.fate],
        counts=line.fate.counts,
    )


def _needs(told: WhatIf, row: Standing, rules: LeagueRules, *, pays: bool) -> tuple[str, ...]:
    """A sentence for each place above, the next one first."""
    if told.missing:
        more = counted(told.missing, "evening")
        return (f"You need to come to this evening and {more} after it to be ranked.",)
    if not told.needs:
        best = "You are already top" if row.place == 1 else "One evening is not enough to move up"
        return (f"{best}.",)
    at_table = rules.brings is league_rules.Brings.TABLE_POINTS
    return tuple(_need(need, at_table=at_table, pays=pays) for need in told.needs)


def _need(need: Need, *, at_table: bool, pays: bool) -> str:
    end = f"to be {ordinal(need.place)}, level with or ahead of {' and '.join(need.names)}."
    if need.result is None:
        return f"Just coming is enough {end}"
    if at_table:
        return f"{TABLE_PLACES.get(need.result, THIRD)} {end}"
    points = tallied(need.result, pays=True) if pays else written(need.result)
    return f"At least {points} {end}"
