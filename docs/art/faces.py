"""The faces of the tiles, drawn shape by shape in a box 60 wide and 80 high."""

from collections.abc import Callable

from colours import BACK, BLUE, BONE, EDGE, GOLD, GREEN, INK, LATTICE, LINE, RED
from garden import autumn, bamboo_plant, bird, chrysanthemum, orchid, plum, spring, summer, winter
from strokes import Point, Shape, around, box, brush, disc, ellipse, index_letters, path

HAN = brush()
INDEX = index_letters()


def body() -> list[Shape]:
    """Return the tile itself: bamboo below, an edge of bone, the face."""
    return [
        box((1, 1), (58, 78), 8, BACK, LINE, 2),
        box((2, 2), (56, 72.5), 7.5, EDGE),
        box((2, 2), (56, 70), 7.5, BONE),
    ]


def corner(text: str, colour: str, height: float = 14.5) -> Shape:
    """Return the corner index in the upper left."""
    index = INDEX.shape(text, (0, 5.5 + height / 2), height, colour)
    left = min(x for _, points in index.ops for x, _ in points)
    return index.placed(5.5 - left, 0)


def pip(centre: Point, radius: float, colour: str) -> list[Shape]:
    """Return one circle: a ring, a ring of bone, a heart."""
    return [
        disc(centre, radius, colour),
        disc(centre, radius * 0.68, BONE),
        disc(centre, radius * 0.4, colour),
    ]


def great_circle() -> list[Shape]:
    """Return the one circle: a wheel of petals."""
    middle = (31, 40)
    petal = ellipse((31, 29.5), 3.6, 6.2, RED)
    return [
        disc(middle, 22, BLUE),
        disc(middle, 19, BONE),
        disc(middle, 17.6, GREEN),
        disc(middle, 16.2, BONE),
        *around(petal, middle, 8),
        disc(middle, 6.6, BONE),
        disc(middle, 5, BLUE),
        disc(middle, 1.9, BONE),
    ]


PIPS: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
    2: (11.2, [(31, 20.5, GREEN), (31, 53, BLUE)]),
    3: (8.6, [(18, 31, BLUE), (31.5, 45, RED), (45, 59, GREEN)]),
    4: (9.6, [(19, 32, BLUE), (42, 32, GREEN), (19, 57, GREEN), (42, 57, BLUE)]),
    5: (7.9, [(16, 30, BLUE), (44, 30, GREEN), (30, 45, RED), (16, 60, GREEN), (44, 60, BLUE)]),
    6: (
        7.7,
        [(21, 28, GREEN), (40, 28, GREEN)] + [(x, y, RED) for y in (44.5, 61) for x in (21, 40)],
    ),
    7: (
        6.9,
        [(26.5, 12.5, GREEN), (37.5, 19.5, GREEN), (48.5, 26.5, GREEN)]
        + [(x, y, RED) for y in (44, 61) for x in (21, 40)],
    ),
    8: (6.9, [(x, y, BLUE) for y in (13, 29, 45, 61) for x in (27.5, 45)]),
    9: (
        7.2,
        [(x, y, c) for y, c in ((29, GREEN), (45.2, RED), (61.4, BLUE)) for x in (13.5, 30, 46.5)],
    ),
}


def circles(count: int) -> list[Shape]:
    """Return the circles of a suit tile with its index."""
    if count == 1:
        return [*great_circle(), corner("1", BLUE)]
    radius, places = PIPS[count]
    pips = [shape for x, y, colour in places for shape in pip((x, y), radius, colour)]
    return [*pips, corner(str(count), BLUE)]


def stick(centre: Point, height: float, colour: str, turn: float = 0) -> list[Shape]:
    """Return one bamboo: two joints between three knots, with a light along them."""
    x, y = centre
    half = height / 2
    knots = [
        box((x - 4.8, at - 1.8), (9.6, 3.6), 1.7, colour)
        for at in (y - half + 1.8, y, y + half - 1.8)
    ]
    cane = box((x - 3.3, y - half + 1), (6.6, height - 2), 1.4, colour)
    lights = [
        box((x - 1, y - half + 4.4), (2, half - 7.2), 0.9, BONE),
        box((x - 1, y + 2.8), (2, half - 7.2), 0.9, BONE),
    ]
    return [shape.turned(turn, centre) for shape in (cane, *knots, *lights)]


def crossed_sticks() -> list[Shape]:
    """Return the eight bamboos: an M above a W."""
    places = [
        (12.5, 33.5, GREEN, 0), (48, 33.5, GREEN, 0), (24.4, 33, GREEN, -35), (36.1, 33, GREEN, 35),
        (12.5, 58, BLUE, 0), (48, 58, BLUE, 0), (24.4, 58.5, BLUE, 35), (36.1, 58.5, BLUE, -35),
    ]  # fmt: skip
    return [shape for x, y, colour, turn in places for shape in stick((x, y), 22, colour, turn)]


THREE = (13.5, 30.3, 47)
STICKS: dict[int, tuple[float, list[tuple[float, float, str]]]] = {
    2: (27, [(31, 21.5, GREEN), (31, 54, BLUE)]),
    3: (25, [(31, 20.5, GREEN), (20, 55, BLUE), (42, 55, BLUE)]),
    4: (22, [(20, 33.5, GREEN), (42, 33.5, BLUE), (20, 58, BLUE), (42, 58, GREEN)]),
    5: (
        22,
        [(15, 33.5, GREEN), (46, 33.5, BLUE), (30.5, 45.5, RED), (15, 58, BLUE), (46, 58, GREEN)],
    ),
    6: (22, [(x, y, c) for y, c in ((33.5, GREEN), (58, BLUE)) for x in THREE]),
    7: (
        19,
        [(30.3, 15.5, RED)] + [(x, y, c) for y, c in ((38, GREEN), (59.5, BLUE)) for x in THREE],
    ),
    9: (
        15.4,
        [
            (x, y, c)
            for y in (31, 46.7, 62.4)
            for x, c in zip(THREE, (GREEN, RED, BLUE), strict=True)
        ],
    ),
}


def bamboos(count: int) -> list[Shape]:
    """Return the bamboos of a suit tile with its index; the first is a bird."""
    if count == 1:
        return [*bird(), corner("1", GREEN)]
    if count == 8:
        return [*crossed_sticks(), corner("8", GREEN)]
    height, places = STICKS[count]
    sticks = [shape for x, y, colour in places for shape in stick((x, y), height, colour)]
    return [*sticks, corner(str(count), GREEN)]


def characters(count: int) -> list[Shape]:
    """Return a number over ten thousand, with its index."""
    top = HAN.square("一二三四五六七八九"[count - 1], (34, 20), 30, INK)
    return [top, HAN.square("萬", (31, 51.5), 38, RED), corner(str(count), RED)]


def wind(letter: str) -> list[Shape]:
    """Return a wind with its letter."""
    character = dict(zip("ESWN", "東南西北", strict=True))[letter]
    return [HAN.square(character, (32, 45), 48, INK), corner(letter, INK)]


def white_dragon() -> list[Shape]:
    """Return the blue frame of the white dragon; it has no letter, West has."""
    return [
        box((10, 10.5), (40, 53), 3, None, BLUE, 4.4),
        box((16.4, 17), (27.2, 40), 1.5, None, BLUE, 1.8),
        *[path(f"M{x} {y} L{x + dx} {y} L{x} {y + dy} Z", BLUE) for x, y, dx, dy in
          ((16.4, 17, 7, 7), (43.6, 17, -7, 7), (16.4, 57, 7, -7), (43.6, 57, -7, -7))],
    ]  # fmt: skip


Art = Callable[[], list[Shape]]
FLOWERS: list[tuple[str, Art]] = [
    ("梅", plum), ("蘭", orchid), ("菊", chrysanthemum), ("竹", bamboo_plant),
]  # fmt: skip
SEASONS: list[tuple[str, Art]] = [("春", spring), ("夏", summer), ("秋", autumn), ("冬", winter)]


def bonus(number: int, character: str, art: Art, colour: str) -> list[Shape]:
    """Return a flower or a season: its number large, since the number says whose it is."""
    return [*art(), corner(str(number), colour, 22), HAN.square(character, (45, 18), 20, colour)]


def joker() -> list[Shape]:
    """Return the jester's cap of the joker."""
    cap = [
        path("M17 48 C12 40 12 30 6.5 27 C15 22 24 27 28 37 L30 48 Z", RED),
        path("M43 48 C48 40 48 30 53.5 27 C45 22 36 27 32 37 L30 48 Z", BLUE),
        path("M20 48 C24 38 25 24 30 12 C35 24 36 38 40 48 Z", GREEN),
    ]
    bells = [disc(at, 3.6, GOLD) for at in ((7, 29), (53, 29), (30, 11))]
    return [
        *cap,
        *bells,
        box((14, 46), (32, 6.5), 3, GOLD),
        INDEX.shape("JOKER", (30, 63), 10, INK),
    ]


def back() -> list[Shape]:
    """Return the back: bamboo with a lattice of bone."""
    lattice = [
        path(f"M{x} {y - 5.6} L{x + 4.4} {y} L{x} {y + 5.6} L{x - 4.4} {y} Z", LATTICE)
        for x, y in ((30, 22), (30, 37), (30, 52), (20, 29.5), (40, 29.5), (20, 44.5), (40, 44.5))
    ]
    return [
        box((2, 2), (56, 70), 7.5, GREEN),
        box((8.5, 8.5), (43, 57), 4, None, LATTICE, 2),
        *lattice,
    ]


def faces() -> dict[str, list[Shape]]:
    """Return every tile by its code, body and face."""
    marks: dict[str, list[Shape]] = {}
    for count in range(1, 10):
        marks |= {
            f"B{count}": bamboos(count),
            f"C{count}": characters(count),
            f"O{count}": circles(count),
        }
    marks |= {f"W{letter}": wind(letter) for letter in "ESWN"}
    marks |= {
        "DR": [HAN.square("中", (30, 38), 54, RED)],
        "DG": [HAN.square("發", (30, 38), 54, GREEN)],
    }
    marks |= {"DW": white_dragon(), "JK": joker(), "back": back(), "blank": []}
    for number in range(1, 5):
        marks[f"F{number}"] = bonus(number, *FLOWERS[number - 1], RED)
        marks[f"S{number}"] = bonus(number, *SEASONS[number - 1], BLUE)
    return {code: [*body(), *shapes] for code, shapes in marks.items()}
