"""Ranking by a declared order of metrics, with ties shared and the deciding metric named."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

Number = int | Fraction

METRICS: Mapping[str, str] = {
    "table_points": "table points",
    "total": "total gain",
    "average": "average gain",
    "best_total": "best evenings",
    "mahjongs": "Mah-Jongs",
    "best_hand": "best hand",
    "attended": "evenings attended",
}


@dataclass(frozen=True, slots=True)
class RankingRow:
    """Someone to be ranked, with a number for each metric."""

    key: str
    name: str
    values: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row in its place (1 is best); equal rows share a place.

    ``decided_by`` is the first metric in which the row differs from the one above it;
    None for the first row and for a tie.
    """

    place: int
    is_tied: bool
    row: RankingRow
    decided_by: str | None


def rank(rows: Sequence[RankingRow], *, metrics: Sequence[str]) -> tuple[RankedRow, ...]:
    """The rows, best first, more being better in every metric of ``metrics``.

    Rows that are equal in all of them share a place and stand in the order of their names.
    Raises KeyError for a metric that a row lacks.
    """
    sorted_rows = sorted(rows, key=lambda row: (row.name, row.key))
    sorted_rows.sort(key=lambda row: [row.values[metric] for metric in metrics], reverse=True)
    scores = [tuple(row.values[metric] for metric in metrics) for row in sorted_rows]
    score_counts = Counter(scores)
    places = {score: place for place, score in reversed(list(enumerate(scores, start=1)))}
    return tuple(
        RankedRow(
            place=places[score],
            is_tied=score_counts[score] > 1,
            row=row,
            decided_by=_difference(scores[index - 1], score, metrics) if index else None,
        )
        for index, (row, score) in enumerate(zip(sorted_rows, scores, strict=True))
    )


def _difference(
    upper_values: Sequence[Number], lower_values: Sequence[Number], metrics: Sequence[str]
) -> str | None:
    return next(
        (
            metric
            for metric, a, b in zip(metrics, upper_values, lower_values, strict=True)
            if a != b
        ),
        None,
    )


def table_points(
    gains: Sequence[Number], scale: Sequence[Number] = (4, 2, 1, 0)
) -> tuple[Fraction, ...]:
    """Points for the places at one table, in the order of ``gains``; ties share what they span."""
    sorted_gains = sorted(gains, reverse=True)
    return _points_of_places(tuple(map(sorted_gains.index, gains)), tuple(scale))


@lru_cache(maxsize=1024)
def _points_of_places(places: tuple[int, ...], scale: tuple[Number, ...]) -> tuple[Fraction, ...]:
    return tuple(_points_of_place(place, places.count(place), scale) for place in places)


def _points_of_place(place: int, level: int, scale: tuple[Number, ...]) -> Fraction:
    return Fraction(sum(scale[index] for index in range(place, place + level)), level)
