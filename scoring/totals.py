"""Totals that people typed: can they have been scored under these rules?"""

from collections.abc import Iterator, Mapping
from math import gcd

from scoring.conditions import any_hand
from scoring.hands import Hand, Kind, TileSet
from scoring.lines import set_points
from scoring.problems import Code, Problem
from scoring.rules import RuleSet
from scoring.settlement import score_problems
from scoring.tiles import PLAYING_TILES, Wind


def check_totals(
    scores: Mapping[Wind, int | None], *, winner: Wind | None, rules: RuleSet
) -> list[Problem]:
    """Everything wrong with the totals of a hand (points after the limit), field by field.

    A drawn hand (`winner` None) has no scores. A total passes when nothing that holds for every
    hand forbids it: its type, the limit, the step in which scores go up, a Mah-Jong's least.
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
    sound = entered if not unscored else _without(entered, unscored)
    return [
        *missing,
        *unscored,
        *_step_problems(sound, rules),
        *_winner_problems(sound, winner, len(scores), rules),
        *([] if winner in scores else [_not_in_play(winner)]),
    ]


def step(rules: RuleSet) -> int:
    """What every score below the limit divides by: 2 where every line of the rules is even."""
    lines = [line.exposed for line in rules.set_points]
    lines += [line.concealed for line in rules.set_points]
    lines += [line.points for line in rules.points]
    lines += [extra.points for line in rules.doubled_hands for extra in line.also]
    lines += [line.fishing.points(rules.limit) for line in rules.specials if line.fishing]
    return gcd(rules.bonus_points.points, *lines, *_values_won(rules))


def least_mahjong(rules: RuleSet, *, players: int) -> int:
    """The least that a Mah-Jong scores with so many players, in points."""
    chows = rules.chows.most if players >= rules.chows.players else 0
    least = sum(line.points for line in rules.points if line.when is any_hand)
    least += chows * _least_set(Kind.CHOW, rules) + (4 - chows) * _least_set(Kind.PUNG, rules)
    if rules.minimum and players <= rules.minimum.players:
        least = min(least << rules.minimum.doubles, rules.minimum.points)
    return rules.capped(min(least, *_values_won(rules)))


def _values_won(rules: RuleSet) -> list[int]:
    return [line.value.points(rules.limit) for line in rules.specials]


def _least_set(kind: Kind, rules: RuleSet) -> int:
    sets = (TileSet(kind, tile, (tile,) * 3, exposed=True) for tile in PLAYING_TILES)
    return min(
        sum(line.points or 0 for line in set_points([tile_set], Hand(), rules)) for tile_set in sets
    )


def _without(scores: Mapping[Wind, int], problems: list[Problem]) -> dict[Wind, int]:
    bad = {problem.where for problem in problems}
    return {wind: points for wind, points in scores.items() if f"scores.{wind}" not in bad}


def _step_problems(scores: Mapping[Wind, int], rules: RuleSet) -> Iterator[Problem]:
    by = step(rules)
    for wind, points in scores.items():
        if points % by and points != rules.limit:
            below = points - points % by
            scale = f"{below}, {below + by}"
            reason = f"cannot be scored under {rules.name}, where scores go up by {by}: {scale}"
            yield _no_score(wind, str(points), reason)


def _winner_problems(
    scores: Mapping[Wind, int], winner: Wind, players: int, rules: RuleSet
) -> Iterator[Problem]:
    least = least_mahjong(rules, players=players)
    if winner in scores and scores[winner] < least:
        reason = f"is too little for a Mah-Jong, which scores {least} or more"
        yield _no_score(winner, str(scores[winner]), reason)


def _not_in_play(winner: Wind) -> Problem:
    return Problem(Code.BAD_SEAT, "winner", {"found": winner.label, "expected": "in play"})


def _no_score(wind: Wind, found: str, reason: str) -> Problem:
    return Problem(Code.BAD_SCORE, f"scores.{wind}", {"found": found, "reason": reason})
