"""The living things on the tiles: the bird, the four flowers, the four seasons."""

from colours import BLUE, BONE, GOLD, GREEN, INK, LEAF, OCHRE, PINK, PLUM, RED, SKY, WOOD
from strokes import Point, Shape, around, box, disc, ellipse, path


def bird() -> list[Shape]:
    """Return the bird of the one bamboo, its tail behind it, on a twig."""
    tail = [
        path("M29 44 C20 48 10 54 6.5 66 C16 66 26 60 33 50 Z", RED),
        path("M31 46 C25 54 20 60 17 69 C27 66 34 58 37 50 Z", BLUE),
        path("M28 42 C19 43 9 46 5.5 55 C14 57 24 53 31 47 Z", LEAF),
    ]
    eyes = [
        s
        for at in ((12, 61), (22, 63), (11, 51.5))
        for s in (disc(at, 2.5, GOLD), disc(at, 1.1, BLUE))
    ]
    plump = path(
        "M37 10 C44 9 50 14 49 22 C48.5 27 51 32 50 40 C49 50 41 55 33 53"
        " C26 51 25 43 29 37 C33 31 31 26 30.5 21 C30 15 32.5 10.6 37 10 Z",
        GREEN,
    )
    wing = path("M31 37 C36 33 45 34 46 41 C46.5 47 40 51 31 50 C35 47 27 44 31 37 Z", BLUE)
    bars = path("M33 41 C37 39 41 39 44 41 M33.5 45.5 C37 43.5 40 43.5 43 45", None, BONE, 1.5)
    crest = path(
        "M36 10 C34 7 33 5.5 33 3.8 M38.5 9.6 C38.5 7 39 5 40 3.6 M41 10 C42.5 7.6 44 6.4 46 5.6",
        None,
        RED,
        1.7,
    )
    face = [
        disc((41.5, 18), 4.3, BONE),
        disc((42.2, 18), 2.2, INK),
        path("M48.4 16 L55.5 19.5 L48.6 22.6 Z", GOLD),
    ]
    breast = path("M49 27 C50.5 33 50.5 41 46 47 C46.8 40 46.6 33 49 27 Z", RED)
    legs = path("M38 53 L38 63 M43.5 51.5 L44.5 63", None, GOLD, 2.2)
    twig = path("M28 64.5 C36 62 46 63 55 61.5", None, WOOD, 3)
    return [*tail, *eyes, legs, twig, plump, breast, wing, bars, crest, *face]


def blossom(centre: Point, size: float, colour: str, heart: str = GOLD) -> list[Shape]:
    """Return a blossom of five round petals."""
    x, y = centre
    petal = ellipse((x, y - size * 0.58), size * 0.44, size * 0.46, colour, BONE, 0.8)
    return [*around(petal, centre, 5), disc(centre, size * 0.27, heart)]


def leaf(tip: Point, foot: Point, bulge: float, colour: str = LEAF) -> Shape:
    """Return a pointed leaf from its foot to its tip."""
    (tx, ty), (fx, fy) = tip, foot
    mx, my, nx, ny = (tx + fx) / 2, (ty + fy) / 2, -(ty - fy) * bulge, (tx - fx) * bulge
    return path(
        f"M{fx} {fy} C{mx + nx} {my + ny} {mx + nx} {my + ny} {tx} {ty}"
        f" C{mx - nx} {my - ny} {mx - nx} {my - ny} {fx} {fy} Z",
        colour,
    )


def plum() -> list[Shape]:
    """Return two plum blossoms and a bud on an old branch."""
    branch = path(
        "M8 68 C18 62 20 54 30 50 C38 46 46 44 54 36 M27 51.5 C26 44 24 40 20 37", None, WOOD, 3
    )
    return [
        branch,
        *blossom((40.5, 53), 12, PINK),
        *blossom((20.5, 43), 9, PINK),
        disc((53, 37), 3.4, PINK),
    ]


def orchid() -> list[Shape]:
    """Return an orchid above its long leaves."""
    leaves = [
        leaf((6, 48), (27, 69.5), 0.17),
        leaf((56, 46), (31, 69.5), -0.17),
        leaf((12, 62), (27, 69.5), 0.2, GREEN),
        leaf((53, 62), (31, 69.5), -0.2, GREEN),
    ]
    stem = path("M29 69 C29 60 31 56 32 50", None, GREEN, 2.4)
    petal = leaf((32, 28.5), (32, 45), 0.34, PLUM)
    return [
        *leaves,
        stem,
        *around(petal, (32, 46), 5, 0),
        disc((32, 46), 3.6, GOLD),
        disc((32, 47), 1.5, RED),
    ]


def chrysanthemum() -> list[Shape]:
    """Return a chrysanthemum of two rows of petals."""
    at: Point = (34, 46)
    outer = around(ellipse((34, 33), 3.3, 6.5, GOLD, OCHRE, 0.7), at, 14)
    inner = around(ellipse((34, 38.5), 2.5, 5, "#f0bd3c", OCHRE, 0.6), at, 10, 18)
    return [
        leaf((8, 57), (27, 66), -0.32),
        leaf((13, 69), (31, 65), 0.28, GREEN),
        *outer,
        *inner,
        disc(at, 3.6, WOOD),
    ]


def bamboo_plant() -> list[Shape]:
    """Return two canes of bamboo with their leaves."""
    canes = [
        box((x - 2.6, y), (5.2, h), 1.4, colour)
        for x, colour, joints in (
            (22, GREEN, ((33, 11), (45, 11), (57, 12))),
            (36, LEAF, ((28, 13), (42, 13), (56, 13))),
        )
        for y, h in joints
    ]
    leaves = [
        leaf((54, 35), (38, 41), 0.2, GREEN),
        leaf((55, 46), (38, 42), 0.2, GREEN),
        leaf((51, 57), (38, 44), 0.2),
        leaf((7, 46), (20, 44), 0.22),
        leaf((9, 57), (20, 46), 0.22, GREEN),
    ]
    return [*canes, *leaves]


def spring() -> list[Shape]:
    """Return the tulip of spring."""
    cup = path(
        "M20 36 C24 38 26 40 27.5 43 C29 38 31 34 33 31.5 C35 34 37 38 38.5 43"
        " C40 40 42 38 46 36 C48 48 42 55 33 55 C24 55 18 48 20 36 Z",
        PINK,
    )
    light = path("M33 31.5 C29 37 28 46 33 54.5 C38 46 37 37 33 31.5 Z", "#ef8fa9")
    return [
        path("M33 54 L33 69", None, GREEN, 2.8),
        leaf((15, 55), (32, 69), -0.26),
        leaf((51, 55), (34, 69), 0.26),
        cup,
        light,
    ]


def summer() -> list[Shape]:
    """Return the sun of summer."""
    at: Point = (33, 49)
    ray = path("M33 29.5 L36.2 36.5 L29.8 36.5 Z", RED)
    return [*around(ray, at, 12), disc(at, 11, GOLD), ellipse(at, 7.4, 7.4, None, "#a86a00", 1.6)]


def autumn() -> list[Shape]:
    """Return the red leaf of autumn."""
    half = "M0 -18 L4 -11 L9 -14 L9 -7 L17 -8 L13.5 -1.5 L17 2 L9 6 L10 10 L1.2 8.4"
    points = path(half).ops
    left = tuple((n, tuple((-x, y) for x, y in ps)) for n, ps in reversed(points))
    outline = (*points, *(("L", ps) for _, ps in left), ("Z", ()))
    maple = Shape(outline, "#c4501b").placed(33, 48, 1.08)
    veins = path("M33 34 L33 70 M33 55 L23 44 M33 55 L43 44", None, WOOD, 1.8)
    return [maple, veins]


def winter() -> list[Shape]:
    """Return the snow crystal of winter."""
    at: Point = (33, 49)
    arm = path(
        "M33 49 L33 30 M33 36 L28.4 31.6 M33 36 L37.6 31.6 M33 42.5 L29 38.6 M33 42.5 L37 38.6",
        None,
        SKY,
        2.5,
    )
    return [*around(arm, at, 6), disc(at, 3, BLUE)]
