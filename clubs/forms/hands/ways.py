"""The ways in which a hand can be told, and those that the rules have."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scoring import RuleSet
from scoring.scorebook.models import Recording

SHORT: Final = {
    Recording.TOTALS: "Scores",
    Recording.TILES: "Tiles",
    Recording.TALLIES: "Counted sticks",
    Recording.WINNER: "Winner only",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One of the ways as a button has it."""

    key: str
    words: str
    is_chosen: bool


def ways_of(rules: RuleSet) -> tuple[Recording, ...]:
    """The ways in which a hand can be told; sticks are passed only where players pay."""
    return tuple(way for way in Recording if way is not Recording.TALLIES or rules.zero_sum)


def way_told(told: str, rules: RuleSet) -> Recording:
    """The way of this key, or by totals where the rules have none of that name."""
    return next((way for way in ways_of(rules) if way == told), Recording.TOTALS)


def ways_beside(chosen: Recording, rules: RuleSet) -> Iterator[Way]:
    """All of them in their order, and which is chosen."""
    return (Way(way, SHORT[way], way == chosen) for way in ways_of(rules))
