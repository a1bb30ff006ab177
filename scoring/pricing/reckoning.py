"""The score of a hand: the best way to score it with each of its lines, or why it has none."""

from collections.abc import Sequence
from json import dumps
from typing import Final, NamedTuple

from scoring.hands.hand import Hand, TileSet, quantity
from scoring.hands.problems import BadHand, Code, Problem
from scoring.pricing.adding import every_sum
from scoring.pricing.candidates import Candidate, Player, Tally, standing_candidates, won_candidates
from scoring.reading.checking import (
    chow_problem,
    hand_problems,
    mixed_suit_problems,
    sound_counts,
    unreadable_problems,
)
from scoring.reading.layouts import take_up_sets, won_layouts
from scoring.rules.declarations import Minimum, SpecialHand
from scoring.rules.prices import Line, lines_total
from scoring.rules.rule_set import RuleSet
from scoring.rules.verdicts import Doubling
from scoring.table.contradictions import contradictions

_JSON_BOOLEANS: Final = ("false", "true")


class Reckoning(NamedTuple):
    """The score of one hand: `total` in points after the limit, and how it comes about.

    `basic` and `doubles` are None where a special hand's value makes them meaningless.
    """

    total: int
    basic: int | None
    doubles: int | None
    special: str | None
    fishing: bool
    is_limited: bool
    lines: tuple[Line, ...]
    arrangement: tuple[TileSet, ...]
    notices: tuple[Problem, ...] = ()


def _special_lines(
    player: Player, best: Candidate, special: SpecialHand | Doubling
) -> tuple[Line, ...]:
    tally = best.tally
    extra_lines: tuple[Line, ...] = ()
    if player.bonus_points and player.rules.bonus_tiles_beside:
        extra_lines = player.bonus_lines() + tally.verdict.beside_lines
    if isinstance(special, SpecialHand):
        return (player.book.value_line(special, best.value), *extra_lines)
    form = special.form
    verdict = tally.verdict
    lines = (*tally.point_lines, *special.point_lines, form.line, *verdict.through_lines)
    if extra_lines:
        name, source = form.special.name, form.special.source
        lines = (Line(name, source, value=lines_total(lines), workings=lines),)
    return (*lines, *extra_lines)


def _ordinary_lines(player: Player, tally: Tally) -> tuple[Line, ...]:
    if not player.hand.mahjong and not player.rules.losers_score:
        return ()
    _points, _doubles, verdict, lines, lines_twice, _groups = tally
    if player.bonus_points:
        lines += player.bonus_lines()
    return lines + verdict.point_lines + lines_twice + verdict.double_lines


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
        "limited": reckoning.is_limited,
        "items": [line.as_json() for line in reckoning.lines],
        "arrangement": [tile_set.as_json() for tile_set in reckoning.arrangement],
    }


def reckoning_as_text(reckoning: Reckoning) -> str:
    """The same as JSON, written from lines and sets that have been written already."""
    total, basic, doubles, special, fishing, is_limited, lines, groups, notices = reckoning
    items = ", ".join([line.text for line in lines])
    arrangement = ", ".join([group.text for group in groups])
    return (
        f'{{"problems": [], "notices": {_notices_text(notices)}, "total": {total},'
        f' "basic": {"null" if basic is None else basic},'
        f' "doubles": {"null" if doubles is None else doubles},'
        f' "special": {"null" if special is None else dumps(special)},'
        f' "fishing": {_JSON_BOOLEANS[fishing]}, "limited": {_JSON_BOOLEANS[is_limited]},'
        f' "items": [{items}], "arrangement": [{arrangement}]}}'
    )


def _notices_text(notices: Sequence[Problem]) -> str:
    return dumps([notice.as_json() for notice in notices]) if notices else "[]"


def score(hand: Hand, rules: RuleSet) -> Reckoning:
    """The best score that the rules give the hand, with every line of it.

    Raises BadHand with every problem of a hand that cannot be scored as described.
    """
    answer = _reckon_or_problems(hand, rules)
    if isinstance(answer, Reckoning):
        return answer
    raise BadHand(answer)


def check(hand: Hand, rules: RuleSet) -> list[Problem]:
    """Everything that keeps the hand from being scored; nothing when `score` has an answer."""
    answer = _reckon_or_problems(hand, rules)
    return [] if isinstance(answer, Reckoning) else answer


def _reckon_or_problems(hand: Hand, rules: RuleSet) -> Reckoning | list[Problem]:
    counts = None
    if hand.sound_under is not rules:
        counts = sound_counts(hand, rules)
        if counts is None and (problems := unreadable_problems(hand) or hand_problems(hand, rules)):
            return problems
    if rules.adding:
        best = max(
            every_sum(hand, rules, rules.adding, counts),
            key=lambda hand_sum: hand_sum.points,
            default=None,
        )
        if best is None:
            return [_no_mahjong_problem(hand, rules)]
        total = rules.cap_points(best.points, won=hand.mahjong, special=best.special is not None)
        least = rules.minimum_for(hand.players) if hand.mahjong else None
        if least and not least.is_reached(0, best.points, special=best.special is not None):
            return [_minimum_problem(hand, least, 0, best.points)]
        notices = _hand_notices(hand, rules)
        if best.unknown_part:
            notices += (Problem(Code.LAST_TILE_UNNAMED, "winning_tile"),)
        return Reckoning(
            total,
            basic=None,
            doubles=None,
            special=best.special,
            fishing=False,
            is_limited=total < best.points,
            lines=best.lines,
            arrangement=best.groups,
            notices=notices,
        )
    player = Player(hand, rules, counts)
    if hand.mahjong:
        return _reckon_win(player)
    return _make_reckoning(player, _best_candidate(player, standing_candidates(player)))


def _reckon_win(player: Player) -> Reckoning | list[Problem]:
    hand, rules = player.hand, player.rules
    layouts = won_layouts(hand, rules, player.prices, player.counts)
    loose = player.loose_forms()
    if not layouts and not loose:
        return [_no_mahjong_problem(hand, rules)]
    if not layouts and hand.sets and player.in_no_pungs(loose):
        player = Player(take_up_sets(hand), rules)
    candidates = won_candidates(player, layouts, loose)
    if not candidates:
        return [*mixed_suit_problems(hand, rules)]
    least = rules.minimum_for(hand.players)
    if least is None:
        return _make_reckoning(player, _best_candidate(player, candidates))
    enough = [
        candidate
        for candidate in candidates
        if least.is_reached(
            candidate.doubles, candidate.uncapped_points, special=candidate.special is not None
        )
    ]
    if enough:
        return _make_reckoning(player, _best_candidate(player, enough))
    best = _best_candidate(player, candidates)
    return [_minimum_problem(hand, least, best.doubles, best.uncapped_points)]


def _minimum_problem(hand: Hand, least: Minimum, doubles: int, points: int) -> Problem:
    params: dict[str, int | str] = {
        "players": hand.players,
        "enough": least.text,
        "found_doubles": quantity(doubles, "double"),
        "found_points": quantity(points, "point"),
    }
    return Problem(Code.MINIMUM_NOT_REACHED, "concealed", params)


def _best_candidate(player: Player, candidates: Sequence[Candidate]) -> Candidate:
    """The way that scores most; of equals the first, and special hands come first."""
    if player.rules.limits:
        return max(candidates, key=player.capped_total)
    limit, best = player.rules.limit, candidates[0]
    for candidate in candidates:
        if candidate.uncapped_points > best.uncapped_points and (
            limit is None or best.uncapped_points < limit
        ):
            best = candidate
    return best


def _make_reckoning(player: Player, best: Candidate) -> Reckoning:
    uncapped_points, points, doubles, tally, special, _value, fishing = best
    lines = _special_lines(player, best, special) if special else _ordinary_lines(player, tally)
    total = player.capped_total(best)
    plain = special is None or lines[0].value is None
    return Reckoning(
        total,
        points if plain else None,
        doubles if plain else None,
        special.key if special else None,
        fishing,
        total < uncapped_points,
        lines,
        tally.groups,
        _hand_notices(player.hand, player.rules),
    )


def _hand_notices(hand: Hand, rules: RuleSet) -> tuple[Problem, ...]:
    """What is worth saying of a hand that can be scored: what was read of it comes first."""
    notices = hand.notices
    if not hand.mahjong and (size := hand.size) != 13:
        count, verb = f"Only {size}" if size else "None", "was" if size == 1 else "were"
        notices += (Problem(Code.SHORT_HAND, "concealed", {"found": count, "were": verb}),)
    return notices + contradictions(hand, rules)


def _no_mahjong_problem(hand: Hand, rules: RuleSet) -> Problem:
    not_mahjong = Problem(Code.NOT_MAHJONG, "concealed", {"rules": rules.name})
    return chow_problem(hand, rules) or not_mahjong
