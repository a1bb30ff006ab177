"""Results to a league table, with the explanation of each place."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Final

from clubs.language.words import count_words, number_words, ordinal
from clubs.league_rules.rules import EveningScoring, LeagueRules, SeasonScoring, TieBreak
from scoring.table.ranking import Number, RankedRow, RankingRow, rank, table_points

SCORE = "score"
TENTHS_PER_POINT = 10

_TIE_BREAK_PHRASES = {
    TieBreak.MAHJONGS: "more Mah-Jongs",
    TieBreak.BEST_HAND: "a higher best hand",
    TieBreak.GIVEN_AWAY: "sat at tables where others went Mah-Jong less often",
    TieBreak.BEST_EVENING: "the better best evening",
    TieBreak.ATTENDED: "played more evenings",
    TieBreak.POINTS: "gained more points",
}

FULL_TABLE: Final = 4
_POINTS_RANGE: Final = (-(10**7), 10**7)
_PLACE_RANGE: Final = (-FULL_TABLE, -1)
_NEXT_EVENING: Final = 0
RankingValues = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class TableResult:
    """A player's evening at a table; guests take places there, but are not ranked in the league."""

    player: int
    name: str
    points: int
    hands: int
    mahjongs: int = 0
    best_hand: int = 0
    is_member: bool = True


@dataclass(frozen=True, slots=True)
class LeagueEvening:
    """One evening: who played together. Only those who played a hand."""

    key: int
    day: date
    tables: tuple[tuple[TableResult, ...], ...]

    @property
    def members(self) -> int:
        return sum(table_result.is_member for table in self.tables for table_result in table)


@dataclass(frozen=True, slots=True)
class LeagueSeason:
    """A season: its evenings, handicaps and credited evenings (both by player)."""

    evenings: tuple[LeagueEvening, ...]
    handicaps: Mapping[int, int] = field(default_factory=dict)
    credits: Mapping[int, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EveningResult:
    """The result of an evening; ``table_result`` is None for a credited one.

    ``given_away`` are the Mah-Jongs of the others at the table.
    """

    evening: int
    day: date
    brings: Fraction
    table_result: TableResult | None = None
    given_away: int = 0


def counting_evenings(rules: LeagueRules, record: LeagueSeason) -> tuple[LeagueEvening, ...]:
    """The evenings with enough members, in date order."""
    enough = [
        evening for evening in record.evenings if evening.members >= max(rules.least_members, 1)
    ]
    return tuple(sorted(enough, key=lambda evening: (evening.day, evening.key)))


def results_by_member(rules: LeagueRules, record: LeagueSeason) -> dict[int, list[EveningResult]]:
    """By member, the result of each evening that was played or, if the rules allow it, credited."""
    evenings = counting_evenings(rules, record)
    results_by_player: dict[int, list[EveningResult]] = defaultdict(list)
    for evening in evenings:
        for table in evening.tables:
            mahjongs = sum(table_result.mahjongs for table_result in table)
            points: Sequence[Fraction] = [
                league_points(rules, record, table_result) for table_result in table
            ]
            if rules.brings is EveningScoring.TABLE_POINTS:
                points = table_points(points, rules.scale_of(len(table)))
            for table_result, brings in zip(table, points, strict=True):
                if table_result.is_member:
                    total = brings + rules.attendance_points
                    others_mahjongs = mahjongs - table_result.mahjongs
                    result = EveningResult(
                        evening.key, evening.day, total, table_result, others_mahjongs
                    )
                    results_by_player[table_result.player].append(result)
    if (credit := rules.credit) is None:
        return results_by_player
    # The first evenings missed for the club, as many as the rules credit.
    for player, own_results in results_by_player.items():
        average = sum((result.brings for result in own_results), Fraction(0)) / len(own_results)
        brings = average if credit.points is None else credit.points
        missed_evenings = record.credits.get(player, frozenset()) - {
            result.evening for result in own_results
        }
        credited_evenings = [evening for evening in evenings if evening.key in missed_evenings][
            : credit.most
        ]
        own_results += [
            EveningResult(evening.key, evening.day, brings) for evening in credited_evenings
        ]
    return results_by_player


def league_points(rules: LeagueRules, record: LeagueSeason, table_result: TableResult) -> Fraction:
    """The points of an evening as the league counts them: comparable, with the handicap."""
    points = Fraction(table_result.points)
    if rules.hands and table_result.hands:
        points = points * rules.hands / table_result.hands
    return points + (record.handicaps.get(table_result.player, 0) if rules.handicaps else 0)


class EveningOutcome(Enum):
    """How an evening was counted for a player."""

    COUNTS = "counts"
    NOT_BEST = "not among the best"
    CREDITED = "club-duty credit"
    CREDIT_NOT_BEST = "club-duty credit, not among the best"
    MISSED = "absent"
    TOO_FEW = "too few members played"

    @property
    def counts(self) -> bool:
        return self in (EveningOutcome.COUNTS, EveningOutcome.CREDITED)


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One evening of one player; points are None if absent, the result None if none counts."""

    evening: int
    day: date
    fate: EveningOutcome
    points: int | None = None
    hands: int = 0
    brings: Fraction | None = None


@dataclass(frozen=True, slots=True)
class LeagueStanding:
    """A member's row. ``place`` is None if evenings are missing, ``missing`` how many.

    ``values`` has the score and each tie-break's number, higher being better in all of them;
    ``decided_by`` is what separates the row from the one above it.
    """

    place: int | None
    is_tied: bool
    player: int
    name: str
    score: Fraction
    counting_evenings: int
    missing: int
    values: Mapping[str, Number]
    lines: tuple[EveningLine, ...]
    decided_by: str | None

    @property
    def played_lines(self) -> tuple[EveningLine, ...]:
        """The evenings that the player attended and that count for the league."""
        return tuple(
            line for line in self.lines if line.points is not None and line.brings is not None
        )


def rank_members(rules: LeagueRules, record: LeagueSeason) -> tuple[LeagueStanding, ...]:
    """Rank every member who played: those with a place best first, then the others by name."""
    evenings = len(counting_evenings(rules, record))
    counted_by_player = {
        player: count_results(rules, own_results, evenings=evenings)
        for player, own_results in results_by_member(rules, record).items()
    }
    rows = [
        RankingRow(str(player), weighing.name, weighing.values)
        for player, weighing in counted_by_player.items()
    ]
    ranked_members = rank(
        [row for row in rows if not counted_by_player[int(row.key)].missing],
        metrics=ranking_metrics(rules),
    )
    unranked_rows = sorted(
        (row for row in rows if counted_by_player[int(row.key)].missing),
        key=lambda row: (row.name, row.key),
    )
    days = sorted(record.evenings, key=lambda evening: (evening.day, evening.key))
    ranked_rows = [
        _build_standing(ranked_row.row, ranked_row, counted_by_player, rules, days)
        for ranked_row in ranked_members
    ]
    return (
        *ranked_rows,
        *(_build_standing(row, None, counted_by_player, rules, days) for row in unranked_rows),
    )


def ranking_metrics(rules: LeagueRules) -> tuple[str, ...]:
    return (SCORE, *(tie.value for tie in rules.ties))


@dataclass(frozen=True, slots=True)
class CountedResults:
    """A player's results with those that count, and how many evenings are missing for a place."""

    name: str
    results: tuple[EveningResult, ...]
    counting: frozenset[int]
    missing: int
    values: Mapping[str, Number]


def count_results(
    rules: LeagueRules, own_results: Sequence[EveningResult], *, evenings: int
) -> CountedResults:
    """Sort out which of a player's results count; at least one was played."""
    most = len(own_results) if rules.best is None else max(rules.best.evening_count(evenings), 1)
    best = sorted(own_results, key=lambda result: (-result.brings, result.day, result.evening))[
        :most
    ]
    least = rules.least.evening_count(evenings) if rules.least else 0
    table_results = [
        result.table_result for result in own_results if result.table_result is not None
    ]
    if rules.adds_up is SeasonScoring.HAND:
        # A season with only credited evenings has no hands to divide by.
        best_played = [
            (result, result.table_result) for result in best if result.table_result is not None
        ]
        hands = sum(table_result.hands for _, table_result in best_played)
        score = sum((result.brings for result, _ in best_played), Fraction(0)) / max(hands, 1)
    else:
        total = sum((result.brings for result in best), Fraction(0))
        score = total / len(best) if rules.adds_up is SeasonScoring.AVERAGE else total
    return CountedResults(
        name=table_results[-1].name,
        results=tuple(own_results),
        counting=frozenset(result.evening for result in best),
        missing=max(least - len(own_results), 0),
        values={
            SCORE: score,
            TieBreak.MAHJONGS.value: sum(table_result.mahjongs for table_result in table_results),
            TieBreak.BEST_HAND.value: max(table_result.best_hand for table_result in table_results),
            TieBreak.GIVEN_AWAY.value: -sum(result.given_away for result in own_results),
            TieBreak.BEST_EVENING.value: max(result.brings for result in own_results),
            TieBreak.ATTENDED.value: len(table_results),
            TieBreak.POINTS.value: sum(table_result.points for table_result in table_results),
        },
    )


def _build_standing(
    row: RankingRow,
    ranked_row: RankedRow | None,
    counted_by_player: Mapping[int, CountedResults],
    rules: LeagueRules,
    days: Sequence[LeagueEvening],
) -> LeagueStanding:
    weighing = counted_by_player[int(row.key)]
    results_by_evening = {result.evening: result for result in weighing.results}
    return LeagueStanding(
        place=ranked_row.place if ranked_row else None,
        is_tied=bool(ranked_row and ranked_row.is_tied),
        player=int(row.key),
        name=row.name,
        score=Fraction(row.values[SCORE]),
        counting_evenings=len(weighing.counting),
        missing=weighing.missing,
        values=row.values,
        lines=tuple(
            _evening_line(
                evening, int(row.key), results_by_evening.get(evening.key), weighing, rules
            )
            for evening in days
        ),
        decided_by=ranked_row.decided_by if ranked_row else None,
    )


def _evening_line(
    evening: LeagueEvening,
    player: int,
    result: EveningResult | None,
    counted_results: CountedResults,
    rules: LeagueRules,
) -> EveningLine:
    if result is None:
        too_few = evening.members < max(rules.least_members, 1)
        fate = EveningOutcome.TOO_FEW if too_few else EveningOutcome.MISSED
        player_results = (
            table_result
            for table in evening.tables
            for table_result in table
            if table_result.player == player
        )
        table_result = next(player_results, None)
    else:
        is_credited, counts = result.table_result is None, evening.key in counted_results.counting
        if counts:
            fate = EveningOutcome.CREDITED if is_credited else EveningOutcome.COUNTS
        else:
            fate = EveningOutcome.CREDIT_NOT_BEST if is_credited else EveningOutcome.NOT_BEST
        table_result = result.table_result
    return EveningLine(
        evening.key,
        evening.day,
        fate,
        points=table_result.points if table_result else None,
        hands=table_result.hands if table_result else 0,
        brings=result.brings if result else None,
    )


def score_text(score: Fraction) -> str:
    """A score in words: ``1,240``, ``½``; to a tenth if there is no such sign."""
    plain = number_words(score)
    if "/" not in plain:
        return plain
    return f"{round(score * TENTHS_PER_POINT) / TENTHS_PER_POINT:,}".replace("-", "\N{MINUS SIGN}")


def explain_place(row: LeagueStanding, rows: Sequence[LeagueStanding], rules: LeagueRules) -> str:
    """``Ann is fifth: 1,240 points from her best …``, with what parts her from those around."""
    unit = "table points" if rules.brings is EveningScoring.TABLE_POINTS else "points"
    evenings = count_words(row.counting_evenings, "evening")
    if rules.best:
        evenings = "the best evening" if row.counting_evenings == 1 else f"the best {evenings}"
    phrases = {
        SeasonScoring.HAND: "a hand",
        SeasonScoring.AVERAGE: f"on average from {evenings}",
        SeasonScoring.TOTAL: f"from {evenings}",
    }
    score = f"{score_text(row.score)} {unit} {phrases[rules.adds_up]}"
    if row.place is None:
        return (
            f"{row.name} has {score}, but is not ranked yet: "
            f"{count_words(row.missing, 'evening')} more "
            f"{'is' if row.missing == 1 else 'are'} needed."
        )
    other_standings = [
        other_row
        for other_row in rows
        if other_row.place is not None and other_row.player != row.player
    ]
    gap_phrase = ""
    if higher_standings := [
        other_row for other_row in other_standings if other_row.score > row.score
    ]:
        nearest = min(other_row.score for other_row in higher_standings)
        names = " and ".join(
            other_row.name for other_row in higher_standings if other_row.score == nearest
        )
        gap_phrase = f", {score_text(nearest - row.score)} fewer than {names}"
    shared_note = " (shared)" if row.is_tied else ""
    first = f"{row.name} is {ordinal(row.place)}{shared_note}: {score}{gap_phrase}."
    ties = [
        _tie_sentence(row, other_row, rules)
        for other_row in other_standings
        if other_row.score == row.score
    ]
    return " ".join([first, *ties])


def _tie_sentence(row: LeagueStanding, other_row: LeagueStanding, rules: LeagueRules) -> str:
    for tie in rules.ties:
        own_value, other_value = row.values[tie.value], other_row.values[tie.value]
        if own_value != other_value:
            better = row if own_value > other_value else other_row
            return f"Tied with {other_row.name}, but {better.name} has {_TIE_BREAK_PHRASES[tie]}."
    return f"Tied with {other_row.name} on everything, so they share the place."


@dataclass(frozen=True, slots=True)
class NeededResult:
    """The lowest result of one more evening that reaches a place, and who holds it now.

    ``result`` is in points, or with table points the place at a table of four, negated: -1 is to
    win it. None if any result will do.
    """

    place: int
    names: tuple[str, ...]
    result: int | None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Every place above that one more evening can reach, nearest first.

    ``missing`` is the number of evenings still needed after it to be ranked at all.
    """

    missing: int
    needs: tuple[NeededResult, ...]


def what_if(rules: LeagueRules, record: LeagueSeason, player: int, *, hands: int) -> WhatIf:
    """What the player needs, if nobody else plays that evening.

    ``hands`` is how many the player would play. Raises KeyError for one who has not played.
    """
    evenings = len(counting_evenings(rules, record)) + 1
    results_by_player = results_by_member(rules, record)
    metrics = ranking_metrics(rules)
    own_results = results_by_player.pop(player)
    other_members = [
        count_results(rules, member_results, evenings=evenings)
        for member_results in results_by_player.values()
    ]
    ranked_members = [other_member for other_member in other_members if not other_member.missing]

    past_result = next(
        result.table_result for result in own_results if result.table_result is not None
    )
    is_place = rules.brings is EveningScoring.TABLE_POINTS

    def count_with_result(result: int) -> CountedResults:
        # One more evening: with points, their number; with table points, the negated place.
        table_result = TableResult(
            past_result.player, past_result.name, 0 if is_place else result, hands
        )
        brings = (
            rules.scale_of(FULL_TABLE)[-result - 1]
            if is_place
            else league_points(rules, record, table_result)
        )
        one_more = EveningResult(
            _NEXT_EVENING, date.max, brings + rules.attendance_points, table_result
        )
        return count_results(rules, [*own_results, one_more], evenings=evenings)

    if missing := count_with_result(_PLACE_RANGE[0]).missing:
        return WhatIf(missing, ())
    bounds = _PLACE_RANGE if is_place else _POINTS_RANGE
    now = count_results(rules, own_results, evenings=evenings)
    orders = {_sort_key(other_member, metrics) for other_member in ranked_members}
    higher_orders = sorted(
        order for order in orders if now.missing or order > _sort_key(now, metrics)
    )
    needs = (
        _needed_result(target, ranked_members, metrics, bounds, count_with_result)
        for target in higher_orders
    )
    return WhatIf(0, tuple(need for need in needs if need is not None))


def _needed_result(
    target: RankingValues,
    ranked_members: Sequence[CountedResults],
    metrics: Sequence[str],
    bounds: tuple[int, int],
    count_with_result: Callable[[int], CountedResults],
) -> NeededResult | None:
    def reaches(result: int) -> bool:
        return _sort_key(count_with_result(result), metrics) >= target

    lowest, highest = bounds
    if not reaches(highest):
        return None
    least = lowest + bisect_left(range(lowest, highest), True, key=reaches)  # noqa: FBT003
    orders = [
        (_sort_key(other_member, metrics), other_member.name) for other_member in ranked_members
    ]
    place = 1 + sum(order > target for order, _ in orders)
    names = tuple(sorted(name for order, name in orders if order == target))
    return NeededResult(place, names, None if least == lowest else least)


def _sort_key(counted_results: CountedResults, metrics: Sequence[str]) -> RankingValues:
    return tuple(counted_results.values[metric] for metric in metrics)
