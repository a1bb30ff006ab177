"""Scores one hand: every reading of it, the best of them, and each line of its score."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.candidates import Candidate, ordinary
from scoring.checking import chow_limit, hand_problems
from scoring.hands import Hand, TileSet
from scoring.lines import Line
from scoring.problems import BadHand, Code, Problem
from scoring.readings import standing_readings, won_readings
from scoring.rules import Minimum, RuleSet
from scoring.specials import fishing_specials, has_a_shape_of_its_own, won_specials


@dataclass(frozen=True, slots=True)
class Reckoning:
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
    best, problems = _reckon(hand, rules)
    if best is None:
        raise BadHand(problems)
    total = rules.capped(best.uncapped)
    return Reckoning(
        total=total,
        basic=best.basic,
        doubles=best.doubles,
        special=best.special,
        fishing=best.fishing,
        limited=total < best.uncapped,
        lines=best.lines,
        arrangement=tuple(best.sets[len(hand.sets) :]),
        notices=tuple(_notices(hand)),
    )


def check(hand: Hand, rules: RuleSet) -> list[Problem]:
    """Everything that keeps the hand from being scored; nothing when `score` has an answer."""
    return _reckon(hand, rules)[1]


def _reckon(hand: Hand, rules: RuleSet) -> tuple[Candidate | None, list[Problem]]:
    problems = hand_problems(hand, rules)
    if problems:
        return None, problems
    return _won(hand, rules) if hand.mahjong else (_standing(hand, rules), [])


def _won(hand: Hand, rules: RuleSet) -> tuple[Candidate | None, list[Problem]]:
    readings = list(won_readings(hand, rules))
    most = chow_limit(hand, rules)
    allowed = [reading for reading in readings if reading.chows <= most]
    if not allowed and not has_a_shape_of_its_own(hand, rules):
        fewest = min((reading.chows for reading in readings), default=0)
        return None, [_no_mahjong(fewest, most, rules)]
    ways = [
        *won_specials(hand, allowed, rules),
        *(ordinary(reading, rules) for reading in allowed),
    ]
    least = rules.minimum
    if least is None or hand.players > least.players:
        return _best(ways, rules), []
    enough = [way for way in ways if _reaches(way, least)]
    if enough:
        return _best(enough, rules), []
    return None, [_below(_best(ways, rules), least, hand.players)]


def _standing(hand: Hand, rules: RuleSet) -> Candidate:
    plain = [(ordinary(reading, rules), reading) for reading in standing_readings(hand, rules)]
    best, reading = max(plain, key=lambda way: way[0].uncapped)
    return _best([*fishing_specials(hand, reading, rules), best], rules)


def _best(ways: Iterable[Candidate], rules: RuleSet) -> Candidate:
    """The way that scores most; of equals the first, and special hands come first."""
    return max(ways, key=lambda way: rules.capped(way.uncapped))


def _no_mahjong(fewest: int, most: int, rules: RuleSet) -> Problem:
    if fewest > most:
        return Problem(Code.TOO_MANY_CHOWS, "concealed", {"found": fewest, "most": most})
    return Problem(Code.NOT_MAHJONG, "concealed", {"rules": rules.name})


def _reaches(way: Candidate, least: Minimum) -> bool:
    return way.reached >= least.doubles or way.uncapped >= least.points


def _below(best: Candidate, least: Minimum, players: int) -> Problem:
    params: dict[str, int | str] = {
        "players": players,
        "doubles": least.doubles,
        "points": least.points,
        "found_doubles": best.reached,
        "found_points": best.uncapped,
    }
    return Problem(Code.MINIMUM_NOT_REACHED, "concealed", params)


def _notices(hand: Hand) -> Iterator[Problem]:
    if hand.size < 13:
        yield Problem(Code.SHORT_HAND, "concealed", {"found": hand.size})
