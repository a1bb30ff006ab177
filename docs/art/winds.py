"""The wind discs and the tong box that holds them."""

from colours import BONE, BRASS, EDGE, INK, LACQUERS, LINE, RED, USUAL, Lacquer
from faces import HAN, INDEX
from strokes import Point, Shape, box, disc, ellipse

CHARACTERS = dict(zip("ESWN", "東南西北", strict=True))


def wind_disc(letter: str, centre: Point = (32, 32), radius: float = 30) -> list[Shape]:
    """Return a wind disc, character above letter; East, who pays double, is red."""
    ground, mark = (RED, BONE) if letter == "E" else (BONE, INK)
    (x, y), part = centre, radius / 30
    return [
        ellipse(centre, radius, radius, ground, LINE, 2 * part),
        ellipse(
            centre, radius * 0.87, radius * 0.87, None, BRASS if letter == "E" else EDGE, 1.6 * part
        ),
        HAN.square(CHARACTERS[letter], (x, y - 11 * part), 25 * part, mark),
        INDEX.shape(letter, (x, y + 11.5 * part), 19 * part, mark),
    ]


def tong_box() -> list[Shape]:
    """Return the box from above: lacquer, brass corners and the round well of the discs."""
    lacquer = LACQUERS[USUAL]
    pins = [disc((x, y), 3.4, BRASS) for x in (15, 105) for y in (15, 105)]
    return [
        box((2, 6), (116, 112), 20, lacquer.edge),
        box((2, 2), (116, 110), 20, lacquer.face),
        box((7.5, 7.5), (105, 99), 15, None, BRASS, 2),
        *[pin.placed(0, -3) for pin in pins],
        disc((60, 57), 43, lacquer.edge),
        disc((60, 60), 40, lacquer.well),
    ]


def four_discs() -> list[Shape]:
    """Return the four discs lying in the box."""
    places = {"E": (32.0, 52.0), "S": (52.0, 32.0), "W": (32.0, 12.0), "N": (12.0, 32.0)}
    return [s for letter, at in places.items() for s in small_disc(letter, at)]


def small_disc(letter: str, at: Point) -> list[Shape]:
    """Return a disc too small for more than its letter."""
    ground, mark = (RED, BONE) if letter == "E" else (BONE, INK)
    return [ellipse(at, 11, 11, ground, BRASS, 1), INDEX.shape(letter, at, 11.5, mark)]


def sign(lacquer: Lacquer) -> list[Shape]:
    """Return the box with East lying in it, simple enough for sixteen pixels."""
    at: Point = (60, 57)
    return [
        box((2, 6), (116, 112), 24, lacquer.edge),
        box((2, 2), (116, 110), 24, lacquer.face),
        disc(at, 49, lacquer.edge),
        disc(at, 46.5, BRASS),
        disc(at, 44, BONE),
        HAN.square("東", at, 75, lacquer.letter),
    ]
