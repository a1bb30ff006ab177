"""The other ways to count a hand that were weighed, and what they would score."""

from collections.abc import Iterator
from typing import NamedTuple

from scoring.adding import every_sum
from scoring.candidates import standing_candidates, won_candidates
from scoring.explaining.looks import Look, special_names
from scoring.hands import TileSet
from scoring.layouts import groups
from scoring.naming import set_name, set_names
from scoring.reckoning import Reckoning


class Reading(NamedTuple):
    """Another way to count the hand: its sets, the special hand it is counted as, its points."""

    arrangement: tuple[TileSet, ...]
    special: str | None
    total: int
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `readings` on the command line."""
        sets = [group.as_json() for group in self.arrangement]
        return dict(self._asdict()) | {"arrangement": sets}


class _Way(NamedTuple):
    special: str | None
    groups: tuple[TileSet, ...]
    total: int
    fishing: bool = False


def readings(look: Look, best: Reckoning) -> tuple[Reading, ...]:
    """Every other way that was weighed, the most points first; of ways that are alike the best."""
    names = special_names(look.rules)
    told: dict[str, Reading] = {}
    for way in sorted(_ways(look), key=lambda way: -way.total):
        counted = _counted(way, best, names)
        sentence = f"{counted} it would score {way.total:,}."
        if counted:
            told.setdefault(counted, Reading(way.groups, way.special, way.total, sentence))
    return tuple(told.values())


def _ways(look: Look) -> Iterator[_Way]:
    if look.rules.adding:
        for added in every_sum(look.hand, look.rules, look.rules.adding):
            yield _Way(added.special, added.groups, look.rules.capped(added.points))
    else:
        yield from _ways_to_double(look)


def _ways_to_double(look: Look) -> Iterator[_Way]:
    player, won = look.player, look.hand.mahjong
    ways = (
        won_candidates(player, look.layouts, player.loose_forms())
        if won
        else standing_candidates(player)
    )
    for way in ways:
        key = way.special.key if way.special else None
        total = look.rules.capped(way.uncapped)
        yield _Way(key, groups(way.tally.layout), total, fishing=way.fishing)


def _counted(way: _Way, best: Reckoning, names: dict[str, str]) -> str:
    """How the hand is counted in that way; nothing where it is the way of the best score."""
    if way.special and way.special != best.special:
        name = names[way.special]
        return f"As a hand one tile short of {name}" if way.fishing else f"Counted as {name}"
    other = [group for group in way.groups if group not in best.arrangement]
    if other and best.arrangement:
        return _read_as(other, best)
    return "" if way.special == best.special else "Counted as an ordinary hand"


def _read_as(other: list[TileSet], best: Reckoning) -> str:
    known = {(group.kind, group.tile) for group in best.arrangement}
    if all((group.kind, group.tile) in known for group in other):
        opened = next((group for group in other if group.exposed), other[0])
        return f"With the claimed tile in the {set_name(opened)}"
    return f"Read as {set_names(other)}"
