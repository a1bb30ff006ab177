"""The names of tiles and winds as they are read aloud."""

from typing import Final

WIND_NAMES: Final = {"E": "East", "S": "South", "W": "West", "N": "North"}
TILE_NAMES: Final = {
    **{f"B{number}": f"{number} bamboo" for number in range(1, 10)},
    **{f"C{number}": f"{number} characters" for number in range(1, 10)},
    **{f"O{number}": f"{number} circles" for number in range(1, 10)},
    **{f"W{letter}": f"{name} wind" for letter, name in WIND_NAMES.items()},
    "DR": "red dragon",
    "DG": "green dragon",
    "DW": "white dragon",
    "F1": "flower 1, plum blossom",
    "F2": "flower 2, orchid",
    "F3": "flower 3, chrysanthemum",
    "F4": "flower 4, bamboo",
    "S1": "season 1, spring",
    "S2": "season 2, summer",
    "S3": "season 3, autumn",
    "S4": "season 4, winter",
    "JK": "joker",
    "back": "hidden tile",
    "blank": "blank tile",
}
