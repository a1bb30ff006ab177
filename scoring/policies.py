"""How a rule set settles a hand and passes East on, as declarations."""

from enum import StrEnum
from typing import NamedTuple

from scoring.tiles import Wind


class Role(StrEnum):
    """Whose payments are multiplied, wherever he pays or is paid."""

    EAST = "East"
    DEALER = "the dealer"


class Payments(NamedTuple):
    """Who pays whom after a Mah-Jong."""

    multiplied: Role
    by: int
    multiplied_with_two: bool
    losers_settle: bool
    source: str


class Passing(NamedTuple):
    """How the winds move from hand to hand."""

    order: tuple[Wind, ...]
    prevailing: bool
    goulash_after_a_draw: bool
    source: str
