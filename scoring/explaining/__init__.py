"""Says why a hand scores what it scores, how near it is to every special hand, what it waits for.

Apart from the quick way to a score: everything here may take its time.
"""

from collections import defaultdict
from typing import NamedTuple

from scoring.explaining.special_hands import (
    Considered,
    Look,
    Reading,
    Wait,
    considered,
    readings,
    waits,
)
from scoring.hands.hand import Hand
from scoring.hands.problems import Problem
from scoring.hands.tiles import Tile
from scoring.pricing import Reckoning, reckoning_as_json, score
from scoring.rules.rule_set import RuleSet

__all__ = ["Considered", "Explanation", "Reading", "Wait", "explain", "near_to"]


class Explanation(NamedTuple):
    """The score of a hand, every special hand beside it, its waits and its other readings."""

    reckoning: Reckoning
    considered: tuple[Considered, ...]
    waits: tuple[Wait, ...]
    readings: tuple[Reading, ...]

    @property
    def notices(self) -> tuple[Problem, ...]:
        """What is worth saying of the hand as it was described."""
        return self.reckoning.notices

    def as_json(self) -> dict[str, object]:
        """What `explain` prints, without `id` and `valid`."""
        return reckoning_as_json(self.reckoning) | {
            "considered": [special.as_json() for special in self.considered],
            "waits": [wait.as_json() for wait in self.waits],
            "readings": [reading.as_json() for reading in self.readings],
        }


def explain(hand: Hand, rules: RuleSet) -> Explanation:
    """Why the hand scores what it does under the rules.

    Raises BadHand with every problem of a hand that cannot be scored as described.
    """
    reckoning = score(hand, rules)
    look = Look(hand, rules)
    waiting = waits(hand, rules)
    makes: dict[str, list[Tile]] = defaultdict(list)
    for wait in waiting:
        for key in wait.makes:
            makes[key].append(wait.tile)
    return Explanation(
        reckoning, considered(look, reckoning, makes), waiting, readings(look, reckoning)
    )


def near_to(hand: Hand, rules: RuleSet) -> tuple[Considered, ...]:
    """Every special hand beside a Mah-Jong that cannot be scored because it is none."""
    return considered(Look(hand, rules), None, {})
