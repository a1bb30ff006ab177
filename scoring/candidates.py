"""One way to score a hand, with its lines: ordinary, by a fixed value, or doubled for itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.hands import Hand, Reading, TileSet
from scoring.lines import (
    Line,
    bonus_points,
    hand_doubles,
    reckoned,
    set_doubles,
    set_points,
    winners_points,
)
from scoring.rules import DoubledHand, Reach, RuleSet, Share, SpecialHand

_BONUS_REACH = (Reach.BONUS_TILES, Reach.EVERYTHING)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to score a hand: its lines, and the sets that it reads the whole hand as.

    `basic` and `doubles` are None where values stand beside points; `reached` counts the doubles
    all the same, for a rule that asks for so many.
    """

    lines: tuple[Line, ...]
    sets: Sequence[TileSet]
    basic: int | None
    doubles: int | None
    reached: int
    special: str | None = None
    fishing: bool = False

    @property
    def uncapped(self) -> int:
        """The points before the limit."""
        return reckoned(self.lines)


def ordinary(reading: Reading, rules: RuleSet) -> Candidate:
    """Everything in the reading counted as the rules count an ordinary hand."""
    hand = reading.hand
    lines = (
        *set_points(reading.sets, hand, rules),
        *bonus_points(hand, rules),
        *(winners_points(reading, rules.points) if hand.mahjong else ()),
        *set_doubles(reading.sets, hand, rules),
        *hand_doubles(reading, rules),
    )
    return _plain(lines, reading.sets, special=None, fishing=False)


def fixed(special: SpecialHand, share: Share, reading: Reading, rules: RuleSet) -> Candidate:
    """The special hand's value, won or one tile short, and its bonus tiles counted apart."""
    value = Line(special.name, special.source, value=share.points(rules.limit))
    return Candidate(
        lines=(value, *_bonus_part(reading, rules)),
        sets=reading.sets,
        basic=None,
        doubles=None,
        reached=0,
        special=special.key,
        fishing=not reading.hand.mahjong,
    )


def doubled(special: DoubledHand, reading: Reading, rules: RuleSet) -> Candidate:
    """The special hand's own points doubled, and its bonus tiles counted apart."""
    hand = reading.hand
    lines = (
        *set_points(reading.sets, hand, rules),
        *(winners_points(reading, rules.points + special.also) if hand.mahjong else ()),
        Line(special.name, special.source, doubles=special.doubles),
        *hand_doubles(reading, rules, (Reach.EVERYTHING,)),
    )
    fishing = not hand.mahjong
    if not hand.bonus:
        return _plain(lines, reading.sets, special=special.key, fishing=fishing)
    value = Line(special.name, special.source, value=reckoned(lines), workings=lines)
    return Candidate(
        lines=(value, *_bonus_part(reading, rules)),
        sets=reading.sets,
        basic=None,
        doubles=None,
        reached=_sum_of_doubles(lines),
        special=special.key,
        fishing=fishing,
    )


def _plain(
    lines: tuple[Line, ...], sets: Sequence[TileSet], *, special: str | None, fishing: bool
) -> Candidate:
    doubles = _sum_of_doubles(lines)
    basic = sum(line.points or 0 for line in lines)
    return Candidate(lines, sets, basic, doubles, doubles, special, fishing)


def _bonus_part(reading: Reading, rules: RuleSet) -> Iterable[Line]:
    hand: Hand = reading.hand
    if not hand.bonus:
        return ()
    return (*bonus_points(hand, rules), *hand_doubles(reading, rules, _BONUS_REACH))


def _sum_of_doubles(lines: Iterable[Line]) -> int:
    return sum(line.doubles or 0 for line in lines)
