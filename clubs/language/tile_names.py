"""The names of tiles and winds as they are read aloud."""

from typing import Final

from scoring.hands import tiles

WIND_NAMES: Final = {wind.value: wind.label for wind in tiles.Wind}
_PLANTS_AND_TIMES: Final = {
    "F1": "plum blossom",
    "F2": "orchid",
    "F3": "chrysanthemum",
    "F4": "bamboo",
    "S1": "spring",
    "S2": "summer",
    "S3": "autumn",
    "S4": "winter",
}
TILE_NAMES: Final[dict[str, str]] = {
    **{str(tile): name for tile, name in tiles.TILE_NAMES.items()},
    **{
        code: f"{tiles.TILE_NAMES[tiles.Tile(code)]}, {name}"
        for code, name in _PLANTS_AND_TIMES.items()
    },
    "back": "hidden tile",
    "blank": "blank tile",
}
