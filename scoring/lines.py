"""The lines of a score: what each set, tile and circumstance is worth, in the rules' words."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.tiles import Tile


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: points, doubles, or the value of a special hand.

    A value that was itself reckoned (Purity's) carries its own lines as `workings`.
    """

    name: str
    source: str
    tiles: tuple[Tile, ...] = ()
    points: int | None = None
    doubles: int | None = None
    value: int | None = None
    workings: tuple["Line", ...] = ()

    def as_json(self) -> dict[str, object]:
        """The form of `items`: the name, the tiles and what the line is worth."""
        tiles = [*self.tiles]
        if self.points is not None:
            return {"name": self.name, "tiles": tiles, "points": self.points}
        if self.doubles is not None:
            return {"name": self.name, "tiles": tiles, "doubles": self.doubles}
        shown: dict[str, object] = {"name": self.name, "tiles": tiles, "value": self.value}
        if self.workings:
            shown["workings"] = [line.as_json() for line in self.workings]
        return shown


def reckoned(lines: Iterable[Line]) -> int:
    """What the lines come to before the limit: values, and points doubled."""
    points = doubles = values = 0
    for line in lines:
        points += line.points or 0
        doubles += line.doubles or 0
        values += line.value or 0
    return values + (points << doubles)
