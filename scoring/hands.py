"""One player's hand as the table reports it: sets, tiles, and how the last tile came."""

from enum import StrEnum


class WonBy(StrEnum):
    """Where the winning tile came from."""

    WALL = "wall"
    LAST_WALL_TILE = "last_wall_tile"
    LOOSE_TILE = "loose_tile"
    DISCARD = "discard"
    LAST_DISCARD = "last_discard"
    ROBBED_KONG = "robbed_kong"
    DEALT = "dealt"
    FIRST_DISCARD = "first_discard"
    FIRST_DRAW = "first_draw"
