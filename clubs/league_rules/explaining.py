"""Why someone stands where they stand, and what they need to rise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from clubs.language.numbers import ordinal, written
from clubs.language.words import counted
from clubs.league_rules.rules import AddsUp, Brings, LeagueRules, Tie
from clubs.league_rules.standings import (
    Record,
    Result,
    Sat,
    Standing,
    Weighed,
    counting_evenings,
    metrics,
    results,
    weigh,
    worth,
)
from scoring.table.ranking import Number

TENTHS = 10


def said(score: Fraction) -> str:
    """A score as it is read aloud: ``1,240``, ``½``; to a tenth where it has no such sign."""
    plain = written(score)
    return plain if "/" not in plain else f"{_tenths(score):,}".replace("-", "\N{MINUS SIGN}")


def _tenths(score: Fraction) -> float:
    return round(score * TENTHS) / TENTHS


def why(row: Standing, rows: Sequence[Standing], rules: LeagueRules) -> str:
    """``Ann is fifth: 1,240 points from her best …``, with what parts her from those around."""
    if row.place is None:
        return (
            f"{row.name} has {_score(row, rules)}, but is not ranked yet: "
            f"{counted(row.missing, 'evening')} more {'is' if row.missing == 1 else 'are'} needed."
        )
    shared = " (shared)" if row.is_tied else ""
    told = [
        f"{row.name} is {ordinal(row.place)}{shared}: {_score(row, rules)}{_behind(row, rows)}."
    ]
    told += [_parted(row, other, rules) for other in rows if _is_equal(row, other)]
    return " ".join(told)


def _score(row: Standing, rules: LeagueRules) -> str:
    unit = "table points" if rules.brings is Brings.TABLE_POINTS else "points"
    if rules.adds_up is AddsUp.HAND:
        return f"{said(row.score)} {unit} a hand"
    evenings = counted(row.counted, "evening")
    if rules.best:
        evenings = "the best evening" if row.counted == 1 else f"the best {evenings}"
    if rules.adds_up is AddsUp.AVERAGE:
        return f"{said(row.score)} {unit} on average from {evenings}"
    return f"{said(row.score)} {unit} from {evenings}"


def _behind(row: Standing, rows: Sequence[Standing]) -> str:
    above = [other for other in rows if other.place and other.score > row.score]
    if not above:
        return ""
    nearest = min(other.score for other in above)
    names = " and ".join(other.name for other in above if other.score == nearest)
    return f", {said(nearest - row.score)} fewer than {names}"


def _is_equal(row: Standing, other: Standing) -> bool:
    has_place = other.place is not None and other.player != row.player
    return has_place and other.score == row.score


def _parted(row: Standing, other: Standing, rules: LeagueRules) -> str:
    for tie in rules.ties:
        mine, theirs = row.values[tie.value], other.values[tie.value]
        if mine != theirs:
            better = row if mine > theirs else other
            return f"Tied with {other.name}, but {better.name} has {_MORE[tie]}."
    return f"Tied with {other.name} on everything, so they share the place."


_MORE = {
    Tie.MAHJONGS: "more Mah-Jongs",
    Tie.BEST_HAND: "a higher best hand",
    Tie.GIVEN_AWAY: "sat at tables where others went Mah-Jong less often",
    Tie.BEST_EVENING: "the better best evening",
    Tie.ATTENDED: "played more evenings",
    Tie.POINTS: "gained more points",
}


TABLE: Final = 4
_POINTS: Final = (-(10**7), 10**7)
_PLACES: Final = (-TABLE, -1)
_NEXT: Final = 0

Values = tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """The least result of one more evening that reaches a place, and who stands there now.

    ``result`` in points, or with table points the place at a table of four, below 0: -1 is to win
    it. None where any result will do.
    """

    place: int
    names: tuple[str, ...]
    result: int | None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Every place above that one more evening can reach, the next one first.

    ``missing`` are the evenings that are still needed after it to be ranked at all.
    """

    missing: int
    needs: tuple[Need, ...]


def what_if(rules: LeagueRules, record: Record, player: int, *, hands: int) -> WhatIf:
    """What the player needs, if everyone else stays away from that evening.

    ``hands`` are those that the player would play. Raises KeyError for one who has not played.
    """
    held = len(counting_evenings(rules, record)) + 1
    everybody = results(rules, record)
    by = metrics(rules)
    own = everybody.pop(player)
    others = [weigh(rules, rest, held=held) for rest in everybody.values()]
    ranked = [other for other in others if not other.missing]

    def after(result: int) -> Weighed:
        one_more = _one_more(rules, record, own, result, hands)
        return weigh(rules, [*own, one_more], held=held)

    if missing := after(_PLACES[0]).missing:
        return WhatIf(missing, ())
    bounds = _PLACES if rules.brings is Brings.TABLE_POINTS else _POINTS
    needs = (
        _need(target, ranked, by, bounds, after)
        for target in _above(weigh(rules, own, held=held), ranked, by)
    )
    return WhatIf(0, tuple(need for need in needs if need is not None))


def _need(
    target: Values,
    ranked: Sequence[Weighed],
    by: Sequence[str],
    bounds: tuple[int, int],
    after: Callable[[int], Weighed],
) -> Need | None:
    least = _least(*bounds, lambda result: _order(after(result), by) >= target)
    if least is None:
        return None
    orders = [(_order(other, by), other.name) for other in ranked]
    place = 1 + sum(order > target for order, _ in orders)
    names = tuple(sorted(name for order, name in orders if order == target))
    return Need(place, names, None if least == bounds[0] else least)


def _order(one: Weighed, by: Sequence[str]) -> Values:
    return tuple(one.values[metric] for metric in by)


def _above(one: Weighed, ranked: Sequence[Weighed], by: Sequence[str]) -> list[Values]:
    """What is better than one has now, the nearest first; all of it for one without a place."""
    mine = _order(one, by)
    found = {_order(other, by) for other in ranked}
    return sorted(other for other in found if one.missing or other > mine)


def _one_more(
    rules: LeagueRules, record: Record, own: Sequence[Result], result: int, hands: int
) -> Result:
    """One more evening: with points their number, with table points the place, below 0."""
    past = next(result.sat for result in own if result.sat is not None)
    if rules.brings is Brings.TABLE_POINTS:
        sat, brings = Sat(past.player, past.name, 0, hands), rules.scale_of(TABLE)[-result - 1]
    else:
        sat = Sat(past.player, past.name, result, hands)
        brings = worth(rules, record, sat)
    return Result(_NEXT, date.max, brings + rules.attendance_points, sat)


def _least(lowest: int, highest: int, reaches: Callable[[int], bool]) -> int | None:
    """The least number that reaches, where whatever is more reaches too; None where none does."""
    if not reaches(highest):
        return None
    while lowest < highest:
        middle = (lowest + highest) // 2
        lowest, highest = (lowest, middle) if reaches(middle) else (middle + 1, highest)
    return highest
