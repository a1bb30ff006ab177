"""Totals that people typed: can they have been scored under these rules?"""

from collections.abc import Mapping

from scoring.problems import Code, Problem
from scoring.rules import RuleSet
from scoring.settlement import score_problems
from scoring.tiles import Wind


def check_totals(
    scores: Mapping[Wind, int | None], *, winner: Wind | None, rules: RuleSet
) -> list[Problem]:
    """Everything wrong with the totals of a hand (points after the limit), field by field.

    A drawn hand (`winner` None) has no scores. A total passes when nothing that the rules say about
    every hand forbids it: type and limit.
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
    return [*missing, *score_problems(entered, rules), *_winner_problems(scores, winner)]


def _winner_problems(scores: Mapping[Wind, int | None], winner: Wind) -> list[Problem]:
    if winner in scores:
        return []
    return [Problem(Code.BAD_SEAT, "winner", {"found": winner.label, "expected": "in play"})]


def _no_score(wind: Wind, found: str, reason: str) -> Problem:
    return Problem(Code.BAD_SCORE, f"scores.{wind}", {"found": found, "reason": reason})
