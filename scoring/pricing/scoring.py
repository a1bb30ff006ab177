"""Scores one hand: every reading of it, the best of them, and each line of its score."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.hands.hand import Hand, TileSet, quantity
from scoring.hands.problems import BadHand, Code, Problem
from scoring.pricing.candidates import (
    Candidate,
    Player,
    Sum,
    best_sum,
    lines_of,
    standing_candidates,
    won_candidates,
)
from scoring.reading.checking import chow_limit, chow_problem, hand_problems
from scoring.reading.layouts import groups, taken_up, won_layouts
from scoring.rules.rule_set import Line, RuleSet
from scoring.table.contradictions import contradictions


class Reckoning(NamedTuple):
    """The score of one hand: `total` in points after the limit, and how it comes about.

    `basic` and `doubles` are None where a special hand's value makes them meaningless.
    """

    total: int
    basic: int | None
    doubles: int | None
    special: str | None
    fishing: bool
    limited: bool
    lines: tuple[Line, ...]
    arrangement: tuple[TileSet, ...]
    notices: tuple[Problem, ...] = ()


def reckoning_as_json(reckoning: Reckoning) -> dict[str, object]:
    """The printed form of `score`, without `id` and `valid`; also what a score book stores."""
    return {
        "problems": [],
        "notices": [notice.as_json() for notice in reckoning.notices],
        "total": reckoning.total,
        "basic": reckoning.basic,
        "doubles": reckoning.doubles,
        "special": reckoning.special,
        "fishing": reckoning.fishing,
        "limited": reckoning.limited,
        "items": [line.as_json() for line in reckoning.lines],
        "arrangement": [tile_set.as_json() for tile_set in reckoning.arrangement],
    }


def score(hand: Hand, rules: RuleSet) -> Reckoning:
    """The best score that the rules give the hand, with every line of it.

    Raises BadHand with every problem of a hand that cannot be scored as described.
    """
    answer = _answer(hand, rules)
    if isinstance(answer, Reckoning):
        return answer
    raise BadHand(answer)


def check(hand: Hand, rules: RuleSet) -> list[Problem]:
    """Everything that keeps the hand from being scored; nothing when `score` has an answer."""
    answer = _answer(hand, rules)
    return [] if isinstance(answer, Reckoning) else answer


def _answer(hand: Hand, rules: RuleSet) -> Reckoning | list[Problem]:
    if hand.sound_under is not rules:
        problems = hand_problems(hand, rules)
        if problems:
            return problems
    if rules.adding:
        best = best_sum(hand, rules, rules.adding)
        return _added(best, hand, rules) if best else [_no_mahjong(hand, rules)]
    player = Player(hand, rules)
    if hand.mahjong:
        return _won(player)
    return _reckoning(player, _best(standing_candidates(player), rules))


def _added(best: Sum, hand: Hand, rules: RuleSet) -> Reckoning:
    """The score with its lines, where points are only added."""
    total = rules.capped(best.points)
    last_tile_unnamed = (
        (Problem(Code.LAST_TILE_UNNAMED, "winning_tile"),) if best.unknown_part else ()
    )
    return Reckoning(
        total,
        basic=None,
        doubles=None,
        special=best.special,
        fishing=False,
        limited=total < best.points,
        lines=best.lines,
        arrangement=best.groups,
        notices=(*_notices(hand, rules), *last_tile_unnamed),
    )


def _won(player: Player) -> Reckoning | list[Problem]:
    hand, rules = player.hand, player.rules
    layouts = won_layouts(hand, rules, chow_limit(hand, rules))
    loose = player.loose_forms()
    if not layouts and not loose:
        return [_no_mahjong(hand, rules)]
    if not layouts and hand.sets and player.in_no_pungs(loose):
        player = Player(taken_up(hand), rules)
    ways = won_candidates(player, layouts, loose)
    least = rules.minimum
    if least is None or hand.players > least.players:
        return _reckoning(player, _best(ways, rules))
    enough = [way for way in ways if way.doubles >= least.doubles or way.uncapped >= least.points]
    if enough:
        return _reckoning(player, _best(enough, rules))
    best = _best(ways, rules)
    params: dict[str, int | str] = {
        "players": hand.players,
        "doubles": quantity(least.doubles, "double"),
        "points": quantity(least.points, "point"),
        "found_doubles": quantity(best.doubles, "double"),
        "found_points": quantity(best.uncapped, "point"),
    }
    return [Problem(Code.MINIMUM_NOT_REACHED, "concealed", params)]


def _best(ways: Sequence[Candidate], rules: RuleSet) -> Candidate:
    """The way that scores most; of equals the first, and special hands come first."""
    if len(ways) == 1:
        return ways[0]
    limit = rules.limit
    if limit is None:
        return max(ways, key=lambda way: way[0])
    return max(ways, key=lambda way: min(way[0], limit))


def _reckoning(player: Player, best: Candidate) -> Reckoning:
    """The score with its lines."""
    lines = lines_of(player, best)
    total = player.rules.capped(best.uncapped)
    special = best.special
    plain = special is None or lines[0].value is None
    return Reckoning(
        total,
        best.points if plain else None,
        best.doubles if plain else None,
        special.key if special else None,
        best.fishing,
        total < best.uncapped,
        lines,
        groups(best.tally.layout),
        _notices(player.hand, player.rules),
    )


def _notices(hand: Hand, rules: RuleSet) -> tuple[Problem, ...]:
    """What is worth saying of a hand that can be scored: what was read of it comes first."""
    short = () if hand.mahjong or hand.size == 13 else (_short_hand(hand.size),)
    return (*hand.notices, *short, *contradictions(hand, rules))


def _short_hand(size: int) -> Problem:
    count = f"Only {size}" if size else "None"
    were = "was" if size == 1 else "were"
    return Problem(Code.SHORT_HAND, "concealed", {"found": count, "were": were})


def _no_mahjong(hand: Hand, rules: RuleSet) -> Problem:
    not_mahjong = Problem(Code.NOT_MAHJONG, "concealed", {"rules": rules.name})
    return chow_problem(hand, rules) or not_mahjong
