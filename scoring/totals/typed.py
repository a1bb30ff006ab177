"""Everything that is wrong with the totals of a hand that people typed."""

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import NamedTuple

from scoring.naming import listed
from scoring.problems import Code, Problem
from scoring.rules import RuleSet
from scoring.settlement import score_problems
from scoring.tiles import Wind
from scoring.totals.known import Totals
from scoring.totals.possible import nearest, possible_totals


def check_totals(
    scores: Mapping[Wind, int | None],
    *,
    winner: Wind | None,
    rules: RuleSet,
    prevailing_wind: Wind | None = None,
    goulash: bool | None = None,
    dealer: Wind | None = None,
) -> list[Problem]:
    """Everything wrong with the totals of a hand (points after the limit), field by field.

    A drawn hand (`winner` None) has no scores. What is not known (None) of the prevailing wind and
    of a goulash may have been either; `dealer` is East where nothing else is said.
    """
    if winner is None:
        return [
            _no_score(wind, str(points), "has no place in a drawn hand; nobody scores")
            for wind, points in scores.items()
            if points
        ]
    missing = [
        _no_score(wind, "Nothing", "was entered here; a hand without points scores 0")
        for wind, points in scores.items()
        if points is None
    ]
    entered = {wind: points for wind, points in scores.items() if points is not None}
    unscored = list(score_problems(entered, rules))
    bad = {problem.where for problem in unscored}
    table = Table(rules, len(scores), winner, prevailing_wind, goulash, dealer or Wind.E)
    return [
        *missing,
        *unscored,
        *(
            problem
            for wind, points in entered.items()
            if f"scores.{wind}" not in bad
            for problem in table.problems(wind, points)
        ),
        *([] if winner in scores else [_not_in_play(winner)]),
    ]


class Table(NamedTuple):
    """What is known of the hand that was played."""

    rules: RuleSet
    players: int
    winner: Wind
    prevailing_wind: Wind | None
    goulash: bool | None
    dealer: Wind

    def problems(self, wind: Wind, points: int) -> Iterator[Problem]:
        """That this player cannot have scored so much, if so."""
        if wind != self.winner and not self.rules.losers_score:
            if points:
                reason = f"has no place here: under {self.rules.name} the winner alone scores"
                yield _no_score(wind, str(points), reason)
        elif not any(points in totals for totals in self._totals(wind)):
            yield _no_score(wind, str(points), self._why(wind, points))

    def _totals(self, wind: Wind) -> Iterator[Totals]:
        """What the player can score, as far as it is known what prevails."""
        winds, goulashes = [self.prevailing_wind], [bool(self.goulash)]
        if self.rules.passing.prevailing and self.prevailing_wind is None:
            winds = list(Wind)
        if self.rules.passing.goulash_after_a_draw and self.goulash is None:
            goulashes = [False, True]
        for goulash, prevailing in product(goulashes, winds):
            yield possible_totals(
                self.rules,
                won=wind == self.winner,
                seat_wind=wind,
                prevailing_wind=prevailing,
                players=self.players,
                goulash=goulash,
                dealer=wind == self.dealer,
            )

    def _why(self, wind: Wind, points: int) -> str:
        whole = tuple(sorted({*chain.from_iterable(self._totals(wind))}))
        can = listed(str(total) for total in nearest(points, whole) if total is not None)
        whose = f"a Mah-Jong of {wind.label}'s" if wind == self.winner else wind.label
        prevailing = self.prevailing_wind if self.rules.passing.prevailing else None
        when = f" in the {prevailing.label} round" if prevailing else ""
        return f"cannot be scored under {self.rules.name} by {whose}{when}; {can} can"


def _not_in_play(winner: Wind) -> Problem:
    return Problem(Code.BAD_SEAT, "winner", {"found": winner.label, "expected": "in play"})


def _no_score(wind: Wind, found: str, reason: str) -> Problem:
    return Problem(Code.BAD_SCORE, f"scores.{wind}", {"found": found, "reason": reason})
