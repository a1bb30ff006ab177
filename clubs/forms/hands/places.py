"""The seats of a hand as a form has them, and what an answer can be besides a seat."""

from collections.abc import Mapping
from typing import NamedTuple

from clubs.core.chairs import round_the_table
from scoring import Wind

NOBODY = "nobody"
FROM_THE_WALL = "wall"


class Place(NamedTuple):
    """A seat that plays the hand."""

    number: int
    name: str
    wind: Wind


def places_of(winds: Mapping[int, Wind], names: Mapping[int, str]) -> tuple[Place, ...]:
    """The seats of a hand as they sit, from East on."""
    return tuple(Place(seat, names[seat], winds[seat]) for seat in round_the_table(winds))
