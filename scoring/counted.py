"""From what a hand moved back to what it scored, where players count their sticks afterwards."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.rules import RuleSet
from scoring.settlement import Ending, settled
from scoring.tiles import Wind

Gains = Mapping[Wind, int]
Possible = Mapping[Wind, Collection[int]]
"""Every total that each seat can have scored, in points."""


@dataclass(frozen=True, slots=True)
class Behind:
    """The scores behind a hand's gains, as far as gains can tell them; in points.

    `mahjong` is the winner's. `above` is by how much each other hand beats the lowest of them:
    the losers settle differences, so nothing says how high the lowest is. Where they do not
    settle it is empty.
    """

    mahjong: int
    above: Mapping[Wind, int]

    def least(self, possible: Possible, winner: Wind) -> dict[Wind, int] | None:
        """The lowest scores that can be, None where no hands score so."""
        if self.mahjong not in possible[winner]:
            return None
        if not self.above:
            return {winner: self.mahjong}
        lowest = min(self.above, key=self.above.__getitem__)
        for level in sorted(possible[lowest]):
            found = {wind: level + more for wind, more in self.above.items()}
            if all(points in possible[wind] for wind, points in found.items()):
                return {winner: self.mahjong, **found}
        return None


def scores_behind(gains: Gains, ending: Ending, rules: RuleSet) -> Behind | None:
    """The scores that settle to just these gains in points; None where none do.

    Whether hands score so is not looked at. Raises ValueError for an ending without a winner.
    """
    winner = _winner(ending)
    shares = _settled({winner: 1}, gains, ending, rules)[winner]
    mahjong, left = divmod(gains[winner], shares) if shares else (0, 1)
    if left or mahjong < 0:
        return None
    above = _above(gains, {winner: mahjong}, ending, rules)
    if above is None:
        return None
    again = _settled({winner: mahjong, **above}, gains, ending, rules)
    return Behind(mahjong, above) if again == dict(gains) else None


def miscounted(
    gains: Gains, ending: Ending, rules: RuleSet, possible: Possible
) -> tuple[Wind, ...]:
    """The seats of which one may have counted wrongly, where the gains do not add to nothing.

    If that seat alone is put right, some hands score so.
    """
    off = sum(gains.values())
    return tuple(
        wind
        for wind in gains
        if is_explained({**gains, wind: gains[wind] - off}, ending, rules, possible)
    )


def is_explained(gains: Gains, ending: Ending, rules: RuleSet, possible: Possible) -> bool:
    """Whether some hands score so that the gains are these."""
    behind = scores_behind(gains, ending, rules)
    return behind is not None and behind.least(possible, _winner(ending)) is not None


def _winner(ending: Ending) -> Wind:
    if ending.winner is None:
        raise ValueError("No one gains on a drawn hand.")
    return ending.winner


def _settled(
    scores: Mapping[Wind, int], seats: Collection[Wind], ending: Ending, rules: RuleSet
) -> dict[Wind, int]:
    """What each seat gains where these score and the others nothing."""
    nothing = dict.fromkeys(seats, 0)
    return dict(settled({**nothing, **scores}, ending, rules).gain)


def _above(gains: Gains, won: Gains, ending: Ending, rules: RuleSet) -> dict[Wind, int] | None:
    """The losers' scores above the lowest of them; empty where they do not settle."""
    paid = _settled(won, gains, ending, rules)
    first, *others = (wind for wind in gains if wind != ending.winner)
    units = {wind: _settled({wind: 1}, gains, ending, rules) for wind in (first, *others)}
    if not any(units[first].values()):
        return {}
    rows = [
        [*(Fraction(units[one][wind]) for one in others), Fraction(gains[wind] - paid[wind])]
        for wind in others
    ]
    found = [Fraction(0), *_solved(rows)]
    above = [points - min(found) for points in found]
    if any(points.denominator > 1 for points in above):
        return None
    return dict(zip((first, *others), map(int, above), strict=True))


def _solved(rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The unknowns of as many equations, each its factors and its sum."""
    table = [list(row) for row in rows]
    for place in range(len(table)):
        known = [value / table[place][place] for value in table[place]]
        table = [known if row is table[place] else _less(row, row[place], known) for row in table]
    return [row[-1] for row in table]


def _less(row: Sequence[Fraction], times: Fraction, other: Sequence[Fraction]) -> list[Fraction]:
    return [value - times * taken for value, taken in zip(row, other, strict=True)]
