"""The colours of the tiles, the discs and the box."""

from typing import NamedTuple

INK, LINE = "#1d1914", "#3a3327"
BONE, EDGE = "#fffaf0", "#e0cfa4"
BACK, LATTICE = "#0b5a3c", "#bfe0c8"
GREEN, LEAF = "#0b6440", "#2f8f4e"
RED, PINK, PLUM = "#ad1a1f", "#d8557a", "#6b3fa0"
BLUE, SKY = "#173f85", "#3d79c2"
GOLD, OCHRE, WOOD = "#d99a16", "#8a5a00", "#6a4526"
BRASS = "#d9b25f"


class Lacquer(NamedTuple):
    """The colours of a box: its face, its edge, its well, and the character lying in it."""

    face: str
    edge: str
    well: str
    letter: str


USUAL = "red"
LACQUERS = {  # by the colour that a club chooses for its mark; also in `static/css/tokens.css`
    USUAL: Lacquer("#8f1419", "#5a0a0e", "#33060a", RED),
    "green": Lacquer("#2e8257", "#124a2e", "#0a2e1c", "#14603c"),
    "blue": Lacquer("#2457a8", "#12305f", "#0a1c3a", "#1b458c"),
    "plum": Lacquer("#7a3a86", "#43194c", "#280d2e", "#6b2a77"),
    "brown": Lacquer("#85552b", "#4d2d12", "#2b1808", "#6f421b"),
    "black": Lacquer("#38332e", "#12100e", "#000000", INK),
}
