"""Why a player is ranked where they are in a season, and what they need next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated

from django.utils import timezone

from clubs.language.words import count_words, number_words, ordinal
from clubs.league.selectors.seasons import rules_of, season_record
from clubs.league_rules import rules as league_rules, standings
from clubs.league_rules.rules import EveningScoring, LeagueRules
from clubs.league_rules.standings import EveningLine, EveningOutcome, LeagueStanding, WhatIf
from clubs.models import Season, counting_evenings
from clubs.models.names import PUBLIC_READER, Reader, is_nameless, this_person, within_sentence
from clubs.table.rows import points_text

OUTCOME_WORDS = {
    EveningOutcome.COUNTS: "Counts",
    EveningOutcome.NOT_BEST: "Not among the best",
    EveningOutcome.CREDITED: "Missed on club duty: counts",
    EveningOutcome.CREDIT_NOT_BEST: "Missed on club duty: not among the best",
    EveningOutcome.MISSED: "Absent",
    EveningOutcome.TOO_FEW: "Too few members played",
}
TABLE_PLACES = {-1: "Win a table of four", -2: "Be second at a table of four"}
THIRD_PLACE = "Be third at a table of four"


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One evening of a player’s season."""

    session_id: int
    day: date
    points: Annotated[str, "in words"]
    brings: Annotated[str, "league points"]
    text: str
    counts: bool


@dataclass(frozen=True, slots=True)
class StandingExplanation:
    """Why a player is ranked where they are, and what they need next.

    ``standing`` is the place in words, ``next_on`` the next evening, if there is one.
    """

    name: str
    standing: str
    sentence: str
    rules: tuple[str, ...]
    lines: tuple[StandingLine, ...]
    next_on: date | None
    needs: tuple[str, ...]


def explain_standing(
    season: Season, player: int, *, reader: Reader = PUBLIC_READER
) -> StandingExplanation | None:
    """The explanation of a player's place; None for a player without an evening in the season.

    Four queries, and one each if the rules use handicaps and credits.
    """
    rules = rules_of(season)
    season_results = season_record(season, rules, reader=reader)
    rows = standings.rank_members(rules, season_results.record)
    row = next((standing for standing in rows if standing.player == player), None)
    if row is None:
        return None
    is_signed = season_results.pays and rules.has_signs
    what_if = standings.what_if(
        rules, season_results.record, player, hands=row.played_lines[-1].hands
    )
    to_come = season.sessions.filter(
        counting_evenings(), held_on__gt=timezone.localdate()
    ).order_by("held_on")
    return StandingExplanation(
        name=row.name,
        standing=ordinal(row.place) if row.place else "not ranked yet",
        sentence=_standing_sentence(row, rows, rules),
        rules=league_rules.rule_sentences(rules),
        lines=tuple(
            _standing_line(line, pays=season_results.pays, is_signed=is_signed)
            for line in row.lines
        ),
        next_on=to_come.values_list("held_on", flat=True).first(),
        needs=_need_sentences(what_if, row, rules, pays=season_results.pays),
    )


def _standing_sentence(
    row: LeagueStanding, rows: Sequence[LeagueStanding], rules: LeagueRules
) -> str:
    own_row = replace(row, name=this_person(row.name))
    other_rows = [replace(other_row, name=within_sentence(other_row.name)) for other_row in rows]
    explanation = standings.explain_place(own_row, other_rows, rules)
    return f"{explanation[0].upper()}{explanation[1:]}" if is_nameless(row.name) else explanation


def _standing_line(line: EveningLine, *, pays: bool, is_signed: bool) -> StandingLine:
    brings = line.brings
    sign = "+" if is_signed and brings is not None and brings > 0 else ""
    return StandingLine(
        session_id=line.evening,
        day=line.day,
        points="" if line.points is None else points_text(line.points, pays=pays),
        brings="" if brings is None else f"{sign}{standings.score_text(brings)}",
        text=OUTCOME_WORDS[line.fate],
        counts=line.fate.counts,
    )


def _need_sentences(
    what_if: WhatIf, row: LeagueStanding, rules: LeagueRules, *, pays: bool
) -> tuple[str, ...]:
    """A sentence for each place above, nearest first."""
    if what_if.missing:
        evenings_phrase = count_words(what_if.missing, "evening")
        return (f"You need to come to this evening and {evenings_phrase} after it to be ranked.",)
    if not what_if.needs:
        best = "You are already top" if row.place == 1 else "One evening is not enough to move up"
        return (f"{best}.",)
    sentences = []
    for need in what_if.needs:
        names = " and ".join(map(within_sentence, need.names))
        end = f"to be {ordinal(need.place)}, level with or ahead of {names}."
        if need.result is None:
            sentences.append(f"Coming is enough {end}")
        elif rules.brings is EveningScoring.TABLE_POINTS:
            sentences.append(f"{TABLE_PLACES.get(need.result, THIRD_PLACE)} {end}")
        else:
            points = points_text(need.result, pays=True) if pays else number_words(need.result)
            sentences.append(f"At least {points} {end}")
    return tuple(sentences)
